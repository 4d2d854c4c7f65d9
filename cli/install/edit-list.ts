/** `allow` and `deny`: the user's own edits of an allowedTools list, beside what pi-tools keeps about its own. */
import type { Scope } from '../../schemas/agents.ts';
import { Problem } from '../../schemas/problem.ts';
import {
  addNames,
  createList,
  emptyRecord,
  type ListEdit,
  PI_BUILT_INS,
  removeNames,
  viewSettings,
} from '../agents/allowed-tools.ts';
import { piSettingsFile } from '../agents/pi.ts';
import { editSettings } from '../agents/settings-file.ts';
import type { Environment } from '../environment.ts';
import { makeFolders, writeAtomic } from '../state/atomic-write.ts';
import { getPlace, type Place } from '../state/paths.ts';
import { isEmptyState, readState, type SettingsRecord, stateFile, stateText } from '../state/state-file.ts';
import type { SettingsRow } from './change.ts';
import { survey } from './conflicts.ts';
import { withRoot } from './roots.ts';
import { listInstalled, readWorld, settingsFilesOf } from './world.ts';

export type ListSession = {
  readonly environment: Environment;
  readonly scope: Scope;
  readonly mode: 'write' | 'dry-run';
  say(text: string): void;
};

export type ListAnswer = { settings: SettingsRow[]; warnings: string[] };

const NAME = /^[^\s\0]{1,128}$/u;

/** Problem `usage` for what no tool can be called. */
function checkNames(names: readonly string[]): void {
  const odd = names.find((name) => !NAME.test(name));
  if (odd !== undefined) throw new Problem('usage', `\`${odd}\` is no tool name`);
}

const noList = (file: string): Problem =>
  new Problem('no_allowed_tools', `\`${file}\` has no allowedTools: every tool is allowed`, {
    hint: '`pi-tools allow --init` makes a list from all tools that can be read; then deny what you do not want',
    details: { file },
  });

/** What an edit does: the new text and record, from the present ones. */
type Change = (text: string | null, file: string, record: SettingsRecord) => ListEdit;

async function edit(session: ListSession, change: Change): Promise<ListAnswer> {
  const { environment } = session;
  const place = getPlace(environment, environment.cwd, 'pi', session.scope);
  const file = piSettingsFile(place.base);
  const world = readWorld(environment);
  if (session.mode === 'dry-run') {
    const { readSettings } = await import('../agents/settings-file.ts');
    return answerOf(file, change(readSettings(file), file, emptyRecord()));
  }
  const rootSession = { clock: environment, settingsFiles: settingsFilesOf(world), say: session.say };
  return withRoot(place.root, rootSession, () => editUnderLock(session, place, file, change));
}

async function editUnderLock(session: ListSession, place: Place, file: string, change: Change): Promise<ListAnswer> {
  const { workFolder } = place.root;
  const state = readState(workFolder);
  const key = place.target;
  const before = state.settings[key] ?? emptyRecord();
  let last: ListEdit = { text: null, added: [], removed: [], record: before };
  await editSettings({
    file,
    id: `allow-${process.pid}`,
    clock: session.environment,
    change: (text) => {
      last = change(text, file, before);
      return last.text;
    },
  });
  const { record } = last;
  if (record.added.length === 0 && record.created === null) delete state.settings[key];
  else state.settings[key] = record;
  if (JSON.stringify(record) !== JSON.stringify(before) && !(isEmptyState(state) && state.madeFolders.length === 0)) {
    makeFolders(workFolder);
    writeAtomic(stateFile(workFolder), stateText(state), { id: 'allow' });
  }
  return answerOf(file, last);
}

const answerOf = (file: string, { added, removed, record }: ListEdit): ListAnswer => ({
  settings:
    added.length + removed.length === 0
      ? []
      : [{ file, added: [...added], removed: [...removed], created: record.created !== null && added.length > 1 }],
  warnings: [],
});

/** Appends names; they count as the user's own. Without a list nothing happens, and a warning says why. */
export async function allowNames(session: ListSession, names: readonly string[]): Promise<ListAnswer> {
  checkNames(names);
  let missing: string | null = null;
  const answer = await edit(session, (text, file, record) => {
    missing = text === null || viewSettings(text, file).names === undefined ? file : null;
    if (text === null || missing !== null) return { text, added: [], removed: [], record };
    const { record: _, ...result } = addNames(text, file, names, record);
    return { ...result, record };
  });
  if (missing !== null)
    answer.warnings.push(
      `\`${missing}\` has no allowedTools: every tool is allowed already (\`pi-tools allow --init\` makes a list)`,
    );
  return answer;
}

/** Takes names out. Problem `no_allowed_tools` where there is no list. */
export function denyNames(session: ListSession, names: readonly string[]): Promise<ListAnswer> {
  checkNames(names);
  return edit(session, (text, file, record) => {
    if (text === null || viewSettings(text, file).names === undefined) throw noList(file);
    const { text: next, removed } = removeNames(text, file, names, { ...record, created: null });
    return {
      text: next,
      added: [],
      removed,
      record: { ...record, added: record.added.filter((name) => !names.includes(name)) },
    };
  });
}

/** Makes a list of the built-ins and every tool that can be read; an existing list stays. */
export async function initList(session: ListSession): Promise<ListAnswer> {
  const world = readWorld(session.environment, session.mode === 'write' ? 'write' : 'read');
  const found = await survey(world, 'pi', new Set());
  const installed = listInstalled(world)
    .filter(({ place }) => place.agent === 'pi')
    .flatMap(({ target }) => target.tools)
    .filter((name) => !PI_BUILT_INS.includes(name));
  const others = found.tools.filter((tool) => tool.package === null).map(({ name }) => name);
  let present = false;
  const answer = await edit(session, (text, file, record) => {
    present = text !== null && viewSettings(text, file).names !== undefined;
    if (present) return { text, added: [], removed: [], record };
    return createList(text, file, others, [...new Set(installed)]);
  });
  answer.warnings.push(...found.warnings);
  if (present) answer.warnings.push('there is an allowedTools list already; it stays as it is');
  return answer;
}
