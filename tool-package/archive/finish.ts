/** The last step of packing, for folders and single files. */
import type { PackageJson } from '../../schemas/package-json.ts';
import type { LeftOut } from './choose-files.ts';
import type { ArchiveLimits } from './limits.ts';
import { readArchive } from './read.ts';
import { type FileToPack, makeArchive } from './write.ts';

export type Packed = {
  readonly bytes: Buffer;
  readonly integrity: string;
  readonly packageJson: PackageJson;
  /** Sorted by path. */
  readonly files: { path: string; size: number }[];
  readonly leftOut: LeftOut[];
  /** Files that were made in the folder: `npm-shrinkwrap.json`. */
  readonly written: string[];
};

/** Makes the archive and reads it again, strictly: what `pack` gives, every reader accepts. */
export const finish = async (
  files: readonly FileToPack[],
  leftOut: LeftOut[],
  limits: ArchiveLimits,
): Promise<Packed> => {
  const bytes = makeArchive(files);
  const archive = await readArchive(bytes, { limits, keep: () => false });
  return {
    bytes,
    integrity: archive.integrity,
    packageJson: archive.packageJson,
    files: archive.files.map(({ path, size }) => ({ path, size })),
    leftOut,
    written: [],
  };
};
