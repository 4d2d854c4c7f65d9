/** Files that are old or new, never half: temporary file, fsync, rename, fsync of the folder. */
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Problem } from '../../schemas/problem.ts';

export type AtomicWriteOptions = {
  /** Names the temporary file, so that a later command can find and remove it after a kill. */
  readonly id: string;
  /** Mode of a new file; an existing file keeps its own. */
  readonly mode?: number;
};

const CAUSES: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EMFILE: 'too many open files',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EISDIR: 'it is a folder',
  ELOOP: 'links lead in a circle',
  EIO: 'the disk reported an error',
};

const codeOf = (error: unknown): string => {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' ? code : '';
};

/** True for "no such file". */
export const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR';

/** A failed system call as a Problem that names path and cause; a Problem stays what it is. */
export function fileProblem(error: unknown, path: string, doing: string): Problem {
  if (error instanceof Problem) return error;
  const code = codeOf(error);
  const cause = CAUSES[code] ?? (error instanceof Error ? error.message : String(error));
  return new Problem('file_system', `cannot ${doing} \`${path}\`: ${cause}`, {
    details: { path, cause: code },
    cause: error,
  });
}

/** The file that a write has to replace: behind a link (also a dangling one), so that a link stays a link. */
export function realFile(file: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    if (!isMissing(error)) throw fileProblem(error, file, 'resolve');
  }
  try {
    return resolve(dirname(file), readlinkSync(file));
  } catch {
    return resolve(file);
  }
}

/** Makes a rename or unlink in `folder` durable. Windows cannot open folders (EISDIR, EPERM): there it is the file system's own business. */
export function syncFolder(folder: string): void {
  let handle: number;
  try {
    handle = openSync(folder, 'r');
  } catch (error) {
    if (codeOf(error) === 'EISDIR' || codeOf(error) === 'EPERM') return;
    throw error;
  }
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Where the bytes wait: no agent scans a name that begins with a dot and ends in `.tmp`. */
export const temporaryName = (file: string, id: string): string => join(dirname(file), `.${basename(file)}.${id}.tmp`);

function writeAll(handle: number, bytes: Uint8Array): void {
  let done = 0;
  while (done < bytes.length) done += writeSync(handle, bytes, done, bytes.length - done);
}

type Owner = { mode: number; uid: number; gid: number };

const ownerOf = (file: string): Owner | undefined => {
  try {
    const { mode, uid, gid } = statSync(file);
    return { mode: mode & 0o7777, uid, gid };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
};

/** A run as root must not leave the user a file that only root can change. */
function keepOwner(handle: number, owner: Owner): void {
  const { uid, gid } = fstatSync(handle);
  if (uid !== owner.uid || gid !== owner.gid) {
    try {
      fchownSync(handle, owner.uid, owner.gid);
    } catch (error) {
      if (codeOf(error) !== 'EPERM') throw error;
    }
  }
  fchmodSync(handle, owner.mode);
}

/** The first half of an atomic write: the synced temporary file. Gives its path; the caller renames it. */
export function stageFile(file: string, bytes: Uint8Array | string, options: AtomicWriteOptions): string {
  const content = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  const temporary = temporaryName(file, options.id);
  rmSync(temporary, { force: true });
  const handle = openSync(temporary, 'wx', options.mode ?? 0o644);
  try {
    writeAll(handle, content);
    const owner = ownerOf(file);
    if (owner !== undefined) keepOwner(handle, owner);
    // A failed fsync is final: the page may be gone, a second fsync would report success.
    fsyncSync(handle);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    closeSync(handle);
  }
  return temporary;
}

/** Replaces a file as a whole, through links, keeping its mode. Problem `file_system`. */
export function writeAtomic(file: string, bytes: Uint8Array | string, options: AtomicWriteOptions): void {
  const target = realFile(file);
  try {
    const temporary = stageFile(target, bytes, options);
    renameSync(temporary, target);
    syncFolder(dirname(target));
  } catch (error) {
    rmSync(temporaryName(target, options.id), { force: true });
    throw fileProblem(error, file, 'write');
  }
}

/** Removes a file (behind nothing: a link itself goes) and makes that durable. Missing is fine. */
export function removeFile(file: string): void {
  try {
    rmSync(file, { force: true });
    syncFolder(dirname(file));
  } catch (error) {
    if (!isMissing(error)) throw fileProblem(error, file, 'remove');
  }
}

/** Makes a folder with its parents; gives the folders that were new, outermost first, for an undo. */
export function makeFolders(folder: string): string[] {
  const missing = missingFolders(folder);
  // One by one: Node's recursive mkdir reports a read-only disk as "no such file".
  for (const made of missing) {
    try {
      mkdirSync(made);
      syncFolder(dirname(made));
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw fileProblem(error, made, 'make the folder');
    }
  }
  return missing;
}

/** The folders that `makeFolders` would make, outermost first. */
export function missingFolders(folder: string): string[] {
  const missing: string[] = [];
  for (
    let current = resolve(folder);
    !folderExists(current) && dirname(current) !== current;
    current = dirname(current)
  ) {
    missing.unshift(current);
  }
  return missing;
}

function folderExists(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw fileProblem(error, path, 'look at');
  }
}
