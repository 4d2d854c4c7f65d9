/** The whole plan of a run: conflicts, engines, consent, the change of every root. Nothing is written here. */
import type { Agent } from '../../schemas/agents.ts';
import type { Survey } from '../agents/survey.ts';
import type { Root } from '../state/paths.ts';
import { editProjectText, type ProjectFile } from '../state/project-file.ts';
import { readState, type State } from '../state/state-file.ts';
import { escapeText } from '../terminal/escape.ts';
import { buildChange, type Pick, type Removal, type Return } from './build-change.ts';
import type { RootChange } from './change.ts';
import { isIdle } from './change.ts';
import { checkConflicts } from './conflicts.ts';
import { type Consent, consentFor } from './consent.ts';
import { listChanged } from './drift.ts';
import { engineWarnings } from './engines.ts';
import type { Wish } from './picks.ts';
import { askConfig, planConfigRemoval } from './plan-config.ts';
import { askUserList, planSettings, type Question } from './plan-settings.ts';
import { type PackageSource, refuseNpmDependencies } from './source.ts';
import { type Installed, listInstalled, listRoots, lockOf, type World } from './world.ts';

export type Goal = {
  picks: readonly Pick[];
  removals: readonly Removal[];
  notes: readonly string[];
  /** Changes that are made already (repairs), by root. */
  repairs?: ReadonlyMap<string, (change: RootChange) => void>;
  consents?: readonly Consent[];
  /** New wishes for packages that stay as they are. */
  wishes?: readonly Wish[];
  /** Kept versions that come back. */
  returns?: readonly Return[];
};

export type PlanFlags = { readonly settings: 'edit' | 'leave' };

export type Plan = {
  readonly world: World;
  /** What goes in. */
  readonly sources: readonly PackageSource[];
  readonly changes: RootChange[];
  readonly consents: Consent[];
  readonly questions: Question[];
  readonly notes: string[];
  readonly warnings: string[];
};

const installedOf = (world: World, pick: Pick): Installed | undefined =>
  pick.places.flatMap((place) => listInstalled(world, [place]).filter(({ name }) => name === pick.source.name))[0];

const picksIn = (goal: Goal, root: Root): Pick[] =>
  goal.picks.flatMap((pick) => {
    const places = pick.places.filter((place) => place.root.folder === root.folder);
    return places.length === 0 ? [] : [{ ...pick, places }];
  });

const removalsIn = (goal: Goal, root: Root): Removal[] =>
  goal.removals.flatMap((removal) => {
    const places = removal.places.filter((place) => place.root.folder === root.folder);
    return places.length === 0 ? [] : [{ ...removal, places }];
  });

/** In user scope wishes are kept in the lock. */
function setWishes(change: RootChange, wishes: readonly Wish[]): void {
  for (const { name, wish } of wishes) {
    const entry = change.lock.packages[name];
    if (entry !== undefined) change.lock.packages[name] = { ...entry, wanted: wish };
  }
}

type Wishes = { picks: readonly Pick[]; wishes: readonly Wish[] };

/** What changes in `tools` of the project file: wishes that are set, and those of packages that go. */
function wishEdits(file: ProjectFile, change: RootChange, { picks, wishes }: Wishes): Map<string, string | null> {
  const removed = change.rows.filter(({ action }) => action === 'remove').map((row) => row.package);
  const gone = removed.filter(
    (name) => !Object.hasOwn(change.lock.packages, name) && Object.hasOwn(file.tools ?? {}, name),
  );
  return new Map<string, string | null>([
    ...picks.flatMap(({ source, wish }) => (wish === null ? [] : [[source.name, wish] as const])),
    ...wishes.map(({ name, wish }) => [name, wish] as const),
    ...gone.map((name) => [name, null] as const),
  ]);
}

/** The project file after the change: wishes set and taken out, the agents of the first install. */
function planProjectFile(world: World, change: RootChange, goal: Wishes, state: State): void {
  const { root } = change;
  if (root.projectFile === null || world.project === null) return;
  const { text, file } = world.project;
  const tools = wishEdits(file, change, goal);
  if (tools.size === 0) return;
  if (isOnlyOurs(world, tools) && state.madeProjectFile) {
    change.projectText = null;
    return;
  }
  const agents = [...new Set(goal.picks.flatMap(({ places }) => places.map(({ agent }) => agent)))];
  const next = editProjectText(text, root.projectFile, { tools, agents });
  if (next !== text) change.projectText = next;
}

