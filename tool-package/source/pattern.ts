/** Destructuring: which names a pattern declares, and how each is reached from the value that is taken apart. */
import { child, list, listWithHoles, type Node, text, unwrap } from './node.ts';

/** A property, an index, or what is left (`...rest`); `null`: a computed key. */
export type PathStep = string | number | { computed: Node } | { rest: number | 'object' };
export type PatternTarget = {
  /** The identifier that gets the value. */
  node: Node;
  path: readonly PathStep[];
  /** Values that are used where there is none, each with the way from it to the name. */
  defaults: readonly { node: Node; path: readonly PathStep[] }[];
};

type Todo = { node: Node; path: PathStep[]; defaults: { node: Node; path: PathStep[] }[] };

/** All names in a pattern (or the one, where it is a plain identifier). Members (`[a.b] = x`) are left out. */
export function patternTargets(pattern: Node): PatternTarget[] {
  const targets: PatternTarget[] = [];
  const stack: Todo[] = [{ node: pattern, path: [], defaults: [] }];
  for (let todo = stack.pop(); todo; todo = stack.pop()) {
    const node = unwrap(todo.node);
    if (node.type === 'Identifier') targets.push({ ...todo, node });
    else if (node.type === 'AssignmentPattern') stack.push(...withDefault(node, todo));
    else if (node.type === 'ObjectPattern') stack.push(...objectParts(node, todo));
    else if (node.type === 'ArrayPattern') stack.push(...arrayParts(node, todo));
  }
  return targets;
}

function withDefault(node: Node, todo: Todo): Todo[] {
  const left = child(node, 'left');
  const right = child(node, 'right');
  if (!left) return [];
  return [
    { node: left, path: todo.path, defaults: right ? [...todo.defaults, { node: right, path: [] }] : todo.defaults },
  ];
}

const extend = (todo: Todo, node: Node, step: PathStep): Todo => ({
  node,
  path: [...todo.path, step],
  defaults: todo.defaults.map((value) => ({ node: value.node, path: [...value.path, step] })),
});

function objectParts(node: Node, todo: Todo): Todo[] {
  return list(node, 'properties').flatMap((property) => {
    if (property.type === 'RestElement') {
      const rest = child(property, 'argument');
      return rest ? [extend(todo, rest, { rest: 'object' })] : [];
    }
    const value = child(property, 'value');
    return value ? [extend(todo, value, keyStep(property))] : [];
  });
}

function keyStep(property: Node): PathStep {
  const key = child(property, 'key');
  if (property.computed === true && key) return { computed: key };
  const number = key?.value;
  return text(key, 'name') ?? text(key, 'value') ?? (typeof number === 'number' ? number : '');
}

function arrayParts(node: Node, todo: Todo): Todo[] {
  return listWithHoles(node, 'elements').flatMap((element, index) => {
    if (!element) return [];
    if (element.type !== 'RestElement') return [extend(todo, element, index)];
    const rest = child(element, 'argument');
    return rest ? [extend(todo, rest, { rest: index })] : [];
  });
}
