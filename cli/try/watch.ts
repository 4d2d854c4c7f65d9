/**
 * Runs in the child: names what the tool reaches for and does not declare. Files, programs and workers are refused by
 * Node; their refusals are noted here, since a tool may swallow them. Hosts and the names of programs Node cannot limit:
 * they are checked here, which stops mistakes, not hostile code.
 */
import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import workers from 'node:worker_threads';
import type { Permissions } from '../../schemas/package-json.ts';
import { covers } from '../../tool-package/source/coverage.ts';
import { LISTENS } from '../../tool-package/source/network-uses.ts';
import { MARK } from './descendants.ts';
import type { Access, AccessKind } from './types.ts';

type Options = {
  declared: Permissions;
  extraHosts: readonly string[];
  mode: 'refuse' | 'name';
  /** By the address of the module. */
  isAuthors(file: string): boolean;
  /** Once for each thing that is not declared, as soon as it is reached for: the process may not live on. */
  report(access: Access): void;
};

const MAX_NAMED = 100;

/** Begins to watch this process. Call it before the author's code is loaded. */
export function watchAccess(options: Options): void {
  const named = new Set<string>();
  const note: Note = (kind, value) => {
    const access = { kind, value: value.slice(0, 500) };
    const key = `${kind} ${access.value}`;
    if (named.size >= MAX_NAMED || named.has(key)) return;
    named.add(key);
    options.report(access);
  };
  const noteDenied: NoteDenied = (error) => {
    const { code, permission, resource } = (error ?? {}) as Record<string, unknown>;
    if (code === 'ERR_DLOPEN_DISABLED') note('addon', 'a native add-on');
    const kind = code === 'ERR_ACCESS_DENIED' ? KINDS.get(String(permission)) : undefined;
    if (kind === undefined) return;
    const what = String(resource ?? '');
    // Node does not say which program: its name was noted when it was asked for.
    if (what !== '' || ![...named].some((key) => key.startsWith(`${kind} `))) note(kind, what || kind);
  };
  wrapFunctions(fs, noteDenied);
  wrapFunctions(fs.promises, noteDenied);
  watchPrograms(options, note, noteDenied);
  watchWorkers(noteDenied);
  watchHosts(options, note);
  watchVariables(options, note);
  syncBuiltinESMExports();
}

type Note = (kind: AccessKind, value: string) => void;
type NoteDenied = (error: unknown) => void;

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

const wrapFunctions = (module: object, noteDenied: NoteDenied): void =>
  wrapEach(
    module,
    () => (target, self, args) =>
      watchCall(() => Reflect.apply(target, self, watchCallback(args, noteDenied)), noteDenied),
  );

const watchCall = (call: () => unknown, noteDenied: NoteDenied): unknown => {
  try {
    const result = call();
    if (result instanceof Promise) result.catch(noteDenied);
    return result;
  } catch (error) {
    noteDenied(error);
    throw error;
  }
};

const watchCallback = (args: unknown[], noteDenied: NoteDenied): unknown[] => {
  const last = args.at(-1);
  if (typeof last !== 'function') return args;
  const callback = (...answer: unknown[]): unknown => {
    noteDenied(answer[0]);
    return (last as (...all: unknown[]) => unknown)(...answer);
  };
  return [...args.slice(0, -1), callback];
};

const SHELLS = new Set(['exec', 'execSync']);

const watchPrograms = (options: Options, note: Note, noteDenied: NoteDenied): void => {
  const mayRun = (options.declared.run ?? []).length > 0;
  wrapEach(childProcess, (name) => (target, self, args) => {
    const program = name === 'fork' ? 'node' : String(args[0]);
    const first = SHELLS.has(name) ? (program.trim().split(/\s+/, 1)[0] ?? '') : program;
    if (!isDeclared(options, 'run', first)) {
      note('run', first);
      // Without any declared program Node itself refuses.
      if (mayRun && options.mode === 'refuse') throw denied(`the program \`${first}\``);
    }
    return watchCall(() => Reflect.apply(target, self, args.map(marked)), noteDenied);
  });
};

/** What is started with an environment of its own has to be found again, too. */
const marked = (argument: unknown): unknown => {
  const env = (argument as { env?: unknown } | null | undefined)?.env;
  if (typeof env !== 'object' || env === null || typeof argument === 'function') return argument;
  return { ...(argument as object), env: { ...env, [MARK]: process.env[MARK] } };
};

const watchWorkers = (noteDenied: NoteDenied): void => {
  const module = workers as { Worker: unknown };
  module.Worker = new Proxy(workers.Worker, {
    construct: (target, args) => watchCall(() => Reflect.construct(target, args), noteDenied) as object,
  });
};

/** Notes a host that is not declared; true where it has to be refused. */
const isRefused = (options: Options, note: Note, host: string): boolean => {
  if (options.extraHosts.includes(host) || isDeclared(options, 'network', host)) return false;
  note('network', host);
  return options.mode === 'refuse';
};

type Method = (this: unknown, ...args: unknown[]) => unknown;

const watchHosts = (options: Options, note: Note): void => {
  const refused = (host: string | null): boolean => host !== null && isRefused(options, note, host);
  replace(
    net.Socket.prototype,
    'connect',
    (connect) =>
      function (this: unknown, ...args) {
        const host = hostIn(args);
        if (!refused(host)) return Reflect.apply(connect, this, args);
        // Not at once: whoever asked has not begun to listen for errors, and one that nobody hears ends the process.
        setImmediate(() => (this as net.Socket).destroy(denied(`the host \`${host}\``)));
        return this;
      },
  );
  replace(
    net.Server.prototype,
    'listen',
    (listen) =>
      function (this: unknown, ...args) {
        if (typeof args[0] !== 'string' && refused(LISTENS)) throw denied('waiting for connections');
        return Reflect.apply(listen, this, args);
      },
  );
  replace(
    dgram.Socket.prototype,
    'send',
    (send) =>
      function (this: unknown, ...args) {
        const address = args.slice(1).findLast((arg) => typeof arg === 'string');
        if (refused(String(address ?? 'localhost').toLowerCase())) throw denied(`the host \`${address}\``);
        return Reflect.apply(send, this, args);
      },
  );
  for (const module of [dns, dns.promises]) {
    wrapEach(module, (name) => (target, self, args) => {
      const host = String(args[0]).toLowerCase();
      if (/^(?:lookup|resolve)/.test(name) && name !== 'lookupService' && refused(host))
        throw denied(`the host \`${host}\``);
      return Reflect.apply(target, self, args);
    });
  }
};

const replace = (prototype: object, name: string, make: (method: Method) => Method): void => {
  const methods = prototype as Record<string, Method>;
  const method = methods[name];
  if (method !== undefined) methods[name] = make(method);
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

/** The module that really asks: of the first frame that is not of this file. Empty for none. */
const askingFile = (): string => {
  const { prepareStackTrace } = Error;
  Error.prepareStackTrace = (_, sites) => sites;
  const sites = new Error('who asks').stack as unknown as NodeJS.CallSite[];
  Error.prepareStackTrace = prepareStackTrace;
  const files = sites.map((site) => site.getFileName() ?? '');
  return files.find((file) => file !== import.meta.url) ?? '';
};

const watchVariables = (options: Options, note: Note): void => {
  const noteName = (name: string | symbol): void => {
    if (typeof name !== 'string' || isDeclared(options, 'env', name)) return;
    if (options.isAuthors(askingFile())) note('env', name);
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
