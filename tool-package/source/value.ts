/** What an expression can be, as far as the text of the program tells: a few alternatives, and where their content comes from. */
import type { Node } from './node.ts';

/**
 * A part of a text that is not known: of which kind it is decides what a rule says.
 * `$NAME` is an environment variable; `agent` is the agent's own folder.
 */
export type Hole =
  | 'unknown'
  | 'argument'
  | 'number'
  | 'quoted'
  | 'home'
  | 'temp'
  | 'package'
  | 'cwd'
  | 'agent'
  | `$${string}`
  /** What a name already is, where it is asked for while it is worked out: see `withoutItself`. */
  | `self#${number}`;
export type Piece = string | { hole: Hole };

export type Value =
  | { kind: 'text'; pieces: readonly Piece[] }
  | { kind: 'literal'; value: number | bigint | boolean | null | undefined }
  | { kind: 'regex'; source: string; flags: string }
  | { kind: 'object'; entries: ReadonlyMap<string, Abstract>; open: boolean }
  /** `open`: there may be more in it, or it may be in another order; `grown`: all that can be in it is in `items`. */
  | { kind: 'array'; items: readonly Abstract[]; open: boolean; grown?: boolean }
  | { kind: 'function'; node: Node; frame: Frame | null; bound: readonly Abstract[] }
  | { kind: 'class'; node: Node; frame: Frame | null }
  | { kind: 'instance'; node: Node }
  | { kind: 'module'; file: string }
  /** Something of the host: `node:fs/promises.readFile`, `global.fetch`, `pi.exec`; `base` is what a client was made with. */
  | { kind: 'api'; path: string; base?: Abstract; bound?: readonly Abstract[] }
  | { kind: 'unknown'; hole: Hole };

/**
 * `taints`: where content comes from: `env:NAME` (`env:*`: all of them), `file:PATH`, `download`, `decoded`.
 */
export type Abstract = { values: readonly Value[]; taints: readonly string[] };

/** One call that is being followed: what the parameters of `fn` are in it. */
export type Frame = {
  fn: Node;
  args: readonly Abstract[];
  self: Abstract | null;
  parent: Frame | null;
  memo: Map<Node, Abstract>;
  active: Map<Node, number>;
  /** What a loop over `node` is at. */
  element?: { node: Node; value: Abstract };
};

const MAX_VALUES = 32;
const MAX_TAINTS = 24;
const MAX_TEXT = 100_000;

export const one = (value: Value, taints: readonly string[] = []): Abstract => ({ values: [value], taints });
export const unknown = (taints: readonly string[] = [], hole: Hole = 'unknown'): Abstract =>
  one({ kind: 'unknown', hole }, taints);
export const UNKNOWN: Abstract = unknown();
export const ARGUMENT: Abstract = unknown([], 'argument');
export const NOTHING: Abstract = one({ kind: 'literal', value: undefined });
export const textOf = (...pieces: Piece[]): Value => ({ kind: 'text', pieces: joinPieces(pieces) });
export const textValue = (text: string, taints: readonly string[] = []): Abstract => one(textOf(text), taints);
export const api = (path: string, taints: readonly string[] = []): Abstract => one({ kind: 'api', path }, taints);
export const hole = (kind: Hole, taints: readonly string[] = []): Abstract => one(textOf({ hole: kind }), taints);
export const literal = (value: number | boolean | null | undefined): Abstract => one({ kind: 'literal', value });
export const arrayOf = (items: readonly Abstract[], taints: readonly string[] = []): Abstract =>
  one({ kind: 'array', items, open: false }, taints);

/** Neighbouring texts made one; text beyond the limit becomes a hole. */
export function joinPieces(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  let length = 0;
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (typeof piece !== 'string') {
      if (!(typeof last === 'object' && last.hole === piece.hole)) joined.push(piece);
      continue;
    }
    length += piece.length;
    if (length > MAX_TEXT) return [...joined, { hole: 'unknown' }];
    if (typeof last === 'string') joined[joined.length - 1] = last + piece;
    else if (piece !== '') joined.push(piece);
  }
  return joined;
}

export function unionTaints(...lists: readonly (readonly string[])[]): readonly string[] {
  const full = lists.filter((taints) => taints.length > 0);
  if (full.length <= 1) return full[0] ?? [];
  return [...new Set(full.flat())].slice(0, MAX_TAINTS);
}

/** All alternatives of several; too many end in an unknown one. */
export function union(parts: readonly Abstract[]): Abstract {
  const [first] = parts;
  if (first && parts.length === 1) return first;
  const seen = new Map<unknown, Value>();
  for (const part of parts) for (const value of part.values) seen.set(identityOf(value), value);
  const values = [...seen.values()];
  // What can be called is what a permission hangs on: it is never what gets lost.
  if (values.length > MAX_VALUES)
    values.sort((left, right) => Number(right.kind === 'api') - Number(left.kind === 'api'));
  const kept: Value[] =
    values.length > MAX_VALUES ? [...values.slice(0, MAX_VALUES), { kind: 'unknown', hole: 'unknown' }] : values;
  const taints = unionTaints(...parts.map((part) => part.taints));
  return { values: kept.length > 0 ? kept : [{ kind: 'unknown', hole: 'unknown' }], taints };
}

