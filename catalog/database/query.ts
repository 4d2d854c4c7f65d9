/** One question to one file: checks, limits and the text of the answer. */
import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';

export type SqlValue = string | number | bigint | null | Uint8Array;

export interface Result {
  columns: string[];
  /** One by one, so that a huge result is never in memory whole. */
  rows: Iterable<Record<string, unknown>>;
}

export interface Connection {
  run(sql: string, params: readonly SqlValue[]): Result;
  close(): void;
}

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
  const { columns, rows } = connection.run(withOwnColumns(statement), question.params.map(toSql));
  return JSON.stringify({ columns, ...collect(rows, question.limit) });
}

/** Rows come as objects, in which the second of two columns called `id` hides the first: as a subquery it becomes `id:1`. */
function withOwnColumns(statement: string): string {
  if (!/^(select|with|values)\b/i.test(statement)) return statement;
  return `select * from (\n${statement.replace(/[;\s]+$/, '')}\n)`;
}

function collect(source: Iterable<Record<string, unknown>>, limit: number): { rows: unknown[][]; more: boolean } {
  const rows: unknown[][] = [];
  let bytes = 0;
  for (const row of source) {
    const values = Object.values(row).map(toJson);
    bytes += Buffer.byteLength(JSON.stringify(values), 'utf8');
    if (rows.length === limit || bytes > MAX_ANSWER_BYTES) return { rows, more: true };
    rows.push(values);
  }
  return { rows, more: false };
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
