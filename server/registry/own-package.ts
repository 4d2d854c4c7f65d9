/** The frame of every change that an owner makes to a package. */
import type { Deps } from '../deps.ts';
import { findPackage, listOwners } from '../store/packages.ts';
import type { PackageRow, Trx } from '../store/tables.ts';
import { packageNotFound } from './package-document.ts';
import { requireOwner, requireScope, type Viewer } from './viewer.ts';

/** Runs `work` in one transaction. Throws `package_not_found`, `not_owner`, and what `requireScope` throws. */
export const changeOwnPackage = async (
  deps: Deps,
  name: string,
  viewer: Viewer | null,
  work: (trx: Trx, row: PackageRow, viewer: Viewer, owners: readonly string[]) => Promise<void>,
): Promise<void> => {
  const known = requireScope(viewer, 'publish');
  await deps.store.write(async (trx) => {
    const row = await findPackage(trx, name);
    if (row === undefined) throw packageNotFound(name);
    const owners = await listOwners(trx, row.id);
    requireOwner(known, owners, name);
    await work(trx, row, known, owners);
  });
};
