/**
 * Whether a tool's parameters accept less or more than before, by comparing the two schemas keyword by keyword; no value
 * is tried and no pattern of theirs is run, since both come from authors that nobody vouches for.
 *
 * Properties that a schema does not name do not count as accepted, unless `additionalProperties` describes them: the
 * model writes what the schema names. So a new optional property makes it wider, a removed one narrower.
 */
import { isSchemaNode, type SchemaNode, schemaErrors, stringsOf, typesOf } from '../run/schema-errors.ts';
import { compareLimits } from './compare-limits.ts';
import { compareUnions } from './compare-unions.ts';
import { type Delta, narrower, undecided, wider } from './delta.ts';
import { sameJson, sameText, textOf } from './same-json.ts';
import { ANY, atomsOf, followRef, formOf, listsValues, plainSchema, valuesOf } from './schema-form.ts';
import { type Budget, newBudget, sameNode, spend, startWalk, type Walk } from './walk.ts';

const MAX_DEPTH = 40;
const TOO_DEEP = 'the schemas are nested too deeply';
const VALUES_PER_STEP = 20;

/** The differences between two schemas, outer ones first. Empty when both accept the same. */
export function compareSchemas(from: unknown, to: unknown, field: string, budget: Budget = newBudget()): Delta[] {
  try {
    const [before, after] = [plainSchema(from), plainSchema(to)];
    if (sameText(before, after)) return [];
    const walk = startWalk(compareNodes, before, after, budget);
    const deltas = compareNodes(before, after, field, walk);
    return walk.budget.steps > 0 ? deltas : [...deltas, undecided(field, null, null, 'the schemas are too large')];
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return sameJson(from, to) ? [] : [undecided(field, null, null, TOO_DEEP)];
  }
}

function compareNodes(from: unknown, to: unknown, field: string, walk: Walk): Delta[] {
  if (!spend(walk, 1)) return [];
  if (walk.depth > MAX_DEPTH) return [undecided(field, null, null, TOO_DEEP)];
  const [before, after] = [followRef(from, walk.from), followRef(to, walk.to)];
  if (sameNode(before, after, walk)) return [];
  const partners = walk.open.get(before) ?? new Set();
  if (partners.has(after)) return [];
  walk.open.set(before, partners.add(after));
  const deltas = compareForms(before, after, field, { ...walk, depth: walk.depth + 1 });
  partners.delete(after);
  return deltas;
}

function compareForms(before: SchemaNode, after: SchemaNode, field: string, walk: Walk): Delta[] {
  const [from, to] = [formOf(before, walk.from), formOf(after, walk.to)];
  if (from.opaque || to.opaque) {
    const why = 'a reference leads nowhere, or parts of `allOf` contradict each other';
    return [undecided(field, before, after, why)];
  }
  return (
    compareValues(from.node, to.node, field, walk) ??
    compareUnions(from.node, to.node, field, walk) ??
    compareKeywords(from.node, to.node, field, walk)
  );
}

/** Listed values on one side or both; undefined where neither lists them. */
function compareValues(from: SchemaNode, to: SchemaNode, field: string, walk: Walk): Delta[] | undefined {
  const [before, after] = [valuesOf(from, walk.from), valuesOf(to, walk.to)];
  const lister = [before && listsValues(from) && from, after && listsValues(to) && to].find(isSchemaNode);
  if (lister === undefined) return undefined;
  spend(walk, [before, after].flat().length / VALUES_PER_STEP);
  const at = `${field}.${Object.hasOwn(lister, 'const') ? 'const' : 'enum'}`;
  const [shownBefore, shownAfter] = [before ?? shown(from), after ?? shown(to)];
  const lost = before === undefined ? 'some' : missing(before, to, after);
  const gained = after === undefined ? 'some' : missing(after, from, before);
  const isOpen = lost === 'unknown' || gained === 'unknown';
  return [
    ...(lost === 'some' ? [narrower(at, shownBefore, shownAfter)] : []),
    ...(gained === 'some' ? [wider(at, shownBefore, shownAfter)] : []),
    ...(isOpen ? [undecided(at, shownBefore, shownAfter, 'whether the listed values fit')] : []),
  ];
}

const shown = (node: SchemaNode): unknown => (Object.keys(node).length === 0 ? null : node);

/** Whether some of `values` do not fit the other side: its own list, or its schema. */
function missing(values: readonly unknown[], other: SchemaNode, listed: readonly unknown[] | undefined) {
  if (listed !== undefined) {
    const known = new Set(listed.map(textOf));
    return values.every((value) => known.has(textOf(value))) ? 'none' : 'some';
  }
  const plain = Object.fromEntries(Object.entries(other).filter(([key]) => HARMLESS.has(key)));
  if (values.some((value) => schemaErrors(plain, value).length > 0)) return 'some';
  return Object.keys(plain).length === Object.keys(other).length ? 'none' : 'unknown';
}

