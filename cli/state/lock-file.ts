/** `pi-tools.lock.json`: read with a check of every field, written sorted and without times, so that every machine writes the same bytes. */
import { readFileSync } from 'node:fs';
import { INTEGRITY_PATTERN, PACKAGE_NAME_PATTERN, SHA256_PATTERN } from '../../schemas/agents.ts';
import type { LockedPackage, LockedTarget, Lockfile } from '../../schemas/lockfile.ts';
import { Problem } from '../../schemas/problem.ts';
import { fileProblem, isMissing } from './atomic-write.ts';

export type { Lockfile } from '../../schemas/lockfile.ts';

const NAME = new RegExp(PACKAGE_NAME_PATTERN);
const INTEGRITY = new RegExp(INTEGRITY_PATTERN);
const SHA256 = new RegExp(SHA256_PATTERN);
const TARGET = /^(?:pi|slopcode|opencode)\/(?:user|project)$/;
const VERSION = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/;

type Fields = Readonly<Record<string, unknown>>;
type Check = (value: unknown, place: string) => void;

/** Thrown with the place inside the document; `readLockFile` adds the file. */
class Wrong extends Error {}

const wrong = (place: string, wanted: string): never => {
  throw new Wrong(`\`${place === '' ? 'the top level' : place}\` is not ${wanted}`);
};

const object = (value: unknown, place: string): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : wrong(place, 'an object');

const matching =
  (pattern: RegExp, wanted: string): Check =>
  (value, place) =>
    void ((typeof value === 'string' && pattern.test(value)) || wrong(place, wanted));

const text = matching(/^[\s\S]*$/, 'a string');

const texts: Check = (value, place) => {
  if (!Array.isArray(value)) return wrong(place, 'a list');
  value.forEach((entry, at) => {
    text(entry, `${place}.${at}`);
  });
};

const map =
  (key: Check, entry: Check): Check =>
  (value, place) => {
    for (const [name, inner] of Object.entries(object(value, place))) {
      key(name, `${place}.${name}`);
      entry(inner, `${place}.${name}`);
    }
  };

/** A lock file comes with a cloned project: a path in it must never lead out of the root. */
export const isInnerPath = (path: string): boolean =>
  path !== '' &&
  !/[\\\0]/.test(path) &&
  !/^[A-Za-z]:/.test(path) &&
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');

const innerPath: Check = (value, place) =>
  void ((typeof value === 'string' && isInnerPath(value)) || wrong(place, 'a path inside the root'));

const generated: Check = (value, place) => {
  const { sha256, format } = object(value, place);
  matching(SHA256, 'a sha256')(sha256, `${place}.sha256`);
  if (!Number.isInteger(format) || (format as number) < 1) wrong(`${place}.format`, 'a positive number');
};

const inside = (place: string, name: string): string => (place === '' ? name : `${place}.${name}`);

const fields =
  (shape: Readonly<Record<string, Check>>, optional: readonly string[] = []): Check =>
  (value, place) => {
    const given = object(value, place);
    const unknown = Object.keys(given).find((name) => !Object.hasOwn(shape, name));
    if (unknown !== undefined) wrong(inside(place, unknown), 'a known key');
    const left = (name: string): boolean => !Object.hasOwn(given, name) && optional.includes(name);
    for (const [name, check] of Object.entries(shape)) if (!left(name)) check(given[name], inside(place, name));
  };

const count: Check = (value, place) =>
  void ((Number.isInteger(value) && (value as number) >= 0) || wrong(place, 'a whole number'));

const lockedTarget = fields({
  folder: innerPath,
  tools: texts,
  tokens: count,
  files: map(innerPath, matching(SHA256, 'a sha256')),
  generated: map(innerPath, generated),
  settings: map(innerPath, texts),
});

const lockedPackage = fields(
  {
    version: matching(VERSION, 'a version'),
    integrity: matching(INTEGRITY, 'an integrity (sha512-…)'),
    recordDigest: (value, place) => (value === null ? undefined : matching(SHA256, 'a sha256 or null')(value, place)),
    registry: text,
    wanted: text,
    dependencies: map(matching(NAME, 'a package name'), text),
    overrides: texts,
    permissions: map(text, texts),
    targets: map(matching(TARGET, 'a target such as pi/user'), lockedTarget),
  },
  ['wanted'],
);

const lockfile = fields({
  lockfileVersion: (value, place) => void (value === 1 || wrong(place, '1 (a newer pi-tools wrote it?)')),
  packages: map(matching(NAME, 'a package name'), lockedPackage),
});

/** `extensions/@team+x`, `.slopcode/pi-tools/weather` …: the only place below a root where a package of that target may lie. */
const packagePath = (target: string, name: string): string => {
  const [agent = '', scope] = target.split('/');
  return `${scope === 'project' ? `.${agent}/` : ''}${agent === 'pi' ? 'extensions' : 'pi-tools'}/${name.replace('/', '+')}/`;
};

/** `.slopcode/`, or nothing in user scope. */
const agentPath = (target: string): string => (target.endsWith('/project') ? `.${target.split('/')[0]}/` : '');

