/** A file or folder as an agent would load it: hand-made extensions, and packages that others installed. */
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Agent } from '../../schemas/common.ts';
import type { PackageJson } from '../../schemas/package-json.ts';
import { resolveEntries } from '../entries.ts';
import { MAX_SOURCE_BYTES } from '../inspect/brackets.ts';
import { inspectEntry } from '../inspect/index.ts';
import type { EntryInspection, InspectionInput } from '../inspect/types.ts';
import type { InspectedExtension } from './types.ts';

const MAX_FILES = 5000;
const MAX_DEPTH = 8;

/** Never throws for what is there: what the agent could not load is `problem`. */
export async function examineExtension(target: string, agent: Agent): Promise<InspectedExtension> {
  let found: Found;
  try {
    found = findEntries(target, agent);
  } catch (error) {
    return { tools: [], problem: (error as Error).message };
  }
  const tools: InspectedExtension['tools'] = [];
  const problems: string[] = [];
  for (const entry of found.entries) {
    const inspection = await inspectEntry(agent, entry, found.input);
    tools.push(...namesOf(inspection, found.alias).map((name) => ({ name, entry: path.join(found.root, entry) })));
    if (inspection.problem) problems.push(`${entry}: ${inspection.problem.message}`);
  }
  if (found.entries.length === 0) problems.push('nothing here that the agent loads');
  return { tools, problem: problems.length > 0 ? problems.join('; ') : null };
}

/** SlopCode makes a tool of every export, whatever it is. */
function namesOf(inspection: EntryInspection, alias: Alias | null): string[] {
  const names = inspection.tools.flatMap((tool) => (tool.name === null ? [] : [tool.name]));
  const stem = path.posix.basename(inspection.entry).replace(/\.[^.]+$/, '');
  const bogus =
    inspection.agent === 'slopcode'
      ? inspection.otherExports.map((each) => (each.name === 'default' ? stem : `${stem}_${each.name}`))
      : [];
  const all = [...new Set([...names, ...bogus])];
  // A linked tool file has the link's name, and runs from its real place.
  return alias === null
    ? all
    : all.map((name) => (name.startsWith(alias.from) ? alias.to + name.slice(alias.from.length) : name));
}

type Alias = { from: string; to: string };
type Found = { root: string; entries: string[]; input: InspectionInput; alias: Alias | null };

function findEntries(target: string, agent: Agent): Found {
  const real = realpathSync(target);
  if (statSync(real).isDirectory()) return folderEntries(real);
  const stem = (file: string) => path.basename(file).replace(/\.[^.]+$/, '');
  const alias = agent !== 'pi' && stem(target) !== stem(real) ? { from: stem(real), to: stem(target) } : null;
  const root = path.dirname(real);
  return { root, entries: [path.basename(real)], input: readInput(root), alias };
}

/** pi's rules for one folder: `pi.extensions` of its package.json where a target exists, else index.ts, else index.js. */
function folderEntries(root: string): Found {
  const input = readInput(root);
  const extensions = input.packageJson.pi?.extensions;
  const listed = Array.isArray(extensions) ? resolveListed(input, extensions) : [];
  const index = ['index.ts', 'index.js'].filter((name) => input.paths.includes(name)).slice(0, 1);
  const entries = listed.length > 0 ? listed : index;
  return { root, entries, input, alias: null };
}

/** Globs and folders count too: an installed package may use them. Each target alone: a missing one hides no other. */
function resolveListed(input: InspectionInput, extensions: readonly string[]): string[] {
  const found = extensions.flatMap((extension) => {
    try {
      return resolveEntries(
        { ...input.packageJson, pi: { extensions: [extension] } },
        input.paths,
        input.sources as ReadonlyMap<string, Uint8Array>,
      ).pi;
    } catch {
      return [];
    }
  });
  return [...new Set(found)];
}

function readInput(root: string): InspectionInput {
  const paths: string[] = [];
  listFiles(root, '', 0, paths);
  const sources = lazySources(root, new Set(paths));
  return { packageJson: readPackageJson(sources), paths, sources };
}

function listFiles(root: string, folder: string, depth: number, paths: string[]): void {
  if (depth > MAX_DEPTH) return;
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
    if (paths.length >= MAX_FILES) return;
    if (entry.name === 'node_modules' || entry.name === '.git') continue;
    const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) listFiles(root, name, depth + 1, paths);
    else paths.push(name);
  }
}

/** Read on demand: a folder of extensions holds much that the one in question never imports. */
function lazySources(root: string, paths: ReadonlySet<string>): Map<string, Uint8Array> {
  const sources = new Map<string, Uint8Array>();
  const get = (name: string): Uint8Array | undefined => {
    if (sources.has(name) || !paths.has(name)) return Map.prototype.get.call(sources, name) as Uint8Array | undefined;
    const bytes = readSmallFile(path.join(root, name));
    if (bytes !== undefined) sources.set(name, bytes);
    return bytes;
  };
  Object.defineProperty(sources, 'get', { value: get });
  return sources;
}

function readSmallFile(file: string): Buffer | undefined {
  try {
    const { size } = statSync(file);
    return size <= MAX_SOURCE_BYTES ? readFileSync(file) : undefined;
  } catch {
    return undefined;
  }
}

/** A package.json that does not parse counts as none, as in pi. */
function readPackageJson(sources: ReadonlyMap<string, Uint8Array>): PackageJson {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(sources.get('package.json') ?? '{}').toString('utf8'));
    return { name: 'extension', version: '0.0.0', ...(parsed as object) };
  } catch {
    return { name: 'extension', version: '0.0.0' };
  }
}