/** Keywords that can be tried on a value: no pattern of an author's is ever run here. */
const HARMLESS = new Set([
  'type',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
]);

function compareKeywords(from: SchemaNode, to: SchemaNode, field: string, walk: Walk): Delta[] {
  const [before, after] = [atomsOf(from), atomsOf(to)];
  const shared = new Set([...before].filter((atom) => after.has(atom)));
  const [shownBefore, shownAfter] = [typesText(from), typesText(to)];
  return [
    ...(shared.size < before.size ? [narrower(`${field}.type`, shownBefore, shownAfter)] : []),
    ...(shared.size < after.size ? [wider(`${field}.type`, shownBefore, shownAfter)] : []),
    ...compareLimits(from, to, field, shared),
    ...(shared.has('object') ? compareObjects(from, to, field, walk) : []),
    ...(shared.has('array') ? compareArrays(from, to, field, walk) : []),
  ];
}

const typesText = (node: SchemaNode): unknown => {
  const types = typesOf(node);
  return types.length > 1 ? types : (types[0] ?? null);
};

function compareObjects(from: SchemaNode, to: SchemaNode, field: string, walk: Walk): Delta[] {
  const [required, nowRequired] = [new Set(stringsOf(from.required)), new Set(stringsOf(to.required))];
  return [
    ...[...nowRequired].filter((key) => !required.has(key)).map((key) => narrower(`${field}.required`, null, key)),
    ...[...required].filter((key) => !nowRequired.has(key)).map((key) => wider(`${field}.required`, key, null)),
    ...compareProperties(from, to, field, walk),
    ...compareAdditional(from, to, `${field}.additionalProperties`, walk),
  ];
}

function compareProperties(from: SchemaNode, to: SchemaNode, field: string, walk: Walk): Delta[] {
  const [before, after] = [propertiesOf(from), propertiesOf(to)];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) => {
    const at = `${field}.properties.${key}`;
    const old = Object.hasOwn(before, key) ? before[key] : describedBy(from);
    const now = Object.hasOwn(after, key) ? after[key] : describedBy(to);
    if (old === UNKNOWN || now === UNKNOWN) return [undecided(at, before[key], after[key], '`patternProperties`')];
    if (old === undefined) return [wider(at, null, now)];
    if (now === undefined) return [narrower(at, old, null)];
    return compareNodes(old, now, at, walk);
  });
}

const propertiesOf = ({ properties }: SchemaNode): SchemaNode => (isSchemaNode(properties) ? properties : {});

const UNKNOWN = Symbol('a pattern may describe it');

/** What a schema says of a property that it does not name. */
const describedBy = (node: SchemaNode): unknown => {
  if (node.patternProperties !== undefined) return UNKNOWN;
  const { additionalProperties } = node;
  return isSchemaNode(additionalProperties) && Object.keys(additionalProperties).length > 0
    ? additionalProperties
    : undefined;
};

function compareAdditional(from: SchemaNode, to: SchemaNode, field: string, walk: Walk): Delta[] {
  const [before, after] = [from.additionalProperties ?? true, to.additionalProperties ?? true];
  if (before === after) return [];
  if (before === false) return [wider(field, before, to.additionalProperties)];
  if (after === false) return [narrower(field, from.additionalProperties, after)];
  return compareNodes(before, after, field, walk);
}

function compareArrays(from: SchemaNode, to: SchemaNode, field: string, walk: Walk): Delta[] {
  const [before, after] = [tupleOf(from), tupleOf(to)];
  if (before === undefined && after === undefined) {
    return compareNodes(from.items ?? ANY, to.items ?? ANY, `${field}.items`, walk);
  }
  if (before?.length !== after?.length) return [undecided(field, from, to, 'lists of a fixed form')];
  const rest = (node: SchemaNode) => (Array.isArray(node.items) ? ANY : (node.items ?? ANY));
  return [
    ...(before ?? []).flatMap((item, at) => compareNodes(item, after?.[at], `${field}.items[${at}]`, walk)),
    ...compareNodes(rest(from), rest(to), `${field}.items`, walk),
  ];
}

const tupleOf = ({ prefixItems, items }: SchemaNode): unknown[] | undefined => {
  if (Array.isArray(prefixItems)) return prefixItems;
  return Array.isArray(items) ? items : undefined;
};
