/** What a module may expect to be there, with fixed, neutral values: no variable, clock or path of a machine. */
import { noteAsked } from './asked.ts';
import { fromBase64, SandboxBuffer, SandboxTextDecoder, SandboxTextEncoder, toBase64 } from './bytes.ts';
import { inert, inertLabel } from './inert.ts';
import { installLanguage } from './language.ts';
import { findMark, markFor } from './marks.ts';
import { WORKING_FOLDER } from './path.ts';
import { clearTimer, setImmediate, setInterval, setTimeout } from './timers.ts';
import { SandboxSearchParams, SandboxUrl } from './url.ts';

const nothing = () => undefined;
const FIXED_TIME = Date.UTC(2026, 0, 1);

/** There, but only in name. `Bun` is not among them: code asks for it to tell the two runtimes apart. */
const INERT_GLOBALS = [
  'fetch',
  'crypto',
  'Headers',
  'Request',
  'Response',
  'FormData',
  'Blob',
  'File',
  'EventTarget',
  'Event',
  'CustomEvent',
  'MessageEvent',
  'CloseEvent',
  'ErrorEvent',
  'EventSource',
  'WebSocket',
  'DOMException',
  'MessageChannel',
  'MessagePort',
  'BroadcastChannel',
  'ReadableStream',
  'WritableStream',
  'TransformStream',
  'CompressionStream',
  'DecompressionStream',
  'TextDecoderStream',
  'TextEncoderStream',
  'ByteLengthQueuingStrategy',
  'CountQueuingStrategy',
  'PerformanceObserver',
  'WebAssembly',
];

const NAVIGATOR = {
  hardwareConcurrency: 4,
  language: 'en-US',
  languages: ['en-US'],
  platform: 'linux',
  userAgent: 'Node.js/22',
};

const quietConsole = new Proxy({}, { get: () => nothing });

let platform = 'linux';

/** No variable is set, but the code may set some itself. */
function readVariable(target: Record<string, unknown>, key: string | symbol): unknown {
  if (isWanted(key)) noteAsked('env');
  return Reflect.get(target, key);
}

function hasVariable(target: object, key: string | symbol): boolean {
  if (isWanted(key)) noteAsked('env');
  return Reflect.has(target, key);
}

/** `process.on` and its like: nothing is ever heard. */
function listenerMethods(): Record<string, () => unknown> {
  const names = ['on', 'once', 'off', 'addListener', 'prependListener', 'removeListener', 'removeAllListeners'];
  const methods = [...names, 'setMaxListeners'].map((name) => [name, () => sandboxProcess] as const);
  return {
    ...Object.fromEntries(methods),
    emit: () => false,
    listeners: () => [],
    listenerCount: () => 0,
    eventNames: () => [],
  };
}

export const sandboxProcess: Record<string, unknown> = {
  argv: ['node', 'agent'],
  execPath: '/usr/bin/node',
  execArgv: [],
  env: new Proxy<Record<string, unknown>>({}, { get: readVariable, has: (target, key) => hasVariable(target, key) }),
  get platform() {
    noteAsked('platform');
    return platform;
  },
  arch: 'x64',
  pid: 1,
  ppid: 0,
  version: 'v22.19.0',
  versions: { node: '22.19.0' },
  release: { name: 'node' },
  cwd: () => WORKING_FOLDER,
  chdir: nothing,
  ...listenerMethods(),
  argv0: 'node',
  title: 'node',
  exitCode: undefined,
  config: {},
  features: {},
  umask: () => 0o22,
  getuid: () => 1000,
  geteuid: () => 1000,
  getgid: () => 1000,
  getegid: () => 1000,
  kill: () => true,
  abort: nothing,
  cpuUsage: () => ({ user: 0, system: 0 }),
  resourceUsage: () => ({}),
  setUncaughtExceptionCaptureCallback: nothing,
  emitWarning: nothing,
  uptime: () => 0,
  hrtime: Object.assign(() => [0, 0], { bigint: () => 0n }),
  memoryUsage: () => ({ rss: 0, heapTotal: 0, heapUsed: 0, external: 0, arrayBuffers: 0 }),
  nextTick: (callback: (...args: unknown[]) => void, ...args: unknown[]) =>
    void Promise.resolve().then(() => callback(...args)),
  exit: () => {
    throw new Error('process.exit() was called');
  },
  stdout: inert('process stdout'),
  stderr: inert('process stderr'),
  stdin: inert('process stdin'),
};

/** Names that are set on every machine, or that change what a program is: they stay as they are. */
const ORDINARY = /^(?:HOME|PATH|USER|SHELL|LANG|TERM|TMPDIR|PWD|CI|DEBUG|NODE_ENV|NODE_OPTIONS|NO_COLOR|VITEST.*)$/;

const isWanted = (key: string | symbol): key is string =>
  typeof key === 'string' && /^[A-Z][A-Z0-9_]+$/.test(key) && !ORDINARY.test(key);

