/** The frame of every change of one version: find it, check the right, change it, follow up, tell. */
import type { Manifest } from '../../schemas/manifest.ts';
import type { Deps } from '../deps.ts';
import { type EventKind, insertEvent } from '../store/events.ts';
import { findPackage, listOwners } from '../store/packages.ts';
import type { PackageRow, Trx, VersionRow } from '../store/tables.ts';
import { findVersion, type StatusChange, updateStatus } from '../store/versions.ts';
import { applyPublishTag, refreshPackage } from './listing.ts';
import { manifestOf } from './manifest.ts';
import { packageNotFound, versionNotFound } from './package-document.ts';

export type VersionTarget = { readonly name: string; readonly version: string };

export type VersionChange = {
  readonly actor: string;
  readonly kind: EventKind;
  readonly reason: string | null;
  /** Throws when the actor may not, with the row as it is in the transaction. */
  readonly assertAllowed: (row: VersionRow, owners: readonly string[]) => void;
  /** What to set; null when it is so already: then nothing changes and no event is written. */
  readonly change: (row: VersionRow) => StatusChange | null;
};

/** Changes the status of one version in one transaction and gives its manifest. Throws `package_not_found`, `version_not_found`. */
export const changeVersion = (deps: Deps, target: VersionTarget, wanted: VersionChange): Promise<Manifest> =>
  deps.store.write(async (trx) => {
    const { row, version } = await getForChange(trx, target);
    wanted.assertAllowed(version, await listOwners(trx, row.id));
    const change = wanted.change(version);
    if (change === null) return manifestOf(version);
    await updateStatus(trx, version.id, change);
    // Only what has just been listed gets its tag: a yank must not take a tag back that the owner has moved since.
    if (change.state === 'listed') await applyPublishTag(trx, row.id, { ...version, ...change });
    await refreshPackage(trx, row);
    await insertEvent(trx, {
      actor: wanted.actor,
      kind: wanted.kind,
      package: target.name,
      version: target.version,
      detail: { reason: wanted.reason },
    });
    return manifestOf({ ...version, ...change });
  });

/** Throws `package_not_found`, `version_not_found`. */
export const getForChange = async (
  trx: Trx,
  { name, version }: VersionTarget,
): Promise<{ row: PackageRow; version: VersionRow }> => {
  const row = await findPackage(trx, name);
  if (row === undefined) throw packageNotFound(name);
  const found = await findVersion(trx, row.id, version);
  if (found === undefined) throw versionNotFound(name, version);
  return { row, version: found };
};
