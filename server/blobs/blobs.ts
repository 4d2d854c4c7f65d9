/** Archives on disk, by the hex sha512 of their bytes: `blobs/ab/cd/abcd…`. No path leaves this file. */
import { link, mkdir, open, readdir, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { Problem } from '../../schemas/problem.ts';
import { now } from '../clock.ts';

export type Blobs = {
  /** Makes `file`, whose bytes have this hash and are synced, a blob; the file stays. Safe to repeat. */
  put(file: string, sha512: string): Promise<void>;
  has(sha512: string): Promise<boolean>;
  /** Opens the blob before it gives the stream, so that a missing one is an error and not a cut answer. */
  stream(sha512: string): Promise<Readable>;
  read(sha512: string): Promise<Buffer>;
  delete(sha512: string): Promise<void>;
  /** Every blob that was last put before `beforeMs`. */
  list(beforeMs: number): AsyncIterable<string>;
};

const HASH = /^[0-9a-f]{128}$/;

/** Blobs below `folder`, which must exist. */
export const openBlobs = (folder: string): Blobs => {
  const pathOf = (sha512: string): string => {
    if (!HASH.test(sha512)) throw new Error('not a blob hash');
    return join(folder, sha512.slice(0, 2), sha512.slice(2, 4), sha512);
  };
  return {
    put: (file, sha512) => putBlob(folder, file, pathOf(sha512)),
    has: async (sha512) => (await statOrNull(pathOf(sha512))) !== null,
    stream: async (sha512) => (await openBlob(pathOf(sha512))).createReadStream(),
    read: async (sha512) => {
      const handle = await openBlob(pathOf(sha512));
      return handle.readFile().finally(() => handle.close());
    },
    delete: async (sha512) => rm(pathOf(sha512), { force: true }),
    list: (beforeMs) => listBlobs(folder, beforeMs),
  };
};

/** A link, not a rename: the source stays, so the blob can be put again when the collector took it before the row came. */
const putBlob = async (folder: string, file: string, path: string): Promise<void> => {
  const parent = dirname(path);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  try {
    await link(file, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    await touch(path);
  }
  for (const synced of [parent, dirname(parent), folder]) await syncFolder(synced);
};

/** A fresh time keeps the collector of unnamed blobs away from it. */
const touch = async (path: string): Promise<void> => {
  const at = now();
  await utimes(path, at, at);
};

const openBlob = async (path: string) => {
  try {
    return await open(path, 'r');
  } catch (cause) {
    throw new Problem('internal', 'The archive is missing on the disk of the registry', {
      hint: 'Put it back from a backup of the data folder.',
      cause,
    });
  }
};

async function* listBlobs(folder: string, beforeMs: number): AsyncGenerator<string> {
  for (const first of await readdir(folder)) {
    for (const second of await readdir(join(folder, first))) {
      for (const name of await readdir(join(folder, first, second))) {
        const found = await statOrNull(join(folder, first, second, name));
        if (HASH.test(name) && found !== null && found.mtimeMs < beforeMs) yield name;
      }
    }
  }
}

const statOrNull = async (path: string) => {
  try {
    return await stat(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
};

/** A new name survives a power failure only when its folder is synced. Windows cannot open folders. */
export const syncFolder = async (folder: string): Promise<void> => {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);
