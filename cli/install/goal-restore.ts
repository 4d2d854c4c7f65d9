/** `install` without specs: what pi-tools.json and the lock say, exactly; files that are missing or changed are put back. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AGENTS, type Agent } from '../../schemas/agents.ts';
import { Problem } from '../../schemas/problem.ts';
import { satisfiesRange } from '../../tool-package/version.ts';
import { packageFolder } from '../agents/layout.ts';
import { parseWanted } from '../resolve/request.ts';
import { getPlace, type Place, type Root } from '../state/paths.ts';
import type { RootChange } from './change.ts';
import type { Consent } from './consent.ts';
import { type Difference, findDifferences } from './drift.ts';
import { wishOf } from './goal-update.ts';
import { inRoot } from './journal.ts';
import { layoutFor } from './layouts.ts';
import { openPath } from './local-source.ts';
import { type Ask, type Broken, pickInRoot } from './picks.ts';
import type { Goal } from './plan.ts';
import type { Session } from './session.ts';
import { fetchSource, type PackageSource } from './source.ts';
import { choosePlaces } from './targets.ts';
import { type Installed, listInstalled, listRoots, lockOf, type World } from './world.ts';

type Repair = { installed: Installed; source: PackageSource; differences: Difference[] };

/** The roots that a restore is about: the project, or with --scope user the agents' own. */
function rootsToRestore(world: World, session: Session): Root[] {
  const { scope, agents } = session.options;
  const wanted = scope ?? 'project';
  const places = world.places.filter(
    (place) => place.scope === wanted && (agents.length === 0 || agents.includes(place.agent)),
  );
  const roots = listRoots(places).filter(
    (root) => existsSync(root.lockFile) || (root.projectFile !== null && existsSync(root.projectFile)),
  );
  if (roots.length > 0) return roots;
  throw new Problem('usage', 'there is no pi-tools.json and no lock file here, and no package was named', {
    hint: 'name a package (`pi-tools install weather`), or change to the project',
  });
}

const fits = (version: string, wish: string): boolean => {
  if (wish.startsWith('file:')) return true;
  const wanted = parseWanted(wish);
  if (wanted.kind === 'exact') return wanted.version === version;
  return wanted.kind !== 'range' || satisfiesRange(version, wanted.range);
};

/** Where a package of the project goes: the project's agents, else where the lock has it. */
async function placesFor(world: World, session: Session, root: Root, name: string, wish: string): Promise<Place[]> {
  const scope = root.scope;
  const locked = Object.keys(lockOf(world, root).packages[name]?.targets ?? {}).map(
    (target) => target.split('/')[0] as Agent,
  );
  const { environment } = world;
  const chosen = session.options.agents.length > 0 ? session.options.agents : world.project?.file.agents;
  if (chosen === undefined && locked.length > 0)
    return locked.map((agent) => getPlace(environment, environment.cwd, agent, scope));
  const supported = locked.length > 0 ? locked : await supportedBy(session, root, name, wish);
  if (chosen === undefined) return choosePlaces(world, { agents: [], scope }, name, supported);
  return chosen
    .filter((agent) => supported.includes(agent))
    .map((agent) => getPlace(environment, environment.cwd, agent, scope));
}

async function supportedBy(session: Session, root: Root, name: string, wish: string): Promise<Agent[]> {
  if (wish.startsWith('file:')) {
    const { record } = await openPath(pathSpec(root, wish));
    return AGENTS.filter((agent) => record.agents[agent] !== undefined);
  }
  const { chooseVersion } = await import('../resolve/choose.ts');
  const wanted = parseWanted(wish);
  return chooseVersion(await session.document(name, wanted), wanted).agents;
}

const pathSpec = (root: Root, wish: string) => {
  const path = join(root.folder, wish.replace(/^file:/, ''));
  const form = /\.(?:tgz|tar\.gz)$/i.test(path) ? 'archive' : /\.[cm]?[jt]sx?$/.test(path) ? 'file' : 'folder';
  return { kind: 'path', text: wish, path, form } as const;
};

