/** What happens to pi's `allowedTools` lists when tools come and go. A list is appended to; a new one is made only when it can be complete. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  addNames,
  createList,
  emptyRecord,
  PI_BUILT_INS,
  type SettingsView,
  viewSettings,
} from '../agents/allowed-tools.ts';
import { piSettingsFile } from '../agents/pi.ts';
import { readSettings, readSteady } from '../agents/settings-file.ts';
import type { Survey } from '../agents/survey.ts';
import type { Place } from '../state/paths.ts';
import type { State } from '../state/state-file.ts';
import type { RootChange, SettingsWork } from './change.ts';
import { findPlace, listInstalled, type World } from './world.ts';

export type SettingsPlan = { works: SettingsWork[]; warnings: string[]; notes: string[] };

/** Something that is done only if the user agrees; else `otherwise` is a warning. */
export type Question = { ask: string; otherwise: string; agree(): void };

const emptyPlan = (): SettingsPlan => ({ works: [], warnings: [], notes: [] });

const viewOf = (file: string): Promise<SettingsView | undefined> =>
  readSteady(file, (text) => (text === null ? undefined : viewSettings(text, file)));

/** Why a new list could not be complete; undefined when it can. A list that lacks somebody's tool would switch that tool off. */
async function whyIncomplete(world: World, survey: Survey): Promise<string | undefined> {
  const [foreign] = survey.foreign;
  if (foreign !== undefined) return `\`${foreign}\` was not installed by pi-tools`;
  for (const place of world.places.filter(({ agent }) => agent === 'pi')) {
    const mcp = join(place.base, 'mcp.json');
    if (existsSync(mcp)) return `\`${mcp}\` adds tools`;
    const file = piSettingsFile(place.base);
    const key = (await viewOf(file))?.keys.find((name) => name === 'packages' || name === 'extensions');
    if (key !== undefined) return `\`${file}\` has \`${key}\``;
  }
  return undefined;
}

/** Tools that pi-tools packages give to pi in any scope, after the change. */
function toolsAfter(world: World, change: RootChange, key: 'pi/user' | 'pi/project'): string[] {
  const locks = Object.values(change.lock.packages).flatMap(({ targets }) => targets[key]?.tools ?? []);
  const others = listInstalled(world)
    .filter(({ place }) => place.agent === 'pi' && place.root.folder !== change.root.folder)
    .flatMap(({ target }) => target.tools);
  return [...new Set([...locks, ...others])];
}

const toolsBefore = (world: World, key: 'pi/user' | 'pi/project'): string[] => {
  const place = findPlace(world, key);
  return place === undefined ? [] : listInstalled(world, [place]).flatMap(({ target }) => target.tools);
};

const comingTools = (change: RootChange, target: string): string[] =>
  change.rows.filter((row) => row.action !== 'remove' && row.target === target).flatMap(({ tools }) => tools);

async function planUser(
  world: World,
  change: RootChange,
  state: State,
  survey: Survey | undefined,
): Promise<SettingsPlan> {
  const place = findPlace(world, 'pi/user');
  if (place === undefined || place.root.folder !== change.root.folder) return emptyPlan();
  const file = piSettingsFile(place.base);
  const key = 'pi/user' as const;
  const after = toolsAfter(world, change, key);
  const gone = toolsBefore(world, key).filter((name) => !after.includes(name));
  const remove = gone.filter((name) => state.settings[key]?.added.includes(name));
  const view = await viewOf(file);
  const coming = comingTools(change, key);
  if (view?.names !== undefined) {
    const add = coming.filter((name) => !view.names?.includes(name));
    return { ...emptyPlan(), works: workOf({ key, file, add, remove, create: null }) };
  }
  if (coming.length === 0 || survey === undefined)
    return { ...emptyPlan(), works: workOf({ key, file, add: [], remove, create: null }) };
  const why = await whyIncomplete(world, survey);
  if (why !== undefined) return { ...emptyPlan(), notes: [noList(file, why)] };
  const add = after.filter((name) => !PI_BUILT_INS.includes(name));
  const notes = [
    `\`${file}\` had no allowedTools: a complete list is made (pi's own tools and what pi-tools installed)`,
  ];
  return { ...emptyPlan(), works: [{ key, file, add, remove: [], create: { others: [] } }], notes };
}

