/**
 * What every generated SlopCode and opencode entry shares. The compiled file is copied to `pi-tools/_runtime/<format>.js` beside the
 * packages: no imports, nothing of the machine. The hosts validate no arguments, apply no defaults and crash on a result that is no string,
 * so all of that is done here. A change of behaviour here is a new format (ENTRY_FORMAT in entries.ts).
 */

type Schema = { readonly [key: string]: unknown };
type Values = Record<string, unknown>;

export type Definition = {
  readonly name: string;
  readonly description: string;
  readonly parameters: Schema;
  readonly host: 'slopcode' | 'opencode';
};

type Execute = (args: unknown, context: unknown) => unknown;

export type Entry = {
  description: string;
  args: Values;
  execute: (args: unknown, context: unknown) => Promise<unknown>;
};

const LOAD_LIMIT_MS = 15_000;
const MAX_DEPTH = 64;

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const own = (object: object, key: string): boolean => Object.hasOwn(object, key);

const clone = <Value>(value: Value): Value =>
  value === undefined ? value : (JSON.parse(JSON.stringify(value)) as Value);

/** `#/$defs/x` inside the tool's own schema; anything else cannot be resolved here and allows everything. */
function resolveRef(root: Schema, ref: string): unknown {
  if (ref === '#') return root;
  if (!ref.startsWith('#/')) return true;
  let node: unknown = root;
  for (const part of ref.slice(2).split('/')) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof node !== 'object' || node === null || !own(node, key)) return true;
    node = (node as Values)[key];
  }
  return node;
}

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
};

const isType = (value: unknown, type: unknown): boolean => {
  if (type === 'integer') return typeof value === 'number' && Number.isInteger(value);
  return typeOf(value) === type;
};

const same = (left: unknown, right: unknown): boolean => {
  if (left === right) return true;
  if (typeOf(left) !== typeOf(right)) return false;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((entry, index) => same(entry, right[index]));
  }
  if (!isObject(left) || !isObject(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length && keys.every((key) => own(right, key) && same(left[key], right[key]))
  );
};

const show = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
};

/** Where a check stands: the whole schema for `$ref`, the place for messages, the depth against endless recursion. */
type At = { readonly root: Schema; readonly place: string; readonly depth: number };

const inside = (at: At, key: string | number): At => ({
  ...at,
  place: at.place === '' ? String(key) : `${at.place}.${key}`,
  depth: at.depth + 1,
});

const named = (at: At): string => (at.place === '' ? 'the arguments' : at.place);

type Check = (schema: Schema, value: unknown, at: At) => string[];

const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

const checkType: Check = ({ type }, value, at) => {
  if (type === undefined) return [];
  const types = Array.isArray(type) ? type : [type];
  if (types.some((one) => isType(value, one))) return [];
  return [`${named(at)}: expected ${types.join(' or ')}, got ${typeOf(value)}`];
};

const checkChoice: Check = (schema, value, at) => {
  if (Array.isArray(schema.enum) && !schema.enum.some((one) => same(one, value))) {
    return [`${named(at)}: expected one of ${show(schema.enum)}, got ${show(value)}`];
  }
  return own(schema, 'const') && !same(schema.const, value)
    ? [`${named(at)}: expected ${show(schema.const)}, got ${show(value)}`]
    : [];
};

const limit = (ok: boolean, at: At, wanted: string): string[] => (ok ? [] : [`${named(at)}: expected ${wanted}`]);

const checkNumber: Check = (schema, value, at) => {
  if (typeof value !== 'number') return [];
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const step = number(multipleOf);
  return [
    ...limit(!(value < (number(minimum) ?? -Infinity)), at, `>= ${String(minimum)}`),
    ...limit(!(value > (number(maximum) ?? Infinity)), at, `<= ${String(maximum)}`),
    ...limit(
      number(exclusiveMinimum) === undefined || value > Number(exclusiveMinimum),
      at,
      `> ${String(exclusiveMinimum)}`,
    ),
    ...limit(
      number(exclusiveMaximum) === undefined || value < Number(exclusiveMaximum),
      at,
      `< ${String(exclusiveMaximum)}`,
    ),
    ...limit(step === undefined || isMultiple(value, step), at, `a multiple of ${String(multipleOf)}`),
  ];
};

