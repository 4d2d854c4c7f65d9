/** Whether a call of `Type.Union` is a union of plain strings that `StringEnum` says as well, and the edits that make it one. */
import { child, identifierName, list, listWithHoles, type Node, text } from '../../tool-package/source/node.ts';
import { type SourceView, typeMethod } from './type-calls.ts';

/** A piece of source to be replaced. */
export type Edit = { start: number; end: number; piece: string };

type UnionShape = { edits(enumName: string): Edit[] } | { reason: string };

/** What `StringEnum` passes on; anything else would be lost. */
const KNOWN_OPTIONS = new Set(['description', 'default']);

/** Null: no union of literals, and so nobody's business here. */
export const readUnion = (call: Node, view: SourceView): UnionShape | null => {
  const [members, options, ...more] = list(call, 'arguments');
  if (members === undefined) return null;
  if (members.type !== 'ArrayExpression') return { reason: 'its members are not written out here' };
  const elements = listWithHoles(members, 'elements');
  const literals = elements.filter((element) => element !== null && typeMethod(element, view) === 'Literal');
  if (elements.some((element) => element?.type === 'SpreadElement'))
    return { reason: 'some of its members are not written out here' };
  if (literals.length < 2) return null;
  const rest = elements.filter((element) => !literals.includes(element));
  if (rest.some((element) => element === null || typeMethod(element, view) !== 'Null'))
    return { reason: 'not all of its members are literals' };
  const reason = whyNotStrings(literals, view);
  if (reason !== null) return { reason };
  if (hasTypeArguments(call)) return { reason: 'it has type arguments' };
  if (rest.length > 0) return besideNull(elements, literals, view);
  const other = whyNotOptions(options) ?? (more.length > 0 ? TOO_MANY : null);
  if (other !== null) return { reason: other };
  return { edits: (enumName) => editsOf(call, members, literals, view, enumName) };
};

const TOO_MANY = 'it has more arguments than `StringEnum` takes';

const hasTypeArguments = (node: Node): boolean =>
  child(node, 'typeParameters') !== null || child(node, 'typeArguments') !== null;

const whyNotStrings = (literals: readonly (Node | null)[], view: SourceView): string | null => {
  const values = new Set<string | null>();
  for (const literal of literals) {
    const [value, ...more] = literal === null ? [] : list(literal, 'arguments');
    if (literal === null || value?.type !== 'StringLiteral')
      return 'not all of its literals are strings that are written out here';
    if (more.length > 0) return 'a literal has options of its own, which would be lost';
    if (hasTypeArguments(literal) || !isBare(literal, value, view))
      return 'there is a comment or a type inside a literal';
    values.add(text(value, 'value'));
  }
  return values.size < literals.length ? 'it has the same literal twice' : null;
};

/** Nothing but brackets, a comma and white space around the value: what is cut away must not be the author's words. */
const isBare = (literal: Node, value: Node, view: SourceView): boolean => {
  const before = view.text.slice(child(literal, 'callee')?.end ?? literal.start, value.start);
  return /^\s*\(\s*$/.test(before) && /^\s*,?\s*\)$/.test(view.text.slice(value.end, literal.end));
};

const whyNotOptions = (options: Node | undefined): string | null => {
  if (options === undefined) return null;
  if (options.type !== 'ObjectExpression') return 'its options are not written out here';
  for (const property of list(options, 'properties')) {
    const key = property.type === 'ObjectProperty' && property.computed !== true ? child(property, 'key') : null;
    const name = identifierName(key) ?? text(key, 'value') ?? '';
    if (!KNOWN_OPTIONS.has(name))
      return 'it has options other than `description` and `default`, which `StringEnum` drops';
    if (text(child(property, 'value'), 'value') === '') return `\`StringEnum\` drops an empty \`${name}\``;
  }
  return null;
};

/** `Type.Union([StringEnum(['a', 'b']), Type.Null()])`: the union stays, and its options with it. */
const besideNull = (
  elements: readonly (Node | null)[],
  literals: readonly (Node | null)[],
  view: SourceView,
): UnionShape => {
  const from = elements.indexOf(literals[0] ?? null);
  const [first, last] = [literals[0], literals.at(-1)];
  if (!first || !last || elements[from + literals.length - 1] !== last)
    return { reason: 'its literals do not stand side by side' };
  return {
    edits: (enumName) => [
      { start: first.start, end: first.start, piece: `${enumName}([` },
      ...valueEdits(literals, view),
      { start: last.end, end: last.end, piece: `]${asConst(view)})` },
    ],
  };
};

const asConst = ({ path }: SourceView): string => (/\.[cm]?tsx?$/.test(path) ? ' as const' : '');

/** Each literal becomes its value. */
const valueEdits = (literals: readonly (Node | null)[], view: SourceView): Edit[] =>
  literals.flatMap((literal) => {
    const value = literal === null ? undefined : list(literal, 'arguments')[0];
    if (literal === null || value === undefined) return [];
    return [{ start: literal.start, end: literal.end, piece: view.text.slice(value.start, value.end) }];
  });

const editsOf = (
  call: Node,
  members: Node,
  literals: readonly (Node | null)[],
  view: SourceView,
  enumName: string,
): Edit[] => {
  const callee = child(call, 'callee') ?? call;
  return [
    { start: callee.start, end: callee.end, piece: enumName },
    ...valueEdits(literals, view),
    { start: members.end, end: members.end, piece: asConst(view) },
  ];
};
