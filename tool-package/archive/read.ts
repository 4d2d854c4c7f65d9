/**
 * The strict archive reader: one canonical form, the same at publish and at install. Everything that tar parsers read
 * differently, or forgive with a warning, is refused. docs/package-format.md describes the form.
 */
import { createHash } from 'node:crypto';
import type { PackageJson } from '../../schemas/package-json.ts';
import { integrityOf } from '../integrity.ts';
import { parsePackageJson } from '../package-json.ts';
import { showText } from '../show-text.ts';
import { type ByteSource, createByteSource } from './byte-source.ts';
import { gunzipOne } from './gunzip.ts';
import { BLOCK_SIZE, isZero, parseHeader, type TarHeader } from './header.ts';
import { type ArchiveLimits, DEFAULT_LIMITS } from './limits.ts';
import { checkPath, createCollisionCheck } from './paths.ts';
import { type PaxRecords, parseLongName, parsePax } from './pax.ts';
import { refuseArchive, refuseSize } from './refusal.ts';

export type ArchiveFile = {
  /** Inside the package, without `package/`. */
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  readonly executable: boolean;
  /** Null where `keep` said no. */
  readonly bytes: Buffer | null;
  /** The first bytes of a file that was not kept: they say what it is, whatever its name says. */
  readonly head?: Buffer;
};

export type PackageArchive = {
  /** `sha512-…` of the archive as it came. */
  readonly integrity: string;
  readonly archiveSize: number;
  readonly packageJson: PackageJson;
  /** Sorted by path. */
  readonly files: ArchiveFile[];
};

export type ReadArchiveOptions = {
  readonly limits?: ArchiveLimits;
  /** Which files' bytes to keep in memory; all where it is not given. */
  readonly keep?: (path: string, size: number) => boolean;
};

/** Zero blocks behind the end that a packer may add, and headers: what the tar may be larger than its files. */
const TAR_OVERHEAD = 16 * 1024 * 1024;
const ROOT = 'package';

/**
 * Takes the bytes of a `.tgz` (whole, or as they arrive), gives what is in it. Throws Problem `invalid_archive`,
 * `too_large` (a limit was passed; nothing beyond it was kept) or `invalid_package_json`.
 */
export const readArchive = async (
  source: Uint8Array | AsyncIterable<Uint8Array>,
  options: ReadArchiveOptions = {},
): Promise<PackageArchive> => {
  const limits = options.limits ?? DEFAULT_LIMITS;
  const { bytes, integrity } = await collect(source, limits.archiveBytes);
  const chunks = gunzipOne(bytes);
  try {
    const keep = options.keep ?? (() => true);
    const files = await readTar(createByteSource(chunks, limits.unpackedBytes + TAR_OVERHEAD), limits, keep);
    return {
      integrity,
      archiveSize: bytes.length,
      packageJson: await packageJsonOf(files, limits),
      files: files.map((file) => (keep(file.path, file.size) ? file : { ...file, bytes: null })),
    };
  } finally {
    // Ends zlib's work where the reader stopped early.
    await chunks.return();
  }
};

type Collected = { readonly bytes: Buffer; readonly integrity: string };

/** What arrives in pieces is hashed piece by piece: 20 MiB at once would keep a server from answering others. */
const collect = async (source: Uint8Array | AsyncIterable<Uint8Array>, limit: number): Promise<Collected> => {
  const tooLarge = (): Error => refuseSize('archive-too-large', 'it has too many bytes', limit);
  if (source instanceof Uint8Array) {
    if (source.byteLength > limit) throw tooLarge();
    const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
    return { bytes, integrity: integrityOf(bytes) };
  }
  const hash = createHash('sha512');
  const parts: Uint8Array[] = [];
  let total = 0;
  for await (const part of source) {
    total += part.byteLength;
    if (total > limit) throw tooLarge();
    hash.update(part);
    parts.push(part);
  }
  return { bytes: Buffer.concat(parts), integrity: `sha512-${hash.digest('base64')}` };
};

type Entry = { readonly header: TarHeader; readonly path: string };
type Keep = (path: string, size: number) => boolean;

const readTar = async (source: ByteSource, limits: ArchiveLimits, keep: Keep): Promise<ArchiveFile[]> => {
  const files: ArchiveFile[] = [];
  const collisions = createCollisionCheck();
  let unpacked = 0;
  for (let entries = 1; ; entries += 1) {
    const entry = await readEntry(source, limits);
    if (entry === null) break;
    if (entries > limits.entries)
      throw refuseSize('too-many-entries', 'it has too many files and folders', limits.entries);
    if (entry.header.type === 'folder') {
      if (entry.path !== '') collisions.addFolder(entry.path);
      continue;
    }
    collisions.addFile(entry.path);
    unpacked += entry.header.size;
    if (unpacked > limits.unpackedBytes)
      throw refuseSize('unpacked-too-large', 'its files have too many bytes', limits.unpackedBytes);
    files.push(await readFile(source, entry, limits, keep));
  }
  await readEnd(source);
  return files.sort((left, right) => (left.path < right.path ? -1 : 1));
};

