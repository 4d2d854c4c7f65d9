/**
 * Which files an agent loads. For pi by pi's own package rules (1.6.0): files, folders (their `package.json`, else
 * index.ts or index.js, else what lies in them, one level deep), globs, `!` and `-` to leave out, `+` to put back.
 */
import type { Agent } from '../schemas/common.ts';
import type { PackageJson } from '../schemas/package-json.ts';
import { Problem } from '../schemas/problem.ts';
import { isGlob, matchesGlob } from './glob.ts';
import { parseJson } from './parse-json.ts';
import { showText } from './show-text.ts';

export type Entries = Record<Agent, string[]>;

/** Content of the archive's files, as far as it was kept: needed for a `package.json` inside an entry folder. */
export type Sources = ReadonlyMap<string, Uint8Array>;

const SOURCE = /(?<!\.d)\.[cm]?[jt]sx?$/;
const SCANNED = /(?<!\.d)\.[jt]s$/;
const CONVENTION_FOLDER = './extensions';

/**
 * Takes the package's own `package.json` and the paths of all its files; gives plain file paths, in the order in which the
 * agent loads them. Throws Problem `invalid_package_json` for a path that is absolute, leaves the package, is not there,
 * is no source file, or a glob that matches nothing, and where no agent has an entry.
 */
export const resolveEntries = (
  packageJson: PackageJson,
  paths: readonly string[],
  sources: Sources = new Map(),
): Entries => {
  const tree: Tree = { paths: [...paths].sort(), known: new Set(paths), sources, expand: folderEntries };
  const flat: Tree = { ...tree, expand: directFiles };
  const entries: Entries = {
    pi: packageJson.pi === undefined ? [] : piEntries(packageJson.pi.extensions ?? [], tree),
    slopcode: resolveList(packageJson.slopcode?.tools ?? [], 'slopcode.tools', flat),
    opencode: resolveList(packageJson.opencode?.tools ?? [], 'opencode.tools', flat),
  };
  if (Object.values(entries).every((list) => list.length === 0)) {
    throw new Problem('invalid_package_json', 'package.json: no agent has an entry', {
      hint: 'name the files that an agent loads: `"pi": {"extensions": ["./weather.ts"]}`, `"slopcode": {"tools": […]}` or `"opencode": {"tools": […]}`',
      details: { reason: 'no-entries' },
    });
  }
  return entries;
};

type Tree = {
  readonly paths: readonly string[];
  readonly known: ReadonlySet<string>;
  readonly sources: Sources;
  /** What a folder means for the agent. */
  readonly expand: (folder: string, tree: Tree) => string[];
};

const piEntries = (extensions: readonly string[], tree: Tree): string[] => {
  // Like pi: a `pi` key that lists no extensions means the folder of that name.
  if (extensions.length > 0) return resolveList(extensions, 'pi.extensions', tree);
  return hasFolder(tree, 'extensions') ? resolveList([CONVENTION_FOLDER], 'pi.extensions', tree) : [];
};

const isOverride = (entry: string): boolean => /^[!+-]/.test(entry);