async function askWish(
  world: World,
  session: Session,
  root: Root,
  name: string,
  wish: string,
): Promise<Ask | undefined> {
  const locked = lockOf(world, root).packages[name];
  const places = await placesFor(world, session, root, name, wish);
  const isDone = (place: Place): boolean =>
    locked !== undefined && locked.targets[place.target] !== undefined && fits(locked.version, wish);
  const left = places.filter((place) => !isDone(place));
  if (left.length === 0) return undefined;
  if (wish.startsWith('file:')) {
    const source = await openPath(pathSpec(root, wish));
    return { name, wanted: { kind: 'default' }, wish: source.registry.replace(/^file:/, ''), places: left, source };
  }
  const keep = locked !== undefined && fits(locked.version, wish);
  return {
    name,
    wanted: keep ? { kind: 'exact', version: locked.version } : parseWanted(wish),
    wish: null,
    places: left,
    source: null,
  };
}

const lockMismatch = (
  { name, locked, place }: Installed,
  what: string,
  expected: string | null,
  actual: string | null,
): Problem =>
  new Problem(
    'integrity_mismatch',
    `\`${name}@${locked.version}\`: \`${place.root.lockFile}\` expects ${what} \`${expected ?? 'none'}\`, \`${locked.registry}\` gives \`${actual ?? 'none'}\``,
    {
      hint: 'restore the lock file (it belongs under version control), or remove it and install again; nothing was installed',
      details: { package: name, version: locked.version, expected, actual, source: place.root.lockFile },
    },
  );

/** A lock file is believed as a whole: its digest of the record and its hashes of files are those of the archive that its integrity names. */
function checkLocked(installed: Installed, source: PackageSource): void {
  const { locked, target } = installed;
  if (locked.registry === source.registry && locked.recordDigest !== source.recordDigest)
    throw lockMismatch(installed, 'the record', locked.recordDigest, source.recordDigest);
  const archived = new Map(source.archive.files.map(({ path, sha256 }) => [`${target.folder}/${path}`, sha256]));
  for (const path of new Set([...Object.keys(target.files), ...archived.keys()])) {
    const [expected, actual] = [target.files[path] ?? null, archived.get(path) ?? null];
    if (expected !== actual) throw lockMismatch(installed, `\`${path}\` as`, expected, actual);
  }
}

async function fetchLocked(session: Session, installed: Installed): Promise<PackageSource> {
  const { name, locked, place } = installed;
  if (!locked.registry.startsWith('file:')) {
    const pin = { integrity: locked.integrity, registry: locked.registry, lockFile: place.root.lockFile };
    return fetchSource(await session.registry(name), name, locked.version, pin);
  }
  const source = await openPath(pathSpec(place.root, locked.registry));
  if (source.integrity === locked.integrity) return source;
  throw new Problem(
    'integrity_mismatch',
    `\`${name}@${locked.version}\`: \`${place.root.lockFile}\` expects \`${locked.integrity}\`, \`${locked.registry}\` gives \`${source.integrity}\``,
    {
      hint: `the files there have changed: pi-tools update ${name}`,
      details: {
        package: name,
        version: locked.version,
        expected: locked.integrity,
        actual: source.integrity,
        source: place.root.lockFile,
      },
    },
  );
}

