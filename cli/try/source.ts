/** The package that is tried: where its files are, and for each agent what it loads, bundled without running it. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { AGENTS, type Agent } from '../../schemas/agents.ts';
import type { PackageJson } from '../../schemas/package-json.ts';
import { Problem } from '../../schemas/problem.ts';
import { inspectSingleFile } from '../pack/single-file.ts';
import type { PreparedEntry } from './types.ts';

export type TrySource = {
  name: string;
  /** Absolute paths of the files that an agent loads. */
  entries: ReadonlyMap<Agent, readonly string[]>;
  piTools: NonNullable<PackageJson['piTools']>;
  /** What the package says that it needs of Node, where this one is another. */
  otherNode: string | null;
  /** The package's own files, which its code may read. */
  files: readonly string[];
  /** Where npm packages may lie. */
  moduleFolders: readonly string[];
};

type Options = { cwd: string; agents: readonly Agent[]; temp: string };

/** Throws `not_found`, `usage`, `invalid_package_json`, `invalid_archive`, `inspection_failed`. */
export const openTrySource = async (path: string, options: Options): Promise<TrySource> => {
  const full = resolve(options.cwd, path);
  const found = await stat(full).catch(() => undefined);
  if (found === undefined) throw new Problem('not_found', `there is no file or folder \`${full}\``);
  if (found.isDirectory()) return openFolder(full, options.agents);
  if (/\.(?:tgz|tar\.gz)$/.test(full)) return openArchive(full, options);
  if (/\.[cm]?[jt]sx?$/.test(full)) return openFile(full, options.agents);
  throw new Problem('usage', `\`${path}\` is no package`, {
    hint: 'give a folder with a package.json, a .tgz archive, or a .ts or .js file',
  });
};

const openFolder = async (folder: string, agents: readonly Agent[]): Promise<TrySource> => {
  const bytes = await readFile(join(folder, 'package.json')).catch(() => {
    const index = ['index.ts', 'index.js'].find((name) => existsSync(join(folder, name)));
    throw new Problem('not_found', `there is no package.json in \`${folder}\``, {
      hint:
        index === undefined ? '`pi-tools init` writes one' : `try the file: \`pi-tools try ${join(folder, index)}\``,
    });
  });
  const [{ parsePackageJson }, { resolveEntries }, { satisfiesRange }] = await Promise.all([
    import('../../tool-package/package-json.ts'),
    import('../../tool-package/entries.ts'),
    import('../../tool-package/version.ts'),
  ]);
  const packageJson = await parsePackageJson(bytes);
  const paths = await listFiles(folder);
  const sources = new Map<string, Uint8Array>();
  for (const one of paths.filter((name) => name.endsWith('/package.json')))
    sources.set(one, await readFile(join(folder, one)));
  const resolved = resolveEntries(packageJson, paths, sources);
  const chosen = AGENTS.filter(
    (agent) => resolved[agent].length > 0 && (agents.length === 0 || agents.includes(agent)),
  );
  return {
    name: packageJson.name,
    entries: new Map(chosen.map((agent) => [agent, resolved[agent].map((entry) => join(folder, entry))])),
    piTools: packageJson.piTools ?? {},
    otherNode: satisfiesRange(process.versions.node, packageJson.engines?.node ?? '*')
      ? null
      : (packageJson.engines?.node ?? null),
    files: paths.map((one) => join(folder, one)),
    moduleFolders: moduleFoldersOf(folder),
  };
};

const MAX_FILES = 5000;
const SKIPPED = new Set(['node_modules', '.git']);

const listFiles = async (folder: string, below = folder, found: string[] = []): Promise<string[]> => {
  for (const entry of await readdir(below, { withFileTypes: true })) {
    if (found.length >= MAX_FILES) return found;
    const full = join(below, entry.name);
    if (entry.isDirectory() && !SKIPPED.has(entry.name)) await listFiles(folder, full, found);
    else if (entry.isFile()) found.push(relative(folder, full).split(sep).join('/'));
  }
  return found;
};

const openArchive = async (file: string, { agents, temp }: Options): Promise<TrySource> => {
  const [{ readArchive }, { unpackArchive }] = await Promise.all([
    import('../../tool-package/archive/read.ts'),
    import('../../tool-package/archive/unpack.ts'),
  ]);
  const folder = join(temp, 'package');
  await unpackArchive(await readArchive(await readFile(file)), folder);
  return openFolder(folder, agents);
};

const openFile = async (file: string, agents: readonly Agent[]): Promise<TrySource> => {
  const found = await inspectSingleFile(file, agents);
  return {
    name: file,
    entries: new Map(found.agents.map((agent) => [agent, [file]])),
    piTools: {},
    otherNode: null,
    files: [file],
    moduleFolders: moduleFoldersOf(dirname(file)),
  };
};

/** Each `node_modules` from the folder up, as Node looks for them. */
const moduleFoldersOf = (folder: string): string[] => {
  const found = existsSync(join(folder, 'node_modules')) ? [join(folder, 'node_modules')] : [];
  const parent = dirname(folder);
  return parent === folder ? found : [...found, ...moduleFoldersOf(parent)];
};

/** Bundles of the entries. Throws `inspection_failed` with the bundler's words. */
export const prepareEntries = async (files: readonly string[], folder: string): Promise<PreparedEntry[]> => {
  const { prepareModule } = await import('../../tool-package/run/index.ts');
  const entries: PreparedEntry[] = [];
  for (const file of files) {
    const id = randomUUID();
    const entry = { file, bundle: join(folder, `${id}.mjs`), id };
    await prepareModule(file, entry).catch((error: unknown) => {
      const { message } = error as Error;
      const name = /Could not resolve "([^".]+)"/.exec(message)?.[1];
      throw new Problem('inspection_failed', `\`${file}\` does not load: ${message}`, {
        ...(name === undefined
          ? {}
          : { hint: `\`${name}\` is not installed: \`npm install --ignore-scripts\` in the package's folder` }),
      });
    });
    entries.push(entry);
  }
  return entries;
};
