/** `GET /v1/packages/:name/diff`: what changed between two versions. */
import { type Static, Type } from 'typebox';
import { AgentSchema, PackageName, Version } from '../common.ts';

/** What kind of change it is; docs/api.md has them in words. */
export const ChangeClass = Type.Union([
  Type.Literal('new-permission'),
  Type.Literal('removed-permission'),
  Type.Literal('new-override'),
  Type.Literal('removed-override'),
  Type.Literal('new-tool'),
  Type.Literal('removed-tool'),
  Type.Literal('schema-narrower'),
  Type.Literal('schema-wider'),
  Type.Literal('wording'),
  Type.Literal('new-dependency'),
  Type.Literal('removed-dependency'),
  Type.Literal('files'),
]);
export type ChangeClass = Static<typeof ChangeClass>;

export const Change = Type.Object({
  class: ChangeClass,
  /** Null for a change of the package as a whole. */
  tool: Type.Union([Type.String(), Type.Null()]),
  /** Agents whose tool it is; empty for a change of the package. */
  agents: Type.Array(AgentSchema),
  /** As findings name fields: `description`, `parameters.properties.city`, `permissions.network`; a file's path. */
  field: Type.Union([Type.String(), Type.Null()]),
  /** Null where there was, or is, nothing. */
  from: Type.Unknown(),
  to: Type.Unknown(),
  /** Why a comparison could not be decided (it then counts as narrower), or what the class does not say. */
  note: Type.Union([Type.String(), Type.Null()]),
});
export type Change = Static<typeof Change>;

export const DiffAnswer = Type.Object({
  name: PackageName,
  from: Version,
  to: Version,
  changes: Type.Array(Change),
});
export type DiffAnswer = Static<typeof DiffAnswer>;