/** The next file or folder, with the path that its own meta header gave it; null at the first zero block. */
const readEntry = async (source: ByteSource, limits: ArchiveLimits): Promise<Entry | null> => {
  const block = await source.take(BLOCK_SIZE);
  if (isZero(block)) return null;
  const first = parseHeader(block);
  if (first.type === 'file' || first.type === 'folder') return toEntry(first, null, limits);
  const meta = await readMeta(source, first, limits);
  const header = parseHeader(await source.take(BLOCK_SIZE));
  // Parsers merge two meta headers, or take the first, or the last.
  if (header.type === 'pax' || header.type === 'long-name')
    throw refuseArchive('meta-twice', 'an entry has two extension headers');
  return toEntry(header, meta, limits);
};

const readMeta = async (source: ByteSource, header: TarHeader, limits: ArchiveLimits): Promise<PaxRecords> => {
  if (header.size > limits.metaBytes)
    throw refuseSize('meta-too-large', 'an extension header has too many bytes', limits.metaBytes);
  const body = await source.take(header.size);
  await readPadding(source, header.size);
  return header.type === 'pax' ? parsePax(body) : { path: parseLongName(body), size: null };
};

const toEntry = (header: TarHeader, meta: PaxRecords | null, limits: ArchiveLimits): Entry => {
  const name = meta?.path ?? header.name;
  // A PAX size that differs from the header's lets one parser see a file where another sees a nested archive.
  if (meta?.size != null && meta.size !== header.size)
    throw refuseArchive('pax-size', 'an entry has two sizes', { path: showText(name) });
  return header.type === 'folder' ? folderEntry(header, name, limits) : fileEntry(header, name, limits);
};

const folderEntry = (header: TarHeader, name: string, limits: ArchiveLimits): Entry => {
  if (header.size !== 0) throw refuseArchive('folder-size', 'a folder has a size', { path: showText(name) });
  const path = name.endsWith('/') ? name.slice(0, -1) : name;
  if (path === ROOT) return { header, path: '' };
  return { header, path: insideRoot(path, limits) };
};

const fileEntry = (header: TarHeader, name: string, limits: ArchiveLimits): Entry => {
  const path = insideRoot(name, limits);
  if (header.size > limits.fileBytes)
    throw refuseSize('file-too-large', `\`${showText(path)}\` has too many bytes`, limits.fileBytes, path);
  return { header, path };
};

const insideRoot = (name: string, limits: ArchiveLimits): string => {
  if (!name.startsWith(`${ROOT}/`)) {
    throw refuseArchive('outside-root', `\`${showText(name)}\` is not under \`package/\``, { path: showText(name) });
  }
  const path = name.slice(ROOT.length + 1);
  checkPath(path, limits);
  return path;
};

/** A tar's mark is the farthest: at 257. */
const HEAD_BYTES = 512;

const readFile = async (source: ByteSource, entry: Entry, limits: ArchiveLimits, keep: Keep): Promise<ArchiveFile> => {
  const { path } = entry;
  const { size, executable } = entry.header;
  const kept = keep(path, size) || (path === 'package.json' && size <= limits.packageJsonBytes);
  const hash = createHash('sha256');
  const parts: Buffer[] = [];
  let taken = 0;
  for await (const part of source.stream(size)) {
    hash.update(part);
    if (kept || taken < HEAD_BYTES) parts.push(kept ? part : Buffer.from(part.subarray(0, HEAD_BYTES - taken)));
    taken += part.length;
  }
  await readPadding(source, size);
  const bytes = Buffer.concat(parts);
  const file = { path, size, executable, sha256: hash.digest('hex') };
  return kept ? { ...file, bytes } : { ...file, bytes: null, head: bytes };
};

const readPadding = async (source: ByteSource, size: number): Promise<void> => {
  const padding = (BLOCK_SIZE - (size % BLOCK_SIZE)) % BLOCK_SIZE;
  if (!isZero(await source.take(padding))) throw refuseArchive('padding', 'there is data between its entries');
};

/** One zero block was read. What follows must be another and then only zeros: some parsers go on after either. */
const readEnd = async (source: ByteSource): Promise<void> => {
  if (!isZero(await source.take(BLOCK_SIZE))) throw refuseArchive('after-end', 'there is data after its end');
  let length = 0;
  for (let part = await source.rest(); part !== undefined; part = await source.rest()) {
    if (!isZero(part)) throw refuseArchive('after-end', 'there is data after its end');
    length += part.length;
  }
  if (length % BLOCK_SIZE !== 0) throw refuseArchive('after-end', 'it does not end at a whole block');
};

const packageJsonOf = (files: readonly ArchiveFile[], limits: ArchiveLimits): Promise<PackageJson> => {
  const file = files.find(({ path }) => path === 'package.json');
  if (file === undefined) throw refuseArchive('no-package-json', 'it has no `package/package.json`');
  if (file.bytes === null || file.size > limits.packageJsonBytes) {
    throw refuseSize(
      'package-json-too-large',
      '`package.json` has too many bytes',
      limits.packageJsonBytes,
      'package.json',
    );
  }
  return parsePackageJson(file.bytes, limits);
};
