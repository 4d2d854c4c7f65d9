/** `withFileMutationQueue`: work on the same file runs one after the other, other files in parallel. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';

const queues = new Map<string, Promise<unknown>>();

async function queueKey(file: string): Promise<string> {
  const absolute = path.resolve(file);
  return realpath(absolute).catch(() => absolute);
}

export async function withFileMutationQueue<T>(file: string, work: () => Promise<T>): Promise<T> {
  const key = await queueKey(file);
  const before = queues.get(key) ?? Promise.resolve();
  const mine = before.then(work, work);
  const settled = mine.catch(() => undefined);
  queues.set(key, settled);
  try {
    return await mine;
  } finally {
    if (queues.get(key) === settled) queues.delete(key);
  }
}
