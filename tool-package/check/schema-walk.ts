/** Walks a JSON Schema that somebody else wrote: without recursion, and not for ever. */

export type SchemaNode = {
  readonly schema: Readonly<Record<string, unknown>>;
  /** As one would write it: `parameters.properties.city`. */
  readonly field: string;
  /** The property that the schema describes; null for elements, branches and the whole. */
  readonly property: string | null;
};

const MAX_NODES = 5000;
const MAPS = ['properties', 'patternProperties', '$defs', 'definitions'];
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items'];
const SINGLES = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'];

/** The schema and every schema in it, parents first. */
export function* walkSchema(parameters: Readonly<Record<string, unknown>>): Generator<SchemaNode, void, undefined> {
  const queue: SchemaNode[] = [{ schema: parameters, field: 'parameters', property: null }];
  for (let count = 0; count < queue.length && count < MAX_NODES; count += 1) {
    const node = queue[count];
    if (node === undefined) return;
    yield node;
    if (queue.length < MAX_NODES) queue.push(...listChildren(node));
  }
}

const listChildren = ({ schema, field }: SchemaNode): SchemaNode[] => [
  ...MAPS.flatMap((key) => {
    const map = schema[key];
    if (!isRecord(map)) return [];
    return Object.entries(map).flatMap(([name, value]) =>
      toNode(value, `${field}.${key}.${name}`, key === 'properties' ? name : null),
    );
  }),
  ...LISTS.flatMap((key) => {
    const list = schema[key];
    return Array.isArray(list) ? list.flatMap((value, index) => toNode(value, `${field}.${key}[${index}]`, null)) : [];
  }),
  ...SINGLES.flatMap((key) => toNode(schema[key], `${field}.${key}`, null)),
];

const toNode = (value: unknown, field: string, property: string | null): SchemaNode[] =>
  isRecord(value) ? [{ schema: value, field, property }] : [];

/** Whether a value is an object and no array. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
