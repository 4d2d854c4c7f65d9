/** pi: how a package is installed, and which extensions a pi would load (measured on pi 1.6.0). */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { PackageSource } from '../install/source.ts';
import type { Place } from '../state/paths.ts';
import type { SettingsView } from './allowed-tools.ts';
import { type Layout, packageFolder, versionFolder } from './layout.ts';

const PI_FORMAT = 1;

/** The generated package.json is what pi finds; its paths lead into the versioned folder, so that one rename switches versions. */
export function piLayout(place: Place, source: PackageSource): Layout {
  const { name, version, integrity } = source;
  const location = packageFolder(place, name);
  const folder = versionFolder(place, name, version, integrity);
  const inner = folder.slice(location.length + 1);
  const extensions = (source.record.agents.pi?.entries ?? []).map((entry) => `./${inner}/${entry}`);
  const content = `${JSON.stringify({ name, version, pi: { extensions } }, null, 2)}\n`;
  const file = join(location, 'package.json');
  return {
    location,
    folder,
    switches: [{ file, bytes: Buffer.from(content), format: PI_FORMAT }],
    shared: [],
    extra: [],
  };
}

/** Something that pi loads as one extension: a file, or a folder with index or manifest. */
export type ExtensionUnit = { readonly path: string; readonly name: string; readonly from: string };

const CODE = /\.[jt]s$/;

const kindOf = (path: string): 'file' | 'folder' | undefined => {
  try {
    const stats = statSync(path);
    if (stats.isFile()) return 'file';
    return stats.isDirectory() ? 'folder' : undefined;
  } catch {
    return undefined;
  }
};

/** The manifest key of a folder; undefined where pi sees none. */
function manifestOf(folder: string): unknown[] | undefined {
  try {
    const { pi } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return Array.isArray(pi?.extensions) ? pi.extensions : undefined;
  } catch {
    return undefined;
  }
}

const hasIndex = (folder: string): boolean =>
  existsSync(join(folder, 'index.ts')) || existsSync(join(folder, 'index.js'));

const loads = (folder: string): boolean => manifestOf(folder) !== undefined || hasIndex(folder);

/** What lies in a scanned folder, one level deep. */
export function listExtensions(folder: string): ExtensionUnit[] {
  let names: string[];
  try {
    names = readdirSync(folder).sort();
  } catch {
    return [];
  }
  return names.flatMap((name) => {
    const path = join(folder, name);
    const kind = name.startsWith('.') || name === 'node_modules' ? undefined : kindOf(path);
    const counts = kind === 'file' ? CODE.test(name) : kind === 'folder' && loads(path);
    return counts ? [{ path, name, from: folder }] : [];
  });
}

/** Why pi would load nothing else from a scanned folder; undefined when all is well. */
export function hiddenBy(folder: string): string | undefined {
  for (const name of ['index.ts', 'index.js']) if (existsSync(join(folder, name))) return join(folder, name);
  if (manifestOf(folder) !== undefined) return join(folder, 'package.json');
  return ['.gitignore', '.ignore', '.fdignore'].map((name) => join(folder, name)).find((file) => existsSync(file));
}

const expand = (path: string, base: string, home: string): string =>
  path.startsWith('~/') ? join(home, path.slice(2)) : resolve(base, path);

/** Where pi keeps a package of its settings: a path, `npm:name@version`, `git:host/path@ref` or a URL. */
function packagePath(source: string, base: string, home: string): string | undefined {
  const npm = /^npm:((?:@[^/]+\/)?[^@]+)/.exec(source)?.[1];
  if (npm !== undefined) return join(base, 'npm', 'node_modules', npm);
  const git = /^(?:git:|https?:\/\/|ssh:\/\/(?:[^@]+@)?)(.+?)(?:@[^@/]+)?$/.exec(source)?.[1];
  if (git !== undefined) return join(base, 'git', git.replace(/\.git$/, ''));
  return expand(source, base, home);
}

function packageUnits(path: string, from: string): ExtensionUnit[] {
  if (!existsSync(path)) return [];
  const listed = manifestOf(path);
  if (listed === undefined && !hasIndex(path)) return listExtensions(join(path, 'extensions'));
  return [{ path, name: path, from }];
}

/** Extensions that the settings name: `extensions` paths (not the ones that switch something off) and pi's own packages. */
export function listConfigured(view: SettingsView, base: string, home: string): ExtensionUnit[] {
  const from = join(base, 'settings.json');
  const paths = view.listOf('extensions').filter((entry) => !/^[-!+]/.test(entry));
  const extensions = paths.flatMap((entry) => {
    const path = expand(entry, base, home);
    const kind = kindOf(path);
    if (kind === 'folder' && !loads(path)) return listExtensions(path);
    return kind === undefined ? [] : [{ path, name: entry, from }];
  });
  const packages = view.listOf('packages').flatMap((source) => {
    const path = packagePath(source, base, home);
    return path === undefined ? [] : packageUnits(path, from);
  });
  return [...extensions, ...packages];
}

/** pi's settings file in an agent folder. */
export const piSettingsFile = (base: string): string => join(base, 'settings.json');
