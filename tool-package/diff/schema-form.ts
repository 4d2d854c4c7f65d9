/** A JSON Schema node in a form that two of can be compared: references followed, `allOf` merged, annotations gone. */

import { isSchemaNode, listOf, matchesType, resolveRef, type SchemaNode, typesOf } from '../run/schema-errors.ts';
import { inOrder, sameText, sorted, textOf } from './same-json.ts';

/** Keywords that decide which values fit. Everything else is text for the model: see wording.ts. */
export const CONSTRAINTS: ReadonlySet<string> = new Set([
  ...['$ref', '$dynamicRef', '$recursiveRef', '$defs', 'definitions', 'type', 'enum', 'const'],
  ...['anyOf', 'oneOf', 'allOf', 'not', 'if', 'then', 'else'],
  ...['properties', 'required', 'additionalProperties', 'patternProperties', 'propertyNames', 'minProperties'],
  ...['maxProperties', 'dependencies', 'dependentRequired', 'dependentSchemas', 'unevaluatedProperties'],
  ...['items', 'prefixItems', 'additionalItems', 'contains', 'minContains', 'maxContains', 'uniqueItems'],
  ...['minItems', 'maxItems', 'unevaluatedItems', 'minLength', 'maxLength', 'pattern', 'format'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
]);

const DEFINITIONS = new Set(['$defs', 'definitions']);
const MAX_MERGES = 16;

/** A node and whether it says all: `opaque` where a reference or a merge could not be followed. */
export type Form = { readonly node: SchemaNode; readonly opaque: boolean };

/** `true` and anything that is no schema accept everything, `false` nothing. */
export const asNode = (schema: unknown): SchemaNode => {
  if (schema === false) return NEVER;
  return isSchemaNode(schema) ? schema : ANY;
};

export const ANY: SchemaNode = {};
const NEVER: SchemaNode = { not: {} };

const MAPS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
const SCHEMAS = new Set([
  ...['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items', 'additionalItems', 'unevaluatedItems', 'contains'],
  ...['additionalProperties', 'unevaluatedProperties', 'propertyNames', 'not', 'if', 'then', 'else'],
]);
/** At the root a reference may lead to a key of any name; these hold values, never schemas. */
const VALUE_KEYS = new Set(['default', 'examples', 'example']);
const MAX_DEPTH = 100;

/**
 * The schema without its texts, all keys in order: equal schemas are equal as text. Throws RangeError for one that is
 * nested too deeply to look into.
 */
export const plainSchema = (schema: unknown, depth = 0): unknown => {
  if (depth > MAX_DEPTH) throw new RangeError('nested too deeply');
  if (Array.isArray(schema)) return schema.map((item) => plainSchema(item, depth + 1));
  if (!isSchemaNode(schema)) return schema;
  const kept = Object.entries(schema).filter(
    ([key, value]) => CONSTRAINTS.has(key) || (depth === 0 && isSchemaNode(value) && !VALUE_KEYS.has(key)),
  );
  return sorted(kept.map(([key, value]) => [key, plainKey(key, value, depth)]));
};

const plainKey = (key: string, value: unknown, depth: number): unknown => {
  if (SCHEMAS.has(key)) return plainSchema(value, depth + 1);
  if (!MAPS.has(key) || !isSchemaNode(value)) return inOrder(value, MAX_DEPTH - depth);
  return sorted(Object.entries(value).map(([name, one]) => [name, plainSchema(one, depth + 1)]));
};

/** What of a node decides which values fit. */
export const constraintsOf = (node: SchemaNode): [string, unknown][] =>
  Object.entries(node).filter(([key]) => CONSTRAINTS.has(key) && !DEFINITIONS.has(key));

/** Follows a node that is nothing but a reference; so that a cycle meets the same object again. */
export const followRef = (schema: unknown, root: SchemaNode): SchemaNode => {
  let node = asNode(schema);
  for (let steps = 0; steps < MAX_MERGES; steps += 1) {
    if (typeof node.$ref !== 'string' || constraintsOf(node).length > 1) return node;
    const target = findRef(root, node.$ref);
    if (target === undefined) return node;
    node = target;
  }
  return node;
};

/** What a reference means; undefined where it leads nowhere, or its escapes do not decode. */
const findRef = (root: SchemaNode, ref: string): SchemaNode | undefined => {
  try {
    const target = resolveRef(root, ref);
    return target === false ? undefined : asNode(target);
  } catch {
    return undefined;
  }
};

/** The node with `$ref` and `allOf` merged in and only constraints left. */
export const formOf = (schema: SchemaNode, root: SchemaNode): Form => {
  const merged = new Map<string, unknown>();
  const queue: SchemaNode[] = [schema];
  let opaque = false;
  for (let count = 0; count < queue.length; count += 1) {
    if (count > MAX_MERGES) return { node: sorted(merged), opaque: true };
    for (const [key, value] of constraintsOf(queue[count] ?? ANY)) {
      const parts = partsOf(key, value, root);
      if (parts !== undefined) queue.push(...parts);
      else if (key === '$ref' || !mergeKey(merged, key, value)) opaque = true;
    }
  }
  return { node: sorted(merged), opaque };
};

/** Schemas that a value has to fit as well; undefined for another keyword, and for a reference that leads nowhere. */
const partsOf = (key: string, value: unknown, root: SchemaNode): SchemaNode[] | undefined => {
  if (key === 'allOf')
    return listOf(value)
      .slice(0, MAX_MERGES + 1)
      .map(asNode);
  const target = key === '$ref' && typeof value === 'string' ? findRef(root, value) : undefined;
  return target === undefined ? undefined : [target];
};

/** Whether the key could be merged: two objects with different properties are one with all of them. */
const mergeKey = (merged: Map<string, unknown>, key: string, value: unknown): boolean => {
  const known = merged.get(key);
  if (known === undefined) {
    merged.set(key, value);
    return true;
  }
  if (sameText(known, value)) return true;
  if (key === 'required' && Array.isArray(known) && Array.isArray(value)) {
    merged.set(key, [...new Set([...known, ...value])]);
    return true;
  }
  if (key !== 'properties' || !isSchemaNode(known) || !isSchemaNode(value)) return false;
  if (Object.keys(value).some((name) => Object.hasOwn(known, name) && !sameText(known[name], value[name])))
    return false;
  merged.set(key, sorted([...Object.entries(known), ...Object.entries(value)]));
  return true;
};

const ATOMS = ['null', 'boolean', 'object', 'array', 'string', 'integer', 'fraction'];

/** The kinds of values that the node's `type` lets in; `number` is integers and fractions. */
export const atomsOf = (node: SchemaNode): ReadonlySet<string> => {
  const types = typesOf(node);
  if (types.length === 0) return new Set(ATOMS);
  return new Set(types.flatMap((type) => (type === 'number' ? ['integer', 'fraction'] : [type])));
};

/** The branches of `anyOf` or `oneOf`; undefined where there is none, or both. */
export const branchesOf = (node: SchemaNode): unknown[] | undefined => {
  if (Array.isArray(node.anyOf)) return Array.isArray(node.oneOf) ? undefined : node.anyOf;
  return Array.isArray(node.oneOf) ? node.oneOf : undefined;
};

const SMALL_TYPES = new Set(['null', 'boolean']);

/** Whether a node lists its values by itself: a comparison of two that do not is one of types. */
export const listsValues = (node: SchemaNode): boolean =>
  Object.hasOwn(node, 'enum') || Object.hasOwn(node, 'const') || branchesOf(node) !== undefined;

/** The values that the node lets in where it lists them: `enum`, `const`, a union of such; undefined where it does not. */
export const valuesOf = (node: SchemaNode, root: SchemaNode, depth = 0): unknown[] | undefined => {
  const types = typesOf(node);
  if (Object.keys(node).length === 1 && types.length === 1 && SMALL_TYPES.has(types[0] ?? '')) {
    return types[0] === 'null' ? [null] : [false, true];
  }
  const fits = (value: unknown) => types.length === 0 || types.some((type) => matchesType(value, type));
  if (Object.hasOwn(node, 'const')) return [node.const].filter(fits);
  return Array.isArray(node.enum) ? node.enum.filter(fits) : valuesOfUnion(node, root, depth)?.filter(fits);
};

const valuesOfUnion = (node: SchemaNode, root: SchemaNode, depth: number): unknown[] | undefined => {
  const branches = branchesOf(node);
  const others = Object.keys(node).filter((key) => key !== 'type' && key !== 'anyOf' && key !== 'oneOf');
  if (branches === undefined || others.length > 0 || depth > MAX_MERGES) return undefined;
  const values: unknown[] = [];
  for (const branch of branches) {
    const form = formOf(asNode(branch), root);
    const listed = form.opaque ? undefined : valuesOf(form.node, root, depth + 1);
    if (listed === undefined) return undefined;
    for (const value of listed) values.push(value);
  }
  // Of `oneOf`, a value that two alternatives list fits none.
  const isExact = node.oneOf === undefined || new Set(values.map(textOf)).size === values.length;
  return isExact ? values : undefined;
};
