/** From what was asked for to versions in places: registry documents, the resolver, paths, what is installed already. */
import type { Agent } from '../../schemas/agents.ts';
import { AGENTS } from '../../schemas/agents.ts';
import type { PackageVersion } from '../../schemas/api/packages.ts';
import { Problem } from '../../schemas/problem.ts';
import { compareVersions, satisfiesRange } from '../../tool-package/version.ts';
import { chooseVersion, noteOn } from '../resolve/choose.ts';
import { parseWanted, type Wanted } from '../resolve/request.ts';
import { type Chosen, solve } from '../resolve/solve.ts';
import type { Place, Root } from '../state/paths.ts';
import type { Pick } from './build-change.ts';
import { overridesOf } from './consent.ts';
import { findDifferences, stateOf } from './drift.ts';
import { fileWish, openPath } from './local-source.ts';
import type { Session } from './session.ts';
import { fetchSource, type PackageSource, type Pin, supports } from './source.ts';
import type { Spec } from './spec.ts';
import { choosePlaces } from './targets.ts';
import { type Installed, listInstalled, listRoots, lockOf, type World } from './world.ts';

/** One package that is wanted, with the places it goes to; `source` when it came from a path, `wish` is then that path. */
export type Ask = {
  name: string;
  wanted: Wanted;
  wish: string | null;
  places: readonly Place[];
  source: PackageSource | null;
};

export type Picks = { picks: Pick[]; notes: string[]; wishes: Wish[]; broken: Broken[] };

/** A package that stays at its version and of which files are missing; `source` when it came from a path. */
export type Broken = { installed: Installed; source: PackageSource | null };

/** A package that stays as it is, but of which another version or range is wished for from now on (pinning). */
export type Wish = { root: Root; name: string; wish: string };

const installedIn = (world: World, name: string, place: Place): Installed | undefined =>
  listInstalled(world, [place]).find((one) => one.name === name);

const offlineCode = (error: unknown): boolean =>
  error instanceof Problem && (error.code === 'registry_unreachable' || error.code === 'offline');

/** `^1.2.3` for a plain name or tag, the version or range as it was asked for. */
const wishFor = (wanted: Wanted, version: string): string => {
  if (wanted.kind === 'exact') return wanted.version;
  return wanted.kind === 'range' ? wanted.range : `^${version}`;
};

function checkBytes(installed: Installed, offered: PackageVersion | undefined, origin: string): void {
  const { locked, name, place } = installed;
  if (offered === undefined || locked.registry.startsWith('file:') || offered.integrity === locked.integrity) return;
  throw new Problem(
    'integrity_mismatch',
    `\`${name}@${locked.version}\`: \`${place.root.lockFile}\` expects \`${locked.integrity}\` (from \`${locked.registry}\`), the registry \`${origin}\` offers \`${offered.integrity}\``,
    {
      hint: 'a version never changes: ask the registry what happened; nothing was changed',
      details: {
        package: name,
        version: locked.version,
        expected: locked.integrity,
        actual: offered.integrity,
        source: place.root.lockFile,
        registry: origin,
      },
    },
  );
}

/** A package that is installed already and of which no other version was asked for: put back where files are gone, else only talked about. */
function settleInstalled(goal: Picks, installed: Installed, source: PackageSource | null, newer: string): void {
  const { name, locked, place } = installed;
  const here = `${name} ${locked.version} is installed (${place.target})`;
  const state = stateOf(installed);
  if (state === 'missing') goal.broken.push({ installed, source });
  if (state === 'missing' && newer === '') return;
  const changed = findDifferences(installed).filter(({ expected }) => expected !== null);
  if (state === 'modified' && changed.length > 0) {
    const files = changed.map(({ file }) => file).join(', ');
    const repair = `pi-tools install --scope ${place.scope}`;
    goal.notes.push(
      `${here}, with files that were changed here: ${files}; \`${repair}\` puts them back, and asks before`,
    );
  } else goal.notes.push(`${here}; ${newer || 'nothing to do'}`);
}

