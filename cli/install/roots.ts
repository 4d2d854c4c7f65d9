/** Working on a root: take its lock, mend what an interrupted command left, work, leave no empty folders behind. */
import { existsSync, readdirSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Clock } from '../agents/settings-file.ts';
import { missingFolders, removeFile } from '../state/atomic-write.ts';
import type { Root } from '../state/paths.ts';
import { isLocked, listLeftLocks, takeRootLock } from '../state/root-lock.ts';
import { journalFile, type Mended, mend } from './journal.ts';

export type RootSession = {
  readonly clock: Clock;
  /** The settings files that a journal of these roots may name. */
  readonly settingsFiles: readonly string[];
  say(text: string): void;
};

/** How many folders from the root's own upwards are missing. */
const countMissing = (root: Root): number =>
  missingFolders(root.workFolder).filter((folder) => root.folder === folder || root.folder.startsWith(`${folder}/`))
    .length;

const removeEmpty = (folder: string): boolean => {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return false;
  }
};

/** A work folder that holds nothing but its own .gitignore goes, and with it the folders that were made for it. */
function tidy(root: Root, madeAbove: number): void {
  if (existsSync(root.lockFile) || !existsSync(root.workFolder)) return;
  const names = readdirSync(root.workFolder);
  if (names.some((name) => name !== '.gitignore')) return;
  removeFile(join(root.workFolder, '.gitignore'));
  if (!removeEmpty(root.workFolder)) return;
  let folder = root.folder;
  for (let left = madeAbove; left > 0 && removeEmpty(folder); left -= 1) folder = dirname(folder);
}

const tell = (root: Root, mended: Mended, session: RootSession): void => {
  if (mended.outcome === 'nothing') return;
  const what = mended.outcome === 'undone' ? 'took back' : 'finished';
  session.say(`${what} an interrupted change in ${root.folder}`);
};

/** What `work` is given: how many folders above the root this run had to make, and to say when a change emptied them. */
export type RootAccess = { readonly madeAbove: number; emptied(madeAbove: number): void };

/** Runs `work` under the root's lock, after mending. Problem `root_locked`, `state_invalid`, `file_system`. */
export async function withRoot<Result>(
  root: Root,
  session: RootSession,
  work: (access: RootAccess) => Promise<Result>,
): Promise<Result> {
  let madeAbove = countMissing(root);
  const onWait = (pid: number): void => session.say(`waiting for another pi-tools (process ${pid})`);
  const lock = await takeRootLock(root.workFolder, onWait).catch((error: unknown) => {
    tidy(root, madeAbove);
    throw error;
  });
  try {
    const mended = await mend(root, session);
    tell(root, mended, session);
    madeAbove = Math.max(madeAbove, mended.madeAbove);
    return await work({
      madeAbove,
      emptied: (count) => {
        madeAbove = Math.max(madeAbove, count);
      },
    });
  } finally {
    lock.release();
    tidy(root, madeAbove);
  }
}

/** Runs `work` under the locks of several roots, taken in the order of their paths so that two commands cannot wait for each other. */
export async function withRoots<Result>(
  roots: readonly Root[],
  session: RootSession,
  work: (access: ReadonlyMap<string, RootAccess>) => Promise<Result>,
): Promise<Result> {
  const byPath = new Map(roots.map((root) => [root.folder, root]));
  const ordered = [...byPath.values()].sort((left, right) => (left.folder < right.folder ? -1 : 1));
  const access = new Map<string, RootAccess>();
  const next = (at: number): Promise<Result> => {
    const root = ordered[at];
    if (root === undefined) return work(access);
    return withRoot(root, session, (given) => {
      access.set(root.folder, given);
      return next(at + 1);
    });
  };
  return next(0);
}

/** A work folder without a lock file serves nothing: a command was interrupted before its first or after its last change. */
const isForgotten = (root: Root): boolean => existsSync(root.workFolder) && !existsSync(root.lockFile);

/** What every command but --dry-run does first: a root with a left-over journal, or with the lock of a dead process, is mended. */
export async function mendRoots(roots: readonly Root[], session: RootSession): Promise<void> {
  for (const root of roots) {
    const left = listLeftLocks(root.workFolder).length > 0;
    if (existsSync(journalFile(root)) || left || (isForgotten(root) && !isLocked(root.workFolder))) {
      await withRoot(root, session, async () => {});
    }
  }
}
