/** `POST /v1/publish`: DESIGN.md 4. Everything slow comes before the one short transaction. */
import { createReadStream } from 'node:fs';
import type { Finding } from '../../schemas/finding.ts';
import type { Manifest, ManifestRecord } from '../../schemas/manifest.ts';
import { Problem } from '../../schemas/problem.ts';
import { readArchive } from '../../tool-package/archive/read.ts';
import type { Examination } from '../../tool-package/examine/index.ts';
import { nameSkeleton } from '../../tool-package/name.ts';
import { openFindings } from '../../tool-package/open-findings.ts';
import { checkVersion } from '../../tool-package/version.ts';
import type { Incoming } from '../blobs/incoming.ts';
import { nowText } from '../clock.ts';
import type { Deps } from '../deps.ts';
import { insertEvent } from '../store/events.ts';
import { insertOwner, insertPackage } from '../store/packages.ts';
import type { Trx, VersionRow, WaiverRow } from '../store/tables.ts';
import { findVersion, findVersionByBlob, insertVersion } from '../store/versions.ts';
import { listWaivers } from '../store/waivers.ts';
import { applyPublishTag, firstState, refreshPackage } from './listing.ts';
import { lookBack } from './look-back.ts';
import { manifestOf } from './manifest.ts';
import { findPublishable } from './name-rules.ts';
import { automaticTag } from './tag-rules.ts';
import { versionRow } from './version-row.ts';
import type { Viewer } from './viewer.ts';
import { waiversFor } from './waivers.ts';

export type PublishRequest = {
  readonly viewer: Viewer;
  /** The upload; the caller removes it. */
  readonly incoming: Incoming;
  /** Passed `checkTag`; null for the automatic one. */
  readonly tag: string | null;
};

export type PublishResult = { readonly status: 'listed' | 'pending' | 'identical'; readonly manifest: Manifest };

/**
 * Takes an archive into the registry. The same bytes again are a success that says so. Throws and changes nothing for:
 * an archive that cannot be read, error findings (`findings`), another's name (`not_owner`, `name_too_similar`), other
 * bytes for a version that exists (`version_exists`).
 */
export const publish = async (deps: Deps, request: PublishRequest): Promise<PublishResult> => {
  const known = await findIdentical(deps, request);
  if (known !== undefined) return known;
  const identity = await deps.examinations.read(request.viewer.user, () => readIdentity(request));
  // Looked at before anything is inspected or stored; the transaction looks again.
  const row = await findPublishable(deps.store.read, identity.name, request.viewer);
  if (row !== undefined) refuseOther(await findVersion(deps.store.read, row.id, identity.version), identity);
  const { previous, findings } = await lookBack(deps, row, identity.version, request.viewer);
  const { path, sha512 } = request.incoming;
  const { unpackedBytes } = identity;
  const upload = { path, sha512, previous, publisher: request.viewer.user, unpackedBytes };
  const examination = await deps.examinations.examine(upload);
  const examined = { ...examination, findings: [...examination.findings, ...findings] };
  checkPublishable(examined, request, row === undefined ? [] : await listWaivers(deps.store.read, row.id));
  return store(deps, request, examined);
};

type Identity = Pick<ManifestRecord, 'name' | 'version' | 'integrity'>;
type ReadIdentity = Identity & { readonly unpackedBytes: number };

/** Reads the archive under the limits, keeps none of its files, and refuses what needs no inspection to be refused. */
const readIdentity = async ({ incoming }: PublishRequest): Promise<ReadIdentity> => {
  const { packageJson, integrity, files } = await readArchive(createReadStream(incoming.path), { keep: () => false });
  const { name, version } = packageJson;
  checkVersion(version);
  const unpackedBytes = files.reduce((total, file) => total + file.size, 0);
  if (packageJson.private !== true) return { name, version, integrity, unpackedBytes };
  throw new Problem('private_package', `\`${name}\` says \`"private": true\``, {
    hint: 'Remove `private` from package.json to publish it.',
  });
};

/** Bytes that are here already need no inspection: a retry after a cut connection is answered at once. */
const findIdentical = async (deps: Deps, request: PublishRequest): Promise<PublishResult | undefined> => {
  const found = await findVersionByBlob(deps.store.read, request.incoming.sha512);
  if (found === undefined) return undefined;
  await findPublishable(deps.store.read, found.name, request.viewer);
  const row = await findVersion(deps.store.read, found.package_id, found.version);
  return row === undefined ? undefined : { status: 'identical', manifest: manifestOf(row) };
};

