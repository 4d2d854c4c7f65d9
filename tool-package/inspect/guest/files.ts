/**
 * `node:fs` in the sandbox. Files of the archive are there, and can be listed and read. Anything else is inert, so that
 * what it holds is unread; code that cannot live with that (it checks the shape of its settings file) is run once more
 * on an empty machine, where no other file exists.
 */
import { inert } from './inert.ts';
import { findMark } from './marks.ts';
import { resolve } from './path.ts';
import { fileURLToPath, SandboxUrl } from './url.ts';

type Exports = Readonly<Record<string, unknown>>;
type Work = (path: unknown, options?: unknown) => unknown;

/** `null` for a file that is no text, or too long to be given in. */
const files = new Map<string, string | null>();
const folders = new Map<string, Set<string>>();
const FIXED_TIME = Date.UTC(2026, 0, 1);
let isEmptyMachine = false;

export function provideFile(path: string, text: string | null): void {
  files.set(path, text);
  for (let at = path, next = parentOf(at); ; at = next, next = parentOf(at)) {
    const names = folders.get(next) ?? new Set<string>();
    folders.set(next, names.add(at.slice(next.length + 1)));
    if (!next.slice(1).includes('/')) return;
  }
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

export const useEmptyMachine = (): void => {
  isEmptyMachine = true;
};

/** The path, where it is one of the author's own text. */
function pathOf(path: unknown): string | undefined {
  const name = path instanceof SandboxUrl ? fileURLToPath(path) : path;
  return typeof name === 'string' && findMark(name) === undefined ? resolve(name) : undefined;
}

const isOwn = (path: string): boolean => files.has(path) || folders.has(path);

function missing(): never {
  throw Object.assign(new Error('ENOENT: no such file or directory'), { code: 'ENOENT', errno: -2 });
}

const elsewhere = (name: string): unknown => (isEmptyMachine ? missing() : inert(`node:fs ${name}`));

/** A function for the archive's own files; anything else is inert, or missing. */
const reading =
  (name: string, work: (path: string, options: unknown) => unknown): Work =>
  (path, options) => {
    const own = pathOf(path);
    return own !== undefined && isOwn(own) ? work(own, options) : elsewhere(name);
  };

const textOf = (path: string): unknown => files.get(path) ?? inert('node:fs readFileSync');

const entryOf = (path: string) => ({
  name: path.slice(path.lastIndexOf('/') + 1),
  parentPath: parentOf(path),
  path: parentOf(path),
  isFile: () => files.has(path),
  isDirectory: () => folders.has(path),
  isSymbolicLink: () => false,
});

const statOf = (path: string) => {
  const time = new Date(FIXED_TIME);
  const times = { mtime: time, mtimeMs: FIXED_TIME, ctime: time, ctimeMs: FIXED_TIME, birthtime: time };
  return { ...entryOf(path), ...times, size: (files.get(path) ?? '').length, mode: 0o644 };
};

function listFolder(path: string, options: unknown): unknown {
  const { withFileTypes, recursive } = (options ?? {}) as { withFileTypes?: unknown; recursive?: unknown };
  const children = [...(folders.get(path) ?? missing())].sort().map((name) => `${path}/${name}`);
  const all = recursive === true ? children.flatMap(withDescendants) : children;
  return all.map((child) => (withFileTypes === true ? entryOf(child) : child.slice(path.length + 1)));
}

const withDescendants = (path: string): string[] => [
  path,
  ...[...(folders.get(path) ?? [])].sort().flatMap((name) => withDescendants(`${path}/${name}`)),
];

const WORK: Readonly<Record<string, Work>> = {
  readFile: reading('readFileSync', textOf),
  readdir: reading('readdirSync', listFolder),
  stat: reading('statSync', statOf),
  lstat: reading('lstatSync', statOf),
  access: reading('accessSync', () => undefined),
  realpath: reading('realpathSync', (path) => path),
};
/** What only asks too; it stays inert where files may be. */
const ASKING = ['open', 'readlink', 'opendir'];

function exists(path: unknown): unknown {
  const own = pathOf(path);
  if (own !== undefined && isOwn(own)) return true;
  return isEmptyMachine ? false : inert('node:fs existsSync');
}

const mapped = (make: (name: string) => [string, unknown]): Exports => {
  const absent = isEmptyMachine ? ASKING : [];
  return Object.fromEntries([...Object.keys(WORK), ...absent].map(make));
};

const workOf = (name: string): Work => WORK[name] ?? missing;

export const fileSystem = (): Exports => ({
  ...mapped((name) => [`${name}Sync`, workOf(name)]),
  existsSync: exists,
  promises: filePromises(),
});

/** An asynchronous function rejects where the others throw. */
export const filePromises = (): Exports =>
  mapped((name) => [name, async (path: unknown, options: unknown): Promise<unknown> => workOf(name)(path, options)]);
