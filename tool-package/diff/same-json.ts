/** Equality of JSON values whatever the order of their keys; fast and shallow of stack, unlike RFC 8785's form. */

const MAX_DEPTH = 200;

/** Entries as an object whose keys are in order; the last of two equal keys wins. */
export const sorted = (entries: Iterable<readonly [string, unknown]>): Readonly<Record<string, unknown>> =>
  Object.fromEntries([...entries].sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0)));

/** A copy with the keys of all its objects in order. Throws RangeError below `levels`. */
export const inOrder = (value: unknown, levels: number): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (levels <= 0) throw new RangeError('nested too deeply');
  if (Array.isArray(value)) return value.map((item) => inOrder(item, levels - 1));
  return sorted(Object.entries(value).map(([key, item]) => [key, inOrder(item, levels - 1)]));
};

/** A value whose keys are in order, as text to compare by. */
export const textOf = (value: unknown): string => JSON.stringify(value) ?? 'undefined';

/** Whether two values with their keys in order are equal. */
export const sameText = (left: unknown, right: unknown): boolean => left === right || textOf(left) === textOf(right);

/** Whether two JSON values are equal; those that are nested too deeply only when they are written alike. */
export const sameJson = (left: unknown, right: unknown): boolean => {
  if (left === right) return true;
  try {
    return sameText(left, right) || sameText(inOrder(left, MAX_DEPTH), inOrder(right, MAX_DEPTH));
  } catch {
    return false;
  }
};
