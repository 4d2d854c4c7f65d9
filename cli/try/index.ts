/** `pi-tools try`: each call in a child process of its own, limited to what the package declares. */

import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import type { Agent } from '../../schemas/agents.ts';
import type { Permissions } from '../../schemas/package-json.ts';
import { Problem } from '../../schemas/problem.ts';
import { covers } from '../../tool-package/source/coverage.ts';
import type { Interrupts } from '../command.ts';
import type { Environment } from '../environment.ts';
import { didYouMean, suggest } from '../suggest.ts';
import { type PlannedCall, planCalls } from './calls.ts';
import { checksOf } from './checks.ts';
import { declarationsFor } from './declare.ts';
import { type Limits, limitsFor, type Places } from './limits.ts';
import { CHILD_FILE, type ChildResult, runChild } from './run-child.ts';
import { openTrySource, prepareEntries, type TrySource } from './source.ts';
import type { Access, CallFacts, Check, PreparedEntry, Received } from './types.ts';
import { makeWorld } from './world.ts';

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
  interrupts: Interrupts;
  /** Called once, right before the author's code runs for the first time. */
  onStart(): void;
};

export type TriedCall = {
  agent: Agent;
  tool: string;
  args: unknown;
  /** Null where the call did not end. */
  received: Received | null;
  threw: string | null;
  /** `arguments`: they did not fit, and the tool was not reached; `other`: what was thrown is neither an Error nor a text. */
  threw_kind: CallFacts['threwKind'];
  /** `file:line`, where it is known. */
  threw_at: string | null;
  elapsed_ms: number | null;
  /** How often the tool told of its progress. */
  updates: number;
  checks: Check[];
  undeclared: Access[];
  /** What would have to be declared for that. */
  declare: Permissions;
  printed: string;
};

export type TryAnswer = { package: string; calls: TriedCall[]; enforced: string[]; not_limited: string[] };

type Run = { options: TryOptions; source: TrySource; temp: string };

/** Throws what opening the package throws, `usage` without arguments or examples, `not_found` for a tool that is not there. */
export const tryPackage = async (options: TryOptions): Promise<TryAnswer> => {
  const temp = await realpath(await mkdtemp(join(tmpdir(), 'pi-tools-try-')));
  const remove = () => rm(temp, { recursive: true, force: true });
  const done = options.interrupts.onInterrupt(remove);
  try {
    for (const folder of ['bundles', 'tmp', 'agent']) await mkdir(join(temp, folder));
    const { environment, path, agents } = options;
    const source = await openTrySource(path, { cwd: environment.cwd, agents, temp });
    return await tryAll({ options, source, temp });
  } finally {
    done();
    await remove();
  }
};

const tryAll = async (run: Run): Promise<TryAnswer> => {
  const { options, source, temp } = run;
  const calls = planCalls(source, options);
  const prepared = new Map<Agent, PreparedEntry[]>();
  for (const [agent, files] of source.entries) prepared.set(agent, await prepareEntries(files, join(temp, 'bundles')));
  const answer: TryAnswer = { package: source.name, calls: [], enforced: [], not_limited: [] };
  const elsewhere: { call: PlannedCall; names: string[] }[] = [];
  options.onStart();
  for (const call of calls) {
    const { limits, result, tried } = await runOne(run, call, prepared.get(call.agent) ?? []);
    // Main cleans up and ends the process: there must be no answer beside its own.
    if (options.interrupts.signal.aborted) await new Promise(() => {});
    answer.enforced = limits.enforced;
    answer.not_limited = limits.notLimited;
    if (result.otherTools === null) answer.calls.push(tried);
    else elsewhere.push({ call, names: result.otherTools });
  }
  const names = [...new Set(elsewhere.flatMap((one) => one.names))];
  if (answer.calls.length === 0) throw noTool(options.tool ?? elsewhere[0]?.call.tool ?? null, names);
  const lost = elsewhere.find(({ call }) => !answer.calls.some(({ tool }) => tool === call.tool));
  if (lost !== undefined) throw noTool(lost.call.tool, names);
  return answer;
};

