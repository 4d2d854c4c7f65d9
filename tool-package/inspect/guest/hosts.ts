/** The modules that an entry can import: the agents' packages, and what of Node's has one fixed answer. */

import { TRUNCATION } from '../../run/host/truncate.ts';
import { findHostPackage } from '../../run/host-packages.ts';
import { BUILT_IN_TOOLS, type BuiltInTool } from '../built-in-tools.ts';
import { SandboxBuffer, SandboxTextDecoder, SandboxTextEncoder } from './bytes.ts';
import { EventEmitter } from './event-emitter.ts';
import { filePromises, fileSystem } from './files.ts';
import { requireOf, sandboxProcess } from './globals.ts';
import { inert, moduleOf, settledInert } from './inert.ts';
import { OPERATING_SYSTEM, PROCESSES, UTILITIES } from './node-modules.ts';
import { findRequire } from './own-files.ts';
import { POSIX_PATH, resolve } from './path.ts';
import { setImmediate, setInterval, setTimeout } from './timers.ts';
import { fileURLToPath, pathToFileURL, SandboxSearchParams, SandboxUrl } from './url.ts';

type Exports = Readonly<Record<string, unknown>>;
type Options = { description?: unknown; default?: unknown };

const HOME = '/home/user';
const USER = { username: 'user', homedir: HOME, shell: '/bin/sh', uid: 1000, gid: 1000 };
const SHELLS = new Set(['bash', 'powershell']);

/** What real modules of ours (TypeBox, Zod) are; given in before an entry that needs them. */
const provided = new Map<string, Exports>();

/** The real module, without the inert rest that an entry sees behind it. */
export const providedModule = (name: string): Exports => provided.get(name) ?? {};

export const provideModule = (name: string, exports: Exports): void => void provided.set(name, exports);

function builtInFactory(tool: BuiltInTool, withPrompts: boolean) {
  return () => ({
    name: tool.name,
    label: tool.label,
    description: tool.description,
    parameters: JSON.parse(JSON.stringify(tool.parameters)),
    ...(withPrompts ? { promptSnippet: tool.promptSnippet } : {}),
    ...(withPrompts && tool.promptGuidelines.length > 0 ? { promptGuidelines: [...tool.promptGuidelines] } : {}),
    execute: () => Promise.resolve({ content: [] }),
    ...(withPrompts ? { renderCall: inert('host renderer'), renderResult: inert('host renderer') } : {}),
  });
}

function builtInFactories(): Record<string, () => unknown> {
  const factories: Record<string, () => unknown> = {};
  for (const tool of BUILT_IN_TOOLS) {
    // Measured on pi 1.6.0: a plain tool carries snippet and guidelines only for the shells.
    factories[`create${tool.factory}Tool`] = builtInFactory(tool, SHELLS.has(tool.name));
    factories[`create${tool.factory}ToolDefinition`] = builtInFactory(tool, true);
  }
  const several = (...names: string[]) => names.map((name) => factories[`create${name}Tool`]?.());
  factories.createCodingTools = () => several('Read', 'Bash', 'Edit', 'Write');
  factories.createReadOnlyTools = () => several('Read', 'Grep', 'Find', 'Ls');
  return factories;
}

/** `type` and `enum`, as pi's own: a description or default only where there is one. */
function stringEnum(values: unknown, options: Options = {}): unknown {
  return {
    type: 'string',
    enum: values,
    ...(options.description ? { description: options.description } : {}),
    ...(options.default ? { default: options.default } : {}),
  };
}

const typebox = (): Exports => provided.get('typebox') ?? {};

const PI_MODULES: ReadonlyMap<string, () => Exports> = new Map<string, () => Exports>([
  [
    'pi-coding-agent',
    () => ({
      ...TRUNCATION,
      ...builtInFactories(),
      defineTool: (tool: unknown) => tool,
      getAgentDir: () => `${HOME}/.pi/agent`,
      CONFIG_DIR_NAME: '.pi',
      VERSION: '1.6.0',
      withFileMutationQueue: (_file: unknown, work: () => unknown) => work(),
    }),
  ],
  ['pi-ai', () => ({ StringEnum: stringEnum, Type: typebox().Type })],
  ['pi-agent-core', () => ({})],
  ['pi-tui', () => ({})],
]);

