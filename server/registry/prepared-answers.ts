/**
 * What is read all the time, as the bytes that are sent: documents, manifests and small archives of listed versions, kept
 * by the package's revision. The revision is raised in the transaction of any change and read on each request, so another
 * process's write is seen at once.
 */
import { createHash } from 'node:crypto';
import type { Deps } from '../deps.ts';
import { manifestOf } from './manifest.ts';
import { findDocument, getVersion } from './package-document.ts';

export type PreparedAnswer = { readonly body: Buffer; readonly etag: string };

export type PreparedArchive = {
  readonly etag: string;
  readonly size: number;
  readonly sha512: string;
  /** Null for one that is too large to keep: it is streamed. */
  readonly body: Buffer | null;
};

/** What an answer was prepared for: it is good as long as the package has this revision. */
export type PreparedFor = { readonly name: string; readonly revision: number };

const preparedFor = new WeakMap<Buffer, PreparedFor>();

/** Undefined for bytes that were not prepared, or not for everybody. */
export const findPreparedFor = (body: Buffer): PreparedFor | undefined => preparedFor.get(body);

export type PreparedAnswers = {
  /** As anybody may see it; undefined when there is nothing to see. */
  findDocument(name: string): Promise<PreparedAnswer | undefined>;
  /** Undefined for a version that is not listed: who may see it is for the caller to find out. */
  findManifest(name: string, version: string): Promise<PreparedAnswer | undefined>;
  findArchive(name: string, version: string): Promise<PreparedArchive | undefined>;
};

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_ARCHIVE_BYTES = 512 * 1024;
/** For the entry itself, so that a million empty ones count, too. */
const ENTRY_BYTES = 512;

type Kept = { readonly revision: number; readonly bytes: number; readonly value: unknown };

export const createPreparedAnswers = (deps: Deps): PreparedAnswers => {
  const keep = createRevisionCache(deps);
  return {
    findDocument: (name) =>
      keep(`document ${name}`, name, async () => {
        const document = await findDocument(deps, name, null);
        return document && prepare(document);
      }),
    findManifest: (name, version) =>
      keep(`manifest ${name} ${version}`, name, async () => {
        const found = await getVersion(deps, name, version, null);
        return found.version.state === 'listed' ? prepare(manifestOf(found.version)) : undefined;
      }),
    findArchive: (name, version) =>
      keep(`archive ${name} ${version}`, name, async () => {
        const { state, integrity, archive_size: size, sha512 } = (await getVersion(deps, name, version, null)).version;
        if (state !== 'listed') return undefined;
        const body = size <= MAX_ARCHIVE_BYTES ? await deps.blobs.read(sha512) : null;
        return { etag: `"${integrity}"`, size, sha512, body };
      }),
  };
};

/** The answer's bytes and their entity tag. */
export const prepare = (value: unknown): PreparedAnswer => {
  const body = Buffer.from(JSON.stringify(value));
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"` };
};

/** Gives what `build` made while the package's revision stays the same; the oldest entries go when memory runs out. */
const createRevisionCache = (deps: Deps) => {
  const entries = new Map<string, Kept>();
  let total = 0;
  const remember = (key: string, entry: Kept): void => {
    total += entry.bytes - (entries.get(key)?.bytes ?? 0);
    entries.set(key, entry);
    for (const [oldest, { bytes }] of entries) {
      if (total <= MAX_BYTES) return;
      entries.delete(oldest);
      total -= bytes;
    }
  };
  return async <T extends { readonly body: Buffer | null }>(
    key: string,
    name: string,
    build: () => Promise<T | undefined>,
  ): Promise<T | undefined> => {
    // Read before the rows are: rows newer than it are only made anew once too often.
    const revision = deps.store.findRevision(name);
    const known = entries.get(key);
    if (known !== undefined && known.revision === revision) return known.value as T;
    const value = await build();
    if (value === undefined || revision === undefined) return value;
    if (value.body !== null) preparedFor.set(value.body, { name, revision });
    remember(key, { revision, bytes: ENTRY_BYTES + (value.body?.byteLength ?? 0), value });
    return value;
  };
};
