/** What an update brings, told before anything is asked: the same comparison as `pi-tools diff`. */
import type { Change } from '../../schemas/api/diff.ts';
import type { LockedPackage } from '../../schemas/lockfile.ts';
import { Problem } from '../../schemas/problem.ts';
import type { Plan } from './plan.ts';
import type { Session } from './session.ts';
import type { PackageSource } from './source.ts';
import { lockOf } from './world.ts';

export type VersionDiff = {
  package: string;
  from: string;
  to: string;
  changes: Change[];
  /** Why it could not be compared; null where it was. */
  unknown: string | null;
};

/** One for each package and pair of versions that the plan updates. Never fails: what cannot be compared is said. */
export function readDiffs(session: Session, plan: Plan): Promise<VersionDiff[]> {
  const updates = new Map<string, { locked: LockedPackage; source: PackageSource }>();
  for (const { root, rows } of plan.changes) {
    const updated = rows.filter(({ action, from, to }) => action === 'update' && from !== to);
    for (const row of updated) {
      const locked = lockOf(plan.world, root).packages[row.package];
      const source = plan.sources.find(({ name, version }) => name === row.package && version === row.to);
      if (locked !== undefined && source !== undefined)
        updates.set(`${row.package} ${row.from} ${row.to}`, { locked, source });
    }
  }
  return Promise.all([...updates.values()].map(({ locked, source }) => readDiff(session, locked, source)));
}

async function readDiff(session: Session, locked: LockedPackage, source: PackageSource): Promise<VersionDiff> {
  const known = { package: source.name, from: locked.version, to: source.version };
  const unknown = (why: string): VersionDiff => ({ ...known, changes: [], unknown: why });
  if (locked.registry.startsWith('file:')) return unknown('the installed version came from a path');
  try {
    const registry = await session.registry(source.name);
    const before = await registry.getManifest(source.name, locked.version);
    // A registry that tells another story of what is installed would make any update look small.
    if (before.recordDigest !== locked.recordDigest) {
      return unknown(`what \`${registry.origin}\` says of ${locked.version} is not what was installed`);
    }
    const { diffRecords } = await import('../../tool-package/diff/index.ts');
    return { ...known, changes: diffRecords(before.record, source.record), unknown: null };
  } catch (error) {
    if (error instanceof Problem) return unknown(error.message);
    throw error;
  }
}
