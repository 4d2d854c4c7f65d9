/** Versions that are in a registry as an older pi-tools, with other rules, has left them: also ones that are refused today. */
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import type { Finding } from '../../schemas/finding.ts';
import type { ListingState } from '../../schemas/manifest.ts';
import { discard, receive } from '../../server/blobs/incoming.ts';
import { closeDeps, type Deps, openDeps } from '../../server/deps.ts';
import { applyPublishTag, refreshPackage } from '../../server/registry/listing.ts';
import { automaticTag } from '../../server/registry/tag-rules.ts';
import { versionRow } from '../../server/registry/version-row.ts';
import { findPackage, insertOwner, insertPackage } from '../../server/store/packages.ts';
import { findVersion, insertVersion } from '../../server/store/versions.ts';
import { examineBytes } from '../../tool-package/examine/examine-package.ts';
import type { Examination } from '../../tool-package/examine/index.ts';
import { nameSkeleton } from '../../tool-package/name.ts';

export type Planted = {
  readonly archive: Buffer;
  readonly publisher?: string;
  readonly state?: ListingState;
  readonly stateReason?: string;
  /** `0` when not given: a rule set that is not ours any more. */
  readonly ruleSet?: string;
  /** What it was found to have; nothing when not given. */
  readonly findings?: readonly Finding[];
  readonly publishedAt?: string;
};

/** Puts them in, in this order, whatever is found in them; gives what an examination finds today. */
export const plantVersions = (dataFolder: string, planted: readonly Planted[]): Promise<Examination[]> =>
  withDeps(dataFolder, async (deps) => {
    const examinations: Examination[] = [];
    for (const one of planted) examinations.push(await plant(deps, one));
    return examinations;
  });

export const withDeps = async <T>(dataFolder: string, work: (deps: Deps) => Promise<T>): Promise<T> => {
  const deps = await openDeps({ dataFolder });
  try {
    return await work(deps);
  } finally {
    await closeDeps(deps);
  }
};

const plant = async (deps: Deps, planted: Planted): Promise<Examination> => {
  const { archive, publisher = 'alice', state = 'listed', publishedAt = '2026-01-01T00:00:00.000Z' } = planted;
  const examination = await examine(archive);
  const incoming = await receive(deps.folder.incoming, chunksOf(archive), archive.byteLength);
  await deps.blobs.put(incoming.path, incoming.sha512);
  await discard(incoming);
  const record = { ...examination.record, publisher, publishedAt };
  const { name, version } = record;
  await deps.store.write(async (trx) => {
    const skeleton = nameSkeleton(name);
    const row =
      (await findPackage(trx, name)) ?? (await insertPackage(trx, { name, skeleton, createdAt: publishedAt }));
    await insertOwner(trx, row.id, publisher, publishedAt);
    const said = {
      findings: [...(planted.findings ?? [])],
      ruleSet: planted.ruleSet ?? '0',
      readme: examination.readme,
    };
    await insertVersion(trx, {
      ...versionRow(record, said, incoming, []),
      package_id: row.id,
      publish_tag: automaticTag(version),
      state,
      state_reason: planted.stateReason ?? null,
    });
    const inserted = await findVersion(trx, row.id, version);
    if (state === 'listed' && inserted !== undefined) await applyPublishTag(trx, row.id, inserted);
    await refreshPackage(trx, row);
  });
  return examination;
};

/** In this process: a child for each would take most of a test's time. */
const examine = (archive: Buffer): Promise<Examination> =>
  examineBytes(
    archive,
    { kind: 'archive', path: '', known: [], giveUp: null, previous: null },
    { onEntry: () => undefined, onEntryDone: () => undefined },
  );

async function* chunksOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** Asks the database of a data folder, beside whoever uses it. */
export const query = (dataFolder: string, sql: string, ...parameters: unknown[]): Record<string, unknown>[] => {
  const database = new Sqlite(join(dataFolder, 'registry.db'));
  try {
    const statement = database.prepare(sql);
    if (statement.reader) return statement.all(...parameters) as Record<string, unknown>[];
    statement.run(...parameters);
    return [];
  } finally {
    database.close();
  }
};
