/**
 * Carries out the change of one root under its lock and a journal: fill the new folders, switch the generated files, edit settings, write state and
 * lock file; then the journal says `finish` (the commit) and what was replaced is cleared away. A failure before that takes everything back.
 */
import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Scope } from '../../schemas/agents.ts';
import { Problem } from '../../schemas/problem.ts';
import { unpackArchive } from '../../tool-package/archive/unpack.ts';
import { addNames, createList, emptyRecord, type ListEdit, removeNames } from '../agents/allowed-tools.ts';
import { type Clock, editSettings } from '../agents/settings-file.ts';
import { fileProblem, makeFolders, missingFolders, stageFile, syncFolder, writeAtomic } from '../state/atomic-write.ts';
import { copyTree } from '../state/folders.ts';
import { lockfileText } from '../state/lock-file.ts';
import type { Root } from '../state/paths.ts';
import { isEmptyState, readState, type SettingsRecord, type State, stateFile, stateText } from '../state/state-file.ts';
import type { FileChange, Fill, RootChange, SettingsRow, SettingsWork } from './change.ts';
import {
  backupName,
  fileBehind,
  finishQuietly,
  inRoot,
  type Journal,
  type JournalSettings,
  undo,
  writeJournal,
} from './journal.ts';
import type { RootAccess } from './roots.ts';

type Run = { change: RootChange; journal: Journal; clock: Clock; state: State };

const without = <Value>(values: Iterable<Value>, left: ReadonlySet<Value>): Value[] =>
  [...values].filter((value) => !left.has(value));

/** Files that say what is installed; written last before the commit, and taken back like the others. */
function stateFiles(change: RootChange, state: State): FileChange[] {
  const { root, lock, projectText } = change;
  const empty = Object.keys(lock.packages).length === 0;
  if (empty) dropIdleRecords(state);
  const gone = empty && isEmptyState(state);
  const files: FileChange[] = [
    { file: stateFile(root.workFolder), bytes: gone ? null : Buffer.from(stateText(state)) },
  ];
  if (root.projectFile !== null && projectText !== undefined) {
    files.push({ file: root.projectFile, bytes: projectText === null ? null : Buffer.from(projectText) });
  }
  files.push({ file: root.lockFile, bytes: empty ? null : Buffer.from(lockfileText(lock)) });
  return files;
}

/** A list that pi-tools created and the user then changed is the user's own once nothing is installed. */
function dropIdleRecords(state: State): void {
  for (const [key, record] of Object.entries(state.settings)) if (record.added.length === 0) delete state.settings[key];
}

function newJournal(change: RootChange, madeAbove: number): Journal {
  const { root } = change;
  const paths = [...change.files.map(({ file }) => file), ...changedStatePaths(change)];
  const parents = new Set([...change.fills.map(({ folder }) => folder), ...paths].map(dirname).flatMap(missingFolders));
  const folders = change.fills.map(({ folder }) => folder);
  return {
    formatVersion: 1,
    id: randomBytes(8).toString('hex'),
    phase: 'undo',
    madeAbove,
    folders: folders.map((folder) => inRoot(root, folder)),
    parents: without(parents, new Set([root.workFolder, ...folders])).map((folder) => inRoot(root, folder)),
    files: paths.map((file) => ({ path: inRoot(root, file), existed: existsSync(file) })),
    settings: [],
    retire: change.retire.map(({ from, to }) => ({
      from: inRoot(root, from),
      to: to === null ? null : inRoot(root, to),
    })),
    clear: change.clear.map((file) => inRoot(root, file)),
    emptied: [],
  };
}

const changedStatePaths = (change: RootChange): string[] => {
  const { root, projectText } = change;
  const project = root.projectFile !== null && projectText !== undefined ? [root.projectFile] : [];
  return [stateFile(root.workFolder), ...project, root.lockFile];
};

async function fill(fill: Fill): Promise<void> {
  makeFolders(dirname(fill.folder));
  if (fill.kind === 'copy') {
    copyTree(fill.from, fill.folder);
    syncFolder(dirname(fill.folder));
    return;
  }
  await unpackArchive(fill.archive, fill.folder);
  for (const { path, bytes } of fill.extra) {
    const file = join(fill.folder, ...path.split('/'));
    makeFolders(dirname(file));
    writeAtomic(file, bytes, { id: 'new' });
  }
  syncFolder(dirname(fill.folder));
}

/** The old file waits beside as a second name of the same file: taking it back needs no space and gives the very same bytes, times and mode. */
function keepBackup(file: string, backup: string): void {
  rmSync(backup, { force: true });
  try {
    linkSync(file, backup);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP' && code !== 'EMLINK') throw error;
    copyFileSync(file, backup);
  }
}

/** Writes or removes one file; the rename (or unlink) is its switch. */
function switchFile(change: FileChange, id: string): void {
  const file = fileBehind(change.file);
  const backup = backupName(file, id);
  try {
    if (change.bytes === null) {
      if (existsSync(file)) renameSync(file, backup);
    } else {
      makeFolders(dirname(file));
      const staged = stageFile(file, change.bytes, { id, ...(change.mode === undefined ? {} : { mode: change.mode }) });
      if (existsSync(file)) keepBackup(file, backup);
      renameSync(staged, file);
    }
    if (existsSync(dirname(file))) syncFolder(dirname(file));
  } catch (error) {
    throw fileProblem(error, change.file, change.bytes === null ? 'remove' : 'write');
  }
}

