/** What a check says. */
import { type Static, Type } from 'typebox';
import { AgentSchema, LevelSchema } from './common.ts';

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
});
export type Finding = Static<typeof Finding>;
