/**
 * npm dependencies are pinned by a shrinkwrap in the archive: as it is there, else made from the author's lock file, else
 * resolved once by npm. No script of any package runs.
 */

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PackageJson } from '../../schemas/package-json.ts';
import { Problem } from '../../schemas/problem.ts';
import { canonicalJson } from '../canonical.ts';
import { parseJson } from '../parse-json.ts';
import { showText } from '../show-text.ts';
import { isReadable } from './choose-files.ts';

const SHRINKWRAP = 'npm-shrinkwrap.json';
const PACKAGE_LOCK = 'package-lock.json';
const NPM_TIMEOUT_MS = 120_000;
const MAX_LOCK_BYTES = 20 * 1024 * 1024;

/** Whether the package asks npm for anything. */
const hasNpmDependencies = (packageJson: PackageJson): boolean =>
  Object.keys({ ...packageJson.dependencies, ...packageJson.optionalDependencies }).length > 0;

/**
 * The content of a new `npm-shrinkwrap.json`; null where none is needed or the folder has one. Throws Problem
 * `npm_unreachable`, or `pack_incomplete` where npm cannot resolve what `package.json` asks for.
 */
export const makePins = async (folder: string, packageJson: PackageJson): Promise<string | null> => {
  if (!hasNpmDependencies(packageJson) || (await readIfThere(join(folder, SHRINKWRAP))) !== null) return null;
  const lock = await readIfThere(join(folder, PACKAGE_LOCK));
  const fromLock = lock === null ? null : pinsOfLock(lock, packageJson);
  return fromLock ?? resolveWithNpm(packageJson, lock);
};

const readIfThere = async (file: string): Promise<Buffer | null> => {
  try {
    return (await isReadable(file)) ? await readFile(file) : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};

type LockedPackage = {
  dev?: boolean;
  devOptional?: boolean;
  peer?: boolean;
  devDependencies?: unknown;
  dependencies?: unknown;
  optionalDependencies?: unknown;
};
type Lock = { lockfileVersion?: number; packages?: Record<string, LockedPackage> };

/** The lock file without what only development needs; null where it is old or says something else than `package.json`. */
const pinsOfLock = (bytes: Buffer, packageJson: PackageJson): string | null => {
  const lock = parseJson(bytes, {
    maxBytes: MAX_LOCK_BYTES,
    maxDepth: 64,
    what: PACKAGE_LOCK,
    code: 'pack_incomplete',
  }) as Lock;
  const root = lock.packages?.[''];
  const same = (left: unknown, right: unknown): boolean => canonicalJson(left ?? {}) === canonicalJson(right ?? {});
  if (root === undefined || !same(root.dependencies, packageJson.dependencies)) return null;
  if (!same(root.optionalDependencies, packageJson.optionalDependencies)) return null;
  return format(lock, packageJson);
};

const format = (lock: Lock, packageJson: PackageJson): string => {
  const { devDependencies: _, ...root } = {
    ...lock.packages?.[''],
    name: packageJson.name,
    version: packageJson.version,
  };
  const needed = Object.entries(lock.packages ?? {}).filter(([path, one]) => path !== '' && one.dev !== true);
  const packages = { '': root, ...Object.fromEntries(needed.sort(([left], [right]) => (left < right ? -1 : 1))) };
  const { name, version } = packageJson;
  return `${JSON.stringify({ name, version, lockfileVersion: 3, requires: true, packages }, null, 2)}\n`;
};

const resolveWithNpm = async (packageJson: PackageJson, lock: Buffer | null): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'pi-tools-pins-'));
  try {
    // Only what resolving needs: no scripts, no workspaces, no development dependencies, and no .npmrc of the author's.
    const { name, version, dependencies, optionalDependencies } = packageJson;
    await writeFile(
      join(folder, 'package.json'),
      JSON.stringify({ name, version, dependencies, optionalDependencies }),
    );
    if (lock !== null) await writeFile(join(folder, PACKAGE_LOCK), lock);
    await runNpm(folder);
    const bytes = await readFile(join(folder, PACKAGE_LOCK));
    return format(
      parseJson(bytes, { maxBytes: MAX_LOCK_BYTES, maxDepth: 64, what: PACKAGE_LOCK, code: 'pack_incomplete' }) as Lock,
      packageJson,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const NPM_COMMAND = 'npm install --package-lock-only --legacy-peer-deps --ignore-scripts';
/** Without the addresses of the registry that happened to answer: they may name a host of the author's network. */
const NPM_ARGUMENTS = [
  ...NPM_COMMAND.split(' ').slice(1),
  '--omit-lockfile-registry-resolved',
  '--no-audit',
  '--no-fund',
  '--no-update-notifier',
  '--fetch-retries=1',
  // In a script of `npm run --silent` npm would fail without a word, and no reason could be told.
  '--loglevel=error',
];
const NETWORK_ERROR =
  /ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED|E50[234]|UNABLE_TO_|CERT_/;

const runNpm = async (folder: string): Promise<void> => {
  const isWindows = process.platform === 'win32';
  await new Promise<void>((done, failed) => {
    // npm is a .cmd file on Windows, which only a shell starts; no argument comes from outside.
    const options = { cwd: folder, timeout: NPM_TIMEOUT_MS, maxBuffer: 4 * 1024 * 1024, shell: isWindows };
    execFile(isWindows ? 'npm.cmd' : 'npm', NPM_ARGUMENTS, options, (error, _stdout, stderr) => {
      if (error === null) done();
      else failed(npmProblem(error, stderr));
    });
  });
};

const npmProblem = (error: Error & { killed?: boolean }, stderr: string): Problem => {
  const line = stderr.split('\n').find((text) => /npm (?:error|ERR!) (?!code|errno)/.test(text)) ?? error.message;
  const said = showText(line.replace(/^npm (?:error|ERR!) /, ''), 300);
  const hint = `run \`${NPM_COMMAND}\` where npm’s registry can be reached, rename package-lock.json to ${SHRINKWRAP}, and pack again`;
  if (error.killed === true || NETWORK_ERROR.test(stderr)) {
    return new Problem('npm_unreachable', `npm’s registry could not be reached to pin the npm dependencies: ${said}`, {
      hint,
      cause: error,
    });
  }
  return new Problem('pack_incomplete', `npm could not resolve the npm dependencies: ${said}`, { hint, cause: error });
};
