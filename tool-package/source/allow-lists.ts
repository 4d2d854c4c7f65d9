/** Lists of constants that a program looks values up in: `ALLOWED.includes(x)`, `NAMES.has(x)`, `Object.hasOwn(TABLE, x)`. */
import { memberName } from './calls.ts';
import type { Machine } from './machine.ts';
import { child, isCall, isMember, list, type Node, unwrap } from './node.ts';
import { eachNode } from './program.ts';
import { type Abstract, knownTexts, type Value } from './value.ts';

const LOOKUPS = new Set(['includes', 'has', 'indexOf', 'hasOwn']);
const MAX_LISTS = 50;

export function findAllowLists(machine: Machine): string[][] {
  const lists: string[][] = [];
  eachNode(machine.program.nodes, ['CallExpression', 'OptionalCallExpression'], (node) => {
    const holder = lists.length < MAX_LISTS ? holderOf(node) : null;
    for (const value of holder ? machine.evaluate(holder, null).values : []) {
      const names = namesOf(value);
      if (names.length > 0) lists.push(names);
    }
  });
  return lists;
}

/** What is looked into by a lookup, else null. */
function holderOf(node: Node): Node | null {
  const callee = isCall(node) ? child(node, 'callee') : null;
  const target = callee ? unwrap(callee) : null;
  if (!target || !isMember(target)) return null;
  const name = memberName(child(target, 'property'));
  if (name === null || !LOOKUPS.has(name)) return null;
  return name === 'hasOwn' ? (list(node, 'arguments')[0] ?? null) : child(target, 'object');
}

function namesOf(value: Value): string[] {
  if (value.kind === 'object' && !value.open) return [...value.entries.keys()];
  if (value.kind !== 'array' || value.open || value.items.length === 0) return [];
  const texts = value.items.map((item: Abstract) => knownTexts(item));
  return texts.every((found) => found.length === 1) ? texts.flat() : [];
}
