/** Why a value does not fit a JSON Schema, in the words that pi gives the model. */

export type SchemaError = { path: readonly (string | number)[]; message: string };
export type SchemaNode = Readonly<Record<string, unknown>>;

/** Enums longer than this are cut in a message, as pi does. */
const LISTED_VALUES = 20;
/** A schema that refers to itself must not run for ever. */
const MAX_DEPTH = 64;

export const isSchemaNode = (value: unknown): value is SchemaNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Walk = { root: SchemaNode; depth: number };
type Path = readonly (string | number)[];

/** Errors of `value` against `schema`; empty when it fits. */
export function schemaErrors(schema: unknown, value: unknown, root: unknown = schema): SchemaError[] {
  return walk(schema, value, [], { root: isSchemaNode(root) ? root : {}, depth: 0 });
}

function walk(schema: unknown, value: unknown, path: Path, state: Walk): SchemaError[] {
  if (schema === false) return [{ path, message: 'no value is allowed here' }];
  if (!isSchemaNode(schema) || state.depth > MAX_DEPTH) return [];
  const deeper = { ...state, depth: state.depth + 1 };
  const types = typesOf(schema);
  if (types.length > 0 && !types.some((type) => matchesType(value, type))) {
    return [{ path, message: `expected ${types.join(' or ')}, got ${typeName(value)}` }];
  }
  return [
    ...valueErrors(schema, value, path),
    ...stringErrors(schema, value, path),
    ...numberErrors(schema, value, path),
    ...objectErrors(schema, value, path, deeper),
    ...arrayErrors(schema, value, path, deeper),
    ...combinedErrors(schema, value, path, deeper),
  ];
}

function valueErrors(schema: SchemaNode, value: unknown, path: Path): SchemaError[] {
  const errors: SchemaError[] = [];
  if (Array.isArray(schema.enum) && !schema.enum.some((member) => sameJson(member, value))) {
    errors.push({ path, message: `expected one of ${listValues(schema.enum)}` });
  }
  if (Object.hasOwn(schema, 'const') && !sameJson(schema.const, value)) {
    errors.push({ path, message: `expected ${JSON.stringify(schema.const)}` });
  }
  return errors;
}

function stringErrors(schema: SchemaNode, value: unknown, path: Path): SchemaError[] {
  if (typeof value !== 'string') return [];
  const errors: SchemaError[] = [];
  const length = [...value].length;
  if (isNumber(schema.minLength) && length < schema.minLength) {
    errors.push({ path, message: `expected at least ${schema.minLength} characters` });
  }
  if (isNumber(schema.maxLength) && length > schema.maxLength) {
    errors.push({ path, message: `expected at most ${schema.maxLength} characters` });
  }
  if (typeof schema.pattern === 'string' && !matchesPattern(schema.pattern, value)) {
    errors.push({ path, message: `expected to match ${schema.pattern}` });
  }
  if (typeof schema.format === 'string' && !matchesFormat(schema.format, value)) {
    errors.push({ path, message: `expected format ${schema.format}` });
  }
  return errors;
}

function numberErrors(schema: SchemaNode, value: unknown, path: Path): SchemaError[] {
  if (typeof value !== 'number') return [];
  const errors: SchemaError[] = [];
  const check = (limit: unknown, ok: (bound: number) => boolean, words: string) => {
    if (isNumber(limit) && !ok(limit)) errors.push({ path, message: `expected ${words} ${limit}` });
  };
  check(schema.minimum, (bound) => value >= bound, '>=');
  check(schema.maximum, (bound) => value <= bound, '<=');
  check(schema.exclusiveMinimum, (bound) => value > bound, '>');
  check(schema.exclusiveMaximum, (bound) => value < bound, '<');
  check(schema.multipleOf, (step) => Number.isInteger(Number((value / step).toPrecision(12))), 'a multiple of');
  return errors;
}

function objectErrors(schema: SchemaNode, value: unknown, path: Path, state: Walk): SchemaError[] {
  if (!isSchemaNode(value)) return [];
  const errors: SchemaError[] = [];
  const properties = isSchemaNode(schema.properties) ? schema.properties : {};
  for (const key of stringsOf(schema.required)) {
    if (!Object.hasOwn(value, key) || value[key] === undefined)
      errors.push({ path: [...path, key], message: 'missing' });
  }
  for (const key of Object.keys(properties)) {
    if (!Object.hasOwn(value, key) || value[key] === undefined) continue;
    errors.push(...walk(properties[key], value[key], [...path, key], state));
  }
  for (const key of Object.keys(value))
    errors.push(...otherKeyErrors(schema, properties, key, value[key], path, state));
  const count = Object.keys(value).length;
  if (isNumber(schema.minProperties) && count < schema.minProperties) {
    errors.push({ path, message: `expected at least ${schema.minProperties} properties` });
  }
  if (isNumber(schema.maxProperties) && count > schema.maxProperties) {
    errors.push({ path, message: `expected at most ${schema.maxProperties} properties` });
  }
  return errors;
}

function otherKeyErrors(
  schema: SchemaNode,
  properties: SchemaNode,
  key: string,
  value: unknown,
  path: Path,
  state: Walk,
): SchemaError[] {
  const at = [...path, key];
  const patterns = patternsFor(schema, key);
  const errors = patterns.flatMap((pattern) => walk(pattern, value, at, state));
  if (patterns.length > 0 || Object.hasOwn(properties, key) || schema.additionalProperties === undefined) return errors;
  if (schema.additionalProperties === false) return [...errors, { path: at, message: 'unknown field' }];
  return [...errors, ...walk(schema.additionalProperties, value, at, state)];
}

