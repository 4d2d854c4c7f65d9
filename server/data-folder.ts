/** What lies where in a data folder. */
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../schemas/problem.ts';
import { syncFolder } from './blobs/blobs.ts';

export type DataFolder = {
  readonly root: string;
  readonly database: string;
  readonly blobs: string;
  /** Uploads on their way in; on the same file system as `blobs`. */
  readonly incoming: string;
  /** Held by `serve` and `restore`. */
  readonly lock: string;
};

const dataFolderAt = (root: string): DataFolder => ({
  root,
  database: join(root, 'registry.db'),
  blobs: join(root, 'blobs'),
  incoming: join(root, 'incoming'),
  lock: join(root, 'serve.lock'),
});

/** Makes what is missing, for the owner alone: rows hold token hashes and archives that are not listed. */
export const createDataFolder = async (root: string): Promise<DataFolder> => {
  const folder = dataFolderAt(root);
  try {
    await mkdir(root, { recursive: true, mode: 0o700 });
    await chmod(root, 0o700);
    for (const path of [folder.blobs, folder.incoming]) {
      // The first folder that was made, if any: its name must survive a power failure as the blobs below it do.
      if ((await mkdir(path, { recursive: true, mode: 0o700 })) !== undefined) await syncFolder(root);
    }
    return folder;
  } catch (cause) {
    throw new Problem('data_folder_invalid', `The data folder \`${root}\` cannot be used: ${reason(cause)}`, { cause });
  }
};

const reason = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