const resolveList = (list: readonly string[], field: string, tree: Tree): string[] => {
  const all = list.flatMap((entry, index) =>
    isOverride(entry) ? [] : resolveEntry(entry, `${field}[${index}]`, tree),
  );
  const overrides = list
    .filter(isOverride)
    .map((entry) => ({ sign: entry[0], pattern: entry.slice(1).replace(/^\.\//, '') }));
  const matches = (path: string, sign: string): boolean =>
    overrides.some(
      (one) => one.sign === sign && (sign === '!' ? matchesPathOrName(path, one.pattern) : one.pattern === path),
    );
  return [...new Set(all)].filter((path) => !matches(path, '-') && (!matches(path, '!') || matches(path, '+')));
};

const matchesPathOrName = (path: string, pattern: string): boolean =>
  matchesGlob(path, pattern) || matchesGlob(path.slice(path.lastIndexOf('/') + 1), pattern);

const resolveEntry = (entry: string, field: string, tree: Tree): string[] => {
  const path = normalize(entry, field);
  if (isGlob(path)) return resolveGlob(path, entry, field, tree);
  const files = tree.known.has(path) ? [path] : tree.expand(path, tree);
  if (files.length === 0) {
    const why = hasFolder(tree, path)
      ? 'is a folder without an entry (package.json, index.ts, index.js)'
      : 'is not in the package';
    throw refuse(field, entry, why, 'missing');
  }
  for (const file of files) {
    if (!SOURCE.test(file)) throw refuse(field, entry, 'is not a JavaScript or TypeScript file', 'not-a-source');
  }
  return files;
};

/** pi does not contain these paths: `../x` loads code from outside the package. */
const normalize = (entry: string, field: string): string => {
  if (entry.includes('\\')) throw refuse(field, entry, 'has a backslash; write `/`', 'backslash');
  if (/^(?:\/|[A-Za-z]:|[a-z][a-z0-9+.-]*:)/.test(entry) || entry.startsWith('~'))
    throw refuse(field, entry, 'is absolute', 'absolute');
  const segments = entry.replace(/^\.\//, '').replace(/\/$/, '').split('/');
  if (segments.includes('..')) throw refuse(field, entry, 'leaves the package', 'leaves');
  if (segments.join('/') === '.') return '';
  if (segments.includes('') || segments.includes('.'))
    throw refuse(field, entry, 'is not written plainly', 'not-plain');
  return segments.join('/');
};

const refuse = (field: string, entry: string, why: string, reason: string): Problem =>
  new Problem('invalid_package_json', `package.json: \`${field}\` is \`${showText(entry)}\`, which ${why}`, {
    hint: 'entries are paths inside the package, as `./weather.ts`',
    details: { reason, field, entry: showText(entry) },
  });

const resolveGlob = (pattern: string, entry: string, field: string, tree: Tree): string[] => {
  if (/[[\]]/.test(pattern)) throw refuse(field, entry, 'uses `[…]`, which globs here do not have', 'glob');
  const visible = tree.paths.filter((path) => !path.split('/').some((segment) => segment.startsWith('.')));
  const files = visible.filter((path) => matchesGlob(path, pattern) && SCANNED.test(path));
  const folders = listFolders(visible).filter((folder) => matchesGlob(folder, pattern));
  const found = [...files, ...folders.flatMap((folder) => tree.expand(folder, tree))];
  if (found.length === 0) throw refuse(field, entry, 'matches no file in the package', 'missing');
  return found.sort();
};

const listFolders = (paths: readonly string[]): string[] => {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1))
      folders.add(path.slice(0, slash));
  }
  return [...folders];
};

const hasFolder = (tree: Tree, folder: string): boolean =>
  folder === '' || tree.paths.some((path) => path.startsWith(`${folder}/`));

/** What pi loads from a folder: its own manifest or index, else each file and each sub-folder with one of those. */
const folderEntries = (folder: string, tree: Tree): string[] => {
  const own = ownEntries(folder, tree);
  if (own.length > 0 || folder === '') return own;
  const children = tree.paths
    .filter((path) => path.startsWith(`${folder}/`))
    .map((path) => path.slice(folder.length + 1));
  const names = [...new Set(children.map((path) => path.split('/')[0] ?? ''))].filter((name) => !name.startsWith('.'));
  return names.flatMap((name) => {
    const path = `${folder}/${name}`;
    if (tree.known.has(path)) return SCANNED.test(name) ? [path] : [];
    return ownEntries(path, tree);
  });
};

/** SlopCode and opencode scan one level and know no index file. */
const directFiles = (folder: string, tree: Tree): string[] =>
  tree.paths.filter((path) => SCANNED.test(path) && path.slice(0, Math.max(0, path.lastIndexOf('/'))) === folder);

const ownEntries = (folder: string, tree: Tree): string[] => {
  const inside = (path: string): string => (folder === '' ? path : `${folder}/${path}`);
  // The package's own package.json is what we are reading: pi would go round in circles.
  const declared = folder === '' ? [] : declaredEntries(inside('package.json'), tree).map(inside);
  const there = declared.filter((path) => tree.known.has(path));
  if (there.length > 0) return there;
  return [inside('index.ts'), inside('index.js')].filter((path) => tree.known.has(path)).slice(0, 1);
};

const declaredEntries = (path: string, tree: Tree): string[] => {
  const bytes = tree.sources.get(path);
  if (bytes === undefined) return [];
  const value = parseJson(bytes, {
    maxBytes: 64 * 1024,
    maxDepth: 16,
    what: showText(path),
    code: 'invalid_package_json',
  });
  const extensions = (value as { pi?: { extensions?: unknown } } | null)?.pi?.extensions;
  if (!Array.isArray(extensions)) return [];
  return extensions
    .filter((entry): entry is string => typeof entry === 'string')
    .map((entry) => normalize(entry, `${showText(path)}: pi.extensions`));
};