const newerThan = ({ name, locked }: Installed, latest: PackageVersion | undefined): string =>
  latest === undefined || compareVersions(latest.version, locked.version) <= 0
    ? ''
    : `${latest.version} is newer: pi-tools update ${name}, or pi-tools install ${name}@${latest.version}`;

const allInstalled = (world: World, name: string): Installed[] =>
  listInstalled(world).filter((one) => one.name === name);

/** The agents that a request's best version supports, and that version; what is installed already when no registry answers. */
async function lookUp(world: World, session: Session, name: string, wanted: Wanted) {
  try {
    const document = await session.document(name, wanted);
    const best = chooseVersion(document, wanted);
    return { document, best, agents: best.agents as Agent[] };
  } catch (error) {
    const here = allInstalled(world, name);
    if (!offlineCode(error) || here.length === 0 || wanted.kind !== 'default') throw error;
    return { document: undefined, best: undefined, agents: [...new Set(here.map(({ place }) => place.agent))] };
  }
}

async function askRegistry(
  world: World,
  session: Session,
  spec: Extract<Spec, { kind: 'registry' }>,
  goal: Picks,
): Promise<Ask | undefined> {
  const { name, wanted } = spec;
  const { document, best, agents } = await lookUp(world, session, name, wanted);
  const places = choosePlaces(world, session.options, name, agents);
  const installed = places.flatMap((place) => installedIn(world, name, place) ?? []);
  const origin = (await session.registry(name)).origin;
  for (const one of installed) {
    checkBytes(
      one,
      document?.versions.find(({ version }) => version === one.locked.version),
      origin,
    );
  }
  const isDone = (one: Installed): boolean => wanted.kind === 'default' || one.locked.version === best?.version;
  const done = installed.filter(isDone);
  if (wanted.kind === 'exact' || wanted.kind === 'range') {
    const wish = wishFor(wanted, best?.version ?? '');
    goal.wishes.push(...done.map(({ place }) => ({ root: place.root, name, wish })));
  }
  const { notes } = goal;
  for (const one of done) settleInstalled(goal, one, null, newerThan(one, best));
  const left = places.filter((place) => !done.some((one) => one.place.target === place.target));
  if (left.length === 0) return undefined;
  if (best !== undefined) notes.push(...notesOn(name, best, wanted));
  return { name, wanted, wish: null, places: left, source: null };
}

const notesOn = (name: string, version: PackageVersion, wanted: Wanted): string[] => {
  const note = noteOn(version, wanted);
  const deprecated =
    version.deprecated === null ? [] : [`${name}@${version.version} is deprecated: ${version.deprecated}`];
  return [...(note === null ? [] : [`${name}: ${note}`]), ...deprecated];
};

async function askPath(
  world: World,
  session: Session,
  spec: Extract<Spec, { kind: 'path' }>,
  goal: Picks,
): Promise<Ask | undefined> {
  const source = await openPath(spec);
  const agents = AGENTS.filter((agent) => supports(source.record, agent));
  const places = choosePlaces(world, session.options, source.name, agents);
  const isDone = (place: Place): boolean => {
    const { integrity, version } = installedIn(world, source.name, place)?.locked ?? {};
    return integrity === source.integrity && version === source.version;
  };
  for (const place of places.filter(isDone)) {
    const installed = installedIn(world, source.name, place);
    if (installed !== undefined) settleInstalled(goal, installed, source, '');
  }
  const left = places.filter((place) => !isDone(place));
  if (left.length === 0) return undefined;
  return { name: source.name, wanted: { kind: 'default' }, wish: spec.path, places: left, source };
}

/** `install` writes the wish that was given; `update` looks for the best version, and it and `restore` leave wishes alone. */
export type PickMode = 'install' | 'update' | 'restore';

/** Versions that a root's lock holds: kept where they fit. */
function lockedVersions(world: World, root: Root, asks: readonly Ask[], mode: PickMode): Map<string, string> {
  const open = new Set(mode === 'update' ? asks.map(({ name }) => name) : []);
  const locked = Object.entries(lockOf(world, root).packages).filter(([name]) => !open.has(name));
  return new Map(locked.map(([name, { version }]) => [name, version]));
}

