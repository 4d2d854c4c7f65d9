/** Whether a piece of schema is part of a tool's parameters, and of nothing else that could notice a change. */
import { child, identifierName, list, type Node, text } from '../../tool-package/source/node.ts';
import { usesElsewhere } from './schema-users.ts';
import { type SourceView, typeMethod } from './type-calls.ts';

const keyOf = (property: Node): string | null => {
  if (property.computed === true) return null;
  const key = child(property, 'key');
  return identifierName(key) ?? text(key, 'value');
};

/** `parameters: …` of an object that has a name and `execute` too: a tool, whoever registers it. */
const isParameters = (property: Node): boolean => {
  if (property.type !== 'ObjectProperty' || keyOf(property) !== 'parameters') return false;
  const object = property.parent;
  if (object?.type !== 'ObjectExpression') return false;
  const keys = new Set(list(object, 'properties').map(keyOf));
  return keys.has('name') && keys.has('execute');
};

/** What only puts schemas together. `Record`, `Exclude`, `Index` and the like look into a union. */
const COMPOSING = new Set([
  'Object',
  'Optional',
  'Readonly',
  'Array',
  'Partial',
  'Required',
  'Union',
  'Intersect',
  'Tuple',
  'Unsafe',
]);
const AROUND = new Set([
  'ObjectProperty',
  'ObjectExpression',
  'ArrayExpression',
  'SpreadElement',
  'ConditionalExpression',
  'TSAsExpression',
  'TSSatisfiesExpression',
  'ParenthesizedExpression',
]);
const MAX_STEPS = 20;

/**
 * Upwards from the node: to `parameters` of a tool, or to a constant all of whose uses are inside `parameters`. Types
 * (`Static<typeof Unit>`) are no uses: they stay the same.
 */
export const isInParameters = (node: Node, view: SourceView, steps: number = MAX_STEPS): boolean => {
  if (steps === 0) return false;
  for (let current = node.parent; current; current = current.parent) {
    if (isParameters(current)) return true;
    if (current.type === 'VariableDeclarator') return isConstantForParameters(current, view, steps - 1);
    if (!AROUND.has(current.type) && !COMPOSING.has(typeMethod(current, view) ?? '')) return false;
  }
  return false;
};

const isConstantForParameters = (declarator: Node, view: SourceView, steps: number): boolean => {
  if (text(declarator.parent ?? null, 'kind') !== 'const') return false;
  const init = child(declarator, 'init');
  const name = identifierName(child(declarator, 'id'));
  const binding = [...view.bindings.values()].find(({ definitions: [only, ...others], ...known }) => {
    return known.name === name && others.length === 0 && only?.kind === 'value' && only.node === init;
  });
  const elsewhere = binding === undefined ? null : usesElsewhere(binding, view.whole);
  if (binding === undefined || elsewhere === null) return false;
  // `export { unit }` is no use of its own: it is in what is used elsewhere.
  const here = binding.references.filter(({ parent }) => parent?.type !== 'ExportSpecifier');
  const uses = [...here, ...elsewhere];
  return uses.length > 0 && uses.every((reference) => isInParameters(reference, view, steps));
};
