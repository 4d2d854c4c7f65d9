/** A package that lies on this disk: a folder, an archive, or a single source file. */
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Agent } from '../../schemas/agents.ts';
import type { PackageJson } from '../../schemas/package-json.ts';
import { Problem } from '../../schemas/problem.ts';
import { DEFAULT_LIMITS } from '../../tool-package/archive/limits.ts';
import { inspectSingleFile } from './single-file.ts';

export type LocalOptions = {
  /** Relative paths count from here. */
  cwd: string;
  /** Single files: what the derived package.json says; the name comes from the tool where it is not given. */
  packageName?: string | undefined;
  packageVersion?: string | undefined;
  /** Single files: the agents that load it; found by inspection where none is given. */
  agents?: readonly Agent[];
  /** `nothing`: pins for npm dependencies go into the archive only (`--dry-run`). */
  write?: 'pins' | 'nothing';
};

export type LocalPackage = {
  kind: 'folder' | 'archive' | 'file';
  path: string;
  bytes: Buffer;
  integrity: string;
  packageJson: PackageJson;
  files: { path: string; size: number }[];
  leftOut: { path: string; reason: string }[];
  /** Files that packing made in the folder. */
  written: string[];
};

const SOURCE_FILE = /\.[cm]?[jt]sx?$/;

/**
 * Packs what lies at `path`, or reads it when it is an archive. Throws `not_found`, `usage` for a kind of file that is no
 * package, `invalid_archive`, `too_large`, and what packing throws.
 */
export const openLocalPackage = async (path: string, options: LocalOptions): Promise<LocalPackage> => {
  const full = resolve(options.cwd, path);
  const found = await stat(full).catch(() => undefined);
  if (found === undefined) throw new Problem('not_found', `there is no file or folder \`${full}\``);
  if (found.isDirectory()) {
    const { packFolder } = await import('../../tool-package/archive/pack.ts');
    const packed = await packFolder(full, options.write === undefined ? {} : { write: options.write });
    return { kind: 'folder', path: full, ...packed };
  }
  // A pipe or a device would be read for ever.
  if (!found.isFile()) throw new Problem('usage', `\`${path}\` is no regular file`);
  if (/\.(?:tgz|tar\.gz)$/.test(full)) return readLocalArchive(full, found.size);
  if (SOURCE_FILE.test(full)) return packSingleFile(full, options);
  throw new Problem('usage', `\`${path}\` is no package`, {
    hint: 'give a folder with a package.json, a .tgz archive, or a .ts or .js file',
  });
};

const readLocalArchive = async (path: string, size: number): Promise<LocalPackage> => {
  if (size > DEFAULT_LIMITS.archiveBytes) {
    throw new Problem('too_large', `\`${path}\` has ${size} bytes, at most ${DEFAULT_LIMITS.archiveBytes} are taken`);
  }
  const { readArchive } = await import('../../tool-package/archive/read.ts');
  const bytes = await readFile(path);
  const { integrity, packageJson, files } = await readArchive(bytes, { keep: () => false });
  const listed = files.map((file) => ({ path: file.path, size: file.size }));
  return { kind: 'archive', path, bytes, integrity, packageJson, files: listed, leftOut: [], written: [] };
};

const packSingleFile = async (path: string, options: LocalOptions): Promise<LocalPackage> => {
  if (options.packageVersion === undefined) {
    throw new Problem('usage', `\`${path}\` is a single file: its version is not known`, {
      hint: 'add --package-version 1.0.0',
    });
  }
  const { agents, toolNames } = await inspectSingleFile(path, options.agents ?? []);
  const { packFile } = await import('../../tool-package/archive/pack.ts');
  const packed = await packFile(path, {
    packageVersion: options.packageVersion,
    agents,
    toolNames,
    ...(options.packageName === undefined ? {} : { packageName: options.packageName }),
  });
  return { kind: 'file', path, ...packed };
};
