/** `pi-tools try`: each call in a child process of its own, limited to what the package declares. */

import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { AGENTS, type Agent } from '../../schemas/agents.ts';
import type { Permissions } from '../../schemas/package-json.ts';
import { Problem } from '../../schemas/problem.ts';
import { covers } from '../../tool-package/source/coverage.ts';
import type { Environment } from '../environment.ts';
import { checksOf } from './checks.ts';
import { type Limits, limitsFor } from './limits.ts';
import { CHILD_FILE, type ChildResult, runChild } from './run-child.ts';
import { openTrySource, prepareEntries, type TrySource } from './source.ts';
import type { Access, Check, PreparedEntry, Received } from './types.ts';

export type TryOptions = {
  environment: Environment;
  path: string;
  agents: readonly Agent[];
  tool: string | null;
  /** Undefined: the package's examples. */
  args: unknown;
  timeoutMs: number;
  /** `unlimited`: without Node's permission model, and nothing is refused. */
  mode: 'limited' | 'unlimited';
  signal: AbortSignal;
};

export type TriedCall = {
  agent: Agent;
  tool: string;
  args: unknown;
  /** Null where the call did not end. */
  received: Received | null;
  threw: string | null;
  elapsed_ms: number | null;
  checks: Check[];
  undeclared: Access[];
  printed: string;
};

export type TryAnswer = { package: string; calls: TriedCall[]; enforced: string[]; not_limited: string[] };

type Call = { agent: Agent; tool: string | null; args: unknown };
type Run = { options: TryOptions; source: TrySource; temp: string };

/** Throws what opening the package throws, `usage` without arguments or examples, `not_found` for a tool that is not there. */
export const tryPackage = async (options: TryOptions): Promise<TryAnswer> => {
  const temp = await realpath(await mkdtemp(join(tmpdir(), 'pi-tools-try-')));
  try {
    for (const folder of ['bundles', 'tmp', 'agent']) await mkdir(join(temp, folder));
    const { environment, path, agents } = options;
    const source = await openTrySource(path, { cwd: environment.cwd, agents, temp });
    return await tryAll({ options, source, temp });
  } finally {
    await rm(temp, { recursive: true, force: true });
  }
};

const tryAll = async (run: Run): Promise<TryAnswer> => {
  const { source, temp } = run;
  const answer: TryAnswer = { package: source.name, calls: [], enforced: [], not_limited: [] };
  const prepared = new Map<Agent, PreparedEntry[]>();
  const missing: string[] = [];
  for (const call of callsOf(run)) {
    const entries =
      prepared.get(call.agent) ?? (await prepareEntries(source.entries.get(call.agent) ?? [], join(temp, 'bundles')));
    prepared.set(call.agent, entries);
    const limits = limitsOf(run, call);
    const result = await runOne(run, call, entries, limits);
    answer.enforced = limits.enforced;
    answer.not_limited = limits.notLimited;
    if (result.otherTools === null) answer.calls.push(triedCall(call, result));
    else missing.push(...result.otherTools);
  }
  if (answer.calls.length === 0) throw noTool(run.options.tool, [...new Set(missing)]);
  return answer;
};

