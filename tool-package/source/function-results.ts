/** What a function gives: the expressions that it returns, and the list of what a generator yields. */
import type { Machine } from './machine.ts';
import { child, isFunction, type Node, walk } from './node.ts';
import { type Abstract, elementOf, type Frame, one, UNKNOWN, union } from './value.ts';

const MAX_RETURNS = 20;
const MAX_YIELDS = 200;

/** The expressions that a function returns, without those of functions inside it. */
export function returnsOf(machine: Machine, fn: Node): Node[] {
  const known = machine.returns.get(fn);
  if (known) return known;
  const body = child(fn, 'body');
  const found: Node[] = [];
  if (body && body.type !== 'BlockStatement') found.push(body);
  else if (body) {
    walk(body, (node) => {
      const argument = node.type === 'ReturnStatement' ? child(node, 'argument') : null;
      if (argument) found.push(argument);
      return !isFunction(node);
    });
  }
  machine.returns.set(fn, found.slice(0, MAX_RETURNS));
  return found.slice(0, MAX_RETURNS);
}

/** What a generator yields, as a list: in the order of the source, and as often as that where no loop is around. */
export function yieldedBy(machine: Machine, fn: Node, frame: Frame): Abstract {
  const body = child(fn, 'body');
  const found: Node[] = [];
  if (body)
    walk(body, (node) => {
      if (node.type === 'YieldExpression') found.push(node);
      return !isFunction(node);
    });
  const items = found.slice(0, MAX_YIELDS).flatMap((node): readonly Abstract[] => {
    const argument = child(node, 'argument');
    const value = argument ? machine.evaluate(argument, frame) : UNKNOWN;
    if (node.delegate !== true) return [value];
    const [only] = value.values;
    return value.values.length === 1 && only?.kind === 'array' && !only.open ? only.items : [elementOf(value)];
  });
  const isPlain = found.every((node) => isStraight(node, fn));
  const grown = found.length <= MAX_YIELDS;
  return one({ kind: 'array', items, open: !(isPlain && grown), grown }, union(items).taints);
}

/** Whether a yield happens once, and always. */
function isStraight(node: Node, fn: Node): boolean {
  for (let current = node.parent; current && current !== fn; current = current.parent)
    if (
      /^(?:If|For|ForIn|ForOf|While|DoWhile|Switch|Try)Statement$|^(?:Conditional|Logical)Expression$/.test(
        current.type,
      )
    )
      return false;
  return true;
}
