/** What a package would have to declare for what its code reached for, in the words of docs/permissions.md. */
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Permissions } from '../../schemas/package-json.ts';
import type { Places } from './limits.ts';
import { textsIn } from './texts.ts';
import type { Access } from './types.ts';

const KINDS = ['network', 'read', 'write', 'run', 'env'] as const;

/** `args`: a path that comes from them stands for any path of its folder. */
export const declarationsFor = (accesses: readonly Access[], places: Places, args: unknown): Permissions => {
  const entries = KINDS.flatMap((kind) => {
    const values = accesses.filter((access) => access.kind === kind).map(({ value }) => value);
    const wanted = kind === 'read' || kind === 'write' ? values.map((path) => pathFor(path, places, args)) : values;
    return wanted.length === 0 ? [] : [[kind, [...new Set(wanted)]] as const];
  });
  return Object.fromEntries(entries);
};

const pathFor = (path: string, places: Places, args: unknown): string => {
  const full = resolve(places.cwd, path);
  const inside = (folder: string): string | null => {
    const rest = relative(folder, full);
    return rest === '..' || rest.startsWith(`..${sep}`) || isAbsolute(rest) ? null : rest.split(sep).join('/');
  };
  const fromArgs = textsIn(args).some((text) => path.includes(text));
  if (inside(places.temp) !== null) return '<temp>';
  const agent = inside(places.agentFolder);
  if (agent !== null) return agent === '' ? '<agent>' : `<agent>/${agent}`;
  const here = inside(places.cwd);
  if (here !== null) return fromArgs || here === '' ? '.' : here;
  const home = inside(places.home);
  if (home !== null) return fromArgs || home === '' ? '~' : `~/${home}`;
  return full;
};
