/** Changes of what the model reads in a schema and that refuses no value: descriptions, titles, defaults, examples. */
import { isSchemaNode, type SchemaNode } from '../run/schema-errors.ts';
import { sameJson } from './same-json.ts';
import { CONSTRAINTS } from './schema-form.ts';

export type TextChange = { readonly field: string; readonly from: unknown; readonly to: unknown };

const MAX_NODES = 5000;
const MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items'];
const SINGLES = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'];

type Pair = { readonly from: SchemaNode; readonly to: SchemaNode; readonly field: string };

/** What reads differently at places that both schemas have; a new or removed place is a change of the schema itself. */
export function compareWording(from: unknown, to: unknown, field: string): TextChange[] {
  const queue: Pair[] = pair(from, to, field);
  const changes: TextChange[] = [];
  for (let count = 0; count < queue.length && count < MAX_NODES; count += 1) {
    const next = queue[count];
    if (next === undefined) break;
    changes.push(...textChanges(next));
    if (queue.length < MAX_NODES) queue.push(...listPairs(next));
  }
  return changes;
}

const pair = (from: unknown, to: unknown, field: string): Pair[] =>
  isSchemaNode(from) && isSchemaNode(to) ? [{ from, to, field }] : [];

const own = (node: SchemaNode, key: string): unknown => (Object.hasOwn(node, key) ? node[key] : undefined);

const textChanges = ({ from, to, field }: Pair): TextChange[] =>
  [...new Set([...Object.keys(from), ...Object.keys(to)])]
    .filter((key) => !CONSTRAINTS.has(key) && !sameJson(own(from, key), own(to, key)))
    .map((key) => ({ field: `${field}.${key}`, from: own(from, key) ?? null, to: own(to, key) ?? null }));

const listPairs = ({ from, to, field }: Pair): Pair[] => [
  ...MAPS.flatMap((map) => {
    const [before, after] = [from[map], to[map]];
    if (!isSchemaNode(before) || !isSchemaNode(after)) return [];
    return Object.keys(before).flatMap((key) => pair(before[key], own(after, key), `${field}.${map}.${key}`));
  }),
  ...LISTS.flatMap((list) => {
    const [before, after] = [from[list], to[list]];
    if (!Array.isArray(before) || !Array.isArray(after)) return [];
    return before.flatMap((item, at) => pair(item, after[at], `${field}.${list}[${at}]`));
  }),
  ...SINGLES.flatMap((key) => pair(from[key], to[key], `${field}.${key}`)),
];