/** A project's state may come with the project: it never says that the user's own list was pi-tools' making. */
const recordFor = (work: SettingsWork, state: State, scope: Scope): SettingsRecord => {
  const record = state.settings[work.key] ?? emptyRecord();
  return scope === 'project' && work.key === 'pi/user' ? { ...record, created: null } : record;
};

const editOf = (work: SettingsWork, text: string | null, state: State, scope: Scope): ListEdit => {
  const record = recordFor(work, state, scope);
  if (work.create !== null && text === null) return createList(null, work.file, work.create.others, work.add);
  if (text === null) return { text: null, added: [], removed: [], record };
  const less = removeNames(text, work.file, work.remove, record);
  if (less.text === null) return less;
  const more = addNames(less.text, work.file, work.add, less.record);
  if (more.added.length > 0 || work.create === null) return { ...more, removed: less.removed };
  const made = createIfMissing(work, less.text);
  return made ?? { ...more, removed: less.removed };
};

/** A new list only where there still is none. */
function createIfMissing(work: SettingsWork, text: string): ListEdit | undefined {
  const probe = addNames(text, work.file, ['\0'], emptyRecord());
  return probe.added.length > 0 ? undefined : createList(text, work.file, work.create?.others ?? [], work.add);
}

async function editOneSettings(run: Run, work: SettingsWork): Promise<SettingsRow | undefined> {
  const entry: JournalSettings = { key: work.key, file: work.file, added: [], removed: [], record: emptyRecord() };
  run.journal.settings.push(entry);
  let last: ListEdit = { text: null, added: [], removed: [], record: run.state.settings[work.key] ?? emptyRecord() };
  const edit = editSettings({
    file: work.file,
    id: run.journal.id,
    clock: run.clock,
    change: (text) => {
      last = editOf(work, text, run.state, run.change.root.scope);
      return last.text;
    },
    intend: () => {
      Object.assign(entry, { added: last.added, removed: last.removed, record: { ...last.record, added: last.added } });
      writeJournal(run.change.root, run.journal);
    },
  });
  const written = await edit.catch((error: unknown) => {
    // Nothing was written then: the undo need not wait for the lock that could not be had.
    const locked = error instanceof Problem && error.code === 'settings_locked';
    if (locked) Object.assign(entry, { added: [], removed: [] });
    throw error;
  });
  keepRecord(run.state, work.key, last.record);
  if (!written) return undefined;
  return { file: work.file, added: [...last.added], removed: [...last.removed], created: work.create !== null };
}

function keepRecord(state: State, key: string, record: State['settings'][string]): void {
  if (record.added.length === 0 && record.created === null) delete state.settings[key];
  else state.settings[key] = record;
}

async function carryOut(run: Run): Promise<SettingsRow[]> {
  const { change, journal } = run;
  for (const one of change.fills) await fill(one);
  for (const file of change.files) switchFile(file, journal.id);
  const rows: SettingsRow[] = [];
  for (const work of change.settings) {
    const row = await editOneSettings(run, work);
    if (row !== undefined) rows.push(row);
  }
  change.keep(run.state);
  for (const file of stateFiles(change, run.state)) switchFile(file, journal.id);
  return rows;
}

/** The work folder with a .gitignore of its own: it never belongs into a commit. */
function makeWorkFolder(root: Root): void {
  makeFolders(root.workFolder);
  const ignore = join(root.workFolder, '.gitignore');
  if (!existsSync(ignore)) writeAtomic(ignore, '*\n', { id: 'new' });
}

/** The write of `finish` may have failed behind its rename: a kill during the undo must not find a journal that says "finished". */
function sayUndo(root: Root, journal: Journal): void {
  try {
    writeJournal(root, journal);
  } catch {
    // A full disk: the journal on it is the one of before, which says undo.
  }
}

export type ApplyOptions = {
  readonly clock: Clock;
  readonly access: RootAccess;
  warn(text: string): void;
};

/** Applies one root's change. The caller holds the root's lock and has mended. On failure everything is taken back and the Problem thrown. */
export async function applyChange(change: RootChange, options: ApplyOptions): Promise<SettingsRow[]> {
  const { root } = change;
  const state = readState(root.workFolder);
  makeWorkFolder(root);
  const journal = newJournal(change, options.access.madeAbove);
  const run: Run = { change, journal, clock: options.clock, state };
  state.madeFolders = [...new Set([...state.madeFolders, ...journal.parents])];
  state.madeAbove = Math.max(state.madeAbove, options.access.madeAbove);
  let rows: SettingsRow[];
  try {
    writeJournal(root, journal);
    rows = await carryOut(run);
    journal.emptied = Object.keys(change.lock.packages).length === 0 ? state.madeFolders : [];
    if (Object.keys(change.lock.packages).length === 0) options.access.emptied(state.madeAbove);
    writeJournal(root, { ...journal, phase: 'finish' });
  } catch (error) {
    // What cannot be taken back now is in the journal, and the next command does it; the first failure is the one to tell.
    sayUndo(root, journal);
    await undo(root, journal, options.clock).catch((failure: unknown) =>
      options.warn(
        `${fileProblem(failure, root.folder, 'take back the change in').message}; the next command tries again`,
      ),
    );
    throw error;
  }
  const left = finishQuietly(root, journal);
  if (left !== undefined) options.warn(`${left.message}; the next command tries again`);
  return rows;
}
