/** `anyOf: [{ const: 'a' }, { const: 'b' }]` in a schema that is written as JSON -> `type: 'string', enum: ['a', 'b']`. */
import { child, identifierName, list, type Node, text } from '../../tool-package/source/node.ts';
import type { Edit } from './union-shape.ts';

const keyOf = (property: Node): string | null => {
  const key = property.type === 'ObjectProperty' && property.computed !== true ? child(property, 'key') : null;
  return identifierName(key) ?? text(key, 'value');
};

/** Null: no union of literals; else the edits, or why there are none. `source`: the text of the file. */
export const readJsonUnion = (property: Node, source: string): { edits: Edit[] } | { reason: string } | null => {
  if (!['anyOf', 'oneOf'].includes(keyOf(property) ?? '')) return null;
  const members = child(property, 'value');
  const elements = members?.type === 'ArrayExpression' ? list(members, 'elements') : [];
  const values = elements.map(constantOf);
  if (members === null || values.length < 2 || values.some((value) => value === null)) return null;
  const strings = values.filter((value) => value?.type === 'StringLiteral');
  if (strings.length < values.length) return { reason: 'not all of its literals are strings' };
  if (!elements.every((element) => list(element, 'properties').every(isPlain)))
    return { reason: 'a member says more than its value' };
  const others = list(property.parent ?? property, 'properties')
    .filter((one) => one !== property)
    .map(keyOf);
  if (others.some((key) => key === null || key === 'enum' || key === 'type'))
    return { reason: 'there is more beside it than a description' };
  if (/\/[/*]/.test(source.slice(members.start, members.end)))
    return { reason: 'there is a comment or an address in it' };
  const written = strings.map((value) => value && source.slice(value.start, value.end)).join(', ');
  const quote = source[strings[0]?.start ?? 0] ?? "'";
  const piece = `type: ${quote}string${quote}, enum: [${written}]`;
  return { edits: [{ start: property.start, end: property.end, piece }] };
};

const constantOf = (element: Node): Node | null => {
  const property =
    element.type === 'ObjectExpression' ? list(element, 'properties').find((one) => keyOf(one) === 'const') : undefined;
  return property === undefined ? null : child(property, 'value');
};

/** `const`, and a `type` that says the same. */
const isPlain = (property: Node): boolean =>
  keyOf(property) === 'const' || (keyOf(property) === 'type' && text(child(property, 'value'), 'value') === 'string');
