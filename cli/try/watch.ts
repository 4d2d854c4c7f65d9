/**
 * Runs in the child: names what the tool reaches for and does not declare. Files, programs and workers are refused by
 * Node; their refusals are noted here, since a tool may swallow them. Hosts and the names of programs Node cannot limit:
 * they are checked here, which stops mistakes, not hostile code.
 */
import childProcess from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import workers from 'node:worker_threads';
import type { Permissions } from '../../schemas/package-json.ts';
import { covers } from '../../tool-package/source/coverage.ts';
import type { Access, AccessKind } from './types.ts';

type Options = {
  declared: Permissions;
  extraHosts: readonly string[];
  mode: 'refuse' | 'name';
  isAuthors(stack: string): boolean;
};

const MAX_NAMED = 100;

/** Begins to watch this process; the answer gives what was named so far. Call it before the author's code is loaded. */
export function watchAccess(options: Options): () => Access[] {
  const named = new Map<string, Access>();
  const note = (kind: AccessKind, value: string): void => {
    if (named.size < MAX_NAMED) named.set(`${kind} ${value}`, { kind, value: value.slice(0, 500) });
  };
  const noteDenied = (error: unknown): void => {
    const { code, permission, resource } = (error ?? {}) as {
      code?: unknown;
      permission?: unknown;
      resource?: unknown;
    };
    if (code === 'ERR_DLOPEN_DISABLED') note('addon', 'a native add-on');
    const kind = code === 'ERR_ACCESS_DENIED' ? KINDS.get(String(permission)) : undefined;
    if (kind !== undefined) note(kind, String(resource ?? '') || kind);
  };
  wrapFunctions(fs, noteDenied);
  wrapFunctions(fs.promises, noteDenied);
  watchPrograms(options, note, noteDenied);
  watchWorkers(noteDenied);
  watchHosts(options, note);
  watchVariables(options, note);
  syncBuiltinESMExports();
  return () => [...named.values()];
}

type Note = (kind: AccessKind, value: string) => void;

const KINDS: ReadonlyMap<string, AccessKind> = new Map([
  ['FileSystemRead', 'read'],
  ['FileSystemWrite', 'write'],
  ['ChildProcess', 'run'],
  ['WorkerThreads', 'worker'],
  ['Net', 'network'],
]);

const isDeclared = ({ declared }: Options, kind: 'network' | 'run' | 'env', value: string): boolean =>
  (declared[kind] ?? []).some((pattern) => covers(kind, pattern, value));

const denied = (what: string): Error =>
  Object.assign(new Error(`${what} is not declared in piTools.permissions`), { code: 'ERR_ACCESS_DENIED' });

type Apply = (target: (...args: unknown[]) => unknown, self: unknown, args: unknown[]) => unknown;

/** Every function of the module goes through `apply`; properties of the functions stay. */
const wrapEach = (module: object, apply: (name: string) => Apply): void => {
  const functions = module as Record<string, unknown>;
  for (const [name, value] of Object.entries(functions)) {
    if (typeof value !== 'function' || /^[A-Z]/.test(name)) continue;
    const wrapped = new Proxy(value as (...args: unknown[]) => unknown, { apply: apply(name) });
    try {
      functions[name] = wrapped;
    } catch {
      // A property that cannot be set is not watched.
    }
  }
};

const wrapFunctions = (module: object, noteDenied: (error: unknown) => void): void =>
  wrapEach(
    module,
    () => (target, self, args) =>
      watchCall(() => Reflect.apply(target, self, watchCallback(args, noteDenied)), noteDenied),
  );

const watchCall = (call: () => unknown, noteDenied: (error: unknown) => void): unknown => {
  try {
    const result = call();
    if (result instanceof Promise) result.catch(noteDenied);
    return result;
  } catch (error) {
    noteDenied(error);
    throw error;
  }
};

const watchCallback = (args: unknown[], noteDenied: (error: unknown) => void): unknown[] => {
  const last = args.at(-1);
  if (typeof last !== 'function') return args;
  const callback = (...answer: unknown[]): unknown => {
    noteDenied(answer[0]);
    return (last as (...all: unknown[]) => unknown)(...answer);
  };
  return [...args.slice(0, -1), callback];
};

const SHELLS = new Set(['exec', 'execSync']);

const watchPrograms = (options: Options, note: Note, noteDenied: (error: unknown) => void): void => {
  const mayRun = (options.declared.run ?? []).length > 0;
  wrapEach(childProcess, (name) => (target, self, args) => {
    const program = name === 'fork' ? 'node' : String(args[0]);
    const first = SHELLS.has(name) ? (program.trim().split(/\s+/, 1)[0] ?? '') : program;
    if (!isDeclared(options, 'run', first)) {
      note('run', first);
      // Without any declared program Node itself refuses.
      if (mayRun && options.mode === 'refuse') throw denied(`the program \`${first}\``);
    }
    return watchCall(() => Reflect.apply(target, self, args), noteDenied);
  });
};

const watchWorkers = (noteDenied: (error: unknown) => void): void => {
  const module = workers as { Worker: unknown };
  module.Worker = new Proxy(workers.Worker, {
    construct: (target, args) => watchCall(() => Reflect.construct(target, args), noteDenied) as object,
  });
};

const watchHosts = (options: Options, note: Note): void => {
  const prototype = net.Socket.prototype as unknown as { connect(...args: unknown[]): unknown };
  const { connect } = prototype;
  prototype.connect = function (this: net.Socket, ...args: unknown[]) {
    const host = hostIn(args);
    const isKnown = host === null || options.extraHosts.includes(host) || isDeclared(options, 'network', host);
    if (isKnown) return Reflect.apply(connect, this, args);
    note('network', host);
    if (options.mode === 'name') return Reflect.apply(connect, this, args);
    return this.destroy(denied(`the host \`${host}\``));
  };
};

/** Null for a socket in the file system. */
const hostIn = (args: readonly unknown[]): string | null => {
  const [first, second] = Array.isArray(args[0]) ? args[0] : args;
  if (typeof first === 'object' && first !== null) {
    const { host, path } = first as { host?: unknown; path?: unknown };
    return typeof path === 'string' && host === undefined ? null : String(host ?? 'localhost').toLowerCase();
  }
  return typeof second === 'string' ? second.toLowerCase() : 'localhost';
};

const watchVariables = (options: Options, note: Note): void => {
  const noteName = (name: string | symbol): void => {
    if (typeof name !== 'string' || isDeclared(options, 'env', name)) return;
    if (options.isAuthors(new Error('who asks').stack ?? '')) note('env', name);
  };
  process.env = new Proxy(process.env, {
    get: (target, name, receiver) => {
      noteName(name);
      return Reflect.get(target, name, receiver);
    },
    has: (target, name) => {
      noteName(name);
      return Reflect.has(target, name);
    },
  });
};
