/** A snapshot of a folder: every file with its bytes and mode, every link, every empty folder. Two snapshots that are equal are one world. */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

export type World = Readonly<Record<string, string>>;

export type SnapshotOptions = {
  /** Paths (with slashes, relative) that do not count, with all below them. */
  readonly except?: readonly RegExp[];
};

/** The world below a folder. By default the cache and the embedded registry are left out. */
export function snapshotWorld(folder: string, options: SnapshotOptions = {}): World {
  const except = options.except ?? [/^(?:home\/)?\.cache(?:\/|$)/, /^(?:home\/)?\.local(?:\/|$)/];
  const world: Record<string, string> = {};
  const visit = (path: string): void => {
    const inside = (name: string): string => (path === '' ? name : `${path}/${name}`);
    const counts = (name: string): boolean => !except.some((pattern) => pattern.test(inside(name)));
    const names = readdirSync(join(folder, path)).sort().filter(counts);
    if (names.length === 0 && path !== '') world[`${path}/`] = 'empty folder';
    for (const name of names) {
      const inner = inside(name);
      const file = join(folder, inner);
      const stats = lstatSync(file);
      if (stats.isSymbolicLink()) world[inner] = `link to ${readlinkSync(file)}`;
      else if (stats.isDirectory()) visit(inner);
      else world[inner] = `${(stats.mode & 0o777).toString(8)} ${readFileSync(file).toString('latin1')}`;
    }
  };
  visit('');
  return world;
}