const noTool = (tool: string | null, names: readonly string[]): Problem => {
  const list = names.map((name) => `\`${name}\``).join(', ');
  if (tool === null && names.length > 1)
    return new Problem('usage', `the package has several tools: ${list}`, { hint: 'name one with --tool' });
  const there = names.length === 0 ? 'the entries register none' : `there is: ${list}`;
  const near = tool === null ? undefined : didYouMean(suggest(tool, names));
  return new Problem('not_found', `there is no tool ${tool === null ? 'at all' : `\`${tool}\``}`, {
    hint: near === undefined ? there : `${near} ${there}`,
    details: { tools: names },
  });
};

type Ran = { limits: Limits; result: ChildResult; tried: TriedCall };

const runOne = async (run: Run, call: PlannedCall, entries: PreparedEntry[]): Promise<Ran> => {
  const { options, source, temp } = run;
  const { cwd: here, home } = options.environment;
  const cwd = call.files === null ? here : await makeWorld(temp, call.files);
  const places: Places = { cwd, home, temp: join(temp, 'tmp'), agentFolder: join(temp, 'agent') };
  const args = [call.args, ...call.earlier.map((one) => one.args)];
  const limits = limitsOf(run, places, args);
  const declared = declaredBy(source);
  const env = environmentFor(options, declared, places.temp);
  const { agent, tool, earlier } = call;
  const request = {
    ...{ agent, tool, earlier, args: call.args },
    ...{ entries, cwd, agentFolder: places.agentFolder, declared, extraHosts: hostsIn(env) },
    mode: options.mode === 'limited' ? ('refuse' as const) : ('name' as const),
  };
  const { timeoutMs } = options;
  const { signal } = options.interrupts;
  const result = await runChild(request, { flags: limits.flags, env, timeoutMs, signal });
  const context = { places, args, mode: options.mode };
  const tried = triedCall(call, withShortPlaces(result, here), context);
  return { limits, result, tried: { ...tried, checks: [...engineChecks(source, tried), ...tried.checks] } };
};

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

const limitsOf = ({ options, source, temp }: Run, places: Places, args: unknown): Limits => {
  if (options.mode === 'unlimited') {
    return { flags: [], enforced: [], notLimited: ['everything: --unlimited was given'] };
  }
  const own = [...ownFolders(temp), ...source.moduleFolders, ...source.files.slice(0, MAX_OWN_FILES)];
  return limitsFor(process.version, declaredBy(source), places, own, args);
};

const declaredBy = ({ piTools }: TrySource): Permissions => piTools.permissions ?? {};

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

/** Files as the user would name them. */
const withShortPlaces = (result: ChildResult, cwd: string): ChildResult => {
  const short = (at: string): string => {
    const rest = relative(cwd, at);
    return rest.startsWith(`..${sep}`) ? at : rest;
  };
  const placed = <One extends { at: string | null }>(one: One): One =>
    one.at === null ? one : { ...one, at: short(one.at) };
  const { call, loadFailure, ending } = result;
  return {
    ...result,
    call: call === null || call.threwAt === null ? call : { ...call, threwAt: short(call.threwAt) },
    loadFailure: loadFailure === null ? null : placed(loadFailure),
    ending: 'at' in ending ? placed(ending) : ending,
  };
};

/** `args`: those of all calls of the session. */
type TriedContext = { places: Places; args: unknown; mode: TryOptions['mode'] };

const triedCall = ({ agent, tool, args }: PlannedCall, result: ChildResult, context: TriedContext): TriedCall => {
  const { call, accesses, printed } = result;
  const declare = declarationsFor(accesses, context.places, context.args);
  return {
    agent,
    tool: result.tool ?? tool ?? '',
    args,
    received: call?.received ?? null,
    threw: call?.threw ?? null,
    threw_kind: call?.threwKind ?? null,
    threw_at: call?.threwAt ?? null,
    elapsed_ms: call?.elapsedMs ?? null,
    updates: call?.updates ?? 0,
    checks: checksOf(result, { agent, declare, mode: context.mode }),
    undeclared: accesses,
    declare,
    printed,
  };
};

const ENGINES = 'engines';

/** A tool that throws on a Node that its package does not ask for is not at fault. */
const engineChecks = ({ otherNode }: TrySource, { threw }: TriedCall): Check[] =>
  otherNode === null || threw === null
    ? []
    : [{ id: ENGINES, ok: null, message: `it needs Node ${otherNode}, and this is ${process.version}: try it there` }];

/** 6 when a check failed, else 1 when a tool threw (on a Node that it is for), else 0. */
export const exitCodeOf = ({ calls }: TryAnswer): number => {
  if (calls.some(({ checks }) => checks.some(({ ok }) => ok === false))) return 6;
  const hasThrown = ({ threw, checks }: TriedCall): boolean =>
    threw !== null && !checks.some(({ id }) => id === ENGINES);
  return calls.some(hasThrown) ? 1 : 0;
};
