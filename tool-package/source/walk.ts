/** Walks a syntax tree with a stack of its own: `a.b.c…` a hundred thousand times nests as deep, and recursion would overflow. */
import type { Node } from './parse.ts';

const SKIPPED = new Set([
  'loc',
  'start',
  'end',
  'extra',
  'leadingComments',
  'trailingComments',
  'innerComments',
  'errors',
]);

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

/** The direct children of a node, in source order. */
export const listChildren = (node: Node): Node[] => {
  const children: Node[] = [];
  for (const key of Object.keys(node)) {
    if (SKIPPED.has(key)) continue;
    const value = node[key];
    if (Array.isArray(value)) children.push(...value.filter(isNode));
    else if (isNode(value)) children.push(value);
  }
  return children;
};

/** Every node of a tree, parents first, with its parent. */
export function* walkTree(root: Node): Generator<{ node: Node; parent: Node | null }, void, undefined> {
  const stack: { node: Node; parent: Node | null }[] = [{ node: root, parent: null }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    yield next;
    const children = listChildren(next.node);
    for (let at = children.length - 1; at >= 0; at -= 1) {
      const child = children[at];
      if (child !== undefined) stack.push({ node: child, parent: next.node });
    }
  }
}
