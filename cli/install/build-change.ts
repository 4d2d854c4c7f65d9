/** Turns "these versions in these places, and those packages out" into the change of one root. No side effect. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LockedPackage, LockedTarget, Lockfile } from '../../schemas/lockfile.ts';
import { Problem } from '../../schemas/problem.ts';
import { sha256Hex, shortIntegrity } from '../../tool-package/integrity.ts';
import { folderName } from '../../tool-package/name.ts';
import type { GeneratedFile, Layout } from '../agents/layout.ts';
import { packageFolder } from '../agents/layout.ts';
import type { Place, Root } from '../state/paths.ts';
import type { KeptVersion, State } from '../state/state-file.ts';
import type { Action, ChangeRow, FileChange, RootChange } from './change.ts';
import { inRoot } from './journal.ts';
import { layoutFor } from './layouts.ts';
import { type PackageSource, toolsFor } from './source.ts';
import { type Installed, listInstalled, lockOf, type World } from './world.ts';

/** A version that goes into places of one root. */
export type Pick = {
  readonly source: PackageSource;
  readonly places: readonly Place[];
  /** What the user wishes (`^1.0.0`, `file:./dir`); null for a dependency. */
  readonly wish: string | null;
  readonly action: Extract<Action, 'install' | 'update'>;
  readonly overrides: readonly string[];
};

/** The version before, back from the kept ones. */
export type Return = { readonly installed: Installed; readonly kept: KeptVersion };

export type Removal = { readonly name: string; readonly places: readonly Place[] };

const at = (root: Root, path: string): string => join(root.folder, ...path.split('/'));

const generatedMap = (root: Root, layout: Layout): LockedTarget['generated'] => {
  const extra: GeneratedFile[] = layout.extra.map(({ path, bytes, format }) => ({
    file: join(layout.folder, ...path.split('/')),
    bytes,
    format,
  }));
  const files = [...layout.switches, ...layout.shared, ...extra];
  return Object.fromEntries(
    files.map(({ file, bytes, format }) => [inRoot(root, file), { sha256: sha256Hex(bytes), format }]),
  );
};

function lockedTarget(root: Root, place: Place, source: PackageSource, layout: Layout): LockedTarget {
  const folder = inRoot(root, layout.folder);
  const tools = toolsFor(source, place.agent);
  return {
    folder,
    tools: tools.map(({ name }) => name),
    tokens: tools.reduce((sum, { tokens }) => sum + tokens, 0),
    files: Object.fromEntries(source.archive.files.map(({ path, sha256 }) => [`${folder}/${path}`, sha256])),
    generated: generatedMap(root, layout),
    settings: {},
  };
}

const KINDS = ['network', 'read', 'write', 'run', 'env'] as const;

/** Declared permissions without the empty kinds. */
export const permissionsOf = ({ record }: PackageSource): Record<string, string[]> => {
  const { declared } = record.permissions;
  const kinds = KINDS.map((kind) => [kind, [...new Set(declared[kind] ?? [])].sort()] as const);
  return Object.fromEntries(kinds.filter(([, list]) => list.length > 0));
};

function lockedPackage(root: Root, pick: Pick, old: LockedPackage | undefined): LockedPackage {
  const { source } = pick;
  const wanted = pick.wish ?? old?.wanted;
  return {
    version: source.version,
    integrity: source.integrity,
    recordDigest: source.recordDigest,
    registry: source.registry,
    ...(wanted === undefined || root.scope === 'project' ? {} : { wanted }),
    dependencies: source.record.dependencies.tools,
    overrides: [...pick.overrides],
    permissions: permissionsOf(source),
    targets: {},
  };
}

const sameOnDisk = (file: string, bytes: Buffer): boolean => {
  try {
    return readFileSync(file).equals(bytes);
  } catch {
    return false;
  }
};

/** Where the version before waits for a rollback. */
const keptFolder = (root: Root, place: Place, name: string, version: string, integrity: string): string =>
  join(root.workFolder, 'kept', place.agent, folderName(name), `${version}-${shortIntegrity(integrity)}`);

type Draft = Omit<RootChange, 'keep'> & { keepers: ((state: State) => void)[] };

const emptyDraft = (root: Root, lock: Lockfile): Draft => ({
  root,
  rows: [],
  fills: [],
  files: [],
  settings: [],
  lock,
  projectText: undefined,
  retire: [],
  clear: [],
  keepers: [],
});