/** A package that is in the root already stays at its version for a further target, unless another was asked for. */
function wantedIn(world: World, root: Root, ask: Ask): Wanted {
  const locked = lockOf(world, root).packages[ask.name];
  if (ask.wanted.kind !== 'default' || locked === undefined || locked.registry.startsWith('file:')) return ask.wanted;
  return { kind: 'exact', version: locked.version };
}

async function solveRoot(
  world: World,
  session: Session,
  root: Root,
  asks: readonly Ask[],
  mode: PickMode,
): Promise<Chosen[]> {
  const fromRegistry = asks.filter(({ source }) => source === null);
  const fromPaths = asks.flatMap(({ source }) =>
    source === null ? [] : Object.entries(source.record.dependencies.tools),
  );
  const given = new Set(asks.flatMap(({ source }) => (source === null ? [] : [source.name])));
  const roots = [
    ...fromRegistry.map((ask) => ({ name: ask.name, wanted: wantedIn(world, root, ask) })),
    ...fromPaths.filter(([name]) => !given.has(name)).map(([name, range]) => ({ name, wanted: parseWanted(range) })),
  ];
  if (roots.length === 0) return [];
  const exact = new Map(roots.map(({ name, wanted }) => [name, wanted]));
  return solve({
    roots,
    getDocument: (name) => session.document(name, exact.get(name) ?? { kind: 'default' }),
    locked: lockedVersions(world, root, asks, mode),
  });
}

/** All places that a package gets in a root: where it was asked for, where those are that need it, and where it is already. */
function placesOf(world: World, root: Root, name: string, wantedPlaces: readonly Place[], changes: boolean): Place[] {
  const there = world.places.filter(
    (place) => place.root.folder === root.folder && installedIn(world, name, place) !== undefined,
  );
  const all = changes ? [...wantedPlaces, ...there] : wantedPlaces;
  return [...new Map(all.map((place) => [place.target, place])).values()];
}

type RootPick = { name: string; version: string; source: PackageSource | null; wish: string | null; places: Place[] };

function dependentPlaces(
  chosen: Chosen,
  all: readonly Chosen[],
  asks: readonly Ask[],
  seen: ReadonlySet<string> = new Set(),
): Place[] {
  // Two packages may need each other.
  if (seen.has(chosen.name)) return [];
  const open = new Set(seen).add(chosen.name);
  const direct = asks.filter(({ name }) => name === chosen.name).flatMap(({ places }) => places);
  const byPath = asks.filter(
    ({ source }) => source !== null && Object.hasOwn(source.record.dependencies.tools, chosen.name),
  );
  const askers = chosen.askedBy.flatMap((name) => all.find((one) => one.name === name) ?? []);
  return [
    ...direct,
    ...byPath.flatMap(({ places }) => places),
    ...askers.flatMap((one) => dependentPlaces(one, all, asks, open)),
  ];
}

function toRootPick(
  world: World,
  root: Root,
  chosen: Chosen,
  all: readonly Chosen[],
  asks: readonly Ask[],
  mode: PickMode,
): RootPick {
  const ask = asks.find(({ name }) => name === chosen.name);
  const { version, agents } = chosen.version;
  const wanted = dependentPlaces(chosen, all, asks).filter(({ agent }) => agents.includes(agent));
  const changes = lockOf(world, root).packages[chosen.name]?.version !== version;
  const wish = ask === undefined || mode !== 'install' ? null : wishFor(ask.wanted, version);
  return {
    name: chosen.name,
    version,
    source: null,
    wish,
    places: placesOf(world, root, chosen.name, wanted, changes),
  };
}

const pathPick = (world: World, root: Root, ask: Ask): RootPick => ({
  name: ask.name,
  version: ask.source?.version ?? '',
  source: ask.source,
  wish: fileWish(ask.wish ?? '', root.scope === 'project' ? root.folder : null),
  places: placesOf(world, root, ask.name, ask.places, true),
});

const pinOf = (world: World, root: Root, name: string, version: string): Pin | undefined => {
  const locked = lockOf(world, root).packages[name];
  if (locked === undefined || locked.version !== version || locked.registry.startsWith('file:')) return undefined;
  return { integrity: locked.integrity, registry: locked.registry, lockFile: root.lockFile };
};