function arrayErrors(schema: SchemaNode, value: unknown, path: Path, state: Walk): SchemaError[] {
  if (!Array.isArray(value)) return [];
  const errors: SchemaError[] = [];
  value.forEach((item, index) => {
    const itemSchema = itemSchemaAt(schema, index);
    if (itemSchema !== undefined) errors.push(...walk(itemSchema, item, [...path, index], state));
  });
  if (isNumber(schema.minItems) && value.length < schema.minItems) {
    errors.push({ path, message: `expected at least ${schema.minItems} items` });
  }
  if (isNumber(schema.maxItems) && value.length > schema.maxItems) {
    errors.push({ path, message: `expected at most ${schema.maxItems} items` });
  }
  if (schema.uniqueItems === true && new Set(value.map((item) => JSON.stringify(item))).size < value.length) {
    errors.push({ path, message: 'expected unique items' });
  }
  return errors;
}

function combinedErrors(schema: SchemaNode, value: unknown, path: Path, state: Walk): SchemaError[] {
  const errors: SchemaError[] = [];
  for (const member of listOf(schema.allOf)) errors.push(...walk(member, value, path, state));
  if (Array.isArray(schema.anyOf)) errors.push(...unionErrors(schema.anyOf, value, path, state, 'any'));
  if (Array.isArray(schema.oneOf)) errors.push(...unionErrors(schema.oneOf, value, path, state, 'one'));
  if (schema.not !== undefined && walk(schema.not, value, path, state).length === 0) {
    errors.push({ path, message: 'must not match the schema in not' });
  }
  if (typeof schema.$ref === 'string') errors.push(...walk(resolveRef(state.root, schema.$ref), value, path, state));
  return errors;
}

/** An object is blamed on the branch that declares most of its keys, then on the one whose first error is deepest. */
function unionErrors(branches: unknown[], value: unknown, path: Path, state: Walk, kind: 'any' | 'one'): SchemaError[] {
  const results = branches.map((branch) => ({ branch, errors: walk(branch, value, path, state) }));
  const matching = results.filter((result) => result.errors.length === 0).length;
  if (matching === 1 || (matching > 1 && kind === 'any')) return [];
  if (matching > 1) return [{ path, message: 'matches more than one alternative' }];
  const declared = (branch: unknown) =>
    isSchemaNode(value) && isSchemaNode(branch) && isSchemaNode(branch.properties)
      ? Object.keys(value).filter((key) => Object.hasOwn(branch.properties as object, key)).length
      : 0;
  const depth = (errors: SchemaError[]) => errors[0]?.path.join('/').length ?? 0;
  const ranked = results.toSorted(
    (a, b) => declared(b.branch) - declared(a.branch) || depth(b.errors) - depth(a.errors),
  );
  return ranked[0]?.errors ?? [{ path, message: 'matches no alternative' }];
}

/** `#/$defs/x` in the same schema; anything else rejects every value. */
export function resolveRef(root: SchemaNode, ref: string): unknown {
  if (ref === '#') return root;
  if (!ref.startsWith('#/')) return false;
  let node: unknown = root;
  for (const part of ref.slice(2).split('/')) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isSchemaNode(node) || !Object.hasOwn(node, key)) return false;
    node = node[key];
  }
  return node;
}

export const typesOf = (schema: SchemaNode): string[] =>
  typeof schema.type === 'string' ? [schema.type] : stringsOf(schema.type);

export function matchesType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isSchemaNode(value);
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return Number.isFinite(value);
    default:
      return typeof value === type;
  }
}

/** The schema of one item: of a tuple its place, else `items`. */
export function itemSchemaAt(schema: SchemaNode, index: number): unknown {
  if (Array.isArray(schema.items)) return schema.items[index];
  if (Array.isArray(schema.prefixItems) && index < schema.prefixItems.length) return schema.prefixItems[index];
  return schema.items;
}

export const patternsFor = (schema: SchemaNode, key: string): unknown[] =>
  isSchemaNode(schema.patternProperties)
    ? Object.entries(schema.patternProperties)
        .filter(([pattern]) => matchesPattern(pattern, key))
        .map(([, value]) => value)
    : [];

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const stringsOf = (value: unknown): string[] =>
  listOf(value).filter((item): item is string => typeof item === 'string');
const isNumber = (value: unknown): value is number => typeof value === 'number';
const sameJson = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b);

function listValues(values: unknown[]): string {
  if (values.length <= LISTED_VALUES) return JSON.stringify(values);
  const listed = JSON.stringify(values.slice(0, LISTED_VALUES));
  return `${listed.slice(0, -1)}, ... and ${values.length - LISTED_VALUES} more]`;
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (Number.isInteger(value)) return 'integer';
  return typeof value;
}

function matchesPattern(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(value);
  } catch {
    return true;
  }
}

const FORMATS = new Map<string, RegExp>([
  ['email', /^[^\s@]+@[^\s@]+\.[^\s@]+$/],
  ['uri', /^[a-z][a-z0-9+.-]*:\S+$/i],
  ['date', /^\d{4}-\d{2}-\d{2}$/],
  ['date-time', /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/],
  ['uuid', /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i],
]);

const matchesFormat = (format: string, value: string) => FORMATS.get(format)?.test(value) ?? true;
