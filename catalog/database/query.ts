/** One question to one file: checks, limits and the text of the answer. */
import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Connection, SqlValue } from './sqlite.ts';

export interface Question {
  query: string;
  params: readonly (string | number | boolean | null)[];
  limit: number;
}

const MAX_ANSWER_BYTES = 48 * 1024;
const MAX_TEXT_LENGTH = 2000;
const READING = /^(select|with|values|explain|pragma)\b/i;

/**
 * The rows as JSON: `{"columns": [...], "rows": [[...]], "more": false}`; `more` tells that rows were left out.
 * Throws for a statement that does not read, and passes on what SQLite says about a wrong one.
 */
export function ask(connection: Connection, question: Question): string {
  const statement = question.query.replace(/^(\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)+/, '');
  if (!READING.test(statement)) {
    throw new Error('Only reading is possible: the query must begin with SELECT, WITH, VALUES, EXPLAIN or PRAGMA.');
  }
  const rows: unknown[][] = [];
  let columns: string[] = [];
  let bytes = 0;
  let more = false;
  for (const row of connection.rows(statement, question.params.map(toSql))) {
    const values = Object.values(row).map(toJson);
    bytes += Buffer.byteLength(JSON.stringify(values), 'utf8');
    if (rows.length === question.limit || bytes > MAX_ANSWER_BYTES) {
      more = true;
      break;
    }
    if (rows.length === 0) columns = Object.keys(row);
    rows.push(values);
  }
  return JSON.stringify({ columns, rows, more });
}

/** The database file meant by `path`, with links followed. Throws when it is not there or outside `folder`. */
export async function locate(folder: string, path: string): Promise<string> {
  const base = await realpath(folder);
  const file = await realpath(resolve(base, path)).catch(() => {
    throw new Error(`There is no file ${path} in ${folder}.`);
  });
  const inside = relative(base, file);
  if (inside === '' || inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) {
    throw new Error(`${path} is outside the working folder ${folder}.`);
  }
  return file;
}

/** SQLite knows no booleans. */
const toSql = (value: string | number | boolean | null): SqlValue =>
  typeof value === 'boolean' ? Number(value) : value;

function toJson(value: unknown): unknown {
  // Beyond 2^53 JSON numbers lose digits: such a number goes as text.
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
  if (value instanceof Uint8Array) return `<${value.byteLength} bytes>`;
  if (typeof value === 'string' && value.length > MAX_TEXT_LENGTH) {
    return `${value.slice(0, MAX_TEXT_LENGTH)}… <${value.length} characters>`;
  }
  return value;
}
