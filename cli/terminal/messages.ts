/** A failure as text for a person or as JSON for a script. The one place on this side that does it. */
import { Problem } from '../../schemas/problem.ts';
import { escapeLines, escapeText } from './escape.ts';
import type { Style } from './style.ts';

export type Failure = { exitCode: number; text: string; json: { error: Record<string, unknown> } };

type ErrnoError = Error & { code: string; path?: string; syscall?: string };

/** Errors of the file system that are the machine's state and not our bug. */
const FILE_SYSTEM_CODES: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  ENOSPC: 'no space left on the device',
  EDQUOT: 'disk quota exceeded',
  EROFS: 'file system is read-only',
  EMFILE: 'too many open files',
  ENFILE: 'too many open files',
  EIO: 'input/output error',
  ENOENT: 'no such file or folder',
  ENOTDIR: 'not a folder',
  EISDIR: 'is a folder',
  ELOOP: 'too many links',
  ENAMETOOLONG: 'name is too long',
  EEXIST: 'file exists',
  EXDEV: 'another file system',
};

const isErrno = (error: unknown): error is ErrnoError =>
  error instanceof Error && typeof (error as ErrnoError).code === 'string';

/** A Problem for what the file system refused; anything else comes back as it is. */
const asProblem = (error: unknown): unknown => {
  if (!isErrno(error) || !Object.hasOwn(FILE_SYSTEM_CODES, error.code)) return error;
  const where = error.path === undefined ? '' : ` \`${error.path}\``;
  return new Problem(
    'file_system',
    `cannot ${error.syscall ?? 'use'}${where}: ${FILE_SYSTEM_CODES[error.code]} (${error.code})`,
    {
      details: { path: error.path ?? null, errno: error.code },
      cause: error,
    },
  );
};

/** Text, JSON and exit code of any thrown value. `stack` only for an unexpected error under --verbose. */
export const describeFailure = (thrown: unknown, style: Style, verbose: 'stack' | 'short'): Failure => {
  const error = asProblem(thrown);
  if (error instanceof Problem) return describeProblem(error, style);
  const message = error instanceof Error ? error.message : String(error);
  const lines = [
    `${style.red('error:')} unexpected: ${escapeText(message)}`,
    `${style.cyan('hint:')} this is a fault in pi-tools; please report it, with the output of the same command under --verbose`,
  ];
  if (verbose === 'stack' && error instanceof Error && error.stack) lines.push(escapeLines(error.stack));
  return { exitCode: 1, text: lines.join('\n'), json: errorJson('internal', message, null, {}) };
};

const describeProblem = (problem: Problem, style: Style): Failure => {
  const lines = [`${style.red('error:')} ${escapeLines(problem.message)}`];
  if (problem.hint !== null) lines.push(`${style.cyan('hint:')} ${escapeLines(problem.hint)}`);
  return {
    exitCode: problem.exitCode,
    text: lines.join('\n'),
    json: errorJson(problem.code, problem.message, problem.hint, problem.details),
  };
};

const errorJson = (code: string, message: string, hint: string | null, details: object): Failure['json'] => ({
  error: { code, message, hint, details },
});
