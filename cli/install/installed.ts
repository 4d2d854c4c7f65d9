/** What the lock files say is installed. Loads neither a JSON editor nor a schema library: `list` must not wait for them. */
import type { LockedPackage, LockedTarget, Lockfile } from '../../schemas/lockfile.ts';
import { emptyLockfile, readLockFile } from '../state/lock-file.ts';
import type { Place, Root } from '../state/paths.ts';

export type Locks = {
  /** User places first, then the project's. */
  readonly places: readonly Place[];
  /** Keyed by the root's folder. */
  readonly locks: ReadonlyMap<string, Lockfile>;
};

/** One package in one target. */
export type Installed = { name: string; locked: LockedPackage; target: LockedTarget; place: Place };

/** Each root once, in the order of the places. */
export const listRoots = (places: readonly Place[]): Root[] => [
  ...new Map(places.map(({ root }) => [root.folder, root])).values(),
];

/** Reads the lock of every root. Problem `state_invalid`. */
export const readLocks = (places: readonly Place[]): Locks => ({
  places,
  locks: new Map(listRoots(places).map((root) => [root.folder, readLockFile(root.lockFile)])),
});

export const lockOf = (world: Locks, root: Root): Lockfile => world.locks.get(root.folder) ?? emptyLockfile();

/** All packages in the given places (all, when not given), by place and name. */
export function listInstalled(world: Locks, places: readonly Place[] = world.places): Installed[] {
  return places.flatMap((place) =>
    Object.entries(lockOf(world, place.root).packages).flatMap(([name, locked]) => {
      const target = locked.targets[place.target];
      return target === undefined ? [] : [{ name, locked, target, place }];
    }),
  );
}
