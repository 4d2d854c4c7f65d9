/** What a registry refused, as our own Problem. */
import { isProblemCode, PROBLEMS, Problem, type ProblemCode } from '../../schemas/problem.ts';
import { parseJson } from '../../tool-package/parse-json.ts';
import type { WireAnswer } from './transport.ts';

const MAX_TEXT = 2000;

/** Where the answer has no code of ours, or one that does not belong to its status: INTERFACE's exit codes by status. */
const BY_STATUS: Readonly<Record<number, ProblemCode>> = {
  400: 'invalid_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'body_timeout',
  409: 'state_conflict',
  413: 'too_large',
  415: 'unsupported_media_type',
  422: 'state_conflict',
  429: 'rate_limited',
  503: 'busy',
  507: 'disk_full',
};

const HINTS: Partial<Record<ProblemCode, string>> = {
  unauthorized: 'run `pi-tools login`, or set PI_TOOLS_TOKEN',
  invalid_token: 'run `pi-tools login` again, or set PI_TOOLS_TOKEN to a token that is still valid',
  forbidden: 'use a token that may do this: `pi-tools whoami` shows the one in use',
  rate_limited: 'wait a little and try again',
};

const cut = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text);

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? cut(value) : undefined;

const readFields = (answer: WireAnswer): Readonly<Record<string, unknown>> => {
  try {
    const value = parseJson(answer.body, { maxBytes: answer.body.length, maxDepth: 32 });
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
};

const codeOf = (status: number, said: unknown): ProblemCode => {
  if (isProblemCode(said) && PROBLEMS[said].status === status && (status < 500 || PROBLEMS[said].exit === 7))
    return said;
  return BY_STATUS[status] ?? (status >= 500 ? 'registry_unreachable' : 'invalid_answer');
};

/** The Problem for an answer with an error status (400 and up, or an unexpected 3xx). Its text is the registry's: escape it before printing. */
export const problemOf = (answer: WireAnswer, origin: string): Problem => {
  const fields = readFields(answer);
  const code = codeOf(answer.status, fields.code);
  const retryAfter = answer.headers.get('retry-after');
  const said = textOf(fields.detail) ?? textOf(fields.title);
  const message = said ?? `the registry \`${origin}\` answered ${answer.status}`;
  const hint =
    textOf(fields.hint) ?? (retryAfter && /^\d{1,9}$/.test(retryAfter) ? `try again in ${retryAfter} s` : HINTS[code]);
  const details = typeof fields.details === 'object' && fields.details !== null ? fields.details : {};
  return new Problem(code, message, {
    ...(hint === undefined ? {} : { hint }),
    details: { ...(details as Record<string, unknown>), status: answer.status, registry: origin },
  });
};
