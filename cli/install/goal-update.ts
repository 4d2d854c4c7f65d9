/** What `update` means: every chosen package to the best version of its wish; pinned ones stay; what fails does not hold up the others. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Problem } from '../../schemas/problem.ts';
import { compareVersions } from '../../tool-package/version.ts';
import { chooseVersion, listCandidates } from '../resolve/choose.ts';
import { parseWanted, type Wanted } from '../resolve/request.ts';
import type { Root } from '../state/paths.ts';
import type { Pick } from './build-change.ts';
import { type Choice, getInstalled } from './goal-remove.ts';
import { openPath } from './local-source.ts';
import { type Ask, pickInRoot } from './picks.ts';
import type { Session } from './session.ts';
import { type Installed, listInstalled, listRoots, lockOf, type World } from './world.ts';

export type Failure = { package: string; problem: Problem };

export type UpdateGoal = { picks: Pick[]; notes: string[]; failures: Failure[] };

/** The wish for a package in a root: pi-tools.json, or the lock of user scope; null for a dependency. */
export const wishOf = (world: World, root: Root, name: string): string | null =>
  (root.scope === 'project' ? world.project?.file.tools?.[name] : lockOf(world, root).packages[name]?.wanted) ?? null;

/** The installed packages that a command line chooses. Without names: all that --agent and --scope leave. */
export function chooseInstalled(world: World, choice: Choice, names: readonly string[]): Installed[] {
  if (names.length > 0) return [...new Set(names)].flatMap((name) => getInstalled(world, choice, name));
  const { agents, scope } = choice;
  return listInstalled(world).filter(
    ({ place }) => (agents.length === 0 || agents.includes(place.agent)) && (scope ?? place.scope) === place.scope,
  );
}

async function askPath(world: World, root: Root, name: string, wish: string): Promise<Ask | undefined> {
  const path = resolve(root.folder, wish.replace(/^file:/, ''));
  const locked = lockOf(world, root).packages[name];
  if (!existsSync(path)) {
    throw new Problem('not_found', `\`${name}\` comes from \`${path}\`, which is not there any more`, {
      hint: 'install it again from where it is now',
      details: { package: name, path },
    });
  }
  const form = /\.(?:tgz|tar\.gz)$/i.test(path) ? 'archive' : /\.[cm]?[jt]sx?$/.test(path) ? 'file' : 'folder';
  const source = await openPath({ kind: 'path', text: wish, path, form });
  if (source.name !== name) {
    throw new Problem('state_conflict', `\`${path}\` is now the package \`${source.name}\`, not \`${name}\``, {
      details: { path },
    });
  }
  if (source.integrity === locked?.integrity && source.version === locked.version) return undefined;
  return { name, wanted: { kind: 'default' }, wish: path, places: [], source };
}

function checkOrigin(world: World, root: Root, name: string, origin: string, hasSame: boolean): void {
  const locked = lockOf(world, root).packages[name];
  if (locked === undefined || locked.registry === origin || hasSame) return;
  throw new Problem(
    'registry_mismatch',
    `\`${name}\` was installed from \`${locked.registry}\`, and \`${origin}\` does not have the installed version`,
    {
      hint: `use --registry ${locked.registry}, or remove it and install it from the other registry`,
      details: { package: name, expected: locked.registry, actual: origin },
    },
  );
}

async function askRegistry(
  world: World,
  session: Session,
  root: Root,
  name: string,
  wanted: Wanted,
  notes: string[],
): Promise<Ask | undefined> {
  const locked = lockOf(world, root).packages[name];
  if (locked === undefined) return undefined;
  const document = await session.document(name, wanted);
  const same = document.versions.find(({ version }) => version === locked.version);
  if (same !== undefined && same.integrity !== locked.integrity) throw otherBytes(root, name, locked, same.integrity);
  checkOrigin(world, root, name, (await session.registry(name)).origin, same !== undefined);
  const best = chooseVersion(document, wanted, { locked: undefined });
  if (wanted.kind === 'exact') {
    const [latest] = listCandidates(document, { kind: 'default' });
    if (latest !== undefined && compareVersions(latest.version, locked.version) > 0) {
      notes.push(
        `${name} is pinned to ${locked.version}; ${latest.version} is newer: pi-tools install ${name}@${latest.version}`,
      );
    }
    return best.version === locked.version ? undefined : { name, wanted, wish: null, places: [], source: null };
  }
  // A wish never takes a package back to an older version (the newer one was yanked): that is what `install name@version` is for.
  if (compareVersions(best.version, locked.version) <= 0) return undefined;
  return { name, wanted, wish: null, places: [], source: null };
}

const otherBytes = (
  root: Root,
  name: string,
  locked: { version: string; integrity: string; registry: string },
  actual: string,
): Problem =>
  new Problem(
    'integrity_mismatch',
    `\`${name}@${locked.version}\`: \`${root.lockFile}\` expects \`${locked.integrity}\` (from \`${locked.registry}\`), the registry offers \`${actual}\``,
    {
      hint: 'a version never changes: ask the registry what happened; nothing was changed',
      details: { package: name, version: locked.version, expected: locked.integrity, actual, source: root.lockFile },
    },
  );

async function askOne(
  world: World,
  session: Session,
  root: Root,
  name: string,
  notes: string[],
): Promise<Ask | undefined> {
  const wish = wishOf(world, root, name);
  if (wish === null) return undefined;
  if (wish.startsWith('file:')) return askPath(world, root, name, wish);
  return askRegistry(world, session, root, name, parseWanted(wish), notes);
}

async function updateRoot(
  world: World,
  session: Session,
  root: Root,
  chosen: readonly Installed[],
  goal: UpdateGoal,
): Promise<void> {
  const asks: Ask[] = [];
  for (const name of new Set(chosen.map((one) => one.name))) {
    try {
      const ask = await askOne(world, session, root, name, goal.notes);
      const places = chosen.filter((one) => one.name === name).map(({ place }) => place);
      if (ask !== undefined) asks.push({ ...ask, places });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      goal.failures.push({ package: name, problem: error });
    }
  }
  if (asks.length === 0) return;
  try {
    goal.picks.push(...(await pickInRoot(world, session, root, asks, 'update')));
  } catch (error) {
    await updateOneByOne(world, session, root, asks, goal, error);
  }
}

/** Together they failed: each by itself, so that one broken package does not hold up the others. */
async function updateOneByOne(
  world: World,
  session: Session,
  root: Root,
  asks: readonly Ask[],
  goal: UpdateGoal,
  cause: unknown,
): Promise<void> {
  if (!(cause instanceof Problem)) throw cause;
  for (const ask of asks) {
    try {
      goal.picks.push(...(await pickInRoot(world, session, root, [ask], 'update')));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      goal.failures.push({ package: ask.name, problem: error });
    }
  }
}

/** The goal of `update`. What cannot be updated is among the failures. Problem `not_installed`, `usage`. */
export async function updateGoal(world: World, session: Session, names: readonly string[]): Promise<UpdateGoal> {
  const chosen = chooseInstalled(world, session.options, names);
  const goal: UpdateGoal = { picks: [], notes: [], failures: [] };
  for (const root of listRoots(world.places)) {
    const here = chosen.filter(({ place }) => place.root.folder === root.folder);
    if (here.length > 0) await updateRoot(world, session, root, here, goal);
  }
  return goal;
}
