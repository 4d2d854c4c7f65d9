/**
 * Which failures of the bundler are the author's syntax errors, and certain to stop the agent. The bundler also refuses
 * what would run: a constant that is assigned to somewhere, an export that is missing, code for an `import()` that a
 * tool makes later. So a file counts only if it does not parse on its own, and is loaded with the entry.
 */
import path from 'node:path';
import * as esbuild from 'esbuild';
import type { EntryProblem } from './types.ts';

/** The loader that a file's name means to an agent. */
export const SCRIPT_LOADERS: ReadonlyMap<string, 'ts' | 'tsx' | 'jsx'> = new Map([
  ['.ts', 'ts'],
  ['.mts', 'ts'],
  ['.cts', 'ts'],
  ['.tsx', 'tsx'],
  ['.jsx', 'jsx'],
  ['.js', 'jsx'],
  ['.mjs', 'jsx'],
  ['.cjs', 'jsx'],
]);

/** A package of a thousand broken files is told by its first ones. */
const MAX_FILES = 20;

/** A parser that gave up has not said that the text is wrong; of two exports with one name pi's loader takes the last. */
const UNCERTAIN = /^(?:panic:|Multiple exports with the same name)/;

/** Importing file -> the files that its `import` and `export … from` statements load before it runs. */
export type StaticImports = ReadonlyMap<string, ReadonlySet<string>>;

/** The entry and every file that is loaded with it whatever its code does. */
export function listLoadedFiles(entry: string, imports: StaticImports): ReadonlySet<string> {
  const loaded = new Set([entry]);
  for (const file of loaded) {
    for (const target of imports.get(file) ?? []) loaded.add(target);
  }
  return loaded;
}

/** The first file of the bundler's `errors` that is loaded with the entry and does not parse. */
export async function findSyntaxProblem(
  errors: readonly esbuild.Message[],
  loaded: ReadonlySet<string>,
  sources: { get(file: string): Uint8Array | undefined },
): Promise<EntryProblem | undefined> {
  const files = errors.flatMap(({ location, pluginName }) => {
    const file = pluginName === '' ? location?.file.replace(/^archive:/, '') : undefined;
    return file !== undefined && loaded.has(file) ? [file] : [];
  });
  for (const file of [...new Set(files)].slice(0, MAX_FILES)) {
    const bytes = sources.get(file);
    const loader = SCRIPT_LOADERS.get(path.posix.extname(file));
    if (bytes === undefined || loader === undefined) continue;
    const wrong = await syntaxErrorOf(Buffer.from(bytes).toString('utf8'), loader);
    if (wrong !== undefined) return { kind: 'syntax', message: wrong.text, file, line: wrong.location?.line ?? null };
  }
  return undefined;
}

/** What the parser says of one file; undefined where it can be read in one way or the other. */
async function syntaxErrorOf(source: string, loader: esbuild.Loader): Promise<esbuild.Message | undefined> {
  let first: esbuild.Message | undefined;
  // Decorators of parameters parse only in TypeScript's older dialect, which pi's loader speaks.
  for (const experimentalDecorators of [false, true]) {
    try {
      await esbuild.transform(source.replace(/^\ufeff/, ''), {
        loader,
        target: 'esnext',
        logLevel: 'silent',
        tsconfigRaw: { compilerOptions: { experimentalDecorators } },
      });
      return undefined;
    } catch (error) {
      const messages = (error as Partial<esbuild.TransformFailure>).errors ?? [];
      const message = messages.find((each) => !UNCERTAIN.test(each.text));
      if (message === undefined) return undefined;
      first ??= message;
    }
  }
  return first;
}
