/** What an import in an archive means. Nothing outside the archive is ever looked at. */
import { isBuiltin } from 'node:module';
import path from 'node:path';
import type { PackageJson } from '../../schemas/package-json.ts';
import { findHostPackage, type HostPackage } from '../run/host-packages.ts';
import type { ImportKind } from './types.ts';

export type ResolvedImport = { kind: ImportKind; target: string | null; host: HostPackage | null };

const ENDINGS = ['', '.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json'];
/** TypeScript's way to name a source by its output. */
const SWAPPED: readonly [RegExp, string[]][] = [
  [/\.js$/, ['.ts', '.tsx']],
  [/\.jsx$/, ['.tsx']],
  [/\.mjs$/, ['.mts']],
  [/\.cjs$/, ['.cts']],
];

export function resolveImport(
  specifier: string,
  importer: string,
  paths: ReadonlySet<string>,
  packageJson: PackageJson,
): ResolvedImport {
  if (/^\.{0,2}\//.test(specifier) || specifier === '.' || specifier === '..') {
    const target = findRelative(specifier, importer, paths);
    return target === undefined ? unresolved('missing') : { kind: 'relative', target, host: null };
  }
  if (specifier.startsWith('#')) {
    const target = findAlias(specifier, paths, packageJson);
    return target === undefined ? unresolved('missing') : { kind: 'relative', target, host: null };
  }
  const host = findHostPackage(specifier);
  if (host) return { kind: 'host', target: null, host };
  if (isBuiltin(specifier) || specifier.startsWith('node:')) return unresolved('node');
  const own = findOwn(specifier, paths, packageJson);
  if (own !== undefined) return { kind: 'relative', target: own, host: null };
  if (specifier === 'bun' || specifier.startsWith('bun:')) return unresolved('bun');
  return unresolved(isDeclared(packageNameOf(specifier), packageJson) ? 'npm' : 'missing');
}

/** `imports` of package.json: `#name`, or `#lib/*` with one star. */
const findAlias = (specifier: string, paths: ReadonlySet<string>, packageJson: PackageJson): string | undefined =>
  findMapped((packageJson as { imports?: unknown }).imports, specifier, paths);

/** The package by its own name, which `exports` of package.json makes possible. */
function findOwn(specifier: string, paths: ReadonlySet<string>, packageJson: PackageJson): string | undefined {
  const { name, exports } = packageJson as { name?: string; exports?: unknown };
  if (name === undefined || (specifier !== name && !specifier.startsWith(`${name}/`))) return undefined;
  const hasSubpaths = isMap(exports) && Object.keys(exports).some((key) => key.startsWith('.'));
  return findMapped(hasSubpaths ? exports : { '.': exports }, `.${specifier.slice(name.length)}`, paths);
}

const isMap = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function findMapped(map: unknown, specifier: string, paths: ReadonlySet<string>): string | undefined {
  if (!isMap(map)) return undefined;
  for (const [key, value] of Object.entries(map)) {
    const target = targetOf(value);
    const [before = '', after] = key.split('*');
    const isMatch = after === undefined ? specifier === key : specifier.startsWith(before) && specifier.endsWith(after);
    if (target === undefined || !isMatch) continue;
    const star = specifier.slice(before.length, specifier.length - (after ?? '').length);
    return findRelative(
      target.replace('*', () => star),
      'package.json',
      paths,
    );
  }
  return undefined;
}

/** A path, or the first of the conditions that the agents use. */
function targetOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.startsWith('./') ? value : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  const conditions = value as Record<string, unknown>;
  return ['import', 'node', 'default'].map((name) => targetOf(conditions[name])).find((each) => each !== undefined);
}

const unresolved = (kind: ImportKind): ResolvedImport => ({ kind, target: null, host: null });

/** The file inside the archive; undefined when there is none, or when the path leaves the archive. */
function findRelative(specifier: string, importer: string, paths: ReadonlySet<string>): string | undefined {
  if (specifier.startsWith('/')) return undefined;
  const base = path.posix.join(path.posix.dirname(importer), specifier.replace(/[?#].*$/, ''));
  if (base === '..' || base.startsWith('../')) return undefined;
  const swapped = SWAPPED.flatMap(([ending, others]) =>
    ending.test(base) ? others.map((other) => base.replace(ending, other)) : [],
  );
  const indexes = ENDINGS.slice(1).map((ending) => path.posix.join(base, `index${ending}`));
  return [...ENDINGS.map((ending) => base + ending), ...swapped, ...indexes].find((candidate) => paths.has(candidate));
}

const packageNameOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

function isDeclared(name: string, packageJson: PackageJson): boolean {
  return [packageJson.dependencies, packageJson.peerDependencies, packageJson.optionalDependencies].some(
    (names) => names !== undefined && Object.hasOwn(names, name),
  );
}
