/** What `pack` makes of a folder or a single file: the same tree gives the same bytes, on every machine. No script runs. */
import { constants } from 'node:fs';
import { open, readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PackageJson } from '../../schemas/package-json.ts';
import { Problem } from '../../schemas/problem.ts';
import { parsePackageJson } from '../package-json.ts';
import { showText } from '../show-text.ts';
import { type ChosenFile, chooseFiles, isFolder, isReadable, type PackRules } from './choose-files.ts';
import { checkComplete } from './complete.ts';
import { finish, type Packed } from './finish.ts';
import { type ArchiveLimits, DEFAULT_LIMITS } from './limits.ts';
import { makePins } from './pins.ts';
import { refuseSize } from './refusal.ts';
import type { FileToPack } from './write.ts';

export type { Packed } from './finish.ts';
export { packFile } from './pack-file.ts';
export { makeArchive } from './write.ts';

export type PackOptions = {
  readonly limits?: ArchiveLimits;
  /** `nothing`: new pins go into the archive only (for `--dry-run`). Default `pins`: they are written beside package.json. */
  readonly write?: 'pins' | 'nothing';
};

const SHRINKWRAP = 'npm-shrinkwrap.json';

/**
 * Packs the folder of a tool package. Throws Problem `invalid_package_json`, `pack_incomplete`, `pack_link`, `too_large`,
 * `npm_unreachable`, `invalid_archive` (a path that is not a file name everywhere) `file_system` or `not_found`.
 */
export const packFolder = async (dir: string, options: PackOptions = {}): Promise<Packed> => {
  try {
    return await pack(dir, options);
  } catch (cause) {
    if (cause instanceof Problem || !(cause instanceof Error) || !('syscall' in cause)) throw cause;
    throw new Problem('file_system', `could not read \`${showText(dir)}\`: ${showText(cause.message, 300)}`, { cause });
  }
};

const pack = async (dir: string, options: PackOptions): Promise<Packed> => {
  const limits = options.limits ?? DEFAULT_LIMITS;
  if (!(await isFolder(dir))) throw new Problem('not_found', `\`${showText(dir)}\` is no folder`);
  const root = await realpath(dir);
  const { packageJson, rules } = await readPackageJson(root, limits);
  const pins = await makePins(root, packageJson);
  const { files: chosen, leftOut } = await chooseFiles(root, rules);
  const files = await readFiles(chosen, limits);
  if (pins !== null) files.push({ path: SHRINKWRAP, bytes: Buffer.from(pins) });
  checkComplete(packageJson, files, leftOut);
  const packed = await finish(files, leftOut, limits);
  if (pins === null || options.write === 'nothing') return packed;
  await writeFile(join(root, SHRINKWRAP), pins, { flag: 'wx' });
  return { ...packed, written: [SHRINKWRAP] };
};

const readPackageJson = async (
  root: string,
  limits: ArchiveLimits,
): Promise<{ packageJson: PackageJson; rules: PackRules }> => {
  const file = join(root, 'package.json');
  if (!(await isReadable(file))) throw new Problem('invalid_package_json', '`package.json` is no regular file');
  const bytes = await readFile(file).catch((cause) => {
    throw new Problem('invalid_package_json', `\`${showText(root)}\` has no package.json`, {
      hint: '`pi-tools init` writes one; a single file is packed as `pi-tools pack tool.ts --package-version 1.0.0`',
      cause,
    });
  });
  const packageJson = await parsePackageJson(bytes, limits);
  return { packageJson, rules: packRules(packageJson) };
};

/** npm's rules assume that these keys have the right types, and loop over a string’s letters when they do not. */
const packRules = (
  packageJson: PackageJson & { files?: unknown; main?: unknown; browser?: unknown; bin?: unknown },
): PackRules => {
  const { files, main, browser, bin } = packageJson;
  if (files !== undefined && !(Array.isArray(files) && files.every((one) => typeof one === 'string'))) {
    throw new Problem(
      'invalid_package_json',
      `package.json: \`files\` is \`${showText(JSON.stringify(files))}\`, wanted an array of strings`,
    );
  }
  const paths =
    typeof bin === 'string'
      ? [bin]
      : Object.values((bin as object | undefined) ?? {}).filter((one) => typeof one === 'string');
  return {
    ...(files === undefined ? {} : { files }),
    ...(typeof main === 'string' ? { main } : {}),
    ...(typeof browser === 'string' ? { browser } : {}),
    bin: Object.fromEntries(paths.map((path, index) => [String(index), path])),
  };
};

const OWNER_EXECUTE = 0o100;

const readFiles = async (chosen: readonly ChosenFile[], limits: ArchiveLimits): Promise<FileToPack[]> => {
  if (chosen.length > limits.entries) {
    throw refuseSize(
      'too-many-entries',
      `\`${chosen.length}\` files are too many; is this the tool’s own folder?`,
      limits.entries,
    );
  }
  const files: FileToPack[] = [];
  let total = 0;
  for (const { path, file } of chosen) {
    const read = await readOne(path, file, limits);
    total += read.bytes.byteLength;
    if (total > limits.unpackedBytes)
      throw refuseSize(
        'unpacked-too-large',
        `the files have too many bytes (at \`${showText(path)}\`)`,
        limits.unpackedBytes,
      );
    files.push(read);
  }
  return files;
};

const readOne = async (path: string, file: string, limits: ArchiveLimits): Promise<FileToPack> => {
  // No link is followed here: what was chosen a moment ago as a file must still be one.
  const handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const { mode, size } = await handle.stat();
    if (size > limits.fileBytes)
      throw refuseSize('file-too-large', `\`${showText(path)}\` has too many bytes`, limits.fileBytes, path);
    return { path, bytes: await handle.readFile(), executable: (mode & OWNER_EXECUTE) !== 0 };
  } finally {
    await handle.close();
  }
};
