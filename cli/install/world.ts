/** Everything that a plan starts from: locks and project file of what the current folder can see, read once per command. */
import type { Target } from '../../schemas/agents.ts';
import { piSettingsFile } from '../agents/pi.ts';
import type { Environment } from '../environment.ts';
import { listPlaces, type Place, type Root } from '../state/paths.ts';
import { type ProjectFile, parseProjectFile, readProjectText } from '../state/project-file.ts';
import { type Locks, readLocks } from './installed.ts';

export { type Installed, listInstalled, listRoots, lockOf } from './installed.ts';

export type World = Locks & {
  readonly environment: Environment;
  /** `read` with `--dry-run`: what is found out is not kept either. */
  readonly cache: 'write' | 'read';
  readonly project: { readonly root: Root; readonly text: string | null; readonly file: ProjectFile } | null;
};

function readProject(places: readonly Place[]): World['project'] {
  const root = places.find(({ scope }) => scope === 'project')?.root;
  if (root === undefined || root.projectFile === null) return null;
  const text = readProjectText(root.projectFile);
  return { root, text, file: text === null ? {} : parseProjectFile(text, root.projectFile) };
}

/** Reads all locks and the project file. Problem `state_invalid`. */
export function readWorld(environment: Environment, cache: World['cache'] = 'write'): World {
  const places = listPlaces(environment, environment.cwd);
  return { environment, cache, ...readLocks(places), project: readProject(places) };
}

export const findPlace = (world: Locks, target: Target): Place | undefined =>
  world.places.find((place) => place.target === target);

/** The only settings files that a journal may name: pi's, in user and project scope. */
export function settingsFilesOf(world: Pick<Locks, 'places'>): string[] {
  return world.places.filter(({ agent }) => agent === 'pi').map(({ base }) => piSettingsFile(base));
}
