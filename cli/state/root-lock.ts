/**
 * One pi-tools at a time per root. The lock is a file that says who holds it (process, its start, host); it is taken from
 * a dead holder only, never by age: a process that was stopped for a minute still is the owner.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../../schemas/problem.ts';
import { fileProblem, isMissing, makeFolders } from './atomic-write.ts';

type Holder = { id: string; pid: number; start: string; host: string };

export type RootLock = { release(): void };

const WAIT_MS = 60_000;

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

/** Start of a process: the 22nd field of /proc/PID/stat with the boot it belongs to; empty where there is no /proc. */
function startOf(pid: number | 'self'): string {
  const stat = textOf(`/proc/${pid}/stat`);
  const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  return ticks === '' ? '' : `${textOf('/proc/sys/kernel/random/boot_id').trim()}/${ticks}`;
}

const newHolder = (): Holder => ({
  id: randomBytes(12).toString('hex'),
  pid: process.pid,
  start: startOf('self'),
  host: hostname(),
});

function readHolder(file: string): Holder | undefined {
  try {
    const value = JSON.parse(readFileSync(file, 'utf8')) as Partial<Holder> | null;
    const { id, pid, start, host } = value ?? {};
    if (typeof id !== 'string' || !/^[0-9a-f]{24}$/.test(id) || typeof pid !== 'number') return undefined;
    return { id, pid, start: String(start ?? ''), host: String(host ?? '') };
  } catch {
    return undefined;
  }
}

function isAlive(holder: Holder): boolean {
  // Another machine's processes cannot be seen (a home directory on a network): its lock is waited for, not taken.
  if (holder.host !== hostname()) return true;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const start = startOf(holder.pid);
  return start === '' || holder.start === '' || start === holder.start;
}

/** Creates `file` with its whole content or not at all: a link to a finished file fails when the name is taken. */
function claim(file: string, holder: Holder): boolean {
  const draft = `${file}.${holder.pid}.${holder.id}.tmp`;
  try {
    writeFileSync(draft, JSON.stringify(holder));
    linkSync(draft, file);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EEXIST') return false;
    if (code === 'EPERM' || code === 'ENOTSUP' || code === 'EOPNOTSUPP') return claimWithoutLinks(file, holder);
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function claimWithoutLinks(file: string, holder: Holder): boolean {
  try {
    writeFileSync(file, JSON.stringify(holder), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Removes the lock of a dead holder. Only the process that made `<lock>.take-<id>` may remove the lock with that id, and an id is used once,
 * so two processes that see the same dead lock cannot take it from each other (the fault of "look, then unlink").
 * A process that dies here leaves its take-file, which is taken in the same way.
 */
function takeFromDead(file: string, dead: Holder): void {
  const right = `${file}.take-${dead.id}`;
  const me = newHolder();
  if (!claim(right, me)) {
    const other = readHolder(right);
    if (other !== undefined && !isAlive(other)) takeFromDead(right, other);
    return;
  }
  try {
    if (readHolder(file)?.id === dead.id) rmSync(file, { force: true });
  } finally {
    rmSync(right, { force: true });
  }
}

function tryLock(file: string, holder: Holder): boolean {
  if (claim(file, holder)) return true;
  const other = readHolder(file);
  if (other !== undefined && !isAlive(other)) {
    takeFromDead(file, other);
    return claim(file, holder);
  }
  return false;
}

const release = (file: string, holder: Holder): void => {
  if (readHolder(file)?.id === holder.id) rmSync(file, { force: true });
};

/** The lock file inside a root's work folder. */
export const rootLockFile = (workFolder: string): string => join(workFolder, 'lock');

/**
 * Takes the lock of a root, waiting for up to 60 s. `onWait` is told once that it waits, and for which process.
 * Problem `root_locked` when the holder lives on, `file_system` when the folder cannot be written.
 */
export async function takeRootLock(workFolder: string, onWait?: (pid: number) => void): Promise<RootLock> {
  const file = rootLockFile(workFolder);
  const holder = newHolder();
  const limit = performance.now() + WAIT_MS;
  let told = false;
  while (!attempt(workFolder, file, holder)) {
    if (performance.now() > limit) throw locked(file);
    if (!told && onWait !== undefined) onWait(readHolder(file)?.pid ?? 0);
    told = true;
    await sleep(15 + Math.random() * 60);
  }
  return { release: () => release(file, holder) };
}

function attempt(workFolder: string, file: string, holder: Holder): boolean {
  try {
    makeFolders(workFolder);
    return tryLock(file, holder);
  } catch (error) {
    // Another command may remove its empty work folder at this moment.
    if (isMissing(error instanceof Problem ? error.cause : error)) return false;
    throw fileProblem(error, file, 'take the lock');
  }
}

function locked(file: string): Problem {
  const holder = readHolder(file);
  const who = holder === undefined ? 'another process' : `process \`${holder.pid}\` on \`${holder.host}\``;
  return new Problem('root_locked', `${who} holds \`${file}\` for more than 60 s`, {
    hint: 'wait until it ends, or end it and try again',
    details: { file, pid: holder?.pid ?? null },
  });
}

const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
};

/** Whether a file beside the lock is a draft or a take-file of a process that is no more (its pid stands in the name or in the file). */
function isLeft(workFolder: string, name: string): boolean {
  const pid = /^lock\..*?(\d+)\.[0-9a-f]{24}\.tmp$/.exec(name)?.[1];
  if (pid !== undefined) return isGone(Number(pid));
  if (!/^lock(?:\.take-[0-9a-f]+)*$/.test(name)) return false;
  const holder = readHolder(join(workFolder, name));
  return holder !== undefined && !isAlive(holder);
}

/** What killed processes left of their locking: the lock itself, drafts, take-files. */
export function listLeftLocks(workFolder: string): string[] {
  try {
    return readdirSync(workFolder).filter((name) => isLeft(workFolder, name));
  } catch {
    return [];
  }
}

/** Removes drafts and take-files of dead processes; the lock itself is taken, not removed. */
export function sweepLocks(workFolder: string): void {
  for (const name of listLeftLocks(workFolder)) {
    if (name !== 'lock') rmSync(join(workFolder, name), { force: true });
  }
}

/** Whether somebody holds the lock, dead or alive. */
export const isLocked = (workFolder: string): boolean => existsSync(rootLockFile(workFolder));
