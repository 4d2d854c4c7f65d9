/** Comparison of the keywords that bound a value: numbers, lengths, counts, patterns. */
import type { SchemaNode } from '../run/schema-errors.ts';
import { type Delta, narrower, undecided, wider } from './delta.ts';
import { sameText } from './same-json.ts';

/** The keyword, whether it is a lower or an upper bound, and the kind of value that it is about. */
const COUNTS: readonly (readonly [key: string, side: 'lower' | 'upper', atom: string])[] = [
  ['minLength', 'lower', 'string'],
  ['maxLength', 'upper', 'string'],
  ['minItems', 'lower', 'array'],
  ['maxItems', 'upper', 'array'],
  ['minProperties', 'lower', 'object'],
  ['maxProperties', 'upper', 'object'],
];

/** Each refuses some values; between two different ones nothing can be said. */
const FILTERS: readonly (readonly [key: string, atom: string | null])[] = [
  ['pattern', 'string'],
  ['format', 'string'],
  ['propertyNames', 'object'],
  ['dependentRequired', 'object'],
  ['dependentSchemas', 'object'],
  ['dependencies', 'object'],
  ['unevaluatedProperties', 'object'],
  ['unevaluatedItems', 'array'],
  ['not', null],
];

/** Keywords that refuse nothing by themselves, or work together. */
const TANGLED: readonly (readonly [key: string, atom: string | null])[] = [
  ['patternProperties', 'object'],
  ['additionalItems', 'array'],
  ['contains', 'array'],
  ['minContains', 'array'],
  ['maxContains', 'array'],
  ['if', null],
  ['then', null],
  ['else', null],
  ['$dynamicRef', null],
  ['$recursiveRef', null],
];

/** All differences of bounds and filters. `shared`: the kinds of values that both let in; others are no matter. */
export function compareLimits(from: SchemaNode, to: SchemaNode, field: string, shared: ReadonlySet<string>): Delta[] {
  const applies = (atom: string | null): boolean => atom === null || shared.has(atom);
  return [
    ...COUNTS.filter(([, , atom]) => applies(atom)).flatMap(([key, side]) => compareCount(from, to, field, key, side)),
    ...(shared.has('integer') || shared.has('fraction') ? compareNumbers(from, to, field, shared) : []),
    ...(shared.has('array') ? compareUnique(from, to, field) : []),
    ...FILTERS.filter(([, atom]) => applies(atom)).flatMap(([key]) => compareFilter(from, to, field, key)),
    ...TANGLED.filter(([key, atom]) => applies(atom) && !sameOrAbsent(from[key], to[key])).map(([key]) =>
      undecided(`${field}.${key}`, from[key], to[key], `\`${key}\` differs`),
    ),
  ];
}

const sameOrAbsent = (left: unknown, right: unknown): boolean =>
  (left === undefined && right === undefined) || sameText(left, right);

const compareCount = (from: SchemaNode, to: SchemaNode, field: string, key: string, side: 'lower' | 'upper') => {
  const none = side === 'lower' ? 0 : Number.POSITIVE_INFINITY;
  const [before, after] = [numberOr(from[key], none), numberOr(to[key], none)];
  if (before === after) return [];
  const isNarrower = side === 'lower' ? after > before : after < before;
  return [(isNarrower ? narrower : wider)(`${field}.${key}`, from[key], to[key])];
};

const numberOr = (value: unknown, none: number): number => (typeof value === 'number' ? value : none);

type Bound = { readonly value: number; readonly open: boolean };

/** The tighter of the two keywords. For integers `> 0` is `>= 1`. */
const lowerBound = (node: SchemaNode, integers: boolean): Bound => {
  const closed = numberOr(node.minimum, Number.NEGATIVE_INFINITY);
  const open = numberOr(node.exclusiveMinimum, Number.NEGATIVE_INFINITY);
  if (integers) return { value: Math.max(Math.ceil(closed), Math.floor(open) + 1), open: false };
  return open >= closed && open > Number.NEGATIVE_INFINITY
    ? { value: open, open: true }
    : { value: closed, open: false };
};

/** An upper bound is a lower bound of the negated numbers. */
const negated = (node: SchemaNode): SchemaNode => ({
  minimum: -numberOr(node.maximum, Number.POSITIVE_INFINITY),
  exclusiveMinimum: -numberOr(node.exclusiveMaximum, Number.POSITIVE_INFINITY),
});

const compareNumbers = (from: SchemaNode, to: SchemaNode, field: string, shared: ReadonlySet<string>): Delta[] => {
  const integers = !shared.has('fraction');
  const say = (side: string, before: Bound, after: Bound): Delta[] => {
    if (before.value === after.value && before.open === after.open) return [];
    const isNarrower = after.value > before.value || (after.value === before.value && after.open);
    const key = [side, `exclusive${side[0]?.toUpperCase()}${side.slice(1)}`].find((one) => from[one] !== to[one]);
    return [(isNarrower ? narrower : wider)(`${field}.${key ?? side}`, from[key ?? side], to[key ?? side])];
  };
  return [
    ...say('minimum', lowerBound(from, integers), lowerBound(to, integers)),
    ...say('maximum', lowerBound(negated(from), integers), lowerBound(negated(to), integers)),
    ...compareMultiple(from, to, `${field}.multipleOf`),
  ];
};

const compareMultiple = ({ multipleOf: from }: SchemaNode, { multipleOf: to }: SchemaNode, field: string): Delta[] => {
  if (from === to) return [];
  if (typeof from !== 'number') return typeof to === 'number' ? [narrower(field, from, to)] : [];
  if (typeof to !== 'number') return [wider(field, from, to)];
  if (Number.isInteger(to / from)) return [narrower(field, from, to)];
  if (Number.isInteger(from / to)) return [wider(field, from, to)];
  return [narrower(field, from, to), wider(field, from, to)];
};

const compareUnique = (from: SchemaNode, to: SchemaNode, field: string): Delta[] => {
  if ((from.uniqueItems === true) === (to.uniqueItems === true)) return [];
  const make = to.uniqueItems === true ? narrower : wider;
  return [make(`${field}.uniqueItems`, from.uniqueItems, to.uniqueItems)];
};

const compareFilter = (from: SchemaNode, to: SchemaNode, field: string, key: string): Delta[] => {
  const [before, after] = [from[key], to[key]];
  if (sameOrAbsent(before, after)) return [];
  const at = `${field}.${key}`;
  if (before === undefined) return [narrower(at, before, after)];
  if (after === undefined) return [wider(at, before, after)];
  return [undecided(at, before, after, `two different \`${key}\``)];
};