const row = (
  action: Action,
  place: Place,
  from: string | null,
  to: string | null,
  more: Omit<ChangeRow, 'action' | 'from' | 'to' | 'target' | 'location'>,
): ChangeRow => ({
  action,
  package: more.package,
  from,
  to,
  target: place.target,
  location: packageFolder(place, more.package),
  tools: [...more.tools],
  integrity: more.integrity,
});

/** The texts of a package's own generated files outside its versioned folder. */
function readGenerated(root: Root, installed: Installed): Record<string, string> {
  const paths = Object.keys(installed.target.generated).filter((path) => isSwitch(installed, path));
  const texts = paths.flatMap((path) => {
    try {
      return [[path, readFileSync(at(root, path), 'utf8')] as const];
    } catch {
      return [];
    }
  });
  return Object.fromEntries(texts);
}

/** The version that an update replaces moves to the kept ones; the one kept before it goes. */
function retireOld(draft: Draft, place: Place, old: Installed, state: State): void {
  const { root } = draft;
  const { name, locked, target } = old;
  const to = keptFolder(root, place, name, locked.version, locked.integrity);
  const before = state.kept[place.target]?.[name];
  if (before !== undefined && at(root, before.folder) !== to)
    draft.retire.push({ from: at(root, before.folder), to: null });
  draft.retire.push({ from: at(root, target.folder), to });
  const kept = {
    package: { ...locked, targets: { [place.target]: target } },
    folder: inRoot(root, to),
    generated: readGenerated(root, old),
  };
  draft.keepers.push((state) => {
    state.kept[place.target] = { ...state.kept[place.target], [name]: kept };
  });
}

function addPlace(
  draft: Draft,
  pick: Pick,
  place: Place,
  entry: LockedPackage,
  old: Installed | undefined,
  state: State,
): void {
  const { root } = draft;
  const { source, action } = pick;
  const layout = layoutFor(place, source);
  const target = lockedTarget(root, place, source, layout);
  entry.targets[place.target] = target;
  if (existsSync(layout.folder) && old?.target.folder !== target.folder) throw inTheWay(layout.folder, source);
  draft.rows.push(
    row(action, place, old?.locked.version ?? null, source.version, {
      package: source.name,
      tools: target.tools,
      integrity: source.integrity,
    }),
  );
  draft.fills.push({ kind: 'archive', folder: layout.folder, archive: source.archive, extra: layout.extra });
  const shared = layout.shared.filter(({ file, bytes }) => !sameOnDisk(file, bytes));
  draft.files.push(...[...shared, ...layout.switches].map(({ file, bytes }) => ({ file, bytes })));
  if (old === undefined) return;
  const gone = Object.keys(old.target.generated).filter(
    (path) => !Object.hasOwn(target.generated, path) && isSwitch(old, path),
  );
  draft.files.push(...gone.map((path): FileChange => ({ file: at(root, path), bytes: null })));
  retireOld(draft, place, old, state);
}

/** A generated file outside the versioned folder that belongs to this package alone. */
const isSwitch = (installed: Installed, path: string): boolean =>
  !path.startsWith(`${installed.target.folder}/`) && !/(?:^|\/)pi-tools\/(?:_runtime\/|\.gitignore$)/.test(path);

const isShared = (path: string): boolean => /(?:^|\/)pi-tools\/(?:_runtime\/|\.gitignore$)/.test(path);

const inTheWay = (path: string, source: PackageSource): Problem =>
  new Problem(
    'path_conflict',
    `\`${path}\` is in the way of \`${source.name}@${source.version}\`, and pi-tools did not put it there`,
    {
      hint: 'move it away, then try again; nothing was changed',
      details: { path, package: source.name, version: source.version },
    },
  );

function addPick(draft: Draft, world: World, pick: Pick, state: State): void {
  const { root, lock } = draft;
  const installed = listInstalled(
    world,
    world.places.filter((place) => place.root.folder === root.folder),
  );
  const before = lock.packages[pick.source.name];
  const entry = lockedPackage(root, pick, before);
  const same = before?.integrity === entry.integrity && before.version === entry.version;
  if (same) Object.assign(entry.targets, before.targets);
  for (const place of pick.places) {
    const old = installed.find(({ name, place: there }) => name === pick.source.name && there.target === place.target);
    if (old !== undefined && same) continue;
    addPlace(draft, pick, place, entry, old, state);
  }
  lock.packages[pick.source.name] = entry;
}

