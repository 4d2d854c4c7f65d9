/** What stands on the command line of `install`: a name with a wish, or a path. */
import { existsSync } from 'node:fs';
import { basename, isAbsolute, resolve } from 'node:path';
import { Problem } from '../../schemas/problem.ts';
import { parsePackageRequest, type Wanted } from '../resolve/request.ts';
import type { PathEnvironment } from '../state/paths.ts';

export type Spec =
  | { kind: 'registry'; text: string; name: string; wanted: Wanted }
  | { kind: 'path'; text: string; path: string; form: 'folder' | 'archive' | 'file' };

const looksLikePath = (text: string): boolean =>
  /^(?:\.{1,2}(?:[\\/]|$)|[\\/]|~[\\/]|file:|[A-Za-z]:[\\/])/.test(text) || isAbsolute(text);

const formOf = (path: string): 'folder' | 'archive' | 'file' => {
  if (/\.(?:tgz|tar\.gz)$/i.test(path)) return 'archive';
  return /\.[cm]?[jt]sx?$/.test(basename(path)) ? 'file' : 'folder';
};

/** `weather`, `weather@^1`, `./dir`, `./x.tgz`, `./tool.ts`, `file:./dir`. Problem `usage`, `not_found`, or as `parsePackageRequest`. */
export function parseSpec(text: string, environment: PathEnvironment & { readonly cwd: string }): Spec {
  const bare = /^[^@/\\]+\.(?:tgz|tar\.gz|ts|js)$/.test(text) && existsSync(resolve(environment.cwd, text));
  if (!looksLikePath(text) && !bare) return { kind: 'registry', text, ...parsePackageRequest(text) };
  const given = text.replace(/^file:/, '');
  const path = given.startsWith('~/') ? resolve(environment.home, given.slice(2)) : resolve(environment.cwd, given);
  if (!existsSync(path)) {
    throw new Problem('not_found', `\`${text}\` is not there`, { hint: 'a path is relative to the current folder' });
  }
  return { kind: 'path', text, path, form: formOf(path) };
}
