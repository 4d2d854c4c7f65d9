/** The database of one data folder. */
import { stat } from 'node:fs/promises';
import { Kysely } from 'kysely';
import { Problem } from '../../schemas/problem.ts';
import {
  assertSound,
  type Connection,
  describeDamage,
  isBusy,
  openConnection,
  openReadConnection,
} from './sqlite/connection.ts';
import { immediateDialect, plainDialect } from './sqlite/dialect.ts';
import { migrate } from './sqlite/migrate.ts';
import { type SearchHits, type SearchRequest, search } from './sqlite/search.ts';
import type { Reader, Tables, Trx } from './tables.ts';

export type Store = {
  /** Reads; sees what is committed, cannot write, and may be used while a transaction runs. */
  readonly read: Reader;
  /**
   * One short write transaction (`begin immediate`), given back when `work` throws. Inside it use `trx` only: `read`
   * does not see what `work` has written. Throws `busy` when another process held the lock for ten seconds,
   * `disk_full` when there is no room.
   */
  write<T>(work: (trx: Trx) => Promise<T>): Promise<T>;
  /** The package's revision; undefined when there is no such package. On every read's path: one prepared statement. */
  findRevision(name: string): number | undefined;
  search(request: SearchRequest): SearchHits;
  /** Throws `data_folder_invalid` when the database is damaged. Reads all of it. */
  assertSound(): void;
  close(): Promise<void>;
};

/** A small database is looked through at each opening; a large one would delay every command: only `serve` does it. */
const ALWAYS_CHECKED_BYTES = 8 * 1024 * 1024;

/** Opens (and creates, and migrates) the database. Throws `data_folder_invalid` for a damaged or newer one. */
export const openStore = async (file: string): Promise<Store> => {
  const [writeConnection, readConnection] = await openConnections(file).catch((error: unknown) => {
    throw describeDamage(error, file);
  });
  const writer = new Kysely<Tables>({ dialect: immediateDialect(writeConnection) });
  const reader = new Kysely<Tables>({ dialect: plainDialect(readConnection) });
  const revision = readConnection.prepare('select revision from packages where name = ?').pluck();
  return {
    read: reader,
    write: async (work) => {
      try {
        return await writer.transaction().execute(work);
      } catch (error) {
        throw asProblem(error);
      }
    },
    assertSound: () => assertSound(readConnection, file),
    findRevision: (name) => revision.get(name) as number | undefined,
    search: (request) => search(readConnection, request),
    close: async () => {
      await Promise.all([writer.destroy(), reader.destroy()]);
      for (const connection of [writeConnection, readConnection]) if (connection.open) connection.close();
    },
  };
};

const openConnections = async (file: string): Promise<[Connection, Connection]> => {
  const writeConnection = await openConnection(file);
  migrate(writeConnection);
  if ((await stat(file)).size <= ALWAYS_CHECKED_BYTES) assertSound(writeConnection, file);
  return [writeConnection, await openReadConnection(file)];
};

const asProblem = (error: unknown): unknown => {
  if (isBusy(error)) {
    return new Problem('busy', 'The registry is busy: another process is writing', {
      hint: 'Try again.',
      cause: error,
    });
  }
  return isFull(error) ? new Problem('disk_full', 'The disk of the registry is full', { cause: error }) : error;
};

const isFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'SQLITE_FULL' || error.code === 'ENOSPC');
