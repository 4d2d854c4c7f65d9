/** The lock that `serve` and `restore` hold on a data folder. */
import Sqlite from 'better-sqlite3';
import { Problem } from '../../../schemas/problem.ts';
import { isBusy } from './connection.ts';

/**
 * Takes the lock at `file`; gives what releases it. Throws `data_folder_locked` when somebody holds it.
 *
 * It is an SQLite file held by `begin exclusive`: the operating system drops the lock with the process, however it ends,
 * so there is no stale lock to judge by process ids that have long been given to others.
 */
export const takeExclusiveLock = (file: string): (() => void) => {
  const connection = new Sqlite(file, { timeout: 0 });
  try {
    connection.pragma('journal_mode = MEMORY');
    connection.exec('begin exclusive');
    return () => connection.close();
  } catch (cause) {
    connection.close();
    if (!isBusy(cause)) throw cause;
    throw new Problem(
      'data_folder_locked',
      `Another \`pi-tools serve\` (or a restore) is using the data folder: \`${file}\` is held`,
      {
        hint: 'Stop it first, or give this one its own folder with `--data`.',
        cause,
      },
    );
  }
};
