/**
 * Editing JSON as text: jsonc-parser gives the offsets, the text that goes in or out is ours. Its own `modify` reformats
 * one-line arrays, and what it removes does not come back as it was; here not one other byte changes.
 */
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

export type { Node } from 'jsonc-parser';

export type Syntax = 'json' | 'jsonc';

/** Where a text stops being what it should be; lines and columns count from 1, a byte order mark counts as nothing. */
export class JsonTextError extends Error {
  readonly line: number;
  readonly column: number;

  constructor(message: string, text: string, offset: number) {
    super(message);
    this.name = 'JsonTextError';
    const before = text.slice(0, offset).replace(/^\uFEFF/, '');
    const lines = before.split(/\r\n|\r|\n/);
    this.line = lines.length;
    this.column = (lines.at(-1) ?? '').length + 1;
  }
}

const ERRORS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'this is no JSON value',
  InvalidNumberFormat: 'this is no JSON number',
  PropertyNameExpected: 'a property name in double quotes is missing',
  ValueExpected: 'a value is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing brace is missing',
  CloseBracketExpected: 'a closing bracket is missing',
  EndOfFileExpected: 'nothing may follow the value',
  InvalidCommentToken: 'comments are not allowed here',
  UnexpectedEndOfComment: 'a comment does not end',
  UnexpectedEndOfString: 'a string does not end',
  UnexpectedEndOfNumber: 'a number does not end',
  InvalidUnicode: 'a \\u escape is not complete',
  InvalidEscapeCharacter: 'an escape is not known to JSON',
  InvalidCharacter: 'a character is not allowed here',
};

const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text);

/** JSON.parse is what the agent itself uses: its word counts, jsonc-parser only says where. */
function checkStrict(text: string, errors: readonly ParseError[]): void {
  try {
    JSON.parse(withoutMark(text));
  } catch (error) {
    const first = errors[0];
    if (first !== undefined) throw describe(text, first);
    const message = error instanceof Error ? error.message : String(error);
    const position = /position (\d+)/.exec(message)?.[1];
    throw new JsonTextError(message, text, position === undefined ? text.length : Number(position));
  }
}

function describe(text: string, error: ParseError): JsonTextError {
  const name = printParseErrorCode(error.error);
  // A trailing comma is reported at the bracket behind it; the comma is what the reader looks for.
  const trailing = /,(\s*)$/.exec(text.slice(0, error.offset));
  if (trailing !== null && (name === 'ValueExpected' || name === 'PropertyNameExpected')) {
    return new JsonTextError('a trailing comma is not allowed here', text, trailing.index);
  }
  return new JsonTextError(ERRORS[name] ?? name, text, error.offset);
}

function treeOf(text: string, errors: ParseError[], syntax: Syntax): Node | undefined {
  try {
    return parseTree(text, errors, { disallowComments: syntax === 'json', allowTrailingComma: syntax === 'jsonc' });
  } catch (error) {
    // The parser recurses: some hundred thousand brackets are more than the stack holds.
    if (error instanceof RangeError) throw new JsonTextError('it is nested too deeply', text, 0);
    throw error;
  }
}

/** The tree of a JSON or JSONC text; offsets are those of `text` itself. JsonTextError with the place. */
export function parseJsonText(text: string, syntax: Syntax): Node {
  if (withoutMark(text).trim() === '') throw new JsonTextError('the file is empty', text, 0);
  const errors: ParseError[] = [];
  // A blank in place of the mark keeps every offset.
  const readable = text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text;
  const root = treeOf(readable, errors, syntax);
  if (syntax === 'json') checkStrict(text, errors);
  const first = errors[0];
  if (first !== undefined) throw describe(text, first);
  if (root === undefined) throw new JsonTextError('the file is empty', text, 0);
  return root;
}

const endOf = (node: Node): number => node.offset + node.length;

export type Property = { readonly name: string; readonly node: Node; readonly key: Node; readonly value: Node };

/** The properties of an object in the order of the text, duplicates included. */
export function listProperties(object: Node): Property[] {
  return (object.children ?? []).flatMap((node) => {
    const [key, value] = node.children ?? [];
    return key === undefined || value === undefined ? [] : [{ name: String(key.value), node, key, value }];
  });
}

/** The property that counts: the last one of that name. */
export const findProperty = (object: Node, name: string): Property | undefined =>
  listProperties(object).findLast((property) => property.name === name);

const splice = (text: string, from: number, to: number, piece: string): string =>
  text.slice(0, from) + piece + text.slice(to);

const lineEndOf = (text: string): string => (/\r\n/.test(text) ? '\r\n' : '\n');

/** What stands between two neighbours, as the text itself does it; comments are not copied. */
function separatorOf(text: string, container: Node, children: readonly Node[]): string {
  const last = children.at(-1);
  const previous = children.at(-2);
  if (last === undefined) return '';
  if (previous !== undefined) {
    const between = text.slice(endOf(previous), last.offset);
    if (/^\s*,\s*$/.test(between)) return between;
  }
  const lead = text.slice(container.offset + 1, last.offset);
  if (/\n/.test(lead)) return `,${lineEndOf(text)}${/[^\n]*$/.exec(lead)?.[0].replace(/\S.*$/, '') ?? ''}`;
  return /":\S/.test(text) && !/":\s/.test(text) ? ',' : ', ';
}

