/** Opens a SQLite file read-only with what the running program brings: Bun (SlopCode, opencode) or Node.js >= 22.16. */

import type { Connection } from './query.ts';

/** Throws an Error that says what is needed when neither is there. */
export async function openReadOnly(file: string): Promise<Connection> {
  return 'Bun' in globalThis ? openWithBun(file) : openWithNode(file);
}

async function openWithBun(file: string): Promise<Connection> {
  const { Database } = await import('bun:sqlite');
  const database = new Database(file, { readonly: true, safeIntegers: true });
  return {
    run: (sql, params) => {
      const statement = database.query(sql);
      return { columns: [...statement.columnNames], rows: statement.iterate(...params) };
    },
    close: () => database.close(),
  };
}

async function openWithNode(file: string): Promise<Connection> {
  const { DatabaseSync } = await import('node:sqlite').catch(() => {
    throw new Error(
      `database needs SQLite from its host: Bun (SlopCode and opencode have it) or Node.js 22.16 or newer; this is Node.js ${process.versions.node}.`,
    );
  });
  const database = new DatabaseSync(file, { readOnly: true });
  return {
    run: (sql, params) => {
      const statement = database.prepare(sql);
      // Without it, a number beyond 2^53 would be an error.
      statement.setReadBigInts(true);
      const columns = statement.columns().map((column) => column.name);
      return { columns, rows: statement.iterate(...params) as Iterable<Record<string, unknown>> };
    },
    close: () => database.close(),
  };
}
