/** The arguments of a call as values. */
import type { Machine } from './machine.ts';
import { child, list, type Node } from './node.ts';
import { type Abstract, arrayOf, deepTaints, type Frame, textValue, unknown } from './value.ts';

/** The arguments of a call; a spread of a known list as its items; of a template with a tag what the tag's function gets. */
export function argumentsOf(machine: Machine, node: Node, frame: Frame | null): Abstract[] {
  if (node.type === 'TaggedTemplateExpression') return templateArguments(machine, node, frame);
  return list(node, 'arguments').flatMap((argument) => {
    const value = machine.evaluate(argument, frame);
    const [only] = value.values;
    if (argument.type !== 'SpreadElement') return [value];
    const isList = value.values.length === 1 && only?.kind === 'array';
    if (!isList) return [unknown(deepTaints(value))];
    return only.open && only.grown !== true ? [...only.items, unknown(deepTaints(value))] : only.items;
  });
}

/** The texts of the template as a list, then what is put in. */
function templateArguments(machine: Machine, node: Node, frame: Frame | null): Abstract[] {
  const quasi = child(node, 'quasi');
  if (!quasi) return [];
  const texts = list(quasi, 'quasis').map((part) => textValue(cookedText(part)));
  return [arrayOf(texts), ...list(quasi, 'expressions').map((expression) => machine.evaluate(expression, frame))];
}

/** The text of a part of a template. */
export function cookedText(part: Node): string {
  const value = part.value as { cooked?: unknown } | undefined;
  return typeof value?.cooked === 'string' ? value.cooked : '';
}
