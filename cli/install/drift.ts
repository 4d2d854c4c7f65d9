/** Installed files against the lock: what differs, what is missing, what was added. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hashFile, listTree } from '../state/folders.ts';
import type { Installed } from './installed.ts';

export type Difference = {
  package: string;
  target: string;
  /** Absolute path. */
  file: string;
  /** sha256, or null: the file should not be there. */
  expected: string | null;
  /** sha256, or null: the file is not there. */
  actual: string | null;
};

export type InstallState = 'ok' | 'modified' | 'missing';

const lockedHashes = ({ target }: Installed): Map<string, string> =>
  new Map([
    ...Object.entries(target.files),
    ...Object.entries(target.generated).map(([path, { sha256 }]) => [path, sha256] as const),
  ]);

/** Every difference of one installed package; files that others put beside the package's own count too. Times and modes do not. */
export function findDifferences(installed: Installed): Difference[] {
  const { name, target, place } = installed;
  const hashes = lockedHashes(installed);
  const at = (path: string): string => join(place.root.folder, ...path.split('/'));
  const row = (path: string, expected: string | null, actual: string | null): Difference => ({
    package: name,
    target: place.target,
    file: at(path),
    expected,
    actual,
  });
  const changed = [...hashes].flatMap(([path, expected]) => {
    const actual = hashFile(at(path)) ?? null;
    return actual === expected ? [] : [row(path, expected, actual)];
  });
  const extra = listTree(at(target.folder))
    .map((path) => `${target.folder}/${path}`)
    .filter((path) => !hashes.has(path));
  return [...changed, ...extra.map((path) => row(path, null, hashFile(at(path)) ?? 'not a regular file'))];
}

/** One word for `list`: missing where a file is gone, modified where one differs or was added. */
export function stateOf(installed: Installed): InstallState {
  const differences = findDifferences(installed);
  // A link or folder in a file's place is a change, not an absence.
  if (differences.some(({ actual, file }) => actual === null && !existsSync(file))) return 'missing';
  return differences.length > 0 ? 'modified' : 'ok';
}

/** Installed files that are there with other content. */
export const listChanged = (installed: Installed): string[] =>
  findDifferences(installed).flatMap(({ file, expected, actual }) =>
    expected !== null && actual !== null ? [file] : [],
  );
