/** A node of a syntax tree, as loosely as hostile input deserves: every field is looked at before it is believed. */

export type Node = {
  type: string;
  start: number;
  end: number;
  loc?: { start: { line: number } } | null;
  /** Set by the scope pass. */
  parent?: Node | null;
  [key: string]: unknown;
};

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

/** The node below `key`, or null. */
export function child(node: Node, key: string): Node | null {
  const value = node[key];
  return isNode(value) ? value : null;
}

/** The nodes below `key`; holes of an array are left out. */
export function list(node: Node, key: string): Node[] {
  const value = node[key];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** The nodes below `key`, a hole as null. */
export function listWithHoles(node: Node, key: string): (Node | null)[] {
  const value = node[key];
  return Array.isArray(value) ? value.map((item) => (isNode(item) ? item : null)) : [];
}

/** The text below `key`, or null. */
export function text(node: Node | null, key: string): string | null {
  const value = node?.[key];
  return typeof value === 'string' ? value : null;
}

/** The name of an identifier, else null. */
export const identifierName = (node: Node | null): string | null =>
  node?.type === 'Identifier' ? text(node, 'name') : null;

/** The line of a node, from 1. */
export const lineOf = (node: Node): number => node.loc?.start.line ?? 1;

const WRAPPERS = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
  'TSInstantiationExpression',
  'ParenthesizedExpression',
  'TypeCastExpression',
  'AwaitExpression',
  'ChainExpression',
]);

/** The expression inside type assertions, parentheses and `await`: what matters here is the value that comes out. */
export function unwrap(node: Node): Node {
  let current = node;
  for (;;) {
    const inner = WRAPPERS.has(current.type) ? (child(current, 'expression') ?? child(current, 'argument')) : null;
    if (!inner) return current;
    current = inner;
  }
}

const FUNCTIONS = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ObjectMethod',
  'ClassMethod',
  'ClassPrivateMethod',
]);
export const isFunction = (node: Node | null): boolean => node !== null && FUNCTIONS.has(node.type);
export const isCall = (node: Node | null): boolean =>
  node !== null && (node.type === 'CallExpression' || node.type === 'OptionalCallExpression');
export const isMember = (node: Node | null): boolean =>
  node !== null && (node.type === 'MemberExpression' || node.type === 'OptionalMemberExpression');

/** Keys below which there is no code that runs: types, comments, positions. */
const SKIPPED = new Set([
  'type',
  'start',
  'end',
  'loc',
  'range',
  'parent',
  'extra',
  'errors',
  'comments',
  'leadingComments',
  'trailingComments',
  'innerComments',
  'typeAnnotation',
  'typeParameters',
  'typeArguments',
  'returnType',
  'superTypeParameters',
  'superTypeArguments',
  'implements',
  'predicate',
]);

/** Calls `visit` with each child that can hold code. */
export function eachChild(node: Node, visit: (child: Node, key: string) => void): void {
  for (const key in node) {
    if (SKIPPED.has(key)) continue;
    const value = node[key];
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) visit(item, key);
    } else if (isNode(value)) visit(value, key);
  }
}

/** Calls `visit` with `root` and everything below it, without recursion; a false answer leaves a node's children out. */
export function walk(root: Node, visit: (node: Node) => boolean | undefined): void {
  const stack: Node[] = [root];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (visit(node) === false) continue;
    const at = stack.length;
    eachChild(node, (item) => stack.push(item));
    reverseFrom(stack, at);
  }
}

/** So that a stack gives children in the order of the source. */
function reverseFrom(stack: Node[], from: number): void {
  for (let low = from, high = stack.length - 1; low < high; low += 1, high -= 1) {
    const item = stack[low] as Node;
    stack[low] = stack[high] as Node;
    stack[high] = item;
  }
}

/** Whether `node` is part of `outer`, or it. */
export function isInside(node: Node, outer: Node): boolean {
  for (let current: Node | null | undefined = node; current; current = current.parent)
    if (current === outer) return true;
  return false;
}