/**
 * A lock file that names other files than a package's own would make `remove` and `update` delete and move them: refused, although its
 * shape is right.
 */
function checkPlaces(name: string, target: string, { folder, files, generated }: LockedTarget): void {
  const own = packagePath(target, name);
  const place = `packages.${name}.targets.${target}`;
  const inner = folder.startsWith(own) && !folder.slice(own.length).includes('/');
  if (!inner) wrong(`${place}.folder`, `a folder directly in ${own}`);
  const stray = Object.keys(files).find((path) => !path.startsWith(`${folder}/`));
  if (stray !== undefined) wrong(`${place}.files.${stray}`, `a path in ${folder}`);
  const base = agentPath(target);
  const made = (path: string): boolean =>
    path.startsWith(own) ||
    ['tools/', 'pi-tools/_runtime/', 'pi-tools/.gitignore'].some((part) => path.startsWith(base + part));
  const odd = Object.keys(generated).find((path) => !made(path));
  if (odd !== undefined) wrong(`${place}.generated.${odd}`, 'a path that pi-tools generates');
}

const checkAllPlaces = (lock: Lockfile): void => {
  for (const [name, { targets }] of Object.entries(lock.packages)) {
    for (const [target, entry] of Object.entries(targets)) checkPlaces(name, target, entry);
  }
};

export const emptyLockfile = (): Lockfile => ({ lockfileVersion: 1, packages: {} });

const invalid = (file: string, message: string, place: { line?: number; column?: number } = {}): Problem =>
  new Problem('state_invalid', `\`${file}\`: ${message}`, {
    hint: 'restore the file (it belongs under version control), or remove it and install again',
    details: { file, ...place },
  });

/** Null-prototype maps: a package called `constructor` is a package. */
function safeMaps(value: Lockfile): Lockfile {
  const packages: Record<string, LockedPackage> = Object.create(null);
  for (const [name, entry] of Object.entries(value.packages)) {
    packages[name] = { ...entry, targets: Object.assign(Object.create(null), entry.targets) };
  }
  return { lockfileVersion: 1, packages };
}

/** Parses and checks the bytes of a lock file. Problem `state_invalid` with the place; never an empty lock for a broken one. */
export function parseLockfile(content: string, file: string): Lockfile {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (error) {
    throw syntaxProblem(error, content, file);
  }
  try {
    lockfile(value, '');
    checkAllPlaces(value as Lockfile);
  } catch (error) {
    if (error instanceof Wrong) throw invalid(file, error.message);
    throw error;
  }
  return safeMaps(value as Lockfile);
}

function syntaxProblem(error: unknown, content: string, file: string): Problem {
  const message = error instanceof Error ? error.message : String(error);
  const conflict = /^(?:<{7}|={7}|>{7})/m.exec(content);
  const position = conflict?.index ?? Number(/position (\d+)/.exec(message)?.[1] ?? content.length);
  const before = content.slice(0, position).split('\n');
  const place = { line: before.length, column: (before.at(-1) ?? '').length + 1 };
  const what = conflict === null ? 'it is not JSON' : 'it holds a merge conflict';
  return invalid(file, `${what} (line ${place.line}, column ${place.column})`, place);
}

/** The lock of a root; an empty one when there is no file. Problem `state_invalid`, `file_system`. */
export function readLockFile(file: string): Lockfile {
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return emptyLockfile();
    throw fileProblem(error, file, 'read');
  }
  return parseLockfile(content, file);
}

const sorted = <Value>(record: Readonly<Record<string, Value>>): [string, Value][] =>
  Object.entries(record).sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));

const sortedMap = <Value, Result>(record: Readonly<Record<string, Value>>, change: (value: Value) => Result) =>
  Object.fromEntries(sorted(record).map(([name, value]) => [name, change(value)]));

const same = <Value>(value: Value): Value => value;
const sortedTexts = (list: readonly string[]): string[] => [...list].sort();

const orderedTarget = (target: LockedTarget): LockedTarget => ({
  folder: target.folder,
  tools: sortedTexts(target.tools),
  tokens: target.tokens,
  files: sortedMap(target.files, same),
  generated: sortedMap(target.generated, ({ sha256, format }) => ({ sha256, format })),
  settings: sortedMap(target.settings, sortedTexts),
});

const orderedPackage = (entry: LockedPackage): LockedPackage => ({
  version: entry.version,
  integrity: entry.integrity,
  recordDigest: entry.recordDigest,
  registry: entry.registry,
  ...(entry.wanted === undefined ? {} : { wanted: entry.wanted }),
  dependencies: sortedMap(entry.dependencies, same),
  overrides: sortedTexts(entry.overrides),
  permissions: sortedMap(entry.permissions, sortedTexts),
  targets: sortedMap(entry.targets, orderedTarget),
});

/** The one text of a lock: sorted by code unit, two spaces, a final newline. */
export function lockfileText(lock: Lockfile): string {
  const packages = sortedMap(lock.packages, orderedPackage);
  return `${JSON.stringify({ lockfileVersion: 1, packages }, null, 2)}\n`;
}