const isMultiple = (value: number, step: number): boolean => {
  const times = value / step;
  return Math.abs(times - Math.round(times)) < 1e-9;
};

const matches = (pattern: unknown, value: string): boolean => {
  if (typeof pattern !== 'string') return true;
  try {
    return new RegExp(pattern, 'u').test(value);
  } catch {
    return true;
  }
};

const checkString: Check = (schema, value, at) => {
  if (typeof value !== 'string') return [];
  const { minLength, maxLength, pattern } = schema;
  const length = [...value].length;
  return [
    ...limit(length >= (number(minLength) ?? 0), at, `at least ${String(minLength)} characters`),
    ...limit(length <= (number(maxLength) ?? Infinity), at, `at most ${String(maxLength)} characters`),
    ...limit(matches(pattern, value), at, `to match ${String(pattern)}`),
  ];
};

const checkArray: Check = (schema, value, at) => {
  if (!Array.isArray(value)) return [];
  const { minItems, maxItems, uniqueItems } = schema;
  const twice = value.some((entry, index) => value.slice(0, index).some((earlier) => same(earlier, entry)));
  return [
    ...limit(value.length >= (number(minItems) ?? 0), at, `at least ${String(minItems)} entries`),
    ...limit(value.length <= (number(maxItems) ?? Infinity), at, `at most ${String(maxItems)} entries`),
    ...limit(uniqueItems !== true || !twice, at, 'no entry twice'),
    ...value.flatMap((entry, index) => check(itemSchema(schema, index), entry, inside(at, index))),
  ];
};

/** Tuples are `prefixItems` (2020-12) or a list in `items` with `additionalItems` (draft 7). */
const itemSchema = (schema: Schema, index: number): unknown => {
  const { items, prefixItems, additionalItems } = schema;
  if (Array.isArray(prefixItems)) return index < prefixItems.length ? prefixItems[index] : items;
  if (Array.isArray(items)) return index < items.length ? items[index] : additionalItems;
  return items;
};

const properties = (schema: Schema): Values => (isObject(schema.properties) ? schema.properties : {});

const checkObject: Check = (schema, value, at) => {
  if (!isObject(value)) return [];
  const required = Array.isArray(schema.required) ? (schema.required as unknown[]) : [];
  const missing = required.filter((key) => typeof key === 'string' && !own(value, key));
  const count = Object.keys(value).length;
  return [
    ...missing.map((key) => `${named(inside(at, String(key)))}: missing`),
    ...limit(count >= (number(schema.minProperties) ?? 0), at, `at least ${String(schema.minProperties)} properties`),
    ...limit(
      count <= (number(schema.maxProperties) ?? Infinity),
      at,
      `at most ${String(schema.maxProperties)} properties`,
    ),
    ...Object.entries(value).flatMap(([key, entry]) => checkProperty(schema, key, entry, inside(at, key))),
  ];
};

function checkProperty(schema: Schema, key: string, value: unknown, at: At): string[] {
  const known = properties(schema);
  const patterns = isObject(schema.patternProperties) ? Object.entries(schema.patternProperties) : [];
  const matching = patterns.filter(([pattern]) => matches(pattern, key)).map(([, inner]) => inner);
  const schemas = own(known, key) ? [known[key], ...matching] : matching;
  if (schemas.length > 0) return schemas.flatMap((inner) => check(inner, value, at));
  if (schema.additionalProperties === false) return [`${named(at)}: unknown field`];
  return check(schema.additionalProperties, value, at);
}

