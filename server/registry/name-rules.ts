/** Who may take a name. */
import { Problem } from '../../schemas/problem.ts';
import { nameSkeleton } from '../../tool-package/name.ts';
import { findPackage, findPackageBySkeleton, listOwners } from '../store/packages.ts';
import type { PackageRow, Reader, Trx } from '../store/tables.ts';
import { requireOwner, type Viewer } from './viewer.ts';

/**
 * The package that the viewer may publish to, or undefined for a name that is free. Throws `not_owner` for another's
 * package, `name_too_similar` for a new name that people would take for an existing one.
 */
export const findPublishable = async (
  db: Reader | Trx,
  name: string,
  viewer: Viewer,
): Promise<PackageRow | undefined> => {
  const row = await findPackage(db, name);
  if (row !== undefined) {
    requireOwner(viewer, await listOwners(db, row.id), name);
    return row;
  }
  const similar = await findPackageBySkeleton(db, nameSkeleton(name));
  if (similar === undefined) return undefined;
  throw new Problem('name_too_similar', `\`${name}\` is too similar to \`${similar.name}\``, {
    hint: 'Choose a name that nobody takes for it, or put it in a scope: `@team/name`.',
    details: { name, existing: similar.name },
  });
};
