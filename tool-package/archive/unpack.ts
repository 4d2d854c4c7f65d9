/** Writes an archive that the strict reader has accepted into a folder of its own. */
import { constants } from 'node:fs';
import { chmod, mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Problem } from '../../schemas/problem.ts';
import type { ArchiveFile, PackageArchive } from './read.ts';

/**
 * Creates `folder` (its parent must exist, it must not) and fills it; when this returns, every file and folder is synced.
 * Files become 0644 or 0755, nothing is ever overwritten or followed. All bytes must have been kept. Throws Problem
 * `file_system`; what was written so far stays, and is the caller's to remove.
 */
export const unpackArchive = async (archive: PackageArchive, folder: string): Promise<void> => {
  try {
    // 0700 while it is filled: no one else can swap a name for a link between our steps.
    await mkdir(folder, { mode: 0o700 });
    const folders = listFolders(archive.files);
    for (const path of folders) await mkdir(join(folder, path), { mode: 0o755 });
    await writeAll(folder, archive.files);
    for (const path of folders.toReversed()) await sync(join(folder, path));
    await chmod(folder, 0o755);
    await sync(folder);
  } catch (cause) {
    if (cause instanceof Problem || !(cause instanceof Error)) throw cause;
    throw new Problem('file_system', `could not unpack into \`${folder}\`: ${cause.message}`, {
      details: { folder },
      cause,
    });
  }
};

/** Every folder of the files, parents first. */
const listFolders = (files: readonly ArchiveFile[]): string[] => {
  const folders = new Set<string>();
  for (const { path } of files) {
    for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) folders.add(parent);
  }
  return [...folders].sort();
};

/** As many at a time as Node has threads for files: what takes time is the disk's answer to each sync. */
const AT_ONCE = 4;

const writeAll = async (folder: string, files: readonly ArchiveFile[]): Promise<void> => {
  for (let start = 0; start < files.length; start += AT_ONCE) {
    const group = files.slice(start, start + AT_ONCE);
    // All of them settle before a failure is told, so that nothing is written behind the caller's clean-up.
    const done = await Promise.allSettled(group.map((file) => writeNew(join(folder, file.path), file)));
    const failed = done.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }
};

const writeNew = async (path: string, file: ArchiveFile): Promise<void> => {
  if (file.bytes === null) throw new TypeError(`the bytes of ${file.path} were not kept`);
  const handle = await open(
    path,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0),
    0o600,
  );
  try {
    await handle.writeFile(file.bytes);
    await handle.chmod(file.executable ? 0o755 : 0o644);
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Windows cannot open a folder, and needs no sync of it. */
const sync = async (folder: string): Promise<void> => {
  const handle = await open(folder, constants.O_RDONLY).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EISDIR' || error.code === 'EPERM') return null;
    throw error;
  });
  if (handle === null) return;
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};
