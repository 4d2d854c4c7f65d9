/** The options that stand before or after any command. */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AGENTS, type Agent, SCOPES, type Scope } from '../schemas/agents.ts';
import { Problem } from '../schemas/problem.ts';
import type { Flags, GlobalOptions, OptionDefinition } from './command.ts';
import type { Environment } from './environment.ts';

export const GLOBAL_OPTIONS: readonly OptionDefinition[] = [
  {
    flags: '--registry <url>',
    description: 'the registry to use (default: PI_TOOLS_REGISTRY, configuration, embedded)',
  },
  { flags: '--agent <agent>', description: 'pi, slopcode or opencode; may be repeated' },
  { flags: '--scope <scope>', description: 'user or project' },
  { flags: '--cwd <dir>', description: 'work as if started in this folder' },
  { flags: '--json', description: 'print exactly one JSON document on stdout' },
  { flags: '-y, --yes', description: 'accept permissions and unlisted versions without asking' },
  { flags: '--dry-run', description: 'show what would be done, write nothing' },
  { flags: '--offline', description: 'use the cache only' },
  { flags: '-q, --quiet', description: 'results only, no talk' },
  { flags: '--verbose', description: 'say more, and show the stack of an unexpected error' },
  { flags: '--no-color', description: 'no colours (also: NO_COLOR)' },
];

/** Global options that take a value: what follows them is not the command. */
export const WITH_VALUE: ReadonlySet<string> = new Set(['--registry', '--agent', '--scope', '--cwd']);

const isOneOf = <T extends string>(words: readonly T[], value: string): value is T =>
  (words as readonly string[]).includes(value);

const readAgents = (value: unknown): Agent[] => {
  const agents: Agent[] = [];
  for (const name of (Array.isArray(value) ? value : []) as string[]) {
    if (!isOneOf(AGENTS, name)) {
      throw new Problem('usage', `--agent \`${name}\` is not an agent`, { hint: `use one of: ${AGENTS.join(', ')}` });
    }
    if (!agents.includes(name)) agents.push(name);
  }
  return agents;
};

const readScope = (value: unknown): Scope | null => {
  if (value === undefined) return null;
  if (typeof value === 'string' && isOneOf(SCOPES, value)) return value;
  throw new Problem('usage', `--scope \`${String(value)}\` is not a scope`, { hint: 'use user or project' });
};

/** Whether colours are wanted: https://no-color.org, and TERM=dumb. */
export const wantsColor = (flags: Flags, env: Environment['env']): boolean =>
  flags.color !== false && !env.NO_COLOR && env.TERM !== 'dumb';

/** Checks and types the global flags. Throws `usage`. */
export const readGlobalOptions = async (flags: Flags, env: Environment['env']): Promise<GlobalOptions> => {
  const cwd = resolve(typeof flags.cwd === 'string' ? flags.cwd : '.');
  const folder = flags.cwd === undefined ? undefined : await stat(cwd).catch(() => null);
  if (folder === null || folder?.isDirectory() === false) {
    throw new Problem('usage', `--cwd \`${cwd}\` is not a folder`);
  }
  const is = (name: string): boolean => flags[name] === true;
  return {
    registry: typeof flags.registry === 'string' ? flags.registry : null,
    json: is('json'),
    yes: is('yes'),
    dryRun: is('dryRun'),
    offline: is('offline'),
    quiet: is('quiet'),
    verbose: is('verbose'),
    color: wantsColor(flags, env),
    agents: readAgents(flags.agent),
    scope: readScope(flags.scope),
    cwd,
  };
};
