/** Methods of a text that may have unknown parts. */
import {
  type Abstract,
  arrayOf,
  concat,
  hole,
  literal,
  one,
  onlyText,
  type Piece,
  textOf,
  textValue,
  unionTaints,
  unknown,
  type Value,
} from './value.ts';

type TextValue = Extract<Value, { kind: 'text' }>;

/** The value of `text.key(...args)`, or null where there is no model for it. */
export function callTextMethod(
  value: TextValue,
  key: string,
  args: readonly Abstract[],
  taints: readonly string[],
): Abstract | null {
  const all = unionTaints(taints, ...args.map((arg) => arg.taints));
  const [whole] = value.pieces;
  const known = value.pieces.length === 0 ? '' : value.pieces.length === 1 && typeof whole === 'string' ? whole : null;
  if (key === 'concat') return concat([one(value, taints), ...args]);
  if (key === 'replace' || key === 'replaceAll') return replaced(value, key, args, all);
  if (key === 'toString' && known !== null) return decodedAs(known, args[0], all);
  const exact = known === null ? undefined : EXACT.get(key);
  if (exact && known !== null) return exact(known, args, all);
  const each = EACH_PIECE.get(key);
  if (each) return one(textOf(...value.pieces.map((piece) => (typeof piece === 'string' ? each(piece) : piece))), all);
  return TESTS.has(key) ? hole('number') : unknown(all);
}

const same = (text: string): string => text;
const EACH_PIECE = new Map<string, (text: string) => string>([
  ['toLowerCase', (text) => text.toLowerCase()],
  ['toUpperCase', (text) => text.toUpperCase()],
  ['trim', same],
  ['trimEnd', same],
  ['trimStart', same],
  ['normalize', same],
  ['toString', same],
  ['valueOf', same],
  ['toWellFormed', same],
]);
const TESTS = new Set([
  'startsWith',
  'endsWith',
  'includes',
  'indexOf',
  'lastIndexOf',
  'search',
  'localeCompare',
  'test',
]);

type Exact = (text: string, args: readonly Abstract[], taints: readonly string[]) => Abstract;
const MAX_SPLIT = 5000;
const MAX_REGEX_TEXT = 5000;

const EXACT = new Map<string, Exact>([
  ['split', (text, args, taints) => split(text, args[0], taints)],
  ['slice', (text, args, taints) => cut(text, args, taints, (from, to) => text.slice(from, to))],
  ['substring', (text, args, taints) => cut(text, args, taints, (from, to) => text.substring(from, to))],
  [
    'substr',
    (text, args, taints) => cut(text, args, taints, (from, to) => text.substring(from, from + (to ?? text.length))),
  ],
  ['charAt', (text, args, taints) => cut(text, args, taints, (from) => text.charAt(from))],
  ['at', (text, args, taints) => cut(text, args, taints, (from) => text.at(from) ?? '')],
  ['charCodeAt', (text, args) => code(text, args[0])],
  ['codePointAt', (text, args) => code(text, args[0])],
  ['trim', (text, _args, taints) => textValue(text.trim(), taints)],
  ['trimEnd', (text, _args, taints) => textValue(text.trimEnd(), taints)],
  ['trimStart', (text, _args, taints) => textValue(text.trimStart(), taints)],
  ['repeat', (text, args, taints) => repeated(text, args[0], taints)],
]);

function numberOf(value: Abstract | undefined): number | undefined {
  const [only] = value?.values ?? [];
  return value?.values.length === 1 && only?.kind === 'literal' && typeof only.value === 'number'
    ? only.value
    : undefined;
}

function cut(
  _text: string,
  args: readonly Abstract[],
  taints: readonly string[],
  compute: (from: number, to: number | undefined) => string,
): Abstract {
  const numbers = args.map(numberOf);
  if (numbers.some((value) => value === undefined)) return unknown(taints);
  return textValue(compute(numbers[0] ?? 0, numbers[1]), taints);
}

function code(text: string, index: Abstract | undefined): Abstract {
  const at = numberOf(index);
  const found = at === undefined ? Number.NaN : text.charCodeAt(at);
  return Number.isNaN(found) ? hole('number') : literal(found);
}

function repeated(text: string, times: Abstract | undefined, taints: readonly string[]): Abstract {
  const count = numberOf(times);
  const fits = count !== undefined && count >= 0 && count * text.length < 10_000;
  return fits ? textValue(text.repeat(count), taints) : unknown(taints);
}

function split(text: string, separator: Abstract | undefined, taints: readonly string[]): Abstract {
  const by = onlyText(separator);
  const pattern = safeRegex(separator);
  if ((by === null && !pattern) || text.length > MAX_REGEX_TEXT) return unknown(taints);
  const parts = by === null && pattern ? text.split(pattern, MAX_SPLIT) : text.split(by ?? '', MAX_SPLIT);
  return arrayOf(
    parts.map((part) => textValue(part, taints)),
    taints,
  );
}

/** Bytes are kept as the text that they are; `toString('hex')` and the like are not followed. */
function decodedAs(text: string, encoding: Abstract | undefined, taints: readonly string[]): Abstract {
  const name = encoding === undefined ? 'utf8' : onlyText(encoding);
  const plain = name !== null && /^(?:utf-?8|ascii|latin1|binary)$/i.test(name);
  return plain ? textValue(text, taints) : unknown(taints);
}

function replaced(value: TextValue, key: string, args: readonly Abstract[], taints: readonly string[]): Abstract {
  const [pattern, replacement] = args;
  const by = onlyText(replacement);
  const from = onlyText(pattern);
  const expression = safeRegex(pattern);
  const long = value.pieces.some((piece) => typeof piece === 'string' && piece.length > MAX_REGEX_TEXT);
  if (by === null || long || (from === null && !expression)) return replacedByUnknown(value, taints);
  const change = (text: string): string => {
    if (expression) return text.replace(expression, by);
    return key === 'replaceAll' ? text.replaceAll(from ?? '', by) : text.replace(from ?? '', by);
  };
  const pieces = value.pieces.map((piece, index) => changePiece(piece, index, value.pieces.length, expression, change));
  return one(textOf(...pieces), taints);
}

/** `^` fits the first part only, `$` the last. */
function changePiece(
  piece: Piece,
  index: number,
  count: number,
  expression: RegExp | null,
  change: (text: string) => string,
): Piece {
  if (typeof piece !== 'string') return piece;
  if (expression?.source.startsWith('^') && index > 0) return piece;
  if (expression?.source.endsWith('$') && index < count - 1) return piece;
  return change(piece);
}

/** Nothing is known of a text with an unknown replacement, except where it cannot be at its beginning: kept as it is. */
function replacedByUnknown(value: TextValue, taints: readonly string[]): Abstract {
  const [only] = value.pieces;
  return value.pieces.length === 1 && typeof only === 'object' ? one(value, taints) : unknown(taints);
}

/**
 * A regular expression of the package that may be run here: short, no groups, at most one repetition, so that it takes
 * quadratic time at worst on texts of bounded length.
 */
function safeRegex(abstract: Abstract | undefined): RegExp | null {
  const [only] = abstract?.values ?? [];
  if (abstract?.values.length !== 1 || only?.kind !== 'regex') return null;
  const { source, flags } = only;
  if (source.length > 40 || /[({]/.test(source) || (source.match(/[*+]/g) ?? []).length > 1) return null;
  try {
    return new RegExp(source, flags.replace('y', ''));
  } catch {
    return null;
  }
}
