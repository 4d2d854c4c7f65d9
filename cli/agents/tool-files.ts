/**
 * Agents that load every `{tool,tools}/*.{js,ts}`: which files those are. An id is the file's name for the default export and `<file>_<export>`
 * for the others; the last loaded wins without a word, so a second file of one name is a conflict wherever it lies.
 */
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Agent } from '../../schemas/agents.ts';
import { configFolder, type PathEnvironment } from '../state/paths.ts';
import type { FoundTool, Inspect, OwnPackage, Survey } from './survey.ts';

export type ToolHost = {
  readonly agent: Exclude<Agent, 'pi'>;
  /** Folder names in the working folder and its parents. */
  readonly projectFolders: readonly string[];
  /** Folder names in the home folder. */
  readonly homeFolders: readonly string[];
  /** Folder below the configuration folder. */
  readonly configName: string;
  /** Variable that names one more folder. */
  readonly folderVariable: string;
  readonly configFiles: readonly string[];
};

/** The folders from `cwd` up to the worktree's root; outside a worktree up to the file system's. */
function parentsOf(cwd: string): string[] {
  const folders: string[] = [];
  for (let current = cwd; ; current = dirname(current)) {
    folders.push(current);
    if (existsSync(join(current, '.git')) || dirname(current) === current) return folders;
  }
}

/** Every folder of the host that holds configuration and tools, each once. */
export function hostFolders(host: ToolHost, environment: PathEnvironment, cwd: string): string[] {
  const variable = environment.env[host.folderVariable];
  const folders = [
    join(configFolder(environment), host.configName),
    ...parentsOf(cwd).flatMap((parent) => host.projectFolders.map((name) => join(parent, name))),
    ...host.homeFolders.map((name) => join(environment.home, name)),
    ...(variable ? [variable] : []),
  ];
  return [...new Set(folders)];
}

const TOOL_FILE = /\.(?:ts|js)$/;

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => TOOL_FILE.test(name))
      .sort()
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** All files that the host loads as tools. */
export const listToolFiles = (host: ToolHost, environment: PathEnvironment, cwd: string): string[] =>
  hostFolders(host, environment, cwd).flatMap((folder) =>
    ['tool', 'tools'].flatMap((name) => filesIn(join(folder, name))),
  );

const stem = (file: string): string => basename(file).replace(TOOL_FILE, '');

/** Only a file whose name is a wanted name, or the part of one before an underscore, can give a tool of that name. */
const mayGive = (file: string, wanted: ReadonlySet<string>): boolean =>
  [...wanted].some((name) => name === stem(file) || name.startsWith(`${stem(file)}_`));

/** Which of the wanted names are taken, and by whom. Files that cannot collide are not inspected. */
export async function surveyToolFiles(
  host: ToolHost,
  files: readonly string[],
  own: readonly OwnPackage[],
  wanted: ReadonlySet<string>,
  inspect: Inspect,
): Promise<Survey> {
  const owners = new Map(own.flatMap((one) => one.files.map((file) => [file, one] as const)));
  const tools: FoundTool[] = [];
  const warnings: string[] = [];
  for (const file of files) {
    const owner = owners.get(file);
    if (owner !== undefined) tools.push({ name: stem(file), path: file, package: owner.name, target: owner.target });
    else if (mayGive(file, wanted)) await addForeign(host, file, wanted, inspect, { tools, warnings });
  }
  return { tools, foreign: files.filter((file) => !owners.has(file)), warnings };
}

async function addForeign(
  host: ToolHost,
  file: string,
  wanted: ReadonlySet<string>,
  inspect: Inspect,
  found: { tools: FoundTool[]; warnings: string[] },
): Promise<void> {
  const add = (name: string): number => found.tools.push({ name, path: file, package: null, target: null });
  if (wanted.has(stem(file))) add(stem(file));
  if (![...wanted].some((name) => name.startsWith(`${stem(file)}_`))) return;
  const { tools, problem } = await inspect(file, host.agent);
  for (const { name } of tools) if (name !== stem(file)) add(name);
  if (problem !== null)
    found.warnings.push(`\`${file}\` could not be read, so its tool names are not known: ${problem}`);
}
