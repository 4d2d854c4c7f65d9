/** Which of an archive's files are kept in memory: texts of at most 2 MiB, 32 MiB of them. */
import type { PackageArchive } from '../archive/read.ts';
import { MAX_SOURCE_BYTES } from '../inspect/brackets.ts';

const MAX_TOTAL_BYTES = 32 * 1024 * 1024;
const BINARY =
  /\.(?:png|jpe?g|gif|webp|bmp|ico|pdf|zip|t?gz|bz2|xz|7z|woff2?|ttf|otf|eot|mp[34]|wav|ogg|webm|wasm|node|so|dll|dylib|exe|bin|sqlite3?|db)$/i;
const README = /^readme(?:\.(?:md|markdown|txt))?$/i;
const MAX_README_BYTES = 256 * 1024;

/** A `keep` for the archive reader. It may be asked twice for one file and answers the same. */
export function createKeep(): (path: string, size: number) => boolean {
  const answers = new Map<string, boolean>();
  let total = 0;
  return (path, size) => {
    const known = answers.get(path);
    if (known !== undefined) return known;
    const isKept = size <= MAX_SOURCE_BYTES && !BINARY.test(path) && total + size <= MAX_TOTAL_BYTES;
    if (isKept) total += size;
    answers.set(path, isKept);
    return isKept;
  };
}

export function sourcesOf(archive: PackageArchive): Map<string, Uint8Array> {
  return new Map(archive.files.flatMap((file) => (file.bytes === null ? [] : [[file.path, file.bytes] as const])));
}

/** The README at the top, as text; null where there is none, or no UTF-8 of a sensible size. */
export function findReadme(sources: ReadonlyMap<string, Uint8Array>): string | null {
  const path = [...sources.keys()].filter((name) => README.test(name)).sort()[0];
  const bytes = path === undefined ? undefined : sources.get(path);
  if (bytes === undefined || bytes.length > MAX_README_BYTES) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
