/**
 * Reading and changing pi's settings.json beside a running pi. pi locks with a folder `settings.json.lock` (proper-lockfile, `realpath: false`),
 * waits a fifth of a second for it and then runs on defaults: so everything slow happens outside the lock, and inside there is only
 * "still the same bytes?" and the rename.
 */
import { randomBytes } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../../schemas/problem.ts';
import { fileProblem, isMissing, makeFolders, realFile, stageFile, syncFolder } from '../state/atomic-write.ts';

const WAIT_MS = 15_000;
const STALE_MS = 10_000;

export type Clock = { now(): Date };

/** The text of a settings file; null when there is none. Problem `settings_invalid` for bytes that are not UTF-8, `file_system`. */
export function readSettings(file: string): string | null {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    if (isMissing(error)) return null;
    throw fileProblem(error, file, 'read');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new Problem('settings_invalid', `\`${file}\` line 1, column 1: it is not UTF-8 text`, {
      hint: 'save the file as UTF-8; nothing was changed',
      details: { file, line: 1, column: 1 },
      cause: error,
    });
  }
}

/** Runs `view` on the text. pi writes in place: a text that does not parse is looked at again before it is called broken. */
export async function readSteady<View>(file: string, view: (text: string | null) => View): Promise<View> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return view(readSettings(file));
    } catch (error) {
      if (attempt === 3 || !(error instanceof Problem) || error.code !== 'settings_invalid') throw error;
      await sleep(15);
    }
  }
}

const lockFolder = (file: string): string => `${resolve(file)}.lock`;

/** A lock that was not touched for ten seconds is nobody's. It is renamed away, so that two processes cannot both take it. */
function takeStale(lock: string, clock: Clock): void {
  const { mtimeMs, ino } = lstatSync(lock);
  if (clock.now().getTime() - mtimeMs <= STALE_MS) return;
  const aside = `${lock}.stale-${randomBytes(6).toString('hex')}`;
  renameSync(lock, aside);
  if (lstatSync(aside).ino !== ino) renameSync(aside, lock);
  else rmdirSync(aside);
}

function tryLock(lock: string, clock: Clock): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw fileProblem(error, lock, 'lock with');
  }
  try {
    takeStale(lock, clock);
  } catch (error) {
    if (!isMissing(error)) throw fileProblem(error, lock, 'take over');
  }
  return false;
}

/** Runs `work` (synchronous, milliseconds) under pi's lock. Problem `settings_locked` after 15 s. */
async function underLock<Result>(file: string, clock: Clock, work: () => Result): Promise<Result> {
  const lock = lockFolder(file);
  const limit = performance.now() + WAIT_MS;
  while (!tryLock(lock, clock)) {
    if (performance.now() > limit) throw locked(file, lock);
    await sleep(4 + Math.random() * 20);
  }
  try {
    return work();
  } finally {
    release(lock);
  }
}

function release(lock: string): void {
  try {
    rmdirSync(lock);
  } catch (error) {
    // Taken over after ten seconds (a machine that slept): no longer ours to remove.
    if (!isMissing(error)) throw fileProblem(error, lock, 'remove');
  }
}

/** Waits until nobody holds the lock; a lock that a killed pi-tools left is taken over and removed. */
export async function clearLock(file: string, clock: Clock): Promise<void> {
  if (existsSync(lockFolder(file))) await underLock(file, clock, () => undefined);
}

const locked = (file: string, lock: string): Problem =>
  new Problem('settings_locked', `\`${file}\` is locked: \`${lock}\` is held by another program`, {
    hint: 'end the program that holds it (or, if none does, remove that folder) and try again; nothing was changed',
    details: { file, lock },
  });

const sameText = (left: string | null, right: string | null): boolean => left === right;

/** A settings file that its owner made read-only stays as it is, although a rename would replace it. */
function checkWritable(file: string): void {
  try {
    accessSync(file, constants.W_OK);
  } catch (error) {
    if (!isMissing(error)) throw fileProblem(error, file, 'write');
  }
}

export type SettingsEdit = {
  readonly file: string;
  /** Names the temporary file. */
  readonly id: string;
  readonly clock: Clock;
  /** From the present text (null: no file) to the wanted one (null: no file). */
  change(text: string | null): string | null;
  /** Told what is about to be written, before it is; may be told again when somebody else was faster. */
  intend?(before: string | null, after: string | null): void;
};

/**
 * Changes a settings file: computed and synced to a temporary file without the lock, then under it only renamed, if the bytes are still
 * those that it was computed from. A link stays a link, the mode stays. Gives whether anything was written.
 * Problem `settings_invalid`, `settings_locked`, `file_system`.
 */
export async function editSettings(edit: SettingsEdit): Promise<boolean> {
  const { file, id, clock } = edit;
  for (;;) {
    const { before, after } = await readSteady(file, (text) => ({ before: text, after: edit.change(text) }));
    if (sameText(before, after)) return false;
    edit.intend?.(before, after);
    if (await replaceUnderLock(file, id, clock, before, after)) return true;
  }
}

async function replaceUnderLock(
  file: string,
  id: string,
  clock: Clock,
  before: string | null,
  after: string | null,
): Promise<boolean> {
  makeFolders(dirname(resolve(file)));
  const target = realFile(file);
  checkWritable(target);
  let staged: string | undefined;
  try {
    staged = after === null ? undefined : stageFile(target, after, { id });
    const from = staged;
    const done = await underLock(file, clock, () => {
      if (!sameText(readSettings(file), before)) return false;
      if (from === undefined) rmSync(file, { force: true });
      else renameSync(from, target);
      return true;
    });
    if (done) syncFolder(dirname(target));
    return done;
  } catch (error) {
    throw fileProblem(error, file, 'write');
  } finally {
    if (staged !== undefined) rmSync(staged, { force: true });
  }
}