/** The same for equal values; a text for plain ones. */
export function identityOf(value: Value): unknown {
  if (value.kind === 'text') return `t:${value.pieces.map(showPiece).join('')}`;
  if (value.kind === 'literal') return `l:${String(value.value)}`;
  if (value.kind === 'unknown') return `u:${value.hole}`;
  if (value.kind === 'module') return `m:${value.file}`;
  if (value.kind === 'api' && !value.base && !value.bound) return `a:${value.path}`;
  if (value.kind === 'function' && !value.frame && value.bound.length === 0) return value.node;
  return value;
}

const showPiece = (piece: Piece): string => (typeof piece === 'string' ? piece : `\u0000${piece.hole}\u0000`);

/** A value as pieces of text, the way a template or `+` would see it. */
export function piecesOf(value: Value): readonly Piece[] {
  if (value.kind === 'text') return value.pieces;
  if (value.kind === 'literal') return [String(value.value)];
  if (value.kind === 'unknown') return [{ hole: value.hole }];
  if (value.kind === 'array' && !value.open) return value.items.flatMap(joinedItem);
  return [{ hole: 'unknown' }];
}

const joinedItem = (item: Abstract, index: number): Piece[] => [
  ...(index > 0 ? [','] : []),
  ...(item.values.length === 1 && item.values[0] ? piecesOf(item.values[0]) : [{ hole: 'unknown' as const }]),
];

/** `undefined`, `null` and the empty text: what is left out, and never a program, a host or a path. */
export const isLeftOut = (value: Value): boolean =>
  (value.kind === 'literal' && (value.value ?? null) === null) || (value.kind === 'text' && value.pieces.length === 0);

/** The text where it is known whole. */
export function knownText(value: Value | undefined): string | null {
  if (value?.kind !== 'text') return null;
  if (value.pieces.length === 0) return '';
  const [only] = value.pieces;
  return value.pieces.length === 1 && typeof only === 'string' ? only : null;
}

/** The only text that an expression can be, else null. */
export const onlyText = (abstract: Abstract | undefined): string | null =>
  abstract?.values.length === 1 ? knownText(abstract.values[0]) : null;

/** The texts among the alternatives that are known whole. */
export const knownTexts = (abstract: Abstract | undefined): string[] =>
  (abstract?.values ?? []).flatMap((value) => knownText(value) ?? []);

/** Every combination of the alternatives, joined; the taints of all. */
export function concat(parts: readonly Abstract[]): Abstract {
  const taints = unionTaints(...parts.map((part) => part.taints));
  let prefixes: Piece[][] = [[]];
  for (const part of parts) {
    const wide = prefixes.length * part.values.length > MAX_VALUES;
    const options = wide ? [[{ hole: 'unknown' as const }]] : part.values.map(piecesOf);
    prefixes = prefixes.flatMap((prefix) => options.map((option) => [...prefix, ...option]));
  }
  return { values: prefixes.map((pieces) => textOf(...pieces)), taints };
}

/** What a loop over `value` gives. */
export function elementOf(value: Abstract): Abstract {
  const parts = value.values.map((option): Abstract => {
    if (option.kind === 'array' && option.items.length > 0) {
      const isWhole = (!option.open || option.grown === true) && option.items.length <= MAX_VALUES;
      return union([...option.items.slice(0, MAX_VALUES), ...(isWhole ? [] : [UNKNOWN])]);
    }
    return one(derived(option));
  });
  const merged = union(parts);
  return { values: merged.values, taints: unionTaints(merged.taints, value.taints) };
}

/** Taints of a value and, for lists and objects, of what is in them (the whole environment counts as `env:*`). */
export function deepTaints(abstract: Abstract, depth = 0): readonly string[] {
  if (depth > 6) return abstract.taints;
  const inner = abstract.values.flatMap((value): readonly string[] => {
    if (value.kind === 'array') return value.items.slice(0, 200).flatMap((item) => deepTaints(item, depth + 1));
    if (value.kind === 'object') return [...value.entries.values()].flatMap((item) => deepTaints(item, depth + 1));
    return value.kind === 'api' && isEnvironment(value.path) ? ['env:*'] : [];
  });
  return unionTaints(abstract.taints, inner);
}

/** Whether a name that is still being worked out is part of it: good for now, not to be kept. */
export const isUnfinished = (abstract: Abstract): boolean =>
  abstract.values.some((value) =>
    value.kind === 'unknown'
      ? value.hole.startsWith('self#')
      : value.kind === 'text' &&
        value.pieces.some((piece) => typeof piece === 'object' && piece.hole.startsWith('self#')),
  );

/** A part of something that is not known, or what was made of it: of `x` itself it is no longer the same. */
export const derived = (value: Value): Value =>
  value.kind === 'unknown' && !value.hole.startsWith('self#') ? value : { kind: 'unknown', hole: 'unknown' };

/** `x = x` adds nothing to what `x` can be. */
export function withoutItself(abstract: Abstract, id: number): Abstract {
  const values = abstract.values.filter((value) => !(value.kind === 'unknown' && value.hole === `self#${id}`));
  return values.length === 0 || values.length === abstract.values.length
    ? abstract
    : { values, taints: abstract.taints };
}

const ENVIRONMENTS = new Set(['global.process.env', 'global.Bun.env', 'import.meta.env', 'global.Deno.env']);
export const isEnvironment = (path: string): boolean => ENVIRONMENTS.has(path);
