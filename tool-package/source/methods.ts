/** Methods of texts and lists, computed where all is known: the usual disguises are `split`, `reverse`, `join`, `replace`, `map`. */
import type { Machine } from './machine.ts';
import { callTextMethod } from './text-methods.ts';
import {
  type Abstract,
  arrayOf,
  concat,
  deepTaints,
  derived,
  elementOf,
  hole,
  literal,
  one,
  onlyText,
  textValue,
  UNKNOWN,
  union,
  unionTaints,
  unknown,
  type Value,
} from './value.ts';

/** Methods that say yes, no or a number. */
const TELLS_ONLY = new Set(['includes', 'startsWith', 'endsWith', 'indexOf', 'lastIndexOf', 'test', 'some', 'every']);

/** The value of `self.key(...args)`, or null where no model of a method fits. */
export function callMethod(machine: Machine, self: Abstract, key: string, args: readonly Abstract[]): Abstract | null {
  const forwarded = forward(machine, self, key, args);
  if (forwarded) return forwarded;
  if (key === 'then') return chained(machine, self, args);
  if (key === 'catch' || key === 'finally') return self;
  const parts = self.values.map((value): Abstract | null => {
    if (value.kind === 'text') return callTextMethod(value, key, args, self.taints);
    if (value.kind === 'array') return callArrayMethod(machine, value, key, args);
    if (value.kind === 'literal') return key === 'toString' ? textValue(String(value.value)) : null;
    if (value.kind === 'unknown') return methodOfUnknown(value, self, key, args);
    return null;
  });
  if (parts.length === 0 || parts.some((part) => part === null)) return null;
  const merged = union(parts.filter((part) => part !== null));
  if (TELLS_ONLY.has(key)) return { values: merged.values, taints: [] };
  return { values: merged.values, taints: unionTaints(merged.taints, self.taints) };
}

/** `f.call`, `f.apply`, `f.bind`. */
function forward(machine: Machine, self: Abstract, key: string, args: readonly Abstract[]): Abstract | null {
  if (key !== 'call' && key !== 'apply' && key !== 'bind') return null;
  if (!self.values.some((value) => value.kind === 'function' || value.kind === 'api')) return null;
  const rest = key === 'apply' ? itemsOf(args[1]) : args.slice(1);
  if (key !== 'bind') return machine.invoke(self, rest, args[0] ?? null);
  return {
    values: self.values.map((value) =>
      value.kind === 'function' || value.kind === 'api'
        ? { ...value, bound: [...(value.bound ?? []), ...rest] }
        : value,
    ),
    taints: self.taints,
  };
}

/** The items of a list that is known whole, else one unknown. */
export function itemsOf(list: Abstract | undefined): readonly Abstract[] {
  const [only] = list?.values ?? [];
  return list?.values.length === 1 && only?.kind === 'array' ? only.items : [unknown(list ? deepTaints(list) : [])];
}

function chained(machine: Machine, self: Abstract, args: readonly Abstract[]): Abstract | null {
  const [callback] = args;
  return callback?.values.some((value) => value.kind === 'function') ? machine.invoke(callback, [self], null) : null;
}

const KEEPS_HOLE = new Set([
  'trim',
  'trimEnd',
  'trimStart',
  'toString',
  'normalize',
  'toLowerCase',
  'toUpperCase',
  'replace',
]);

/** `text.replace(/'/g, "'\\''")`: what belongs between single quotes of a shell. */
function escapesQuotes(args: readonly Abstract[]): boolean {
  const [pattern] = args[0]?.values ?? [];
  const source = pattern?.kind === 'regex' && pattern.flags.includes('g') ? pattern.source : onlyText(args[0]);
  return source === "'" && /^'(?:\\'|"'")'$/.test(onlyText(args[1]) ?? '');
}

function methodOfUnknown(
  value: Extract<Value, { kind: 'unknown' }>,
  self: Abstract,
  key: string,
  args: readonly Abstract[],
): Abstract | null {
  if (key === 'toFixed' || key === 'indexOf' || key === 'getTime') return unknown([], 'number');
  if ((key === 'replace' || key === 'replaceAll') && escapesQuotes(args)) return hole('quoted', self.taints);
  if (!KEEPS_HOLE.has(key)) return null;
  return one(derived(value), unionTaints(self.taints, ...args.map((arg) => arg.taints)));
}

