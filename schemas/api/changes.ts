/** Bodies of the requests that change something, and events. */
import { type Static, Type } from 'typebox';
import { Version } from '../common.ts';
import { Role, TokenScope } from './accounts.ts';

const Text = Type.String({ maxLength: 1000 });

/** yank, unyank, approve, reject, quarantine. */
export const ReasonBody = Type.Union([Type.Object({ reason: Type.Optional(Text) }), Type.Null()]);
const waived = {
  rule: Type.String({ minLength: 1, maxLength: 64 }),
  /** The finding's, or how it begins: needed where the rule has several findings. */
  evidence: Type.Optional(Type.String({ pattern: '^[0-9a-f]{8,64}$' })),
  /** Only findings in this file. */
  file: Type.Optional(Type.String({ minLength: 1, maxLength: 300 })),
  /** Every finding that matches, where there are several. */
  all: Type.Optional(Type.Boolean()),
};
/** A waiver without a reason would tell nobody anything. */
export const WaiveBody = Type.Object({ ...waived, reason: Type.String({ minLength: 1, maxLength: 1000 }) });
export const UnwaiveBody = Type.Object({ ...waived, reason: Type.Optional(Text) });
/** An empty message undoes it. */
export const DeprecateBody = Type.Object({ message: Text });
export const TagBody = Type.Object({ version: Version });
export const OwnerBody = Type.Object({ user: Type.String({ minLength: 1, maxLength: 64 }) });
export const NewUserBody = Type.Object({
  user: Type.String({ minLength: 1, maxLength: 64 }),
  role: Type.Optional(Role),
});
export const NewTokenBody = Type.Object({
  /** `read` when not given. */
  scopes: Type.Optional(Type.Array(TokenScope, { minItems: 1, maxItems: 4 })),
  note: Type.Optional(Type.Union([Type.String({ maxLength: 200 }), Type.Null()])),
  /** RFC 3339; at most and by default 90 days from now. */
  expires: Type.Optional(Type.Union([Type.String({ maxLength: 40 }), Type.Null()])),
  /** For somebody else: administrators only. */
  user: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
});
export type NewTokenBody = Static<typeof NewTokenBody>;

export const OkAnswer = Type.Object({ ok: Type.Literal(true) });

export const EventRow = Type.Object({
  id: Type.Integer({ minimum: 1 }),
  at: Type.String(),
  actor: Type.String(),
  kind: Type.String(),
  package: Type.Union([Type.String(), Type.Null()]),
  version: Type.Union([Type.String(), Type.Null()]),
  detail: Type.Record(Type.String(), Type.Unknown()),
});
export type EventRow = Static<typeof EventRow>;