async function finishPick(world: World, session: Session, root: Root, pick: RootPick): Promise<Pick | undefined> {
  const { name, version } = pick;
  const fresh = (place: Place): boolean => {
    const locked = installedIn(world, name, place)?.locked;
    return locked?.version !== version || (pick.source !== null && locked.integrity !== pick.source.integrity);
  };
  const places = pick.places.filter(fresh);
  if (places.length === 0) return undefined;
  const source =
    pick.source ?? (await fetchSource(await session.registry(name), name, version, pinOf(world, root, name, version)));
  const lost = places.filter(({ agent }) => !supports(source.record, agent));
  if (lost.length > 0) throw unsupported(source, lost);
  const action = places.some((place) => installedIn(world, name, place) !== undefined) ? 'update' : 'install';
  const draft: Pick = { source, places, wish: pick.wish, action, overrides: [] };
  return { ...draft, overrides: [...new Set(overridesOf(draft).map(({ tool }) => tool))] };
}

const unsupported = (source: PackageSource, lost: readonly Place[]): Problem =>
  new Problem(
    'agent_unsupported',
    `\`${source.name}@${source.version}\` is not for ${lost.map(({ agent }) => agent).join(', ')}`,
    {
      hint: 'choose another version, or remove it from that agent first',
      details: { package: source.name, version: source.version, targets: lost.map(({ target }) => target) },
    },
  );

/** A version must also suit the packages that are installed already and need it. */
function checkDependents(world: World, root: Root, pick: RootPick, all: readonly RootPick[]): void {
  for (const [name, { version, dependencies }] of Object.entries(lockOf(world, root).packages)) {
    const range = Object.hasOwn(dependencies, pick.name) ? dependencies[pick.name] : undefined;
    if (range === undefined || all.some((other) => other.name === name)) continue;
    if (satisfiesRange(pick.version, range)) continue;
    throw new Problem(
      'no_matching_version',
      `\`${name}@${version}\` is installed and needs \`${pick.name}@${range}\`, not \`${pick.version}\``,
      {
        hint: `update \`${name}\` too, or choose another version`,
        details: { package: pick.name, version: pick.version, neededBy: name, range },
      },
    );
  }
}

/** Versions, with their dependencies, and places for what is asked for in one root. */
export async function pickInRoot(
  world: World,
  session: Session,
  root: Root,
  asks: readonly Ask[],
  mode: PickMode,
): Promise<Pick[]> {
  const chosen = await solveRoot(world, session, root, asks, mode);
  const rootPicks = [
    ...chosen.map((one) => toRootPick(world, root, one, chosen, asks, mode)),
    ...asks.filter(({ source }) => source !== null).map((ask) => pathPick(world, root, ask)),
  ];
  for (const pick of rootPicks) checkDependents(world, root, pick, rootPicks);
  const picks = await Promise.all(rootPicks.map((pick) => finishPick(world, session, root, pick)));
  return picks.filter((pick) => pick !== undefined);
}

const inRootOnly = (root: Root, ask: Ask): Ask[] => {
  const places = ask.places.filter((place) => place.root.folder === root.folder);
  return places.length === 0 ? [] : [{ ...ask, places }];
};

/** Versions and places for the specs of a command line, with their dependencies; no side effect but downloads into the cache. */
export async function pickSpecs(world: World, session: Session, specs: readonly Spec[]): Promise<Picks> {
  const goal: Picks = { picks: [], notes: [], wishes: [], broken: [] };
  const asks: Ask[] = [];
  for (const spec of specs) {
    const ask =
      spec.kind === 'path' ? await askPath(world, session, spec, goal) : await askRegistry(world, session, spec, goal);
    if (ask !== undefined) asks.push(ask);
  }
  const twice = asks.find(({ name }, index) => asks.findIndex((other) => other.name === name) !== index);
  if (twice !== undefined) throw new Problem('usage', `\`${twice.name}\` is asked for twice`);
  for (const root of listRoots(world.places)) {
    const here = asks.flatMap((ask) => inRootOnly(root, ask));
    if (here.length > 0) goal.picks.push(...(await pickInRoot(world, session, root, here, 'install')));
  }
  return goal;
}
