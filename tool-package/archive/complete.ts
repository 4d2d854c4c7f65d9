/** Whether an archive holds what it needs: every declared entry and every file that a source imports by a relative path. */
import type { PackageJson } from '../../schemas/package-json.ts';
import { Problem } from '../../schemas/problem.ts';
import { resolveEntries } from '../entries.ts';
import { showText } from '../show-text.ts';
import { findImported, isRelative, listImports } from '../source/imports.ts';
import { isSourcePath, parseSource } from '../source/parse.ts';
import type { LeftOut } from './choose-files.ts';
import type { FileToPack } from './write.ts';

type Missing = { readonly from: string; readonly line: number | null; readonly missing: string };

/** Throws Problem `pack_incomplete` that names each missing file, who needs it and, where it was left out, why. */
export const checkComplete = (
  packageJson: PackageJson,
  files: readonly FileToPack[],
  leftOut: readonly LeftOut[],
): void => {
  checkEntries(packageJson, files, leftOut);
  const paths = new Set(files.map(({ path }) => path));
  const missing = files.flatMap((file) => missingImports(file, paths));
  if (missing.length === 0) return;
  const lines = missing
    .slice(0, 10)
    .map(
      ({ from, line, missing: what }) =>
        `\`${showText(from)}\`${line === null ? '' : `, line ${line}`}, imports \`${showText(what)}\`${why(from, what, leftOut)}`,
    );
  throw new Problem('pack_incomplete', `the archive would lack what its sources import: ${lines.join('; ')}`, {
    hint: 'add the file to the package (`files` in package.json, `.npmignore`), or drop the import',
    details: { missing },
  });
};

const checkEntries = (packageJson: PackageJson, files: readonly FileToPack[], leftOut: readonly LeftOut[]): void => {
  const sources = new Map(files.map(({ path, bytes }) => [path, bytes]));
  try {
    resolveEntries(packageJson, [...sources.keys()], sources);
  } catch (cause) {
    if (!(cause instanceof Problem) || cause.details.reason !== 'missing') throw cause;
    const entry = String(cause.details.entry);
    throw new Problem('pack_incomplete', `${cause.message}${why('package.json', entry, leftOut)}`, {
      hint: 'an entry must be among the packed files: look at `files` and `.npmignore`, or build before you pack',
      details: { missing: [{ from: 'package.json', line: null, missing: entry }] },
      cause,
    });
  }
};

const missingImports = (file: FileToPack, paths: ReadonlySet<string>): Missing[] => {
  if (!isSourcePath(file.path) || /\.d\.[cm]?ts$/.test(file.path)) return [];
  const source = parseSource(file.path, file.bytes);
  // What cannot be parsed is said by the checks; here it is only not known what it imports.
  if (!('program' in source)) return [];
  return listImports(source)
    .filter(
      ({ specifier }) =>
        isRelative(specifier) && findImported(file.path, specifier, (path) => paths.has(path)) === undefined,
    )
    .map(({ specifier, line }) => ({ from: file.path, line, missing: specifier }));
};

const why = (from: string, specifier: string, leftOut: readonly LeftOut[]): string => {
  const reasons = new Map(leftOut.map(({ path, reason }) => [path, reason]));
  const found = findImported(from, specifier, (path) => reasons.has(path));
  return found === undefined ? '' : ` (\`${showText(found)}\` was left out: ${reasons.get(found)})`;
};