const noList = (file: string, why: string): string =>
  `\`${file}\` has no allowedTools, and none was made: ${why}, so a list could switch something off. Without a list every tool is allowed; \`pi-tools allow --init\` makes one from all that can be read`;

const workOf = (work: SettingsWork): SettingsWork[] => (work.add.length + work.remove.length > 0 ? [work] : []);

async function planProject(world: World, change: RootChange, state: State): Promise<SettingsPlan> {
  const place = findPlace(world, 'pi/project');
  if (place === undefined || place.root.folder !== change.root.folder) return emptyPlan();
  const file = piSettingsFile(place.base);
  const key = 'pi/project' as const;
  const after = toolsAfter(world, change, key);
  const gone = toolsBefore(world, key).filter((name) => !after.includes(name));
  const added = new Set(listInstalled(world, [place]).flatMap(({ target }) => Object.values(target.settings).flat()));
  const view = await viewOf(file);
  const add = comingTools(change, key).filter((name) => view?.names !== undefined && !view.names.includes(name));
  const remove = gone.filter((name) => added.has(name));
  const works = workOf({ key, file, add, remove, create: null });
  const user = userRemovals(world, change, state, gone);
  return { works: [...works, ...user], warnings: [], notes: [] };
}

/** Names that this project had put into the user's list. */
function userRemovals(world: World, change: RootChange, state: State, gone: readonly string[]): SettingsWork[] {
  const place = findPlace(world, 'pi/user');
  if (place === undefined || place.root.folder === change.root.folder) return [];
  const remove = gone.filter((name) => state.settings['pi/user']?.added.includes(name));
  return workOf({ key: 'pi/user', file: piSettingsFile(place.base), add: [], remove, create: null });
}

/** A project package's tools that the user's own list does not hold: added with consent only. */
export async function askUserList(world: World, change: RootChange): Promise<Question[]> {
  const place = findPlace(world, 'pi/user');
  const coming = comingTools(change, 'pi/project');
  if (place === undefined || coming.length === 0) return [];
  const file = piSettingsFile(place.base);
  const names = (await viewOf(file))?.names;
  if (names === undefined) return [];
  const missing = coming.filter((name) => !names.includes(name));
  if (missing.length === 0) return [];
  const list = missing.join(', ');
  return [
    {
      ask: `your own allowedTools in \`${file}\` lacks ${list}. Add it?`,
      otherwise: `your own allowedTools in \`${file}\` lacks ${list}: \`pi-tools allow ${missing.join(' ')}\` adds it`,
      agree: () => void change.settings.push({ key: 'pi/user', file, add: missing, remove: [], create: null }),
    },
  ];
}

/** Names that pi-tools put into a project's list go into the lock: a clone must know them to take them out. */
function noteInLock(change: RootChange, works: readonly SettingsWork[], place: Place | undefined): void {
  if (place === undefined) return;
  const path = '.pi/settings.json';
  const added = works.filter(({ key }) => key === 'pi/project').flatMap(({ add }) => add);
  for (const { targets } of Object.values(change.lock.packages)) {
    const target = targets['pi/project'];
    if (target === undefined) continue;
    const names = target.tools.filter((name) => added.includes(name) || target.settings[path]?.includes(name));
    targets['pi/project'] = { ...target, settings: names.length > 0 ? { [path]: names } : {} };
  }
}

/** Plans all lists of pi for one root's change. Problem `settings_invalid`. */
export async function planSettings(
  world: World,
  change: RootChange,
  state: State,
  survey: Survey | undefined,
): Promise<SettingsPlan> {
  const user = await planUser(world, change, state, survey);
  const project = await planProject(world, change, state);
  const works = [...user.works, ...project.works];
  noteInLock(change, works, findPlace(world, 'pi/project'));
  return { works, warnings: [...user.warnings, ...project.warnings], notes: [...user.notes, ...project.notes] };
}

/** What a work would do to the file as it is now: for the plan that is shown, and for --dry-run. */
export function previewSettings(work: SettingsWork): {
  file: string;
  added: string[];
  removed: string[];
  created: boolean;
} {
  const { file, create } = work;
  const text = readSettings(file);
  if (create !== null) {
    return { file, added: [...createList(text, file, create.others, work.add).added], removed: [], created: true };
  }
  const added = text === null ? [] : [...addNames(text, file, work.add, emptyRecord()).added];
  return { file, added, removed: [...work.remove], created: false };
}
