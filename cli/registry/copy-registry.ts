/** A copy of a registry's data folder while others may be writing to it. */
import { copyFile, cp, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../schemas/problem.ts';
import { isMissing } from '../state/atomic-write.ts';

const DATABASE = ['registry.db', 'registry.db-wal'] as const;
const TRIES = 20;

/** Copies what a reader needs; nothing where there is no registry yet. Throws `busy` when it does not hold still, `file_system`. */
export const copyRegistry = async (from: string, to: string): Promise<void> => {
  for (let tries = 0; ; tries += 1) {
    const before = await stampsOf(from);
    for (const file of DATABASE) await unlessMissing(copyFile(join(from, file), join(to, file)));
    // A commit, or a checkpoint between the two files, shows in their times: then the pair is none.
    if (before === (await stampsOf(from))) break;
    if (tries === TRIES)
      throw new Problem('busy', `the registry in \`${from}\` is being written to`, { hint: 'try again' });
  }
  await unlessMissing(copyFile(join(from, 'catalog-stamp'), join(to, 'catalog-stamp')));
  // Blobs are never changed, and there before the rows that name them.
  await unlessMissing(cp(join(from, 'blobs'), join(to, 'blobs'), { recursive: true }));
};

const stampsOf = async (folder: string): Promise<string> => {
  const stats = await Promise.all(
    DATABASE.map((file) => stat(join(folder, file), { bigint: true }).catch(() => undefined)),
  );
  return stats.map((one) => `${one?.ino} ${one?.size} ${one?.mtimeNs}`).join('\n');
};

const unlessMissing = async (work: Promise<void>): Promise<void> => {
  try {
    await work;
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
};