/** An environment in which every other variable is set, to something unread: tools that ask for a key are registered. */
export function useFullEnvironment(): void {
  sandboxProcess.env = new Proxy(Object.create(null), {
    get: (_target, key) => (isWanted(key) ? markFor(`process.env ${key}`) : undefined),
    has: (_target, key) => isWanted(key),
  });
}

/** Another system: tools for one only are seen then. Paths stay as they are. */
export function usePlatform(name: string): void {
  platform = name;
}

class SandboxAbortSignal {
  aborted = false;
  reason: unknown;
  private readonly listeners: (() => unknown)[] = [];
  addEventListener(_type: string, listener: () => unknown): void {
    this.listeners.push(listener);
  }
  removeEventListener(): void {}
  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }
  abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    for (const listener of this.listeners) listener();
  }
  static abort(reason: unknown): SandboxAbortSignal {
    const signal = new SandboxAbortSignal();
    signal.abort(reason);
    return signal;
  }
  static timeout(): SandboxAbortSignal {
    return new SandboxAbortSignal();
  }
  static any(): SandboxAbortSignal {
    return new SandboxAbortSignal();
  }
}

class SandboxAbortController {
  readonly signal = new SandboxAbortSignal();
  abort(reason: unknown = new Error('This operation was aborted')): void {
    this.signal.abort(reason);
  }
}

/** A deep copy of plain data; functions cannot be cloned, as in Node. */
function structuredClone(value: unknown): unknown {
  if (inertLabel(value) !== undefined) return value;
  if (typeof value === 'function') throw new Error('A function could not be cloned.');
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(structuredClone);
  if (value instanceof Date) return new Date(value.getTime());
  if (value instanceof Map)
    return new Map([...value].map(([key, item]) => [structuredClone(key), structuredClone(item)]));
  if (value instanceof Set) return new Set([...value].map(structuredClone));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, structuredClone(item)]));
}

/** Always the same instant and the same numbers. */
function fixClockAndChance(): void {
  const RealDate = Date;
  const FixedDate = function FixedDate(...args: unknown[]) {
    const date = args.length === 0 ? new RealDate(FIXED_TIME) : new RealDate(...(args as [number]));
    return new.target === undefined ? date.toISOString() : date;
  } as unknown as DateConstructor;
  Object.defineProperty(FixedDate, 'prototype', { value: RealDate.prototype });
  Object.assign(FixedDate, { UTC: RealDate.UTC, parse: RealDate.parse, now: () => FIXED_TIME });
  RealDate.prototype.constructor = FixedDate;
  globalThis.Date = FixedDate;
  let state = 0x2545f491;
  Math.random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 0x100000000;
  };
}

/** A text made from an inert value is no JSON; what it would hold is inert too. */
function parseMarkedJson(): void {
  const parse = JSON.parse;
  JSON.parse = (text: unknown, ...rest: unknown[]) => {
    const label = inertLabel(text) ?? (typeof text === 'string' ? findMark(text) : undefined);
    return label === undefined ? Reflect.apply(parse, JSON, [text, ...rest]) : inert(label);
  };
}

/** `require` with the members that code asks for. */
export function requireOf(requireModule: (name: string) => unknown): unknown {
  const resolve = Object.assign((name: string) => `/node_modules/${name}`, { paths: () => [] });
  return Object.assign((name: string) => requireModule(name), {
    resolve,
    cache: Object.create(null),
    extensions: {},
    main: undefined,
  });
}

/** Numbers made from inert values carry no mark, so they become NaN, which no record can hold. */
export function installGlobals(requireModule: (name: string) => unknown): void {
  fixClockAndChance();
  parseMarkedJson();
  installLanguage();
  sandboxProcess.getBuiltinModule = (name: string) => requireModule(name);
  const globals: Record<string, unknown> = {
    console: quietConsole,
    process: sandboxProcess,
    Buffer: SandboxBuffer,
    TextEncoder: SandboxTextEncoder,
    TextDecoder: SandboxTextDecoder,
    URL: SandboxUrl,
    URLSearchParams: SandboxSearchParams,
    AbortController: SandboxAbortController,
    AbortSignal: SandboxAbortSignal,
    structuredClone,
    setTimeout,
    setInterval,
    setImmediate,
    clearTimeout: clearTimer,
    clearInterval: clearTimer,
    clearImmediate: clearTimer,
    queueMicrotask: (callback: () => void) => void Promise.resolve().then(callback),
    atob: (value: string) => String.fromCharCode(...fromBase64(value)),
    btoa: (value: string) => toBase64(SandboxBuffer.from(value, 'latin1')),
    require: requireOf(requireModule),
    // The agent's loader gives every file the names of CommonJS.
    module: { id: '.', exports: {}, children: [], paths: [], loaded: false },
    exports: {},
    navigator: NAVIGATOR,
    global: globalThis,
    performance: { now: () => 0, timeOrigin: FIXED_TIME, mark: nothing, measure: nothing },
  };
  for (const name of INERT_GLOBALS) globals[name] = inert(name);
  for (const [name, value] of Object.entries(globals)) {
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
  }
}
