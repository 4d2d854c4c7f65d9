/** Names of what the host gives: one spelling for each, however it was reached. */
import { builtinModules } from 'node:module';

const BUILTINS = new Set(builtinModules.filter((name) => !name.startsWith('_')));
const GLOBAL_SELVES = new Set(['globalThis', 'global', 'window', 'self']);

/** The value of an import that is none of the package's own files: `node:fs`, `bun:sqlite`, `npm:axios`. */
export function moduleApi(specifier: string): string {
  if (specifier.startsWith('node:') || specifier.startsWith('bun:')) return canonicalApi(specifier);
  if (specifier === 'bun') return 'global.Bun';
  if (BUILTINS.has(specifier)) return canonicalApi(`node:${specifier}`);
  return `npm:${specifier.replace(/^npm:/, '')}`;
}

/** The value of a name that nobody in the file declares. */
export const globalApi = (name: string): string =>
  GLOBAL_SELVES.has(name) ? 'global' : canonicalApi(`global.${name}`);

/** `path` and then its member `key`. */
export function memberApi(path: string, key: string): string {
  if (path === 'global') return globalApi(key);
  // A function's constructor is `Function`; an instance's is not.
  if (key === 'constructor' && !path.endsWith('#') && path !== 'pi') return 'global.Function';
  if (key === 'default' && /^(?:node|bun|npm):[^.]*$/.test(path)) return path;
  return canonicalApi(`${path}.${key}`);
}

const CANONICAL: [RegExp, string][] = [
  [/^node:fs\.promises(?=\.|$)/, 'node:fs/promises'],
  [/^node:process(?=\.|$)/, 'global.process'],
  [/^node:buffer\.(Buffer|atob|btoa|Blob|File)(?=\.|$)/, 'global.$1'],
  [/^node:url\.(URL|URLSearchParams)(?=\.|$)/, 'global.$1'],
  [/^node:path(?:\.posix|\.win32|\/posix|\/win32)(?=\.|$)/, 'node:path'],
  [/^node:timers(?:\/promises)?\.(setTimeout|setInterval|setImmediate)$/, 'global.$1'],
  [/^(?:global\.module|global\.process\.mainModule)\.require$/, 'global.require'],
  [/^node:worker_threads\.Worker(?=\.|$|#)/, 'node:worker_threads.Worker'],
  [/^global\.Reflect\.(.*)$/, 'global.Reflect.$1'],
];

function canonicalApi(path: string): string {
  for (const [pattern, replacement] of CANONICAL) {
    if (pattern.test(path)) return path.replace(pattern, replacement);
  }
  return path;
}