/**
 * Gives the findings that no waiver holds for. Throws `findings` where an error is among them; others were accepted on an
 * earlier version, where the evidence was the same.
 */
const checkPublishable = (
  { record, findings }: Examination,
  request: PublishRequest,
  waivers: readonly WaiverRow[],
): Finding[] => {
  if (record.integrity !== request.incoming.integrity) {
    throw new Problem('integrity_mismatch', 'The archive changed while it was examined');
  }
  const open = openFindings(findings, waiversFor(waivers, request.viewer.user));
  const errors = open.filter((finding) => finding.level === 'error');
  if (errors.length === 0) return open;
  const what = errors.length === 1 ? 'an error finding' : `${errors.length} error findings`;
  throw new Problem('findings', `\`${record.name}@${record.version}\` has ${what}: ${errors[0]?.message ?? ''}`, {
    hint: 'See them all with `pi-tools check`.',
    details: { findings },
  });
};

/** Throws `version_exists` for a version with other bytes; gives the one with the same. */
const refuseOther = (row: VersionRow | undefined, record: Identity): VersionRow | undefined => {
  if (row === undefined || row.integrity === record.integrity) return row;
  throw new Problem('version_exists', `\`${record.name}@${record.version}\` exists with other content`, {
    hint: 'A version never changes: publish a new one.',
    details: { name: record.name, version: record.version, integrity: row.integrity },
  });
};

const MAX_TRIES = 3;

const store = async (deps: Deps, request: PublishRequest, examination: Examination): Promise<PublishResult> => {
  const { sha512, path } = request.incoming;
  for (let attempt = 1; ; attempt++) {
    await deps.blobs.put(path, sha512);
    try {
      const result = await deps.store.write((trx) => writeRows(deps, trx, request, examination));
      if (result !== 'blob-is-gone') return result;
    } catch (error) {
      await discardUnnamedBlob(deps, sha512);
      throw error;
    }
    if (attempt === MAX_TRIES) throw new Problem('busy', 'The archive could not be stored', { hint: 'Try again.' });
  }
};

/** Removes a blob that no row names, under the write lock, where no publish of the same bytes can be half done. */
const discardUnnamedBlob = async (deps: Deps, sha512: string): Promise<void> => {
  await deps.store
    .write(async (trx) => {
      if ((await findVersionByBlob(trx, sha512)) === undefined) await deps.blobs.delete(sha512);
    })
    // The refusal is what the publisher must hear; the collector of unnamed blobs comes by later.
    .catch(() => undefined);
};

const writeRows = async (
  deps: Deps,
  trx: Trx,
  request: PublishRequest,
  examination: Examination,
): Promise<PublishResult | 'blob-is-gone'> => {
  const { viewer, incoming, tag } = request;
  const at = nowText();
  const { name, version } = examination.record;
  const known = await findPublishable(trx, name, viewer);
  const same = known && refuseOther(await findVersion(trx, known.id, version), examination.record);
  if (same !== undefined) return { status: 'identical', manifest: manifestOf(same) };
  // A publish of the same bytes that was refused may have removed it, and so may the collector.
  if (!(await deps.blobs.has(incoming.sha512))) return 'blob-is-gone';

  const row = known ?? (await insertPackage(trx, { name, skeleton: nameSkeleton(name), createdAt: at }));
  if (known === undefined) await insertOwner(trx, row.id, viewer.user, at);
  const record: ManifestRecord = { ...examination.record, publisher: viewer.user, publishedAt: at };
  // Asked again: a waiver may have been taken back since.
  const waivers = await listWaivers(trx, row.id);
  const state = firstState(deps.review, checkPublishable(examination, request, waivers));
  await insertVersion(trx, {
    ...versionRow(record, examination, incoming, waivers),
    package_id: row.id,
    publish_tag: tag ?? automaticTag(version),
    state,
  });
  const inserted = await findVersion(trx, row.id, version);
  if (inserted === undefined) throw new Error('the inserted version is not there');
  if (state === 'listed') await applyPublishTag(trx, row.id, inserted);
  await refreshPackage(trx, row);
  await insertEvent(trx, {
    actor: viewer.user,
    kind: 'publish',
    package: name,
    version,
    detail: { state, integrity: record.integrity },
  });
  return { status: state === 'listed' ? 'listed' : 'pending', manifest: manifestOf(inserted) };
};
