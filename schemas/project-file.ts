/** `pi-tools.json`: what a project wants. */
import { type Static, Type } from 'typebox';
import { AgentSchema, PackageName } from './common.ts';

export const ProjectFile = Type.Object({
  registry: Type.Optional(Type.String()),
  /** Scope (`@team`) -> registry. */
  registries: Type.Optional(Type.Record(Type.String(), Type.String())),
  agents: Type.Optional(Type.Array(AgentSchema)),
  tools: Type.Optional(Type.Record(PackageName, Type.String())),
});
export type ProjectFile = Static<typeof ProjectFile>;
