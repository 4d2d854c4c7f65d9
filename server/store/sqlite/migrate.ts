/** Brings a database to the newest form, once, however many processes start at the same time. */
import { MIGRATIONS } from '../../../migrations/index.ts';
import { Problem } from '../../../schemas/problem.ts';
import { nowText } from '../../clock.ts';
import type { Connection } from './connection.ts';
import { createSearchIndex, isSearchIndexCurrent } from './search-index.ts';

/**
 * Runs what is missing in one transaction. `begin immediate` comes before the look at what is there, so a second
 * process waits and then finds nothing to do.
 */
export const migrate = (connection: Connection): void => {
  if (isCurrent(connection)) return;
  connection
    .transaction(() => {
      connection.exec(
        'create table if not exists migrations (id integer primary key, name text not null, applied_at text not null) strict',
      );
      const done = appliedIds(connection);
      assertNotNewer(done);
      for (const migration of MIGRATIONS) {
        if (done.has(migration.id)) continue;
        for (const statement of migration.statements) connection.exec(statement);
        connection
          .prepare('insert into migrations (id, name, applied_at) values (?, ?, ?)')
          .run(migration.id, migration.name, nowText());
      }
      if (!isSearchIndexCurrent(connection)) createSearchIndex(connection);
    })
    .immediate();
};

const appliedIds = (connection: Connection): Set<number> =>
  new Set(connection.prepare('select id from migrations').pluck().all() as number[]);

/** A look without the write lock: a process that starts while another one writes need not wait for it. */
const isCurrent = (connection: Connection): boolean => {
  const known = connection.prepare("select 1 from sqlite_schema where name = 'migrations'").pluck().get();
  if (known === undefined) return false;
  const done = appliedIds(connection);
  assertNotNewer(done);
  return MIGRATIONS.every((migration) => done.has(migration.id)) && isSearchIndexCurrent(connection);
};

const assertNotNewer = (done: ReadonlySet<number>): void => {
  const newest = MIGRATIONS.at(-1)?.id ?? 0;
  const unknown = [...done].find((id) => id > newest);
  if (unknown === undefined) return;
  throw new Problem('data_folder_invalid', `The database was made by a newer pi-tools (migration \`${unknown}\`)`, {
    hint: 'Update pi-tools on this machine.',
  });
};
