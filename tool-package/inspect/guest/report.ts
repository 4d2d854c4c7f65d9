/** What the sandbox saw, as one JSON text. Built by hand: the author's code may have changed `JSON` and `Object`. */
import { inertLabel } from './inert.ts';
import { findMark } from './marks.ts';
import { type Reading, readMember } from './read-value.ts';

export type Registered = {
  definition: unknown;
  /** Where in the bundle it was registered. */
  stack: string;
  export: string | null;
  /** SlopCode: the schema that was joined from the arguments. */
  parameters: Reading | null;
};

const quote = JSON.stringify;
const FIELDS = ['name', 'label', 'description', 'promptSnippet', 'promptGuidelines', 'parameters'];
const FUNCTIONS = ['execute', 'prepareArguments', 'renderCall', 'renderResult'];

export function toolText(tool: Registered): string {
  const owner = tool.definition;
  const fields = FIELDS.map((field) => `${quote(field)}:${readingText(fieldOf(tool, owner, field))}`);
  const functions = FUNCTIONS.filter((name) => isFunction(owner, name));
  return `{"fields":{${fields.join(',')}},"functions":${listText(functions)},"defaultActive":${isDefaultActive(owner)},"stack":${quote(tool.stack)},"export":${quote(tool.export)}}`;
}

/** Not by `JSON.stringify`: a `toJSON` on Array.prototype would answer for it. */
export const listText = (texts: readonly string[]): string => `[${texts.map((text) => quote(text)).join(',')}]`;

function fieldOf(tool: Registered, owner: unknown, field: string): Reading | undefined {
  if (field === 'parameters' && tool.parameters !== null) return tool.parameters;
  const label = inertLabel(owner);
  if (label !== undefined) return { unread: label };
  if (!isObject(owner)) return undefined;
  return spreadOver(owner, field) ?? readMember(owner, field);
}

/**
 * The spread of an inert value leaves its mark as a key. What was set before it, or not at all, may have come with it;
 * what was set after it stands.
 */
function spreadOver(owner: object, field: string): Reading | undefined {
  try {
    const keys = Reflect.ownKeys(owner);
    const at = keys.findLastIndex((key) => typeof key === 'string' && findMark(key) !== undefined);
    if (at < 0 || keys.indexOf(field) > at) return undefined;
    return { unread: findMark(keys[at] as string) ?? 'an import' };
  } catch {
    // Its keys cannot be listed; the fields are read one by one.
    return undefined;
  }
}

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

const readingText = (reading: Reading | undefined): string => {
  if (reading === undefined) return 'null';
  return Object.hasOwn(reading, 'json')
    ? `{"value":${(reading as { json: string }).json}}`
    : `{"unread":${quote((reading as { unread: string }).unread)}}`;
};

function isFunction(owner: unknown, name: string): boolean {
  try {
    return typeof (owner as Record<string, unknown>)[name] === 'function';
  } catch {
    return false;
  }
}

function isDefaultActive(owner: unknown): boolean {
  try {
    return (owner as { defaultActive?: unknown }).defaultActive !== false;
  } catch {
    return true;
  }
}

/** The text and the stack of whatever was thrown, without marks. */
export function errorText(error: unknown): string {
  const clean = (value: unknown) =>
    typeof value === 'string' ? value.replace(/[\uf5a0-\uf5af]+/g, '…').slice(0, 2000) : '';
  try {
    if (inertLabel(error) !== undefined) return '{"message":"an inert value was thrown","stack":""}';
    const { message, stack, name } = (isObject(error) ? error : { message: String(error) }) as Partial<Error>;
    const prefix = name === undefined || name === 'Error' ? '' : `${name}: `;
    return `{"message":${quote(clean(`${prefix}${message}`))},"stack":${quote(clean(stack))}}`;
  } catch {
    return '{"message":"an error that throws when it is read","stack":""}';
  }
}
