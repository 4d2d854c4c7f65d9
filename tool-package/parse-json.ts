/** Strict JSON for bytes that someone else wrote. `JSON.parse` alone keeps the last of two equal keys and takes any depth. */
import { Problem, type ProblemCode } from '../schemas/problem.ts';
import { showText } from './show-text.ts';

export type ParseJsonOptions = {
  readonly maxBytes: number;
  readonly maxDepth: number;
  /** What is being read, for the message: `package.json`, a file's path … */
  readonly what?: string;
  /** Code of the Problem; `invalid_request` when not given. */
  readonly code?: ProblemCode;
  /** What the reader of the message can do. */
  readonly hint?: string;
};

const DEFAULT_WHAT = 'JSON';
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|-?\d[^\s,\]}]*|true|false|null/g;
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Takes UTF-8 bytes, gives the parsed value. Throws a Problem (`options.code`) for: too many bytes, a byte-order mark,
 * invalid UTF-8, nesting deeper than `maxDepth`, a syntax error (with line and column), a key that stands twice in one
 * object (also when one is written with escapes), the key `__proto__`, a lone surrogate, and a number beyond a double.
 */
export const parseJson = (bytes: Uint8Array, options: ParseJsonOptions): unknown => {
  const text = decode(bytes, options);
  // Before the parse: 5 million levels pass JSON.parse, and then every recursive reader of the value overflows.
  checkDepth(text, options);
  const value = parse(text, options);
  checkTokens(text, options);
  return value;
};

const refuse = (options: ParseJsonOptions, reason: string, message: string, cause?: unknown): Problem =>
  new Problem(options.code ?? 'invalid_request', `${options.what ?? DEFAULT_WHAT}: ${message}`, {
    details: { reason },
    ...(options.hint === undefined ? {} : { hint: options.hint }),
    ...(cause === undefined ? {} : { cause }),
  });

const decode = (bytes: Uint8Array, options: ParseJsonOptions): string => {
  if (bytes.byteLength > options.maxBytes) {
    throw refuse(options, 'too-many-bytes', `\`${bytes.byteLength}\` bytes, at most ${options.maxBytes} are read`);
  }
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    throw refuse(options, 'byte-order-mark', 'begins with a byte-order mark; save it without one');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw refuse(options, 'not-utf-8', 'is not valid UTF-8', cause);
  }
};

const checkDepth = (text: string, options: ParseJsonOptions): void => {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (depth > options.maxDepth) throw refuse(options, 'too-deep', `is nested deeper than ${options.maxDepth} levels`);
  }
};

const endOfString = (text: string, start: number): number => {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
};

const parse = (text: string, options: ParseJsonOptions): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw refuse(options, 'syntax', `is not JSON${position(text, cause)}`, cause);
  }
};

const position = (text: string, error: unknown): string => {
  if (text.trim() === '') return ' (it is empty)';
  const offset = offsetOf(text, error instanceof Error ? error.message : '');
  if (offset === undefined || offset >= text.length) return ' (it ends too early)';
  const before = text.slice(0, offset).split('\n');
  return ` (line ${before.length}, column ${(before.at(-1) ?? '').length + 1})`;
};

const offsetOf = (text: string, message: string): number | undefined => {
  const named = /at position (\d+)/.exec(message)?.[1];
  if (named !== undefined) return Number(named);
  return message.startsWith('Unexpected token') ? findUnexpected(text) : undefined;
};

/** Node 20 names the token and not the place: it is where the shortest beginning with that fault ends. */
const findUnexpected = (text: string): number => {
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isUnexpected(text.slice(0, middle))) high = middle;
    else low = middle + 1;
  }
  return low - 1;
};

const isUnexpected = (text: string): boolean => {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    return error instanceof Error && error.message.startsWith('Unexpected token');
  }
};

/** Walks the tokens of text that JSON.parse has accepted, so only keys, numbers and strings need a look. */
const checkTokens = (text: string, options: ParseJsonOptions): void => {
  const open: (Set<string> | null)[] = [];
  let keyMayFollow = false;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(null);
    else if (token === '}' || token === ']') open.pop();
    else checkScalar(token, keyMayFollow ? (open.at(-1) ?? null) : null, options);
    keyMayFollow = token === '{' || token === ',';
  }
};

const checkScalar = (token: string, keys: Set<string> | null, options: ParseJsonOptions): void => {
  if (token.startsWith('"')) checkString(token, keys, options);
  else if (/^-?\d/.test(token) && !Number.isFinite(Number(token))) {
    throw refuse(options, 'number', `the number \`${token.slice(0, 40)}\` is too large`);
  }
};

const checkString = (token: string, keys: Set<string> | null, options: ParseJsonOptions): void => {
  const value: string = token.includes('\\') ? JSON.parse(token) : token.slice(1, -1);
  if (token.includes('\\') && LONE_SURROGATE.test(value)) {
    throw refuse(options, 'lone-surrogate', 'holds half of a surrogate pair, which is no character');
  }
  if (keys === null) return;
  // An own `__proto__` becomes the prototype as soon as anything copies the object with `=`.
  if (value === '__proto__') throw refuse(options, 'prototype-key', 'has the key `__proto__`');
  if (keys.has(value)) throw refuse(options, 'duplicate-key', `has the key \`${showText(value)}\` twice`);
  keys.add(value);
};