const checkCombined: Check = (schema, value, at) => {
  const list = (key: string): unknown[] => (Array.isArray(schema[key]) ? (schema[key] as unknown[]) : []);
  const passing = (schemas: unknown[]): number => schemas.filter((one) => check(one, value, at).length === 0).length;
  const problems = list('allOf').flatMap((one) => check(one, value, at));
  const any = list('anyOf');
  const one = list('oneOf');
  if (any.length > 0 && passing(any) === 0) problems.push(noneOf(any, value, at));
  if (one.length > 0 && passing(one) !== 1) problems.push(noneOf(one, value, at));
  if (schema.not !== undefined && check(schema.not, value, at).length === 0) problems.push(`${named(at)}: not allowed`);
  return problems;
};

const noneOf = (schemas: unknown[], value: unknown, at: At): string => {
  const constants = schemas.flatMap((one) => (isObject(one) && own(one, 'const') ? [one.const] : []));
  const wanted = constants.length === schemas.length ? `one of ${show(constants)}` : 'another form';
  return `${named(at)}: expected ${wanted}, got ${show(value)}`;
};

const CHECKS: readonly Check[] = [
  checkType,
  checkChoice,
  checkNumber,
  checkString,
  checkArray,
  checkObject,
  checkCombined,
];

/** What is wrong with a value; nothing when it is as the schema says. A keyword that is not known allows everything. */
function check(schema: unknown, value: unknown, at: At): string[] {
  if (schema === false) return [`${named(at)}: not allowed`];
  if (!isObject(schema) || at.depth > MAX_DEPTH) return [];
  const target = typeof schema.$ref === 'string' ? resolveRef(at.root, schema.$ref) : undefined;
  const referred = target === undefined ? [] : check(target, value, { ...at, depth: at.depth + 1 });
  return [...referred, ...CHECKS.flatMap((one) => one(schema, value, at))];
}

/** The value with the schema's defaults where something is missing; the value that was given is not changed. */
function withDefaults(schema: unknown, value: unknown, root: Schema, depth: number): unknown {
  if (!isObject(schema) || depth > MAX_DEPTH) return value;
  if (value === undefined && own(schema, 'default')) return clone(schema.default);
  if (typeof schema.$ref === 'string') return withDefaults(resolveRef(root, schema.$ref), value, root, depth + 1);
  if (Array.isArray(value)) {
    return value.map((entry, index) => withDefaults(itemSchema(schema, index), entry, root, depth + 1));
  }
  if (!isObject(value)) return value;
  const filled: Values = Object.assign(Object.create(null), value);
  for (const [key, inner] of Object.entries(properties(schema))) {
    const entry = withDefaults(inner, own(value, key) ? value[key] : undefined, root, depth + 1);
    if (entry !== undefined) filled[key] = entry;
  }
  return { ...filled };
}

/** Checked arguments with defaults. Throws an Error that tells the model what to do better. */
function prepareArguments(definition: Definition, given: unknown): Values {
  const { parameters, name } = definition;
  const args = withDefaults(parameters, given ?? {}, parameters, 0);
  const problems = [...new Set(check(parameters, args, { root: parameters, place: '', depth: 0 }))];
  if (!isObject(args)) problems.unshift('the arguments are not an object');
  if (problems.length === 0) return args as Values;
  throw new Error(`Invalid arguments for ${name}:\n${problems.map((one) => `  - ${one}`).join('\n')}`);
}

/** A property's schema by itself: references are put in, a recursive one becomes "anything". */
function inline(schema: unknown, root: Schema, open: readonly string[]): unknown {
  if (Array.isArray(schema)) return schema.map((entry) => inline(entry, root, open));
  if (!isObject(schema)) return schema;
  const { $ref: ref, ...rest } = schema;
  if (typeof ref === 'string') {
    if (open.includes(ref)) return {};
    const target = inline(resolveRef(root, ref), root, [...open, ref]);
    return { ...(isObject(target) ? target : {}), ...(inline(rest, root, open) as Values) };
  }
  return Object.fromEntries(Object.entries(schema).map(([key, entry]) => [key, inline(entry, root, open)]));
}

