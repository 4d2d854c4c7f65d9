/** Uploads on their way in: hashed while they are written to a file of their own. */
import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../schemas/problem.ts';

export type Incoming = {
  readonly path: string;
  readonly size: number;
  /** Hex. */
  readonly sha512: string;
  /** `sha512-…` */
  readonly integrity: string;
};

/**
 * Writes the stream to a new file in `folder` and syncs it. Throws `too_large` beyond `maxBytes`, and leaves no file
 * behind when it throws.
 */
export const receive = async (folder: string, body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Incoming> => {
  // The process id tells the collector whose file it is, whatever its age.
  const path = join(folder, `${process.pid}-${randomBytes(12).toString('hex')}`);
  const handle = await open(path, 'wx', 0o600);
  try {
    const { size, digest } = await writeAll(handle, body, maxBytes);
    await handle.sync();
    return { path, size, sha512: digest.toString('hex'), integrity: `sha512-${digest.toString('base64')}` };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
};

export const discard = (incoming: Incoming): Promise<void> => rm(incoming.path, { force: true });

const writeAll = async (handle: FileHandle, body: AsyncIterable<Uint8Array>, maxBytes: number) => {
  const hash = createHash('sha512');
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    hash.update(chunk);
    await writeChunk(handle, chunk);
  }
  return { size, digest: hash.digest() };
};

/** One write may take less than it was given. */
const writeChunk = async (handle: FileHandle, chunk: Uint8Array): Promise<void> => {
  let offset = 0;
  while (offset < chunk.byteLength) offset += (await handle.write(chunk, offset)).bytesWritten;
};

export const tooLarge = (maxBytes: number): Problem =>
  new Problem('too_large', `The archive is larger than \`${maxBytes}\` bytes`, {
    hint: 'Leave out what the tool does not need: see `files` in package.json.',
    details: { maxBytes },
  });

/** Removes uploads whose process has ended, and any older than `maxAgeMs`. Gives how many. */
export const discardLeftOver = async (folder: string, nowMs: number, maxAgeMs: number): Promise<number> => {
  let removed = 0;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found === null) continue;
    const owner = Number(/^(\d+)-/.exec(name)?.[1] ?? 0);
    if (isAlive(owner) && nowMs - found.mtimeMs < maxAgeMs) continue;
    await rm(path, { force: true });
    removed++;
  }
  return removed;
};

const isAlive = (pid: number): boolean => {
  if (pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};
