/** Whole folders: fill, move, remove. */
import { cpSync, existsSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256Hex } from '../../tool-package/integrity.ts';
import { fileProblem, isMissing, makeFolders, syncFolder } from './atomic-write.ts';

/** Removes a folder with all that is in it; links inside are removed, not followed. Missing is fine. */
export function removeTree(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
    if (existsSync(dirname(folder))) syncFolder(dirname(folder));
  } catch (error) {
    if (!isMissing(error)) throw fileProblem(error, folder, 'remove');
  }
}

/** Moves a folder to a place that becomes free for it; across file systems by a copy. Safe to run again after a kill. */
export function moveFolder(from: string, to: string): void {
  if (!existsSync(from)) return;
  try {
    makeFolders(dirname(to));
    removeTree(to);
    renameOrCopy(from, to);
    syncFolder(dirname(to));
    syncFolder(dirname(from));
  } catch (error) {
    throw fileProblem(error, from, 'move');
  }
}

function renameOrCopy(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    // `extensions/` may be a link to another file system.
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    const draft = `${to}.tmp`;
    removeTree(draft);
    copyTree(from, draft);
    renameSync(draft, to);
    removeTree(from);
  }
}

/** Copies a folder; links stay links. */
export function copyTree(from: string, to: string): void {
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, errorOnExist: true, force: false });
}

/** Every file and link below a folder, as paths with slashes, sorted; empty when it is missing. Links are not followed. */
export function listTree(folder: string, prefix = ''): string[] {
  let entries: import('node:fs').Dirent[];
  try {
    entries = readdirSync(join(folder, prefix), { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw fileProblem(error, join(folder, prefix), 'list');
  }
  const paths = entries.flatMap((entry) => {
    const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
    return entry.isDirectory() ? listTree(folder, path) : [path];
  });
  return paths.sort();
}

/** sha256 of a regular file; undefined when it is missing, a link or something else. */
export function hashFile(file: string): string | undefined {
  try {
    return lstatSync(file).isFile() ? sha256Hex(readFileSync(file)) : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw fileProblem(error, file, 'read');
  }
}
