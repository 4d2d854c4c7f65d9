/**
 * The journal of one root: written before the first change, it says how to take everything back, and from the commit on, what is
 * left to clear away. A process may die between any two system calls; whoever holds the root's lock next reads this and is done in one step.
 *
 * A journal could come with a cloned project: every path is inside the root, and the only file outside that it may name is the user's own
 * settings file, where names of tools may be taken out of `allowedTools`.
 */
import { existsSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { Problem } from '../../schemas/problem.ts';
import { addNames, removeNames } from '../agents/allowed-tools.ts';
import { type Clock, clearLock, editSettings, readSettings } from '../agents/settings-file.ts';
import {
  fileProblem,
  isMissing,
  realFile,
  removeFile,
  syncFolder,
  temporaryName,
  writeAtomic,
} from '../state/atomic-write.ts';
import { moveFolder, removeTree } from '../state/folders.ts';
import { isInnerPath } from '../state/lock-file.ts';
import type { Root } from '../state/paths.ts';
import { sweepLocks } from '../state/root-lock.ts';
import { isSettingsRecord, type SettingsRecord } from '../state/state-file.ts';

export type JournalFile = {
  /** Relative to the root. */
  path: string;
  /** Whether there was a file before; it then waits beside as `backupName`. */
  existed: boolean;
};

export type JournalSettings = {
  key: string;
  file: string;
  /** Names that this run puts in; taken out again by an undo. */
  added: string[];
  /** Names that this run takes out; put back by an undo. */
  removed: string[];
  record: SettingsRecord;
};

export type Journal = {
  formatVersion: 1;
  id: string;
  phase: 'undo' | 'finish';
  /** How many folders from the root's own upwards this run made. */
  madeAbove: number;
  /** Folders (relative) that this run makes: removed as a whole by an undo. */
  folders: string[];
  /** Parent folders that this run makes, outermost first: removed by an undo when empty. */
  parents: string[];
  files: JournalFile[];
  settings: JournalSettings[];
  /** Folders (relative) to move away, or to remove (null), once everything is committed. */
  retire: { from: string; to: string | null }[];
  /** Files (relative) to remove, then their folders as far as they are empty, once everything is committed. */
  clear: string[];
  /** Folders (relative, outermost first) to remove when empty, once everything is committed: the last package went. */
  emptied: string[];
};

export type MendContext = {
  readonly clock: Clock;
  /** The only settings files that a journal may name. */
  readonly settingsFiles: readonly string[];
};

export const journalFile = (root: Root): string => join(root.workFolder, 'journal.json');

/** The file as it was, beside the new one: no agent scans a name that begins with a dot and ends in `.old`. */
export const backupName = (file: string, id: string): string => `${temporaryName(file, id).slice(0, -4)}.old`;

/**
 * The file that a change means. Files that people own may be links (dotfiles); in a package's place a link is somebody's trick,
 * and is replaced, not followed.
 */
export const fileBehind = (file: string): string => (OWNED_BY_PEOPLE.test(basename(file)) ? realFile(file) : file);

const OWNED_BY_PEOPLE = /^(?:pi-tools(?:\.lock)?\.json|(?:slopcode|opencode)\.jsonc?)$/;

/** A path relative to the root, with slashes on every system. */
export const inRoot = (root: Root, path: string): string => relative(root.folder, path).split(sep).join('/');

export function writeJournal(root: Root, journal: Journal): void {
  writeAtomic(journalFile(root), `${JSON.stringify(journal, null, 2)}\n`, { id: journal.id });
}

const invalid = (root: Root, why: string): Problem =>
  new Problem('state_invalid', `\`${journalFile(root)}\` ${why}`, {
    hint: 'an interrupted command left it; if you did not run one here, remove the file',
    details: { file: journalFile(root) },
  });

function checkPaths(root: Root, journal: Journal, settingsFiles: readonly string[]): void {
  const moves = journal.retire.flatMap(({ from, to }) => (to === null ? [from] : [from, to]));
  const paths = [
    ...journal.folders,
    ...journal.files.map(({ path }) => path),
    ...moves,
    ...journal.clear,
    ...journal.emptied,
  ];
  const outside = [...paths, ...journal.parents].find((path) => !isInnerPath(path));
  if (outside !== undefined) throw invalid(root, `names a path outside its root: \`${outside}\``);
  const foreign = journal.settings.find(({ file }) => !settingsFiles.includes(file));
  if (foreign !== undefined) throw invalid(root, `names a settings file that is not yours: \`${foreign.file}\``);
}

/** The journal that an interrupted command left; undefined when there is none. Problem `state_invalid`. */
function findJournal(root: Root, settingsFiles: readonly string[]): Journal | undefined {
  let text: string;
  try {
    text = readFileSync(journalFile(root), 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw fileProblem(error, journalFile(root), 'read');
  }
  const journal = parse(text);
  if (journal === undefined) throw invalid(root, 'is not what pi-tools writes there');
  checkPaths(root, journal, settingsFiles);
  return journal;
}

function parse(text: string): Journal | undefined {
  try {
    const value = JSON.parse(text) as Journal;
    const lists = [value.folders, value.parents, value.files, value.settings, value.retire, value.clear, value.emptied];
    const records = value.settings.map(({ record, added, removed }) =>
      isSettingsRecord({ ...record, added: [...added, ...removed] }),
    );
    const known =
      records.every(Boolean) &&
      value.formatVersion === 1 &&
      /^[0-9a-f]{16}$/.test(value.id) &&
      lists.every(Array.isArray);
    return known && (value.phase === 'undo' || value.phase === 'finish') ? value : undefined;
  } catch {
    return undefined;
  }
}

const at = (root: Root, path: string): string => join(root.folder, ...path.split('/'));

function restoreFile(root: Root, file: JournalFile, id: string): void {
  const path = fileBehind(at(root, file.path));
  const backup = backupName(path, id);
  rmSync(temporaryName(path, id), { force: true });
  if (existsSync(backup)) {
    renameSync(backup, path);
    // Where nothing was replaced yet both names mean one file, and such a rename does nothing.
    rmSync(backup, { force: true });
  } else if (!file.existed) rmSync(path, { force: true });
  if (existsSync(dirname(path))) syncFolder(dirname(path));
}

/** Puts names back in place and takes ours out; what somebody else wrote in between stays. */
async function restoreSettings(settings: JournalSettings, id: string, clock: Clock): Promise<void> {
  const { file, added, removed, record } = settings;
  rmSync(temporaryName(realFile(file), id), { force: true });
  if (added.length + removed.length === 0) return;
  const change = (text: string | null): string | null => {
    if (text === null) return null;
    const without = removeNames(text, file, added, { ...record, added });
    if (without.text === null || removed.length === 0) return without.text;
    return addNames(without.text, file, removed, record).text;
  };
  const text = readSettings(file);
  // A kill inside the lock leaves it: it is taken over after ten seconds. Held by a living pi, it only matters if there is something to change.
  await clearLock(file, clock).catch((error: unknown) => {
    if (change(text) !== text) throw error;
  });
  if (change(readSettings(file)) !== readSettings(file)) await editSettings({ file, id, clock, change });
}

const removeEmpty = (folder: string): boolean => {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return false;
  }
};

/** Takes back all that the journal's run did. Safe to run twice. */
export async function undo(root: Root, journal: Journal, clock: Clock): Promise<void> {
  for (const file of [...journal.files].reverse()) restoreFile(root, file, journal.id);
  for (const folder of journal.folders) removeTree(at(root, folder));
  for (const settings of [...journal.settings].reverse()) await restoreSettings(settings, journal.id, clock);
  for (const parent of [...journal.parents].reverse()) removeEmpty(at(root, parent));
  removeFile(journalFile(root));
}

/** The copy for a rollback is worth less than a finished update: where it cannot be kept it goes. */
function keepOrRemove(from: string, to: string): void {
  try {
    moveFolder(from, to);
  } catch {
    removeTree(from);
  }
}

/** What remains after the commit: backups, replaced folders, folders that became empty. Safe to run twice. */
function finish(root: Root, journal: Journal): void {
  for (const { from, to } of journal.retire) {
    if (to === null) removeTree(at(root, from));
    else keepOrRemove(at(root, from), at(root, to));
    removeUpwards(root, dirname(at(root, from)));
  }
  for (const path of journal.clear) {
    rmSync(at(root, path), { force: true });
    removeUpwards(root, dirname(at(root, path)));
  }
  for (const { path } of journal.files) {
    const file = fileBehind(at(root, path));
    rmSync(backupName(file, journal.id), { force: true });
    rmSync(temporaryName(file, journal.id), { force: true });
    if (!existsSync(file)) removeUpwards(root, dirname(file));
  }
  for (const { file } of journal.settings) rmSync(temporaryName(realFile(file), journal.id), { force: true });
  for (const folder of [...journal.emptied].reverse()) removeEmpty(at(root, folder));
  removeFile(journalFile(root));
}

const KEPT_FOLDER =
  /^(?:\.pi-tools|(?:\.(?:pi|slopcode|opencode)\/)?(?:extensions|tools?|pi-tools)|\.(?:pi|slopcode|opencode))$/;

/** Removes empty folders on the way up to a folder that agents scan or that is the root's own; whether those go is another matter (`emptied`). */
function removeUpwards(root: Root, folder: string): void {
  let current = folder;
  while (current.startsWith(root.folder + sep) && !KEPT_FOLDER.test(inRoot(root, current))) {
    if (existsSync(current) && !removeEmpty(current)) return;
    current = dirname(current);
  }
}

/** Removes what killed commands may have left beside the journal. Only under the root's lock. */
function sweepWorkFolder(root: Root): void {
  sweepLocks(root.workFolder);
  let names: string[];
  try {
    names = readdirSync(root.workFolder);
  } catch {
    return;
  }
  for (const name of names) {
    if (name.startsWith('.') && name.endsWith('.tmp')) rmSync(join(root.workFolder, name), { force: true });
  }
}

/**
 * After the commit nothing may turn the change into a failure any more: what cannot be cleared away now stays, with the journal that
 * names it, for the next command.
 */
export function finishQuietly(root: Root, journal: Journal): Problem | undefined {
  try {
    finish(root, journal);
    return undefined;
  } catch (error) {
    return fileProblem(error, root.folder, 'clear away what was replaced in');
  }
}

export type Mended = { outcome: 'nothing' | 'undone' | 'finished'; madeAbove: number };

/** Brings a root back to the old or on to the new state after an interrupted command. Only under the root's lock. */
export async function mend(root: Root, context: MendContext): Promise<Mended> {
  const journal = findJournal(root, context.settingsFiles);
  sweepWorkFolder(root);
  if (journal === undefined) return { outcome: 'nothing', madeAbove: 0 };
  if (journal.phase === 'undo') await undo(root, journal, context.clock);
  else finishQuietly(root, journal);
  return { outcome: journal.phase === 'undo' ? 'undone' : 'finished', madeAbove: journal.madeAbove };
}
