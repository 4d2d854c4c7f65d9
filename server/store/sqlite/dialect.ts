/** Our kysely dialect: `begin immediate`, waited for without blocking the process. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
} from 'kysely';
import { nowMs } from '../../clock.ts';
import { type Connection, isBusy } from './connection.ts';

const WAIT_MS = 10_000;
const LEAST_WAIT_MS = 250;
/** Short, because better-sqlite3 waits inside the call: the event loop stands still for as long. */
const TRY_MS = 5;

/**
 * kysely only sends `begin`. A deferred transaction that reads and then writes fails at once with
 * SQLITE_BUSY_SNAPSHOT when another process wrote in between; `begin immediate` takes the write lock first and can wait.
 */
class ImmediateDriver extends SqliteDriver {
  readonly #connection: Connection;
  /** Since when the lock could not be had; null when the last try got it. */
  #busySinceMs: number | null = null;

  constructor(connection: Connection) {
    super({ database: connection });
    this.#connection = connection;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const startMs = nowMs();
    for (;;) {
      try {
        await connection.executeQuery(CompiledQuery.raw('begin immediate'));
        this.#busySinceMs = null;
        return;
      } catch (error) {
        if (!isBusy(error) || this.#hasWaitedEnough(startMs)) throw error;
        await sleep(2 + Math.random() * 20);
      }
    }
  }

  /** A full disk has ended the transaction already; a rollback would fail and hide why. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#connection.inTransaction) await super.rollbackTransaction(connection);
  }

  /** Transactions wait in line for this connection: where the first has waited in vain, the others must not add up. */
  #hasWaitedEnough(startMs: number): boolean {
    const at = nowMs();
    this.#busySinceMs ??= at;
    return at > Math.max(this.#busySinceMs + WAIT_MS, startMs + LEAST_WAIT_MS);
  }
}

/** The dialect for the writer's connection. */
export const immediateDialect = (connection: Connection): Dialect => {
  connection.pragma(`busy_timeout = ${TRY_MS}`);
  return {
    createDriver: () => new ImmediateDriver(connection),
    createQueryCompiler: () => plainDialect(connection).createQueryCompiler(),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => plainDialect(connection).createIntrospector(db),
  };
};

/** The dialect for reads: each statement sees what is committed. */
export const plainDialect = (connection: Connection): Dialect => new SqliteDialect({ database: connection });
