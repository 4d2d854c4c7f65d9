/** Whether a declared value covers an observed one: docs/permissions.md has the same rules in words. */

import { LISTENS } from './network-uses.ts';
import { programName } from './shell-command.ts';
import type { UseKind } from './types.ts';

/** `value` null: it could not be decided. */
export function covers(kind: UseKind, declared: string, value: string | null): boolean {
  const pattern = declared.trim();
  if (pattern === '*') return true;
  if (kind === 'network') return value !== null && coversHost(pattern, value);
  if (kind === 'run') return value !== null && coversProgram(pattern, value);
  if (kind === 'env') return value !== null && (pattern === value || wildcardMatch(pattern, value));
  return coversPath(pattern, value);
}

/** `api.example.com` (a port or scheme in the declaration is ignored), `*.example.com`, `localhost` (all names of this machine). */
function coversHost(pattern: string, host: string): boolean {
  const wanted = bareHost(pattern);
  if (wanted === host || (isLocal(wanted) && (isLocal(host) || host === LISTENS))) return true;
  if (!wanted.startsWith('*.')) return false;
  return host.endsWith(wanted.slice(1)) || host === wanted.slice(2);
}

function bareHost(pattern: string): string {
  const withoutScheme = pattern.toLowerCase().replace(/^[a-z][a-z0-9+.-]*:\/\//, '');
  const host = withoutScheme.split('/', 1)[0] ?? '';
  return host.startsWith('[')
    ? host.replace(/\]:\d+$/, ']')
    : pattern.startsWith('$')
      ? pattern
      : host.replace(/:\d+$/, '');
}

const isLocal = (host: string): boolean => /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?|0\.0\.0\.0)$/.test(host);

const coversProgram = (pattern: string, program: string): boolean =>
  programName(pattern.split(/\s/, 1)[0] ?? '') === programName(program) || wildcardMatch(pattern, program);

/**
 * `.` (or `<cwd>`) is the working folder and, because the code may join anything to it, also every path that is not
 * decided; a folder covers what is in it; `*` and `**` stand for any text.
 */
function coversPath(declared: string, value: string | null): boolean {
  const pattern = tidyPath(declared);
  if (pattern === '/' || pattern === '/**') return true;
  if (value === null) return isOpenFolder(pattern);
  const path = tidyPath(value);
  if (pattern === '.' || pattern === '**') return !/^(?:\/|~|<|\.\.)/.test(path);
  if (path === pattern || path.startsWith(`${pattern}/`)) return true;
  if (wildcardMatch(pattern, path) || (pattern.endsWith('/**') && path === pattern.slice(0, -3))) return true;
  // What a variable holds is as unknown as anything.
  const open = path.replace(/^\$\w+(?=\/)/, '*');
  if (open !== path && !pattern.startsWith('$')) return coversPath(pattern, open);
  return coversPartly(pattern, path);
}

/** A path that is known only in part (`*\/presets.json`) and a declaration that fits the known parts. */
function coversPartly(pattern: string, path: string): boolean {
  if (!path.includes('*')) return false;
  const end = path.slice(path.lastIndexOf('*') + 1);
  const start = path.slice(0, path.indexOf('*'));
  if (start !== '') return pattern.startsWith(start) && pattern.endsWith(end);
  return isOpenFolder(pattern) || (end !== '' && pattern.endsWith(end));
}

const isOpenFolder = (pattern: string): boolean =>
  pattern === '.' || pattern === '~' || pattern === '**' || pattern === '<argument>' || pattern.endsWith('/**');

function tidyPath(path: string): string {
  const plain = path.replaceAll('\\', '/').replace(/^(?:<cwd>|<worktree>|<project>)(?=\/|$)/, '.');
  const home = plain.replace(/^\$HOME(?=\/|$)/, '~').replace(/^(?:\/tmp|\$TMPDIR)(?=\/|$)/, '<temp>');
  const short = home.replace(/^~\/\.pi\/agent(?=\/|$)/, '<agent>').replace(/\/\*$/, '/**');
  const trimmed = short.length > 1 ? short.replace(/\/$/, '') : short;
  return trimmed.startsWith('./') && trimmed !== './**' ? trimmed.slice(2) : trimmed === './**' ? '.' : trimmed;
}

/** `*` stands for any text. Linear in the lengths: greedy, the last star alone is gone back to. */
export function wildcardMatch(pattern: string, text: string): boolean {
  if (!pattern.includes('*')) return pattern === text;
  let [at, from, star, mark] = [0, 0, -1, 0];
  while (at < text.length) {
    if (pattern[from] === '*') {
      star = from;
      mark = at;
      from += 1;
    } else if (from < pattern.length && pattern[from] === text[at]) {
      at += 1;
      from += 1;
    } else if (star === -1) return false;
    else {
      from = star + 1;
      mark += 1;
      at = mark;
    }
  }
  while (pattern[from] === '*') from += 1;
  return from === pattern.length;
}