/** Agents that load the same files get the same calls; SlopCode wants more of a result than opencode. */
const callsOf = ({ options, source }: Run): Call[] => {
  const seen = new Set<string>();
  const agents = AGENTS.filter((agent) => {
    const entries = source.entries.get(agent);
    const key = agent === 'pi' ? agent : JSON.stringify(entries);
    return entries !== undefined && !seen.has(key) && seen.add(key);
  });
  if (agents.length === 0) {
    throw new Problem(
      'agent_unsupported',
      `\`${source.name}\` has no entry for ${options.agents.join(', ') || 'any agent'}`,
    );
  }
  const { tool, args } = options;
  if (args !== undefined) return agents.map((agent) => ({ agent, tool, args }));
  const examples = (source.piTools.examples ?? []).filter((example) => tool === null || example.tool === tool);
  if (examples.length > 0) return examples.flatMap((example) => agents.map((agent) => ({ agent, ...example })));
  throw new Problem(
    'usage',
    `\`${source.name}\` has no \`piTools.examples\`${tool === null ? '' : ` for \`${tool}\``}`,
    {
      hint: "give the arguments: --tool NAME --args '{…}'",
    },
  );
};

const noTool = (tool: string | null, names: readonly string[]): Problem =>
  tool === null && names.length > 1
    ? new Problem('usage', `the package has several tools: ${names.map((name) => `\`${name}\``).join(', ')}`, {
        hint: 'name one with --tool',
      })
    : new Problem('not_found', `there is no tool ${tool === null ? 'at all' : `\`${tool}\``}`, {
        hint:
          names.length === 0
            ? 'the entries register none'
            : `there is: ${names.map((name) => `\`${name}\``).join(', ')}`,
        details: { tools: names },
      });

const require = createRequire(import.meta.url);

/** What the run itself has to read: our build, the packages that it uses, the bundles. */
const ownFolders = (temp: string): string[] => {
  const dist = CHILD_FILE.slice(0, CHILD_FILE.lastIndexOf(`${sep}cli${sep}try${sep}`));
  const modules = ['typebox', 'zod', 'esbuild'].map((name) => {
    const file = require.resolve(name);
    return file.slice(0, file.lastIndexOf(`${sep}node_modules${sep}`) + `${sep}node_modules`.length);
  });
  return [...new Set([dist, join(dirname(dist), 'package.json'), ...modules, join(temp, 'bundles')])];
};

const MAX_OWN_FILES = 500;

const limitsOf = ({ options, source, temp }: Run, { args }: Call): Limits => {
  const { cwd, home } = options.environment;
  if (options.mode === 'unlimited') {
    return { flags: [], enforced: [], notLimited: ['everything: --unlimited was given'] };
  }
  const places = { cwd, home, temp: join(temp, 'tmp'), agentFolder: join(temp, 'agent') };
  const own = [...ownFolders(temp), ...source.moduleFolders, ...source.files.slice(0, MAX_OWN_FILES)];
  return limitsFor(process.version, declaredBy(source), places, own, args);
};

const declaredBy = ({ piTools }: TrySource): Permissions => piTools.permissions ?? {};

const runOne = (
  { options, source, temp }: Run,
  call: Call,
  entries: PreparedEntry[],
  limits: Limits,
): Promise<ChildResult> => {
  const declared = declaredBy(source);
  const env = environmentFor(options, declared, join(temp, 'tmp'));
  const request = {
    ...call,
    entries,
    cwd: options.environment.cwd,
    agentFolder: join(temp, 'agent'),
    declared,
    extraHosts: hostsIn(env),
    mode: options.mode === 'limited' ? ('refuse' as const) : ('name' as const),
  };
  return runChild(request, { flags: limits.flags, env, timeoutMs: options.timeoutMs, signal: options.signal });
};

/** Declared variables, and what Node needs to find folders and programs. */
const environmentFor = (
  { environment, mode }: TryOptions,
  declared: Permissions,
  temp: string,
): Record<string, string> => {
  const runs = (declared.run ?? []).length > 0;
  const given = Object.entries(environment.env).filter(
    ([name]) =>
      mode === 'unlimited' ||
      (runs && name === 'PATH') ||
      ['HOME', 'SystemRoot'].includes(name) ||
      (declared.env ?? []).some((pattern) => covers('env', pattern, name)),
  );
  // A flag from outside would loosen the limits.
  const { NODE_OPTIONS: _options, ...rest } = Object.fromEntries(
    given.filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
  return { ...rest, TMPDIR: temp };
};

/** Who sets a declared variable to an address wants it asked. */
const hostsIn = (env: Readonly<Record<string, string>>): string[] =>
  Object.values(env).flatMap((value) =>
    /^https?:\/\//.test(value) && URL.canParse(value) ? [new URL(value).hostname] : [],
  );

const triedCall = ({ agent, tool, args }: Call, result: ChildResult): TriedCall => {
  const { call, cancel, accesses, loadFailure, ending, printed } = result;
  const base = { agent, tool: call?.tool ?? tool ?? '', args, undeclared: accesses, printed };
  if (loadFailure !== null) {
    const failed: Check = { id: 'loads', ok: false, message: loadFailure };
    const more = checksOf(agent, null, null, accesses, ending).filter(({ id }) => id === 'permissions');
    return { ...base, received: null, threw: null, elapsed_ms: null, checks: [failed, ...more] };
  }
  return {
    ...base,
    received: call?.received ?? null,
    threw: call?.threw ?? null,
    elapsed_ms: call?.elapsedMs ?? null,
    checks: checksOf(agent, call, cancel, accesses, ending),
  };
};

/** 6 when a check failed, else 1 when a tool threw, else 0. */
export const exitCodeOf = ({ calls }: TryAnswer): number => {
  if (calls.some(({ checks }) => checks.some(({ ok }) => ok === false))) return 6;
  return calls.some(({ threw }) => threw !== null) ? 1 : 0;
};
