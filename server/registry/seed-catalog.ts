/** Puts the packages that ship with pi-tools into a registry: archives and records made at build time. */
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Finding } from '../../schemas/finding.ts';
import type { ManifestRecord } from '../../schemas/manifest.ts';
import { Problem } from '../../schemas/problem.ts';
import { nameSkeleton } from '../../tool-package/name.ts';
import { discard, receive } from '../blobs/incoming.ts';
import { nowText } from '../clock.ts';
import type { Deps } from '../deps.ts';
import { insertEvent } from '../store/events.ts';
import { findPackage, findPackageBySkeleton, insertOwner, insertPackage, listOwners } from '../store/packages.ts';
import type { Trx } from '../store/tables.ts';
import { findUser, insertUser } from '../store/users.ts';
import { findVersionHead, insertVersion } from '../store/versions.ts';
import { listWaivers } from '../store/waivers.ts';
import { applyPublishTag, refreshPackage } from './listing.ts';
import { automaticTag } from './tag-rules.ts';
import { versionRow } from './version-row.ts';

/** One line of `catalog.json`. */
type CatalogEntry = {
  readonly file: string;
  readonly record: ManifestRecord;
  readonly findings: readonly Finding[];
  readonly ruleSet?: string;
  readonly readme: string | null;
};

const PUBLISHER = 'pi-tools';

/**
 * Inserts what is missing and gives how many versions that were. Idempotent, and safe for any number of processes at
 * once: blobs come first, and all rows in one transaction. A version that is there stays as it is, whatever its state; a
 * package that somebody else owns here is left out. Throws `integrity_mismatch` for an archive that is not its record's.
 */
export const seedCatalog = async (deps: Deps, folder: string): Promise<number> => {
  const entries = JSON.parse(await readFile(join(folder, 'catalog.json'), 'utf8')) as CatalogEntry[];
  const missing = await listMissing(deps, entries);
  if (missing.length === 0) return 0;
  const hashes = new Map<CatalogEntry, string>();
  for (const entry of missing) hashes.set(entry, await putArchive(deps, folder, entry));
  return deps.store.write(async (trx) => {
    await ensurePublisher(trx);
    let inserted = 0;
    for (const [entry, sha512] of hashes) inserted += (await insertEntry(trx, entry, sha512)) ? 1 : 0;
    return inserted;
  });
};

/** Without the write lock: what an embedded registry asks at each start. */
const listMissing = async (deps: Deps, entries: readonly CatalogEntry[]): Promise<CatalogEntry[]> => {
  const missing: CatalogEntry[] = [];
  for (const entry of entries) {
    const row = await findPackage(deps.store.read, entry.record.name);
    const known = row && (await findVersionHead(deps.store.read, row.id, entry.record.version));
    if (known === undefined) missing.push(entry);
  }
  return missing;
};

const putArchive = async (deps: Deps, folder: string, entry: CatalogEntry): Promise<string> => {
  const bytes = await readFile(join(folder, basename(entry.file)));
  const incoming = await receive(deps.folder.incoming, chunks(bytes), deps.limits.archiveBytes);
  try {
    if (incoming.integrity !== entry.record.integrity) {
      throw new Problem('integrity_mismatch', `The catalog's \`${entry.file}\` is not the archive of its record`, {
        hint: 'Install pi-tools again.',
      });
    }
    await deps.blobs.put(incoming.path, incoming.sha512);
    return incoming.sha512;
  } finally {
    await discard(incoming);
  }
};

async function* chunks(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

const ensurePublisher = async (trx: Trx): Promise<void> => {
  if ((await findUser(trx, PUBLISHER)) !== undefined) return;
  await insertUser(trx, { name: PUBLISHER, role: 'publisher', createdAt: nowText() });
};

const insertEntry = async (trx: Trx, entry: CatalogEntry, sha512: string): Promise<boolean> => {
  const { record } = entry;
  const known = await findPackage(trx, record.name);
  if (known !== undefined && (await findVersionHead(trx, known.id, record.version)) !== undefined) return false;
  if (!(await isOurs(trx, record.name, known?.id))) return false;
  const row =
    known ??
    (await insertPackage(trx, { name: record.name, skeleton: nameSkeleton(record.name), createdAt: nowText() }));
  if (known === undefined) await insertOwner(trx, row.id, PUBLISHER, nowText());
  await insertVersion(trx, {
    ...versionRow(
      record,
      { findings: [...entry.findings], ruleSet: entry.ruleSet ?? 'catalog', readme: entry.readme },
      { sha512 },
      await listWaivers(trx, row.id),
    ),
    package_id: row.id,
    publish_tag: automaticTag(record.version),
    state: 'listed',
  });
  const head = await findVersionHead(trx, row.id, record.version);
  if (head !== undefined) await applyPublishTag(trx, row.id, head);
  await refreshPackage(trx, row);
  await insertEvent(trx, {
    actor: PUBLISHER,
    kind: 'publish',
    package: record.name,
    version: record.version,
    detail: { state: 'listed', integrity: record.integrity, catalog: true },
  });
  return true;
};

const isOurs = async (trx: Trx, name: string, packageId: number | undefined): Promise<boolean> =>
  packageId === undefined
    ? (await findPackageBySkeleton(trx, nameSkeleton(name))) === undefined
    : (await listOwners(trx, packageId)).includes(PUBLISHER);
