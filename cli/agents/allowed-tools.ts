/**
 * `allowedTools` in pi's settings.json, as text in and text out. pi's file is strict JSON (a byte order mark is accepted); whatever does not
 * parse is an error with its place, never `{}`: a "repaired" settings file is a lost one.
 */
import { Problem } from '../../schemas/problem.ts';
import {
  appendElement,
  appendProperty,
  findProperty,
  innerOf,
  JsonTextError,
  listProperties,
  type Node,
  type Property,
  parseJsonText,
  removeChild,
  setInner,
} from '../state/json-text.ts';
import type { SettingsRecord } from '../state/state-file.ts';

const KEY = 'allowedTools';

/** What pi itself offers; a new list must hold them, or it would switch them off. */
export const PI_BUILT_INS: readonly string[] = [
  'read',
  'bash',
  'powershell',
  'edit',
  'write',
  'grep',
  'find',
  'ls',
  'codemode',
  'tool_search',
];

export type SettingsView = {
  /** Names in the list; undefined when there is no list. */
  readonly names: readonly string[] | undefined;
  /** Top-level keys. */
  readonly keys: readonly string[];
  /** The value of a top-level key that is a list of strings (or objects with `source`), as strings. */
  listOf(key: string): string[];
};

type Parsed = { root: Node; property: Property | undefined };

const invalid = (file: string, message: string, line: number, column: number): Problem =>
  new Problem('settings_invalid', `\`${file}\` line ${line}, column ${column}: ${message}`, {
    hint: 'mend the file, then run the command again; nothing was changed',
    details: { file, line, column },
  });

function at(text: string, file: string, node: Node, message: string): Problem {
  const { line, column } = new JsonTextError('', text, node.offset);
  return invalid(file, message, line, column);
}

function parse(text: string, file: string): Parsed {
  let root: Node;
  try {
    root = parseJsonText(text, 'json');
  } catch (error) {
    if (error instanceof JsonTextError) throw invalid(file, error.message, error.line, error.column);
    throw error;
  }
  if (root.type !== 'object') throw at(text, file, root, 'the top level is not an object');
  const found = listProperties(root).filter((property) => property.name === KEY);
  const second = found[1];
  if (second !== undefined) throw at(text, file, second.key, `\`${KEY}\` is there twice`);
  const property = found[0];
  if (property !== undefined) checkList(text, file, property.value);
  return { root, property };
}

function checkList(text: string, file: string, value: Node): void {
  if (value.type !== 'array') throw at(text, file, value, `\`${KEY}\` is not a list`);
  const odd = (value.children ?? []).find((child) => child.type !== 'string');
  if (odd !== undefined) throw at(text, file, odd, `\`${KEY}\` holds something that is not a string`);
}

const namesIn = (list: Node): string[] => (list.children ?? []).map((child) => child.value as string);

const sourceOf = (node: Node): string | undefined => {
  const value = node.type === 'object' ? findProperty(node, 'source')?.value : node;
  return value?.type === 'string' ? (value.value as string) : undefined;
};

/** What a settings text says. Problem `settings_invalid` with file, line and column. */
export function viewSettings(text: string, file: string): SettingsView {
  const { root, property } = parse(text, file);
  return {
    names: property === undefined ? undefined : namesIn(property.value),
    keys: listProperties(root).map(({ name }) => name),
    listOf: (key) =>
      (findProperty(root, key)?.value.children ?? []).flatMap((child) => {
        const source = sourceOf(child);
        return source === undefined ? [] : [source];
      }),
  };
}

export const emptyRecord = (): SettingsRecord => ({ added: [], emptyList: null, created: null });

export type ListEdit = {
  /** Null: the file goes (pi-tools had created it, and nothing else is in it). */
  readonly text: string | null;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly record: SettingsRecord;
};

/** Appends the names that are missing. No list: nothing happens. */
export function addNames(text: string, file: string, names: readonly string[], record: SettingsRecord): ListEdit {
  const first = parse(text, file).property?.value;
  if (first === undefined) return { text, added: [], removed: [], record };
  const present = new Set(namesIn(first));
  const added = [...new Set(names)].filter((name) => !present.has(name));
  const wasEmpty = (first.children ?? []).length === 0 && added.length > 0;
  let next = text;
  for (const name of added) next = appendElement(next, listNode(next, file), name);
  const emptyList = wasEmpty ? innerOf(text, first) : record.emptyList;
  return { text: next, added, removed: [], record: { ...record, emptyList, added: [...record.added, ...added] } };
}

function listNode(text: string, file: string): Node {
  const node = parse(text, file).property?.value;
  if (node === undefined) throw new Error('the list is gone');
  return node;
}

/** Takes one occurrence of each name out; a list or file that pi-tools created goes when only its first names are left. */
export function removeNames(text: string, file: string, names: readonly string[], record: SettingsRecord): ListEdit {
  let next = text;
  const removed: string[] = [];
  for (const name of new Set(names)) {
    const list = parse(next, file).property?.value;
    const child = (list?.children ?? []).findLast((node) => node.value === name);
    if (list === undefined || child === undefined) continue;
    const last = (list.children ?? []).length === 1;
    next = last && record.emptyList !== null ? setInner(next, list, record.emptyList) : removeChild(next, list, child);
    removed.push(name);
  }
  const gone = new Set(names);
  const rest: SettingsRecord = { ...record, added: record.added.filter((name) => !gone.has(name)) };
  if (rest.added.length > 0) return { text: next, added: [], removed, record: rest };
  return { ...dropCreated(next, file, rest), added: [], removed };
}

/** Undoes the creation of a list that nobody changed since, and of its file when nothing else is in it. */
function dropCreated(text: string, file: string, record: SettingsRecord): Pick<ListEdit, 'text' | 'record'> {
  const { created } = record;
  if (created === null) return { text, record };
  const { root, property } = parse(text, file);
  if (property === undefined || !sameNames(namesIn(property.value), created.base)) return { text, record };
  const only = listProperties(root).length === 1;
  if (only && created.file) return { text: null, record: emptyRecord() };
  const next =
    only && created.emptyObject !== null
      ? setInner(text, root, created.emptyObject)
      : removeChild(text, root, property.node);
  return { text: next, record: emptyRecord() };
}

const sameNames = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((name, index) => name === right[index]);

/**
 * A new list: the built-ins, what else was there (`others`), then the installed tools. Without a file, a new one as pi writes it.
 * Names in `installed` count as added by pi-tools.
 */
export function createList(
  text: string | null,
  file: string,
  others: readonly string[],
  installed: readonly string[],
): ListEdit {
  const base = [...new Set([...PI_BUILT_INS, ...others])];
  const added = [...new Set(installed)].filter((name) => !base.includes(name));
  const names = [...base, ...added];
  const created = { base, emptyObject: null, file: text === null };
  const record: SettingsRecord = { added, emptyList: null, created };
  if (text === null) return { text: JSON.stringify({ [KEY]: names }, null, 2), added: names, removed: [], record };
  const { root } = parse(text, file);
  const empty = listProperties(root).length === 0 ? innerOf(text, root) : null;
  const next = appendProperty(text, root, KEY, names);
  return { text: next, added: names, removed: [], record: { ...record, created: { ...created, emptyObject: empty } } };
}
