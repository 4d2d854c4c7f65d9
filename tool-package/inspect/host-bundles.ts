/** The code that the sandbox evaluates beside an entry: our own, and the agents' real modules. Made once per process. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';

const require = createRequire(import.meta.url);
const ending = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
const guestMain = fileURLToPath(new URL(`./guest/main${ending}`, import.meta.url));
const packageRoot = findPackageRoot(path.dirname(fileURLToPath(import.meta.url)));
const bundles = new Map<string, Promise<string>>();

/**
 * Takes bundles that the build made, by name (`guest` is our own code). Called from code that build-child.ts writes.
 * @public
 */
export function usePrebuilt(prebuilt: Readonly<Record<string, string>>): void {
  for (const [name, code] of Object.entries(prebuilt)) bundles.set(name, Promise.resolve(code));
}

/** Our own code in the sandbox. */
export const guestBundle = (): Promise<string> => remember('guest', () => bundle({ entryPoints: [guestMain] }));

/** A host module by name (`typebox`, `typebox/value`, `zod`); undefined where there is no such module. */
export async function findModuleBundle(name: string): Promise<string | undefined> {
  if (!bundles.has(name) && !canResolve(name)) return undefined;
  const contents = `import * as all from ${JSON.stringify(name)}; globalThis[Symbol.for('pi-tools.sandbox')].provideModule(${JSON.stringify(name)}, all);`;
  return remember(name, () => bundle({ stdin: { contents, resolveDir: packageRoot } }));
}

/** Makes what most entries need before the first one comes. */
export async function warmBundles(): Promise<void> {
  await Promise.all([guestBundle(), findModuleBundle('typebox')]);
}

function remember(name: string, make: () => Promise<string>): Promise<string> {
  const known = bundles.get(name) ?? make();
  bundles.set(name, known);
  return known;
}

async function bundle(input: esbuild.BuildOptions): Promise<string> {
  const result = await esbuild.build({
    ...input,
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2022',
    tsconfigRaw: {},
    logLevel: 'silent',
    plugins: [englishOnly],
  });
  return result.outputFiles?.[0]?.text ?? '';
}

/** Zod brings the error messages of 50 languages: 260 kB that no definition needs. */
const englishOnly: esbuild.Plugin = {
  name: 'english-only',
  setup(build) {
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, (args) => ({
      contents: "export { default as en } from './en.js';",
      resolveDir: path.dirname(args.path),
    }));
  },
};

function canResolve(name: string): boolean {
  try {
    return require.resolve(name) !== '';
  } catch {
    return false;
  }
}

/** The folder whose `node_modules` has the host's modules: ours, wherever it is installed. */
function findPackageRoot(start: string): string {
  let folder = start;
  while (!existsSync(path.join(folder, 'package.json')) && path.dirname(folder) !== folder)
    folder = path.dirname(folder);
  return folder;
}
