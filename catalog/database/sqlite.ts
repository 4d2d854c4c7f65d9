/** Opens a SQLite file read-only with what the running program brings: Bun (SlopCode, opencode) or Node.js >= 22.13. */

export type SqlValue = string | number | bigint | null | Uint8Array;

export interface Connection {
  /** The rows one by one, so that a huge result is never in memory whole. */
  rows(sql: string, params: readonly SqlValue[]): Iterable<Record<string, unknown>>;
  close(): void;
}

/** Throws an Error that says what is needed when neither is there. */
export async function openReadOnly(file: string): Promise<Connection> {
  return 'Bun' in globalThis ? openWithBun(file) : openWithNode(file);
}

async function openWithBun(file: string): Promise<Connection> {
  const { Database } = await import('bun:sqlite');
  const database = new Database(file, { readonly: true, safeIntegers: true });
  return {
    rows: (sql, params) => database.query(sql).iterate(...params),
    close: () => database.close(),
  };
}

async function openWithNode(file: string): Promise<Connection> {
  const { DatabaseSync } = await import('node:sqlite').catch(() => {
    throw new Error(
      `database needs SQLite from its host: Bun (SlopCode and opencode have it) or Node.js 22.13 or newer; this is Node.js ${process.versions.node}.`,
    );
  });
  const database = new DatabaseSync(file, { readOnly: true });
  return {
    rows: (sql, params) => {
      const statement = database.prepare(sql);
      // Without it, a number beyond 2^53 would be an error.
      statement.setReadBigInts(true);
      return statement.iterate(...params) as Iterable<Record<string, unknown>>;
    },
    close: () => database.close(),
  };
}