/** One argument as the hosts' Zod sees it: it only asks for JSON Schema, and so descriptions arrive with every copy of Zod. */
function argument(schema: unknown, presence: 'required' | 'optional'): unknown {
  const optional = presence === 'optional' ? { optin: 'optional', optout: 'optional' } : {};
  const zod = {
    def: { type: 'any' },
    traits: new Set(['$ZodType']),
    bag: {},
    version: { major: 4, minor: 0, patch: 0 },
    run: (payload: unknown) => payload,
    parse: (payload: unknown) => payload,
    toJSONSchema: () => clone(isObject(schema) ? schema : {}),
    ...optional,
  };
  const description = isObject(schema) && typeof schema.description === 'string' ? schema.description : undefined;
  return { _zod: zod, def: zod.def, description };
}

const argumentsOf = ({ parameters }: Definition): Values => {
  const required = Array.isArray(parameters.required) ? parameters.required : [];
  const entries = Object.entries(properties(parameters)).map(([name, schema]) => {
    const must = required.includes(name) && !(isObject(schema) && own(schema, 'default'));
    return [name, argument(inline(schema, parameters, []), must ? 'required' : 'optional')];
  });
  return Object.fromEntries(entries) as Values;
};

const textOfContent = (content: readonly unknown[]): string | undefined => {
  const texts = content.map((part) => (isObject(part) && typeof part.text === 'string' ? part.text : undefined));
  return texts.every((text) => text !== undefined) ? texts.join('\n') : undefined;
};

/** A result as the host can take it: SlopCode a string only, opencode also `{output, title, metadata}`. */
function convertResult(value: unknown, host: Definition['host']): unknown {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  if (typeof value !== 'object') return String(value);
  const { output, content } = value as Values;
  if (typeof output === 'string') return host === 'opencode' ? value : output;
  const text = Array.isArray(content) ? textOfContent(content) : undefined;
  if (text !== undefined) return text;
  try {
    return JSON.stringify(value, null, 2) ?? String(value);
  } catch {
    return String(value);
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function makeEntry(definition: Definition, exported: unknown): Entry {
  const execute = (exported as { execute?: unknown } | null | undefined)?.execute;
  if (typeof execute !== 'function') throw new Error('the code has no `execute` function for it');
  return {
    description: definition.description,
    args: argumentsOf(definition),
    execute: async (args, context) => {
      const result = await (execute as Execute).call(exported, prepareArguments(definition, args), context);
      return convertResult(result, definition.host);
    },
  };
}

/** The session waits for this import: not for ever. */
async function inTime<Code>(code: Promise<Code>): Promise<Code> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not load within ${LOAD_LIMIT_MS / 1000} s`)), LOAD_LIMIT_MS);
  });
  try {
    return await Promise.race([code, late]);
  } finally {
    clearTimeout(timer);
  }
}

function makeBrokenEntry(definition: Definition, error: unknown): Entry {
  const why = `The tool ${definition.name} could not be loaded: ${messageOf(error)}`;
  const execute = async (): Promise<never> => {
    throw new Error(why);
  };
  return { description: `${definition.description}\n\n(${why})`, args: argumentsOf(definition), execute };
}

/**
 * The tool as the host wants it: the manifest's description and parameters around the package's own code. Code that does not load
 * becomes a tool that says why; the session lives.
 */
export async function createEntry(
  definition: Definition,
  load: () => Promise<Record<string, unknown>>,
  exportName: string,
): Promise<Entry> {
  try {
    const code = await inTime(load());
    return makeEntry(definition, code[exportName]);
  } catch (error) {
    return makeBrokenEntry(definition, error);
  }
}