/** A project file that pi-tools made goes with its last tool, if nobody wrote anything else into it. */
function isOnlyOurs(world: World, edits: ReadonlyMap<string, string | null>): boolean {
  const file = world.project?.file ?? {};
  const left = Object.keys(file.tools ?? {}).filter((name) => edits.get(name) !== null);
  const added = [...edits.values()].some((range) => range !== null);
  return !added && left.length === 0 && Object.keys(file).every((key) => key === 'tools' || key === 'agents');
}

const withProjectFile = (change: RootChange, world: World): RootChange => {
  if (change.projectText === undefined) return change;
  const made = world.project?.text === null;
  return {
    ...change,
    keep: (state) => {
      change.keep(state);
      if (made) state.madeProjectFile = true;
      if (change.projectText === null) state.madeProjectFile = false;
    },
  };
};

async function planRoot(
  world: World,
  root: Root,
  goal: Goal,
  flags: PlanFlags,
  surveys: ReadonlyMap<Agent, Survey>,
): Promise<{ change: RootChange; notes: string[]; warnings: string[]; questions: Question[] }> {
  const state = readState(root.workFolder);
  const picks = picksIn(goal, root);
  const returns = (goal.returns ?? []).filter(({ installed }) => installed.place.root.folder === root.folder);
  const change = buildChange(world, root, picks, removalsIn(goal, root), state, returns);
  goal.repairs?.get(root.folder)?.(change);
  const wishes = (goal.wishes ?? []).filter((one) => one.root.folder === root.folder);
  if (root.scope === 'user') setWishes(change, wishes);
  planProjectFile(world, change, { picks, wishes }, state);
  const final = withProjectFile(change, world);
  planConfigRemoval(final, state);
  if (flags.settings === 'leave') return { change: final, notes: [], warnings: [], questions: [] };
  const { works, notes, warnings } = await planSettings(world, change, state, surveys.get('pi'));
  final.settings.push(...works);
  const config = askConfig(world, final);
  return {
    change: final,
    notes,
    warnings: [...warnings, ...config.warnings],
    questions: [...(await askUserList(world, final)), ...config.questions],
  };
}

/** An update replaces files that somebody changed here only with a yes. */
function changedHere(world: World, pick: Pick): Consent[] {
  const installed = listInstalled(world, pick.places).filter(({ name }) => name === pick.source.name);
  const files = installed.flatMap((one) => listChanged(one));
  return files.length === 0 ? [] : [{ kind: 'modified', package: pick.source.name, files }];
}

/** What a curator would have to look at: of a path nobody has. */
function reviewWarnings({ source }: Pick): string[] {
  if (source.status?.state === 'listed') return [];
  const found = source.findings.filter(({ level }) => level === 'review');
  return found.map(({ rule, message }) => escapeText(`${source.name}@${source.version}: ${message} (${rule})`));
}

/** Packages that this run replaces or removes in a target: their names are free. */
const leavingOf = (goal: Goal): Set<string> =>
  new Set([
    ...goal.removals.flatMap(({ name, places }) => places.map(({ target }) => `${name} ${target}`)),
    ...goal.picks.flatMap(({ source, places }) => places.map(({ target }) => `${source.name} ${target}`)),
  ]);

/** Makes the plan. Problem `npm_dependencies`, `tool_name_conflict`, `path_conflict`, `settings_invalid`, `state_invalid` … before anything is written. */
export async function makePlan(world: World, goal: Goal, flags: PlanFlags): Promise<Plan> {
  for (const { source } of goal.picks) refuseNpmDependencies(source);
  const surveys = goal.picks.length === 0 ? new Map() : await checkConflicts(world, goal.picks, leavingOf(goal));
  const plan: Plan = {
    world,
    sources: goal.picks.map(({ source }) => source),
    changes: [],
    consents: [...(goal.consents ?? [])],
    questions: [],
    notes: [...goal.notes],
    warnings: [],
  };
  for (const survey of surveys.values()) plan.warnings.push(...survey.warnings);
  for (const pick of goal.picks) {
    plan.consents.push(...consentFor(pick, installedOf(world, pick)), ...changedHere(world, pick));
    plan.warnings.push(...engineWarnings(world, pick), ...reviewWarnings(pick));
  }
  for (const root of listRoots(world.places)) {
    const { change, notes, warnings, questions } = await planRoot(world, root, goal, flags, surveys);
    if (isIdle(change) && !changesLock(world, change)) continue;
    plan.changes.push(change);
    plan.notes.push(...notes);
    plan.warnings.push(...warnings);
    plan.questions.push(...questions);
  }
  return plan;
}

const changesLock = (world: World, change: RootChange): boolean =>
  JSON.stringify(lockOf(world, change.root)) !== JSON.stringify(change.lock) || change.projectText !== undefined;
