/** Opens one SQLite connection the way that every connection of ours must be opened. */
import { setTimeout as sleep } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { Problem } from '../../../schemas/problem.ts';

export type Connection = Sqlite.Database;

/** 3.7.0 to 3.51.2 can corrupt a database when the write-ahead log is reset. */
const MINIMUM_SQLITE = [3, 51, 3] as const;
const BUSY_TIMEOUT_MS = 10_000;

/**
 * Opens `file` in WAL mode with `synchronous=FULL`.
 *
 * better-sqlite3 is compiled so that a WAL database runs at NORMAL unless told otherwise, on every open: a commit that
 * was answered could be lost with the power. FULL costs one fsync per commit.
 */
export const openConnection = async (file: string): Promise<Connection> => {
  const connection = new Sqlite(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    assertVersion(connection);
    await switchToWal(connection);
    connection.pragma('synchronous = FULL');
    connection.pragma('foreign_keys = ON');
    connection.pragma('trusted_schema = OFF');
    connection.pragma('mmap_size = 0');
    connection.pragma('journal_size_limit = 16777216');
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
};

/** A second connection that cannot write. Mixing reads into the writer's connection would show them uncommitted rows. */
export const openReadConnection = async (file: string): Promise<Connection> => {
  const connection = await openConnection(file);
  connection.pragma('query_only = ON');
  return connection;
};

/** Throws `data_folder_invalid` when SQLite finds the file damaged. */
export const assertSound = (connection: Connection, file: string): void => {
  const answer = connection.pragma('quick_check(1)', { simple: true });
  if (answer === 'ok') return;
  throw new Problem('data_folder_invalid', `The database \`${file}\` is damaged: ${String(answer)}`, {
    hint: 'Restore a backup with `pi-tools restore`.',
  });
};

/** `data_folder_invalid` for what SQLite says of a file that is no database, or a broken one; any other error as it is. */
export const describeDamage = (error: unknown, file: string): unknown => {
  const isDamage = error instanceof Sqlite.SqliteError && /^SQLITE_(?:NOTADB|CORRUPT)/.test(error.code);
  if (!isDamage) return error;
  return new Problem('data_folder_invalid', `The database \`${file}\` is damaged: ${error.message}`, {
    hint: 'Restore a backup with `pi-tools restore`.',
    cause: error,
  });
};

/** True for the errors that mean "another connection is writing": worth a retry. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY');

const assertVersion = (connection: Connection): void => {
  const version = String(connection.prepare('select sqlite_version()').pluck().get());
  const parts = version.split('.').map(Number);
  const difference = MINIMUM_SQLITE.map((wanted, index) => (parts[index] ?? 0) - wanted).find((step) => step !== 0);
  if ((difference ?? 0) >= 0) return;
  throw new Problem('data_folder_invalid', `SQLite \`${version}\` is too old: ${MINIMUM_SQLITE.join('.')} is needed`);
};

/** The switch needs the file alone for a moment and does not always ask the busy handler: twenty first starts at once. */
const switchToWal = async (connection: Connection): Promise<void> => {
  for (let attempt = 0; ; attempt++) {
    try {
      connection.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || attempt >= 200) throw error;
      await sleep(10 + Math.random() * 40);
    }
  }
};