type ArrayValue = Extract<Value, { kind: 'array' }>;
type ArrayMethod = (machine: Machine, value: ArrayValue, args: readonly Abstract[]) => Abstract;

const ARRAY_METHODS = new Map<string, ArrayMethod>([
  ['join', (_machine, value, args) => joined(value, args[0])],
  ['toString', (_machine, value) => joined(value, textValue(','))],
  ['reverse', (_machine, value) => one({ ...value, items: [...value.items].reverse() })],
  ['toReversed', (_machine, value) => one({ ...value, items: [...value.items].reverse() })],
  ['slice', (_machine, value, args) => sliced(value, args)],
  ['concat', (_machine, value, args) => concatenated(value, args)],
  ['flat', (_machine, value) => arrayOf(value.items.flatMap((item) => itemsOrSelf(item)))],
  ['filter', (_machine, value) => one(value)],
  ['sort', (_machine, value) => one({ ...value, open: true })],
  ['values', (_machine, value) => one(value)],
  ['map', mapped],
  ['flatMap', (machine, value, args) => flattened(mapped(machine, value, args))],
  ['reduce', reduced],
  ['at', (_machine, value, args) => indexed(value, args[0])],
  ['pop', (_machine, value) => elementOf(one(value))],
  ['shift', (_machine, value) => elementOf(one(value))],
  ['find', (_machine, value) => elementOf(one(value))],
  ['get', (_machine, value) => elementOf(one(value))],
]);

const callArrayMethod = (
  machine: Machine,
  value: ArrayValue,
  key: string,
  args: readonly Abstract[],
): Abstract | null => ARRAY_METHODS.get(key)?.(machine, value, args) ?? null;

function joined(value: ArrayValue, separator: Abstract | undefined): Abstract {
  const between = separator ?? textValue(',');
  const parts = value.items.flatMap((item, index) => (index === 0 ? [item] : [between, item]));
  return concat(value.open ? [...parts, UNKNOWN] : parts);
}

function sliced(value: ArrayValue, args: readonly Abstract[]): Abstract {
  const [from, to] = [numberOf(args[0]) ?? 0, numberOf(args[1])];
  return one({ ...value, items: value.items.slice(from, to ?? undefined) });
}

function numberOf(value: Abstract | undefined): number | null {
  const [only] = value?.values ?? [];
  return value?.values.length === 1 && only?.kind === 'literal' && typeof only.value === 'number' ? only.value : null;
}

const itemsOrSelf = (item: Abstract): readonly Abstract[] => {
  const [only] = item.values;
  return item.values.length === 1 && only?.kind === 'array' ? only.items : [item];
};

function concatenated(value: ArrayValue, args: readonly Abstract[]): Abstract {
  const open = value.open || args.some((arg) => arg.values.some((item) => item.kind === 'array' && item.open));
  return one({ kind: 'array', items: [...value.items, ...args.flatMap(itemsOrSelf)], open });
}

const MAX_MAPPED = 2000;

function mapped(machine: Machine, value: ArrayValue, args: readonly Abstract[]): Abstract {
  const [callback] = args;
  if (!callback || value.items.length > MAX_MAPPED)
    return unknown(value.items.slice(0, 50).flatMap((item) => item.taints));
  const items = value.items.map((item, index) => machine.invoke(callback, [item, literal(index)], null));
  return one({ kind: 'array', items, open: value.open }, unionTaints(...items.map((item) => item.taints)));
}

function flattened(list: Abstract): Abstract {
  const [only] = list.values;
  return only?.kind === 'array' ? one({ ...only, items: only.items.flatMap(itemsOrSelf) }, list.taints) : list;
}

function reduced(machine: Machine, value: ArrayValue, args: readonly Abstract[]): Abstract {
  const [callback, initial] = args;
  if (!callback || value.items.length > 500) return UNKNOWN;
  const items = initial ? value.items : value.items.slice(1);
  let total = initial ?? value.items[0] ?? UNKNOWN;
  items.forEach((item, index) => {
    total = machine.invoke(callback, [total, item, literal(index)], null);
  });
  return total;
}

function indexed(value: ArrayValue, index: Abstract | undefined): Abstract {
  const at = numberOf(index);
  return (at === null ? undefined : value.items.at(at)) ?? UNKNOWN;
}
