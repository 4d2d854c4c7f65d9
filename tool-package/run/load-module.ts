/**
 * Loads an author's file on plain Node, TypeScript included: esbuild bundles it to a temporary file that is imported.
 * This RUNS the author's code with the caller's rights; it is for `try`, the catalog's tests and quickstart, never for
 * a server.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { findHostPackage, type HostPackage } from './host-packages.ts';

export type ModuleExports = Readonly<Record<string, unknown>>;
/** Exports of a host module that is ours, by short name (`pi-tui`, `plugin`). */
export type HostModules = ReadonlyMap<string, ModuleExports>;

const require = createRequire(import.meta.url);
/** Where a bundle finds our host modules: it cannot import them by path, since under test they are TypeScript. */
const REGISTRY = Symbol.for('pi-tools.run.hosts');
const registry = new Map<string, HostModules>();
Object.defineProperty(globalThis, REGISTRY, { value: registry, configurable: true });
let loads = 0;

type Prepared = { readonly bundle: string; readonly id: string };
const preparedModules = new Map<string, Prepared>();

/** Writes the bundle of `file` for a process that may start no bundler; nothing of the author's is run. Throws esbuild's text. */
export async function prepareModule(file: string, { bundle: target, id }: Prepared): Promise<void> {
  // A stack names the author's lines: for `process.setSourceMapsEnabled`.
  const maps = { outfile: target, sourcemap: 'inline', sourcesContent: false } as const;
  await writeFile(target, await bundle(path.resolve(file), id, maps));
}

/** From now on `file` is loaded from a bundle that `prepareModule` made. */
export function usePreparedModule(file: string, prepared: Prepared): void {
  preparedModules.set(path.resolve(file), prepared);
}

/** The exports of `file`. Throws what the module throws, or an Error with esbuild's text when it does not bundle. */
export async function loadModule(file: string, hosts: HostModules): Promise<ModuleExports> {
  const prepared = preparedModules.get(path.resolve(file));
  if (prepared !== undefined) {
    registry.set(prepared.id, hosts);
    return (await import(/* @vite-ignore */ pathToFileURL(prepared.bundle).href)) as ModuleExports;
  }
  const id = `${process.pid}-${++loads}`;
  registry.set(id, hosts);
  const folder = await mkdtemp(path.join(tmpdir(), 'pi-tools-run-'));
  const target = path.join(folder, `module-${id}.mjs`);
  try {
    await writeFile(target, await bundle(path.resolve(file), id));
    return (await import(/* @vite-ignore */ pathToFileURL(target).href)) as ModuleExports;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function bundle(entry: string, id: string, options: esbuild.BuildOptions = {}): Promise<Uint8Array> {
  const result = await esbuild.build({
    entryPoints: [entry],
    bundle: true,
    ...options,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    tsconfigRaw: {},
    logLevel: 'silent',
    // CommonJS files among the author's sources need a `require`; ESM output has none.
    banner: {
      js: `import { createRequire as __piToolsRequire } from 'node:module'; const require = __piToolsRequire(${JSON.stringify(pathToFileURL(entry).href)});`,
    },
    plugins: [hostPlugin(id), ownPathsPlugin],
  });
  const output = result.outputFiles?.[0];
  if (!output) throw new Error(`Nothing to load in ${entry}`);
  return output.contents;
}

function hostPlugin(id: string): esbuild.Plugin {
  return {
    name: 'host-packages',
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, (args) => resolveBare(build, args));
      build.onLoad({ filter: /.*/, namespace: 'host' }, (args) => ({
        // CommonJS on purpose: a name that our stub lacks is undefined instead of failing the whole load.
        contents: `module.exports = globalThis[Symbol.for('pi-tools.run.hosts')].get(${JSON.stringify(id)}).get(${JSON.stringify(args.path)}) ?? {};`,
        loader: 'js',
      }));
    },
  };
}

async function resolveBare(
  build: esbuild.PluginBuild,
  args: esbuild.OnResolveArgs,
): Promise<esbuild.OnResolveResult | undefined> {
  if (args.pluginData === 'npm' || args.path.startsWith('node:') || path.isAbsolute(args.path)) return undefined;
  // Bun's own modules fail where they are imported, as in Node: a tool may ask for them only when it runs under Bun.
  if (args.path.startsWith('bun:')) return { path: args.path, external: true };
  const host = findHostPackage(args.path);
  if (host) return resolveHost(host);
  const found = await build.resolve(args.path, {
    kind: args.kind,
    resolveDir: args.resolveDir,
    importer: args.importer,
    pluginData: 'npm',
  });
  // npm packages stay what they are: bundling CommonJS into ESM breaks their `require` of Node's modules.
  const isFile = found.errors.length === 0 && path.isAbsolute(found.path) && args.kind !== 'require-call';
  return isFile ? { path: pathToFileURL(found.path).href, external: true } : undefined;
}

function resolveHost(host: HostPackage): esbuild.OnResolveResult {
  if (host.kind === 'pi' || host.kind === 'plugin') return { path: host.name, namespace: 'host' };
  return { path: pathToFileURL(require.resolve(host.name)).href, external: true };
}

/** `import.meta.url`, `import.meta.dirname` and `__dirname` mean the author's own file, not the bundle. */
const ownPathsPlugin: esbuild.Plugin = {
  name: 'own-paths',
  setup(build) {
    build.onLoad({ filter: /\.[cm]?[jt]sx?$/, namespace: 'file' }, async (args) => {
      const source = await readFile(args.path, 'utf8');
      if (!/import\.meta|__dirname|__filename/.test(source)) return undefined;
      return {
        contents: withOwnPaths(source, args.path),
        loader: loaderOf(args.path),
        resolveDir: path.dirname(args.path),
      };
    });
  },
};

function withOwnPaths(source: string, file: string): string {
  const values = {
    'import.meta.url': pathToFileURL(file).href,
    'import.meta.dirname': path.dirname(file),
    'import.meta.filename': file,
    __dirname: path.dirname(file),
    __filename: file,
  };
  const defined = esbuild.transformSync(source.replace(/^#!.*/, ''), {
    loader: loaderOf(file),
    tsconfigRaw: {},
    target: 'node20',
    format: 'esm',
    sourcemap: 'inline',
    sourcefile: file,
    sourcesContent: false,
    define: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)])),
  });
  return defined.code;
}

function loaderOf(file: string): esbuild.Loader {
  if (/\.[cm]?ts$/.test(file)) return 'ts';
  return file.endsWith('x') ? 'tsx' : 'js';
}