/** Puts the files of one target back; the lock says the same afterwards, except where a newer pi-tools generates other entries. */
function repair(change: RootChange, { installed, source, differences }: Repair): void {
  const { place, name, locked } = installed;
  const { root } = place;
  const layout = layoutFor(place, source);
  const archived = new Map(source.archive.files.map((file) => [`${inRoot(root, layout.folder)}/${file.path}`, file]));
  const made = [
    ...layout.shared,
    ...layout.switches,
    ...layout.extra.map((extra) => ({ ...extra, file: join(layout.folder, ...extra.path.split('/')) })),
  ];
  const generated = new Map(made.map((file) => [inRoot(root, file.file), file]));
  for (const { file, expected } of differences.filter((one) => one.expected !== null)) {
    const path = inRoot(root, file);
    const bytes = archived.get(path)?.bytes ?? generated.get(path)?.bytes;
    if (bytes === undefined || bytes === null || expected === null) continue;
    change.files.push({ file, bytes, mode: archived.get(path)?.executable ? 0o755 : 0o644 });
  }
  change.files.sort(
    (left, right) => switchOrder(layout.switches, left.file) - switchOrder(layout.switches, right.file),
  );
  change.rows.push({
    action: 'install',
    package: name,
    from: null,
    to: locked.version,
    target: place.target,
    location: packageFolder(place, name),
    tools: installed.target.tools,
    integrity: locked.integrity,
  });
}

/** What an agent scans comes last. */
const switchOrder = (switches: readonly { file: string }[], file: string): number =>
  switches.some((one) => one.file === file) ? 1 : 0;

async function findRepairs(world: World, session: Session, root: Root): Promise<Repair[]> {
  const places = world.places.filter((place) => place.root.folder === root.folder);
  const repairs: Repair[] = [];
  for (const installed of listInstalled(world, places)) {
    const wish = wishOf(world, root, installed.name);
    const differences = findDifferences(installed).filter(({ expected }) => expected !== null);
    if (differences.length === 0 || (wish !== null && !fits(installed.locked.version, wish))) continue;
    const source = await fetchLocked(session, installed);
    checkLocked(installed, source);
    repairs.push({ installed, source, differences });
  }
  return repairs;
}

const consentsFor = (repairs: readonly Repair[]): Consent[] =>
  repairs.flatMap(({ installed, differences }): Consent[] => {
    const files = differences.filter(({ actual }) => actual !== null).map(({ file }) => file);
    return files.length === 0 ? [] : [{ kind: 'modified', package: installed.name, files }];
  });

/** Puts back the files of packages that `install NAME` was asked for; consent for those that are there with other content. */
export async function repairGoal(
  session: Session,
  broken: readonly Broken[],
): Promise<Required<Pick<Goal, 'repairs' | 'consents'>>> {
  const found: Repair[] = [];
  for (const { installed, source: given } of broken) {
    const source = given ?? (await fetchLocked(session, installed));
    checkLocked(installed, source);
    const differences = findDifferences(installed).filter(({ expected }) => expected !== null);
    found.push({ installed, source, differences });
  }
  const repairs = new Map<string, (change: RootChange) => void>();
  for (const { folder } of found.map(({ installed }) => installed.place.root)) {
    repairs.set(folder, (change) => {
      for (const one of found) if (one.installed.place.root.folder === folder) repair(change, one);
    });
  }
  return { repairs, consents: consentsFor(found) };
}

/** The goal of a restore. Problem `usage` where there is nothing to restore from, `integrity_mismatch` where the registry offers other bytes. */
export async function restoreGoal(world: World, session: Session): Promise<Goal> {
  const goal = { picks: [] as Goal['picks'][number][], removals: [], notes: [] as string[], consents: [] as Consent[] };
  const repairs = new Map<string, (change: RootChange) => void>();
  let repaired = 0;
  for (const root of rootsToRestore(world, session)) {
    const wishes = root.scope === 'project' ? Object.entries(world.project?.file.tools ?? {}) : [];
    const asks: Ask[] = [];
    for (const [name, wish] of wishes) {
      const ask = await askWish(world, session, root, name, wish);
      if (ask !== undefined) asks.push(ask);
    }
    if (asks.length > 0) goal.picks.push(...(await pickInRoot(world, session, root, asks, 'restore')));
    const found = await findRepairs(world, session, root);
    repaired += found.length;
    goal.consents.push(...consentsFor(found));
    repairs.set(root.folder, (change) => {
      for (const one of found) repair(change, one);
    });
  }
  if (goal.picks.length + repaired === 0) goal.notes.push('everything is as the lock file says');
  return { ...goal, repairs };
}