/** Behind a trailing comma (JSONC) a new neighbour needs no comma in front of it. */
function insertionPoint(text: string, container: Node, last: Node): { at: number; hasComma: boolean } {
  const tail = text.slice(endOf(last), endOf(container) - 1);
  const comma = /^(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*?,/.exec(tail);
  if (comma === null) return { at: endOf(last), hasComma: false };
  return { at: endOf(last) + comma[0].length, hasComma: true };
}

/** Appends to an array or object. An empty one keeps its inner text behind the new piece. */
function append(text: string, container: Node, piece: string): string {
  const children = container.children ?? [];
  const last = children.at(-1);
  if (last !== undefined) {
    const { at, hasComma } = insertionPoint(text, container, last);
    const separator = separatorOf(text, container, children);
    return splice(text, at, at, hasComma ? `${separator.replace(',', '')}${piece},` : `${separator}${piece}`);
  }
  const inner = text.slice(container.offset + 1, endOf(container) - 1);
  const blank = /^\s*$/.test(inner) && inner.includes('\n');
  const lead = blank ? `${lineEndOf(text)}${indentOf(text, container.offset)}${indentUnit(text)}` : '';
  const at = blank ? container.offset + 1 : endOf(container) - 1;
  return splice(text, at, at, `${lead}${piece}`);
}

/** The white space that the line of `offset` begins with. */
const indentOf = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(Math.max(text.lastIndexOf('\n', offset - 1) + 1, 0)))?.[0] ?? '';

/** One step of indentation as the file does it: the white space of the first indented line. */
const indentUnit = (text: string): string => /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';

/** Appends a string to an array. */
export const appendElement = (text: string, array: Node, value: string): string =>
  append(text, array, JSON.stringify(value));

/**
 * Removes a child and one comma. Between the two neighbours of an array or object there is only white space and the comma,
 * so this is exactly the text that `append` put in, whatever was appended behind it.
 */
export function removeChild(text: string, container: Node, child: Node): string {
  const children = container.children ?? [];
  const at = children.indexOf(child);
  const previous = children[at - 1];
  const next = children[at + 1];
  if (previous !== undefined) return removeBehind(text, previous, child);
  if (next !== undefined) return splice(text, child.offset, next.offset, '');
  return removeOnly(text, container, child);
}

function removeBehind(text: string, previous: Node, child: Node): string {
  const between = text.slice(endOf(previous), child.offset);
  if (/^\s*,\s*$/.test(between)) return splice(text, endOf(previous), endOf(child), '');
  // Comments in between are the user's: only the comma, the white space in front of the child, and the child go.
  const start = child.offset - (/\s*$/.exec(between)?.[0].length ?? 0);
  const shorter = splice(text, start, endOf(child), '');
  const tail = shorter.slice(start);
  const behind = /^\s*,/.exec(tail);
  if (behind !== null) return splice(shorter, start, start + behind[0].length, '');
  const comma = between.lastIndexOf(',');
  return splice(shorter, endOf(previous) + comma, endOf(previous) + comma + 1, '');
}

function removeOnly(text: string, container: Node, child: Node): string {
  const lead = text.slice(container.offset + 1, child.offset);
  const from = /^\s*$/.test(lead) ? container.offset + 1 : child.offset;
  const tail = /^\s*,/.exec(text.slice(endOf(child)))?.[0] ?? '';
  return splice(text, from, endOf(child) + tail.length, '');
}

/** Puts `inner` between the brackets: how a container that was empty gets its own white space back. */
export const setInner = (text: string, container: Node, inner: string): string =>
  splice(text, container.offset + 1, endOf(container) - 1, inner);

export const innerOf = (text: string, container: Node): string =>
  text.slice(container.offset + 1, endOf(container) - 1);

/** Replaces a value; nothing around it changes. */
export const replaceNode = (text: string, node: Node, literal: string): string =>
  splice(text, node.offset, endOf(node), literal);

/** A JSON value as text at the depth of `container`'s children, laid out as the file is: one line, or indented. */
function layOut(text: string, container: Node, value: unknown): string {
  const unit = indentUnit(text);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const children = container.children ?? [];
  const first = children[0];
  const oneLine = first !== undefined && !text.slice(container.offset, first.offset).includes('\n');
  if (oneLine) return JSON.stringify(value);
  const depth = `${indentOf(text, container.offset)}${unit}`;
  return JSON.stringify(value, null, unit).replaceAll('\n', `${lineEndOf(text)}${depth}`);
}

/** Appends `"name": value` to an object; an empty object in one line is opened up. */
export function appendProperty(text: string, object: Node, name: string, value: unknown): string {
  const piece = (gap: string): string => `${JSON.stringify(name)}:${gap}${layOut(text, object, value)}`;
  if ((object.children ?? []).length > 0) return append(text, object, piece(/":\s/.test(text) ? ' ' : ''));
  if (innerOf(text, object).trim() !== '') return append(text, object, piece(' '));
  const indent = indentOf(text, object.offset);
  const end = lineEndOf(text);
  return setInner(text, object, `${end}${indent}${indentUnit(text)}${piece(' ')}${end}${indent}`);
}