/** Puts the kept version back; the present one is kept in its place. */
function addReturn(draft: Draft, { installed, kept }: Return, state: State): void {
  const { root, lock } = draft;
  const { name, place, locked, target } = installed;
  const before = kept.package.targets[place.target];
  if (before === undefined) return;
  const { version, integrity } = kept.package;
  draft.rows.push(row('rollback', place, locked.version, version, { package: name, tools: before.tools, integrity }));
  draft.fills.push({ kind: 'copy', folder: at(root, before.folder), from: at(root, kept.folder) });
  draft.files.push(
    ...Object.entries(kept.generated).map(([path, text]) => ({ file: at(root, path), bytes: Buffer.from(text) })),
  );
  const gone = Object.keys(target.generated).filter(
    (path) => !Object.hasOwn(kept.generated, path) && isSwitch(installed, path),
  );
  draft.files.push(...gone.map((path): FileChange => ({ file: at(root, path), bytes: null })));
  retireOld(draft, place, installed, state);
  const entry = lock.packages[name];
  const { wanted: _, ...rest } = kept.package;
  lock.packages[name] = {
    ...rest,
    ...(entry?.wanted === undefined ? {} : { wanted: entry.wanted }),
    targets: { ...entry?.targets, [place.target]: { ...before, settings: target.settings } },
  };
}

function addRemoval(draft: Draft, world: World, removal: Removal, state: State): void {
  const { lock } = draft;
  const entry = lock.packages[removal.name];
  if (entry === undefined) return;
  for (const place of removal.places) {
    const installed = listInstalled(world, [place]).find(({ name }) => name === removal.name);
    if (installed === undefined) continue;
    removePlace(draft, place, installed, state);
    delete entry.targets[place.target];
  }
  if (Object.keys(entry.targets).length === 0) delete lock.packages[removal.name];
}

function removePlace(draft: Draft, place: Place, installed: Installed, state: State): void {
  const { root } = draft;
  const { name, locked, target } = installed;
  draft.rows.push(
    row('remove', place, locked.version, null, { package: name, tools: target.tools, integrity: locked.integrity }),
  );
  const switches = Object.keys(target.generated).filter((path) => isSwitch(installed, path));
  draft.files.push(...switches.map((path) => ({ file: at(root, path), bytes: null })));
  const inner = Object.keys(target.generated).filter((path) => path.startsWith(`${target.folder}/`));
  draft.clear.push(...[...Object.keys(target.files), ...inner].map((path) => at(root, path)));
  const kept = state.kept[place.target]?.[name];
  if (kept !== undefined) draft.retire.push({ from: at(root, kept.folder), to: null });
  draft.keepers.push((state) => {
    const { [name]: _, ...rest } = state.kept[place.target] ?? {};
    if (Object.keys(rest).length === 0) delete state.kept[place.target];
    else state.kept[place.target] = rest;
  });
}

/** Shared files that no package needs any more. */
function clearShared(draft: Draft, before: Lockfile): void {
  const listOf = (lock: Lockfile): Set<string> =>
    new Set(
      Object.values(lock.packages).flatMap(({ targets }) =>
        Object.values(targets).flatMap(({ generated }) => Object.keys(generated).filter(isShared)),
      ),
    );
  const after = listOf(draft.lock);
  for (const path of listOf(before)) if (!after.has(path)) draft.clear.push(at(draft.root, path));
}

const copyLock = (lock: Lockfile): Lockfile => {
  const packages: Lockfile['packages'] = Object.create(null);
  for (const [name, entry] of Object.entries(lock.packages))
    packages[name] = { ...entry, targets: { ...entry.targets } };
  return { lockfileVersion: 1, packages };
};

/** The change of one root, without settings and project file. Problem `path_conflict`. */
export function buildChange(
  world: World,
  root: Root,
  picks: readonly Pick[],
  removals: readonly Removal[],
  state: State,
  returns: readonly Return[] = [],
): RootChange {
  const before = lockOf(world, root);
  const draft = emptyDraft(root, copyLock(before));
  for (const pick of picks) addPick(draft, world, pick, state);
  for (const removal of removals) addRemoval(draft, world, removal, state);
  for (const one of returns) addReturn(draft, one, state);
  clearShared(draft, before);
  const { keepers, ...change } = draft;
  return {
    ...change,
    keep: (state) => {
      for (const keeper of keepers) keeper(state);
    },
  };
}
