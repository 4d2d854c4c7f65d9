/** What is installed in every root that the current folder can see, read once per command. */
import type { Agent, Target } from '../../schemas/agents.ts';
import type { LockedPackage, LockedTarget, Lockfile } from '../../schemas/lockfile.ts';
import { piSettingsFile } from '../agents/pi.ts';
import type { Environment } from '../environment.ts';
import { readLockFile } from '../state/lock-file.ts';
import { listPlaces, type Place, type Root, userFolder } from '../state/paths.ts';
import { type ProjectFile, parseProjectFile, readProjectText } from '../state/project-file.ts';

export type World = {
  readonly environment: Environment;
  /** User places first, then the project's. */
  readonly places: readonly Place[];
  /** Keyed by the root's folder. */
  readonly locks: ReadonlyMap<string, Lockfile>;
  readonly project: { readonly root: Root; readonly text: string | null; readonly file: ProjectFile } | null;
};

function readProject(places: readonly Place[]): World['project'] {
  const root = places.find(({ scope }) => scope === 'project')?.root;
  if (root === undefined || root.projectFile === null) return null;
  const text = readProjectText(root.projectFile);
  return { root, text, file: text === null ? {} : parseProjectFile(text, root.projectFile) };
}

/** Reads all locks and the project file. Problem `state_invalid`. */
export function readWorld(environment: Environment): World {
  const places = listPlaces(environment, environment.cwd);
  const roots = listRoots(places);
  const locks = new Map(roots.map((root) => [root.folder, readLockFile(root.lockFile)]));
  return { environment, places, locks, project: readProject(places) };
}

/** Each root once, in the order of the places. */
export const listRoots = (places: readonly Place[]): Root[] => [
  ...new Map(places.map(({ root }) => [root.folder, root])).values(),
];

export const lockOf = (world: World, root: Root): Lockfile =>
  world.locks.get(root.folder) ?? { lockfileVersion: 1, packages: {} };

/** One package in one target. */
export type Installed = { name: string; locked: LockedPackage; target: LockedTarget; place: Place };

export function listInstalled(world: World, places: readonly Place[] = world.places): Installed[] {
  return places.flatMap((place) =>
    Object.entries(lockOf(world, place.root).packages).flatMap(([name, locked]) => {
      const target = locked.targets[place.target];
      return target === undefined ? [] : [{ name, locked, target, place }];
    }),
  );
}

export const findPlace = (world: World, target: Target): Place | undefined =>
  world.places.find((place) => place.target === target);

/** The only settings files that a journal may name: pi's, in user and project scope. */
export function settingsFilesOf(world: Pick<World, 'places'>): string[] {
  return world.places.filter(({ agent }) => agent === 'pi').map(({ base }) => piSettingsFile(base));
}

export const homeOfAgent = (environment: Environment, agent: Agent): string =>
  userFolder(environment, environment.cwd, agent);
