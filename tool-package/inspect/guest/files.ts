/**
 * `node:fs` in the sandbox. Files of the archive can be read. Anything else is inert, so that what it holds is unread;
 * code that cannot live with that (it checks the shape of its settings file) is run once more on an empty machine,
 * where no other file exists.
 */
import { inert } from './inert.ts';
import { findMark } from './marks.ts';
import { resolve } from './path.ts';
import { fileURLToPath, SandboxUrl } from './url.ts';

type Exports = Readonly<Record<string, unknown>>;

const files = new Map<string, string>();
let isEmptyMachine = false;

export const provideFile = (path: string, text: string): void => void files.set(path, text);
export const useEmptyMachine = (): void => {
  isEmptyMachine = true;
};

function findFile(path: unknown): string | undefined {
  const name = path instanceof SandboxUrl ? fileURLToPath(path) : path;
  return typeof name === 'string' && findMark(name) === undefined ? files.get(resolve(name)) : undefined;
}

function missing(): never {
  throw Object.assign(new Error('ENOENT: no such file or directory'), { code: 'ENOENT', errno: -2 });
}

/** What only asks or reads; everything else stays inert on either machine. */
const READING = [
  'readFileSync',
  'readdirSync',
  'statSync',
  'lstatSync',
  'accessSync',
  'openSync',
  'realpathSync',
  'readlinkSync',
  'opendirSync',
];

const readFile = (path: unknown): unknown => findFile(path) ?? (isEmptyMachine ? missing() : inert('node:fs readFile'));

function exists(path: unknown): unknown {
  if (findFile(path) !== undefined) return true;
  return isEmptyMachine ? false : inert('node:fs existsSync');
}

export function fileSystem(): Exports {
  const base = { readFileSync: readFile, existsSync: exists };
  if (!isEmptyMachine) return base;
  const reading = Object.fromEntries(READING.map((name) => [name, missing]));
  return { ...reading, ...base, promises: filePromises() };
}

/** An asynchronous function rejects where the others throw. */
const later =
  (work: (path: unknown) => unknown) =>
  async (path: unknown): Promise<unknown> =>
    work(path);

export function filePromises(): Exports {
  const base = { readFile: later(readFile) };
  if (!isEmptyMachine) return base;
  const reading = READING.map((name) => [name.replace(/Sync$/, ''), later(missing)]);
  return { ...Object.fromEntries(reading), ...base };
}
