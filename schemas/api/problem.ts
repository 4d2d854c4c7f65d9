/** `application/problem+json` (RFC 9457), as every error is answered. */
import { type Static, Type } from 'typebox';

export const ProblemAnswer = Type.Object({
  type: Type.String(),
  title: Type.String(),
  status: Type.Integer(),
  /** What happened, with the value in backquotes. */
  detail: Type.String(),
  /** The stable code: schemas/problem.ts. */
  code: Type.String(),
  hint: Type.Union([Type.String(), Type.Null()]),
  details: Type.Record(Type.String(), Type.Unknown()),
});
export type ProblemAnswer = Static<typeof ProblemAnswer>;
