/** From what the analysis knows of an expression to JSON: only where it is one value, known whole, from the text alone. */
import { type Abstract, knownText, type Value } from '../source/value.ts';

const MAX_DEPTH = 32;

/** The member of an object that is known to be one object; a spread of something unknown may have set it too. */
export function findMember(owner: Abstract, key: string): Abstract | undefined {
  const only = onlyValue(owner);
  if (only?.kind !== 'object' || only.open) return undefined;
  return only.entries.get(key);
}

/** JSON value, or undefined where any part is not known. */
export function toJson(abstract: Abstract | undefined, depth = 0): unknown {
  const value = onlyValue(abstract);
  if (value === undefined || depth > MAX_DEPTH) return undefined;
  switch (value.kind) {
    case 'text':
      return wellFormed(knownText(value));
    case 'literal':
      return typeof value.value === 'number' || typeof value.value === 'boolean' || value.value === null
        ? value.value
        : undefined;
    case 'array':
      return value.open ? undefined : allKnown(value.items.map((item) => toJson(item, depth + 1)));
    case 'object':
      return value.open ? undefined : objectOf(value.entries, depth);
    default:
      return undefined;
  }
}

const wellFormed = (text: string | null): string | undefined =>
  text === null || /\p{Surrogate}/u.test(text) ? undefined : text;

function onlyValue(abstract: Abstract | undefined): Value | undefined {
  if (abstract === undefined || abstract.values.length !== 1 || abstract.taints.length > 0) return undefined;
  return abstract.values[0];
}

const allKnown = (items: unknown[]): unknown[] | undefined => (items.includes(undefined) ? undefined : items);

function objectOf(entries: ReadonlyMap<string, Abstract>, depth: number): unknown {
  const pairs = [...entries].map(([key, item]) => [key, toJson(item, depth + 1)] as const);
  return pairs.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(pairs);
}
