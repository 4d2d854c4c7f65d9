/** Downloads that are kept: archives by integrity (verified on every use), documents and manifests by the registry they came from. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { integrityOf, sameIntegrity } from '../../tool-package/integrity.ts';

type CachedAnswer = { etag: string | null; body: Buffer };

export type Cache = {
  /** The archive with exactly that integrity; a damaged copy is thrown away and counts as missing. */
  findArchive(integrity: string): Promise<Buffer | undefined>;
  keepArchive(bytes: Buffer): Promise<void>;
  findAnswer(origin: string, path: string): Promise<CachedAnswer | undefined>;
  keepAnswer(origin: string, path: string, answer: CachedAnswer): Promise<void>;
  forgetAnswer(origin: string, path: string): Promise<void>;
};

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** `sha512-<base64>` -> `ab/<hex>.tgz`; the pattern keeps outside text from becoming a path. */
const archivePath = (integrity: string): string => {
  const hex = Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex');
  return join('archives', hex.slice(0, 2), `${hex}.tgz`);
};

const answerPath = (origin: string, path: string): string => join('answers', sha256(origin).slice(0, 32), sha256(path));

/** Whether a command may write what it could keep; `read` for `--dry-run`. */
export type CacheMode = 'write' | 'read';

/** A cache below `folder`. A cache that cannot be read or written is no error: it is slower, that is all. */
export const openCache = (folder: string, mode: CacheMode = 'write'): Cache =>
  mode === 'write' ? writableCache(folder) : readOnlyCache(folder);

const readOnlyCache = (folder: string): Cache => ({
  findArchive: async (integrity) => {
    const bytes = await readFile(join(folder, archivePath(integrity))).catch(() => undefined);
    return bytes !== undefined && sameIntegrity(integrityOf(bytes), integrity) ? bytes : undefined;
  },
  findAnswer: (origin, path) => findAnswer(folder, origin, path),
  keepArchive: async () => {},
  keepAnswer: async () => {},
  forgetAnswer: async () => {},
});

const findAnswer = async (folder: string, origin: string, path: string): Promise<CachedAnswer | undefined> => {
  const bytes = await readFile(join(folder, answerPath(origin, path))).catch(() => undefined);
  return bytes === undefined ? undefined : splitAnswer(bytes);
};

const writableCache = (folder: string): Cache => ({
  findArchive: async (integrity) => {
    const file = join(folder, archivePath(integrity));
    const bytes = await readFile(file).catch(() => undefined);
    if (bytes === undefined || sameIntegrity(integrityOf(bytes), integrity)) return bytes;
    await rm(file, { force: true }).catch(() => {});
    return undefined;
  },
  keepArchive: (bytes) => keep(join(folder, archivePath(integrityOf(bytes))), bytes),
  findAnswer: (origin, path) => findAnswer(folder, origin, path),
  keepAnswer: (origin, path, { etag, body }) =>
    keep(join(folder, answerPath(origin, path)), Buffer.concat([Buffer.from(`${etag ?? ''}\n`), body])),
  forgetAnswer: (origin, path) => rm(join(folder, answerPath(origin, path)), { force: true }).catch(() => {}),
});

/** First line the ETag, then the body. */
const splitAnswer = (bytes: Buffer): CachedAnswer | undefined => {
  const end = bytes.indexOf('\n');
  if (end === -1) return undefined;
  return { etag: bytes.subarray(0, end).toString('latin1') || null, body: bytes.subarray(end + 1) };
};

/** Readers see the whole file or none: written beside, then renamed. Not synced: a lost cache entry is downloaded again. */
const keep = async (file: string, bytes: Uint8Array): Promise<void> => {
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(temporary, bytes, { mode: 0o600, flag: 'wx' });
    await rename(temporary, file);
  } catch {
    await rm(temporary, { force: true }).catch(() => {});
  }
};

export type CacheUse = { archives: number; answers: number; bytes: number };

const measure = async (folder: string): Promise<{ files: number; bytes: number }> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  let bytes = 0;
  let files = 0;
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    files += 1;
    bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0;
  }
  return { files, bytes };
};

/** What the cache holds. */
export const measureCache = async (folder: string): Promise<CacheUse> => {
  const archives = await measure(join(folder, 'archives'));
  const answers = await measure(join(folder, 'answers'));
  return { archives: archives.files, answers: answers.files, bytes: archives.bytes + answers.bytes };
};

/** Empties the cache; only the two folders that are ours. */
export const cleanCache = async (folder: string): Promise<void> => {
  for (const part of ['archives', 'answers']) await rm(join(folder, part), { recursive: true, force: true });
};
