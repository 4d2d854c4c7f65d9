/** Where things lie: every folder of the agents, of projects and of pi-tools itself, from the environment alone. */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AGENTS, type Agent, type Scope, type Target } from '../../schemas/agents.ts';
import { Problem } from '../../schemas/problem.ts';

/** The part of cli/environment.ts that paths depend on. */
export type PathEnvironment = { readonly env: Readonly<Record<string, string | undefined>>; readonly home: string };

/** The directory that owns a lock file: a project, or an agent's own folder for user scope. */
export type Root = {
  readonly scope: Scope;
  readonly folder: string;
  readonly lockFile: string;
  /** Journal, state.json, kept versions and the root's lock. */
  readonly workFolder: string;
  /** `pi-tools.json`; project scope only. */
  readonly projectFile: string | null;
};

/** One target: where an agent keeps its things in one scope. */
export type Place = {
  readonly target: Target;
  readonly agent: Agent;
  readonly scope: Scope;
  readonly root: Root;
  /** The agent's folder: `<agent dir>`, `.pi`, `.slopcode`, `~/.config/opencode` … */
  readonly base: string;
};

const LOCK_FILE_NAME = 'pi-tools.lock.json';
export const PROJECT_FILE_NAME = 'pi-tools.json';
const WORK_FOLDER_NAME = '.pi-tools';

const xdgFolder = (environment: PathEnvironment, variable: string, fallback: string): string => {
  const value = environment.env[variable];
  // The XDG specification: a relative path is invalid and to be ignored.
  return value !== undefined && isAbsolute(value) ? value : join(environment.home, fallback);
};

export const configFolder = (environment: PathEnvironment): string =>
  xdgFolder(environment, 'XDG_CONFIG_HOME', '.config');

/** `$XDG_CONFIG_HOME/pi-tools`: config.json and credentials.json. */
export const userConfigFolder = (environment: PathEnvironment): string => join(configFolder(environment), 'pi-tools');

/** `$XDG_CACHE_HOME/pi-tools`. */
export const cacheFolder = (environment: PathEnvironment): string =>
  join(xdgFolder(environment, 'XDG_CACHE_HOME', '.cache'), 'pi-tools');

/** `$XDG_DATA_HOME/pi-tools`: the embedded registry (`registry`) and the default data folder of `serve` (`server`). */
export const dataFolder = (environment: PathEnvironment): string =>
  join(xdgFolder(environment, 'XDG_DATA_HOME', join('.local', 'share')), 'pi-tools');

/** pi's own folder, found as pi finds it: `~`, `~/x`, relative to the working folder, `file://`; empty is the default. */
export function piAgentFolder(environment: PathEnvironment, cwd: string): string {
  const value = environment.env.PI_CODING_AGENT_DIR;
  if (value === undefined || value === '') return join(environment.home, '.pi', 'agent');
  if (value === '~') return environment.home;
  if (value.startsWith('~/') || value.startsWith('~\\')) return join(environment.home, value.slice(2));
  if (value.startsWith('file://')) return fromFileUrl(value);
  return resolve(cwd, value);
}

function fromFileUrl(value: string): string {
  try {
    return resolve(fileURLToPath(value));
  } catch (error) {
    throw new Problem('usage', `PI_CODING_AGENT_DIR is \`${value}\`, which is not a path of this machine`, {
      hint: 'use file:///absolute/path, an absolute path, or unset it',
      cause: error,
    });
  }
}

const realOf = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
};

function* upwards(folder: string, home: string): Generator<string> {
  let current = folder;
  for (;;) {
    if (current === home) return;
    yield current;
    const parent = dirname(current);
    if (parent === current) return;
    current = parent;
  }
}

/**
 * The project that `cwd` belongs to: the nearest parent with `pi-tools.json`, else with `.git`, else `cwd` itself.
 * The search stops below the home directory: a `.git` of dotfiles there must not make a project of everything.
 * Undefined in the home directory itself, and in an agent's own user folder: one folder is never two roots.
 */
export function findProjectFolder(environment: PathEnvironment, cwd: string): string | undefined {
  const start = realOf(cwd);
  const parents = [...upwards(start, realOf(environment.home))];
  if (parents.length === 0) return undefined;
  const having = (name: string): string | undefined => parents.find((parent) => existsSync(join(parent, name)));
  const found = having(PROJECT_FILE_NAME) ?? having('.git') ?? start;
  return userFolders(environment, cwd).includes(found) ? undefined : found;
}

const userFolders = (environment: PathEnvironment, cwd: string): string[] =>
  AGENTS.map((agent) => realOf(userFolder(environment, cwd, agent)));

const rootAt = (scope: Scope, folder: string): Root => ({
  scope,
  folder,
  lockFile: join(folder, LOCK_FILE_NAME),
  workFolder: join(folder, WORK_FOLDER_NAME),
  projectFile: scope === 'project' ? join(folder, PROJECT_FILE_NAME) : null,
});

/** The agent's folder in user scope. */
export const userFolder = (environment: PathEnvironment, cwd: string, agent: Agent): string =>
  agent === 'pi' ? piAgentFolder(environment, cwd) : join(configFolder(environment), agent);

/** The agent's folder in a project: `.pi`, `.slopcode`, `.opencode`. */
export const projectAgentFolder = (project: string, agent: Agent): string => join(project, `.${agent}`);

/** A project's root. Problem `usage` (exit 2) in the home directory. */
function getProjectRoot(environment: PathEnvironment, cwd: string): Root {
  const folder = findProjectFolder(environment, cwd);
  if (folder !== undefined) return rootAt('project', folder);
  throw new Problem('usage', `\`${cwd}\` is the home directory or an agent's own folder, which is no project`, {
    hint: 'change to a project, or use --scope user',
  });
}

/** One target's place. Problem `usage` for a project target in the home directory. */
export function getPlace(environment: PathEnvironment, cwd: string, agent: Agent, scope: Scope): Place {
  const target: Target = `${agent}/${scope}`;
  if (scope === 'user') {
    const base = userFolder(environment, cwd, agent);
    return { target, agent, scope, base, root: rootAt('user', base) };
  }
  const root = getProjectRoot(environment, cwd);
  return { target, agent, scope, base: projectAgentFolder(root.folder, agent), root };
}

/** All places that `cwd` can see, in a fixed order; project places are left out in the home directory. */
export function listPlaces(environment: PathEnvironment, cwd: string): Place[] {
  const user = AGENTS.map((agent) => getPlace(environment, cwd, agent, 'user'));
  if (findProjectFolder(environment, cwd) === undefined) return user;
  return [...user, ...AGENTS.map((agent) => getPlace(environment, cwd, agent, 'project'))];
}
