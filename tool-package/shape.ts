/**
 * Hand-written checks of what a registry, an archive or a file says. The TypeBox schemas in schemas/ are the contract, but
 * loading typebox costs 120 ms, twice as much as everything else that `list` and `install` load. Tests hold the two against
 * each other (test/cli/registry/answers.test.ts, test/tool-package/names/package-json-shape.test.ts).
 */

/** Null when the value fits; else where and what was wanted: "`versions[0].version` must be a string". */
export type Shape = (value: unknown, at: string) => string | null;

const say = (at: string, wanted: string): string => `\`${at === '' ? 'the value' : at}\` must be ${wanted}`;

export const text = (options: { pattern?: string; min?: number; max?: number } = {}): Shape => {
  const pattern = options.pattern === undefined ? undefined : new RegExp(options.pattern);
  return (value, at) => {
    if (typeof value !== 'string') return say(at, 'a string');
    // The length first: no pattern runs on a megabyte.
    if (value.length > (options.max ?? Number.POSITIVE_INFINITY)) return say(at, `at most ${options.max} characters`);
    if (value.length < (options.min ?? 0)) return say(at, `at least ${options.min} characters`);
    return pattern === undefined || pattern.test(value) ? null : say(at, `a text like /${options.pattern}/`);
  };
};

export const whole =
  (minimum: number): Shape =>
  (value, at) =>
    Number.isInteger(value) && (value as number) >= minimum ? null : say(at, `a whole number, at least ${minimum}`);

export const flag: Shape = (value, at) => (typeof value === 'boolean' ? null : say(at, 'true or false'));

export const anything: Shape = () => null;

export const oneOf =
  (...words: readonly unknown[]): Shape =>
  (value, at) =>
    words.includes(value) ? null : say(at, `one of ${words.map((word) => JSON.stringify(word)).join(', ')}`);

export const nullable =
  (shape: Shape): Shape =>
  (value, at) =>
    value === null ? null : shape(value, at);

export const list =
  (shape: Shape, most = Number.POSITIVE_INFINITY): Shape =>
  (value, at) => {
    if (!Array.isArray(value)) return say(at, 'an array');
    if (value.length > most) return say(at, `at most ${most} elements`);
    for (const [index, one] of value.entries()) {
      const wrong = shape(one, `${at}[${index}]`);
      if (wrong !== null) return wrong;
    }
    return null;
  };

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Any keys (that fit `key`), all values of one shape. */
export const record =
  (shape: Shape, key?: Shape): Shape =>
  (value, at) => {
    if (!isRecord(value)) return say(at, 'an object');
    for (const [name, one] of Object.entries(value)) {
      const where = `${at}[${JSON.stringify(name.slice(0, 80))}]`;
      const wrong = key?.(name, `the key ${where}`) ?? shape(one, where);
      if (wrong !== null) return wrong;
    }
    return null;
  };

type Fields = Readonly<Record<string, Shape>>;

/** Fields that must be there and fields that may; `others` says whether unknown keys are let through. */
export const fields = (required: Fields, optional: Fields = {}, others: 'allowed' | 'refused' = 'allowed'): Shape => {
  const known = { ...optional, ...required };
  const rules = Object.entries(known);
  const needed = Object.keys(required);
  return (value, at) => {
    if (!isRecord(value)) return say(at, 'an object');
    const prefix = at === '' ? '' : `${at}.`;
    const missing = needed.find((name) => !Object.hasOwn(value, name));
    if (missing !== undefined) return `\`${prefix}${missing}\` is missing`;
    const wrong = firstFault(value, rules, prefix);
    if (wrong !== null) return wrong;
    return others === 'allowed' ? null : refuseOthers(value, known, prefix);
  };
};

const firstFault = (
  value: Readonly<Record<string, unknown>>,
  rules: [string, Shape][],
  prefix: string,
): string | null => {
  for (const [name, shape] of rules) {
    const wrong = Object.hasOwn(value, name) ? shape(value[name], prefix + name) : null;
    if (wrong !== null) return wrong;
  }
  return null;
};

const refuseOthers = (value: object, known: Fields, prefix: string): string | null => {
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(known, name));
  return unknown === undefined ? null : `\`${prefix}${unknown.slice(0, 80)}\` is no known key`;
};
