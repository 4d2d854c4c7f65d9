/** What a check says. */
import { type Static, Type } from 'typebox';
import { AgentSchema, LevelSchema, Sha256 } from './common.ts';

const Nullable = <T extends ReturnType<typeof Type.String> | ReturnType<typeof Type.Integer> | typeof AgentSchema>(
  schema: T,
) => Type.Union([schema, Type.Null()]);

export const Finding = Type.Object({
  /** Rule id as in CHECKS.md, e.g. `pi/no-factory`. */
  rule: Type.String(),
  level: LevelSchema,
  agent: Nullable(AgentSchema),
  tool: Nullable(Type.String()),
  field: Nullable(Type.String()),
  /** Path inside the package. */
  file: Nullable(Type.String()),
  line: Nullable(Type.Integer({ minimum: 1 })),
  message: Type.String(),
  hint: Nullable(Type.String()),
  /** sha256 (hex) over what the finding says and what it rests on: a waiver is bound to it. Absent where an older registry found it. */
  evidence: Type.Optional(Sha256),
});
export type Finding = Static<typeof Finding>;
