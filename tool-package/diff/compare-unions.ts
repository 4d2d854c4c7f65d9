/** Comparison of schemas with alternatives (`anyOf`, `oneOf`, a list of types). */
import { type SchemaNode, stringsOf, typesOf } from '../run/schema-errors.ts';
import { type Delta, narrower, undecided, wider } from './delta.ts';
import { sameText, sorted, textOf } from './same-json.ts';
import { asNode, atomsOf, branchesOf, constraintsOf, formOf, valuesOf } from './schema-form.ts';
import { nodeText, reversed, type Walk } from './walk.ts';

const MAX_BRANCHES = 64;

/** The differences; undefined where neither side is a union. */
export function compareUnions(from: SchemaNode, to: SchemaNode, field: string, walk: Walk): Delta[] | undefined {
  if (!isUnion(from) && !isUnion(to)) return undefined;
  const [before, after] = [alternativesOf(from), alternativesOf(to)];
  if (before === undefined || after === undefined) {
    return [undecided(field, from, to, 'alternatives beside other rules for the same value')];
  }
  if (before.length > MAX_BRANCHES || after.length > MAX_BRANCHES) {
    return [undecided(field, from, to, `more than ${MAX_BRANCHES} alternatives`)];
  }
  const left = withoutEqual(before, after, walk);
  const deltas = compareAlternatives(before, after, left, `${field}.${keyOf(from) ?? keyOf(to) ?? 'anyOf'}`, walk);
  // `oneOf` refuses what fits two of its alternatives, so more of them may also accept less.
  const isSame = left.removed.length + left.added.length === 0 && keyOf(from) === keyOf(to);
  if (isSame || (areDisjoint(from, walk.from) && areDisjoint(to, walk.to))) return deltas;
  return [...deltas, undecided(`${field}.oneOf`, null, null, 'a value may fit two alternatives of `oneOf`')];
}

const isUnion = (node: SchemaNode): boolean => node.anyOf !== undefined || node.oneOf !== undefined;
const keyOf = (node: SchemaNode): string | undefined => ['anyOf', 'oneOf'].find((key) => Object.hasOwn(node, key));

/** The node as a list of alternatives; undefined where its other keywords contradict those of a branch. */
function alternativesOf(node: SchemaNode): SchemaNode[] | undefined {
  if (!isUnion(node)) return byType(node);
  const branches = branchesOf(node);
  if (branches === undefined) return undefined;
  const { anyOf: _any, oneOf: _one, ...rest } = node;
  if (Object.keys(rest).length === 0) return branches.map(asNode);
  const merged = branches.map((branch) => mergeInto(rest, asNode(branch)));
  return merged.every((one) => one !== undefined) ? merged : undefined;
}

/** The node with what stands beside the union; undefined where both say something about the same keyword. */
const mergeInto = (rest: SchemaNode, branch: SchemaNode): SchemaNode | undefined =>
  Object.keys(rest).some((key) => Object.hasOwn(branch, key) && !sameText(rest[key], branch[key]))
    ? undefined
    : sorted(Object.entries({ ...branch, ...rest }));

const byType = (node: SchemaNode): SchemaNode[] => {
  const types = typesOf(node);
  return types.length > 1 ? types.map((type) => ({ ...node, type })) : [node];
};

function compareAlternatives(
  before: readonly SchemaNode[],
  after: readonly SchemaNode[],
  { removed, added }: Left,
  field: string,
  walk: Walk,
): Delta[] {
  const [old, now] = [removed[0], added[0]];
  // One alternative was changed: what changed in it says more than "one gone, one new".
  if (old !== undefined && now !== undefined && removed.length === 1 && added.length === 1) {
    return walk.compare(old, now, `${field}[${after.indexOf(now)}]`, walk);
  }
  return [
    ...removed.flatMap((one) => {
      const found = findHome(one, after, walk);
      if (found === 'yes') return [];
      const at = `${field}[${before.indexOf(one)}]`;
      return [
        found === 'no' ? narrower(at, one, null) : undecided(at, one, null, 'whether another alternative covers it'),
      ];
    }),
    ...added.flatMap((one) => {
      const found = findHome(one, before, reversed(walk));
      if (found === 'yes') return [];
      const at = `${field}[${after.indexOf(one)}]`;
      return [
        found === 'no' ? wider(at, null, one) : undecided(at, null, one, 'whether another alternative covered it'),
      ];
    }),
  ];
}

type Left = { readonly removed: readonly SchemaNode[]; readonly added: readonly SchemaNode[] };

/** Leaves out pairs that say the same; a reference inside may mean something else on each side. */
function withoutEqual(before: readonly SchemaNode[], after: readonly SchemaNode[], walk: Walk): Left {
  const plain = (node: SchemaNode) => nodeText(Object.fromEntries(constraintsOf(node)), walk);
  const left = after.map((node) => ({ node, text: plain(node) }));
  const removed = before.filter((one) => {
    const text = plain(one);
    const at = text.includes('"$ref"') ? -1 : left.findIndex((other) => other.text === text);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
  return { removed, added: left.map(({ node }) => node) };
}

function findHome(one: SchemaNode, others: readonly SchemaNode[], walk: Walk): 'yes' | 'no' | 'unknown' {
  const answers = others.map((other) => isWithin(one, other, walk));
  if (answers.includes('yes')) return 'yes';
  return answers.includes('unknown') ? 'unknown' : 'no';
}

/** Whether all values of the first fit the second. */
function isWithin(from: SchemaNode, to: SchemaNode, walk: Walk): 'yes' | 'no' | 'unknown' {
  const lost = walk.compare(from, to, '', walk).filter(({ direction }) => direction === 'narrower');
  if (walk.budget.steps <= 0) return 'unknown';
  if (lost.length === 0) return 'yes';
  return lost.some(({ note }) => note === null) ? 'no' : 'unknown';
}

const MAX_TAGS = 20;

/** Whether no value fits two alternatives of a `oneOf`: other types, or a required property that tells them apart. */
function areDisjoint(node: SchemaNode, root: SchemaNode): boolean {
  if (!Object.hasOwn(node, 'oneOf')) return true;
  const forms = (branchesOf(node) ?? []).map((branch) => formOf(asNode(branch), root).node);
  const kinds = forms.map((form) => ({ atoms: atomsOf(form), tags: tagsOf(form, root) }));
  return kinds.every((one, at) => kinds.slice(at + 1).every((other) => areApart(one, other)));
}

type Kind = { readonly atoms: ReadonlySet<string>; readonly tags: ReadonlyMap<string, ReadonlySet<string>> };

const areApart = (left: Kind, right: Kind): boolean => {
  const shared = [...left.atoms].filter((atom) => right.atoms.has(atom));
  if (shared.length === 0) return true;
  return (
    shared.every((atom) => atom === 'object') &&
    [...left.tags].some(([key, values]) => {
      const others = right.tags.get(key);
      return others !== undefined && [...values].every((value) => !others.has(value));
    })
  );
};

/** Required properties whose values are listed. */
function tagsOf(form: SchemaNode, root: SchemaNode): Map<string, ReadonlySet<string>> {
  const properties = asNode(form.properties);
  const tags = new Map<string, ReadonlySet<string>>();
  for (const key of stringsOf(form.required).slice(0, MAX_TAGS)) {
    const values = Object.hasOwn(properties, key)
      ? valuesOf(formOf(asNode(properties[key]), root).node, root)
      : undefined;
    if (values !== undefined) tags.set(key, new Set(values.map(textOf)));
  }
  return tags;
}