const SYSTEM_TYPES: Readonly<Record<string, string>> = { linux: 'Linux', darwin: 'Darwin', win32: 'Windows_NT' };

const operatingSystem = (): Exports => ({
  ...OPERATING_SYSTEM,
  platform: () => sandboxProcess.platform,
  type: () => SYSTEM_TYPES[String(sandboxProcess.platform)],
  homedir: () => HOME,
  userInfo: () => USER,
});

const later = (_delay: unknown, value: unknown) => Promise.resolve(value);

const NODE_MODULES: ReadonlyMap<string, () => Exports> = new Map<string, () => Exports>([
  ['path', () => POSIX_PATH],
  ['path/posix', () => POSIX_PATH],
  ['url', () => ({ fileURLToPath, pathToFileURL, URL: SandboxUrl, URLSearchParams: SandboxSearchParams })],
  ['process', () => sandboxProcess],
  ['buffer', () => ({ Buffer: SandboxBuffer })],
  ['fs', fileSystem],
  ['fs/promises', filePromises],
  ['timers', () => ({ setTimeout, setInterval, setImmediate })],
  ['timers/promises', () => ({ setTimeout: later, setImmediate: later })],
  ['os', operatingSystem],
  ['child_process', () => PROCESSES],
  ['util', () => ({ ...UTILITIES, TextEncoder: SandboxTextEncoder, TextDecoder: SandboxTextDecoder })],
  ['events', () => ({ EventEmitter, default: EventEmitter, once: inert('node:events once') })],
  ['async_hooks', () => ({ AsyncLocalStorage })],
  ['module', () => ({ createRequire, builtinModules: [], isBuiltin: (name: unknown) => /^node:/.test(`${name}`) })],
]);

/** `run` calls at once; nothing is stored between calls here. */
class AsyncLocalStorage {
  run(_store: unknown, work: (...args: unknown[]) => unknown, ...args: unknown[]): unknown {
    return work(...args);
  }
  exit(work: (...args: unknown[]) => unknown, ...args: unknown[]): unknown {
    return work(...args);
  }
  getStore(): undefined {}
  enterWith(): void {}
  disable(): void {}
}

/** Files of the archive, and modules by name. */
function createRequire(from: unknown): unknown {
  const file = `${from as string}`;
  const folder = resolve(file.startsWith('file:') ? fileURLToPath(file) : file, '..');
  return requireOf((name) => {
    if (!/^\.{0,2}\//.test(name)) return requiredModule(hostName(name));
    const load = findRequire(resolve(folder, name));
    return load === undefined ? settledInert(`require ${name}`) : load();
  });
}

function hostName(name: string): string {
  const host = findHostPackage(name);
  if (host === undefined) return name;
  if (host.kind === 'plugin') return 'host:plugin';
  return host.kind === 'pi' ? `pi:${host.name}` : `host:${host.name}`;
}

const made = new Map<string, object>();

/** The module for `name`: `pi:…` and `host:…` are the agents', anything else is Node's or npm's. */
export function sandboxModule(name: string): object {
  const known = made.get(name);
  if (known) return known;
  const module = moduleOf(name.replace(/^(?:pi|host|npm):/, ''), exportsOf(name));
  made.set(name, module);
  return module;
}

/** What `require` gives: a module that is inert as a whole can be called and extended. */
export function requiredModule(name: string): unknown {
  return Object.keys(exportsOf(name)).length === 0 ? settledInert(name.replace(/^npm:/, '')) : sandboxModule(name);
}

function exportsOf(name: string): Exports {
  if (name.startsWith('pi:')) return PI_MODULES.get(name.slice(3))?.() ?? {};
  if (name === 'host:plugin') return plugin();
  if (name.startsWith('host:')) return provided.get(name.slice(5)) ?? {};
  return NODE_MODULES.get(name.replace(/^node:/, ''))?.() ?? {};
}

function plugin(): Exports {
  const zod = provided.get('zod') ?? {};
  const tool = Object.assign((definition: unknown) => definition, { schema: zod.z ?? zod });
  return { tool, default: tool };
}
