/** How an archive is refused: a Problem whose `details.reason` is stable, so that scripts and tests need not read prose. */
import { Problem } from '../../schemas/problem.ts';

/** Problem `invalid_archive`. `reason` is a short fixed word, `path` the entry it is about. */
export const refuseArchive = (
  reason: string,
  message: string,
  more: { path?: string; hint?: string; cause?: unknown } = {},
): Problem =>
  new Problem('invalid_archive', `Archive refused: ${message}`, {
    ...(more.hint === undefined ? {} : { hint: more.hint }),
    ...(more.cause === undefined ? {} : { cause: more.cause }),
    details: { reason, ...(more.path === undefined ? {} : { path: more.path }) },
  });

/** Problem `too_large`. */
export const refuseSize = (reason: string, what: string, limit: number, path?: string): Problem =>
  new Problem('too_large', `Archive refused: ${what} (limit \`${limit}\`)`, {
    details: { reason, limit, ...(path === undefined ? {} : { path }) },
  });
