/**
 * Bundles one entry for the sandbox. esbuild sees only what this plugin gives it: files of the archive from memory, and
 * stubs. No tsconfig is read (`paths` in one pulls files from outside into a bundle).
 */
import path from 'node:path';
import * as esbuild from 'esbuild';
import type { Agent } from '../../schemas/common.ts';
import { MAX_SOURCE_BYTES, nestsTooDeep } from './brackets.ts';
import { listImportable, withComputedImports } from './computed-imports.ts';
import { type ResolvedImport, resolveImport } from './resolve-import.ts';
import { findSyntaxProblem, listLoadedFiles, SCRIPT_LOADERS } from './syntax.ts';
import type { EntryProblem, ImportUse, InspectionInput } from './types.ts';

export type Bundle = {
  code: string;
  /** Source map (version 3) as JSON text. */
  map: string;
  imports: ImportUse[];
  /** Real modules that the code asks the sandbox for: `typebox`, `typebox/value`, `zod` … */
  hostModules: Set<string>;
  /** The entry and the files that are loaded with it whatever its code does. */
  loaded: ReadonlySet<string>;
};

/** The archive's root as the code in the sandbox sees it. */
export const SANDBOX_ROOT = '/package';

const SANDBOX = "globalThis[Symbol.for('pi-tools.sandbox')]";
const LOADERS: ReadonlyMap<string, esbuild.Loader> = new Map<string, esbuild.Loader>([
  ...SCRIPT_LOADERS,
  ['.json', 'json'],
]);

type Gathered = {
  imports: Map<string, ImportUse>;
  hostModules: Set<string>;
  staticImports: Map<string, Set<string>>;
  /** Whether a file imports or requires what only its code can tell. */
  hasComputedImport: boolean;
  refused: EntryProblem | null;
};

/** The bundle, or why there is none. */
export async function bundleEntry(agent: Agent, entry: string, input: InspectionInput): Promise<Bundle | EntryProblem> {
  const gathered = nothingGathered();
  try {
    const first = await build(startCode(agent, entry), entry, input, gathered);
    const imports = [...gathered.imports.values()];
    const loaded = listLoadedFiles(entry, gathered.staticImports);
    const whole = gathered.hasComputedImport ? await buildWhole(agent, entry, input) : undefined;
    const bundle = whole ?? { ...first, hostModules: gathered.hostModules };
    return { ...bundle, hostModules: withRequired(bundle), imports, loaded };
  } catch (error) {
    if (gathered.refused !== null) return gathered.refused;
    const failure = error as esbuild.BuildFailure;
    const loaded = listLoadedFiles(entry, gathered.staticImports);
    return (await findSyntaxProblem(failure.errors ?? [], loaded, input.sources)) ?? problemOf(failure);
  }
}

/** `createRequire(…)` may ask for what no import names. */
function withRequired({ code, hostModules }: Pick<Bundle, 'code' | 'hostModules'>): Set<string> {
  if (!MAKES_REQUIRE.test(code)) return hostModules;
  const named = ['typebox', 'zod'].filter((name) => code.includes(name));
  return new Set([...hostModules, ...named, ...(code.includes('/plugin') ? ['zod'] : [])]);
}

const MAKES_REQUIRE = /\bcreateRequire\b/;

const nothingGathered = (): Gathered => ({
  imports: new Map(),
  hostModules: new Set(),
  staticImports: new Map(),
  hasComputedImport: false,
  refused: null,
});

async function build(
  contents: string,
  entry: string,
  input: InspectionInput,
  gathered: Gathered,
): Promise<Pick<Bundle, 'code' | 'map'>> {
  const result = await esbuild.build({
    stdin: { contents, sourcefile: 'start', loader: 'js' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    tsconfigRaw: {},
    sourcemap: 'external',
    sourcesContent: false,
    outfile: 'bundle.js',
    logLevel: 'silent',
    logLimit: 5,
    define: ownPathDefines,
    plugins: [archivePlugin(entry, input, gathered)],
  });
  const text = (ending: string) => result.outputFiles.find((file) => file.path.endsWith(ending))?.text ?? '';
  return { code: text('.js'), map: text('.map') };
}

/** The entry with every script that it may import by a path of its making; undefined where one of them is broken. */
async function buildWhole(
  agent: Agent,
  entry: string,
  input: InspectionInput,
): Promise<Pick<Bundle, 'code' | 'map' | 'hostModules'> | undefined> {
  const gathered = nothingGathered();
  const files = listImportable(input);
  const table = (load: 'import' | 'require') =>
    `{${files.map((file) => `${JSON.stringify(`${SANDBOX_ROOT}/${file}`)}: () => ${load}(${JSON.stringify(`entry:${file}`)})`)}}`;
  // A file that awaits at its top level can only be imported.
  for (const tables of [`${table('import')},${table('require')}`, `${table('import')},{}`]) {
    const contents = `${SANDBOX}.provideOwnFiles(${tables});${startCode(agent, entry)}`;
    try {
      return { ...(await build(contents, entry, input, gathered)), hostModules: gathered.hostModules };
    } catch {
      // One of the files is broken: what can be built without them.
    }
  }
  return undefined;
}

/** A dynamic import, so that what the entry throws while it loads is caught inside. */
const startCode = (agent: Agent, entry: string) =>
  `${SANDBOX}.start(${JSON.stringify(agent)}, () => import(${JSON.stringify(`entry:${entry}`)}));`;

const OWN = '__piToolsOwn';
const ownPathDefines = {
  'import.meta.url': `${OWN}.url`,
  'import.meta.dirname': `${OWN}.dirname`,
  'import.meta.filename': `${OWN}.filename`,
  'import.meta': OWN,
  __dirname: `${OWN}.dirname`,
  __filename: `${OWN}.filename`,
};

function archivePlugin(entry: string, input: InspectionInput, gathered: Gathered): esbuild.Plugin {
  const paths = new Set(input.paths);
  return {
    name: 'archive',
    setup(build) {
      build.onResolve({ filter: /^entry:/ }, (args) => ({ path: args.path.slice(6), namespace: 'archive' }));
      build.onResolve({ filter: /.*/ }, (args) => {
        const importer = args.namespace === 'archive' ? args.importer : entry;
        const resolved = resolveImport(args.path, importer, paths, input.packageJson);
        noteImport(gathered, input, args.path, importer, resolved);
        if (resolved.kind === 'relative' && resolved.target !== null) {
          if (args.kind === 'import-statement') noteStaticImport(gathered, importer, resolved.target);
          return { path: resolved.target, namespace: 'archive' };
        }
        const form = args.kind === 'require-call' ? 'require' : 'module';
        return {
          path: moduleName(args.path, resolved, gathered),
          namespace: 'sandbox',
          pluginData: form,
          suffix: `?${form}`,
        };
      });
      build.onLoad({ filter: /.*/, namespace: 'sandbox' }, (args) => ({
        contents: `module.exports = ${SANDBOX}.${args.pluginData}(${JSON.stringify(args.path)});`,
        loader: 'js',
      }));
      build.onLoad({ filter: /.*/, namespace: 'archive' }, (args) => loadFile(args.path, input, gathered));
    },
  };
}

function moduleName(specifier: string, resolved: ResolvedImport, gathered: Gathered): string {
  if (resolved.host === null)
    return resolved.kind === 'node' ? `node:${specifier.replace(/^node:/, '')}` : `npm:${specifier}`;
  if (resolved.host.kind === 'pi') {
    gathered.hostModules.add('typebox');
    return `pi:${resolved.host.name}`;
  }
  const isZod = resolved.host.kind === 'plugin' || resolved.host.kind === 'zod';
  const name = isZod ? 'zod' : resolved.host.name;
  gathered.hostModules.add(name);
  return resolved.host.kind === 'plugin' ? 'host:plugin' : `host:${name}`;
}

function loadFile(file: string, input: InspectionInput, gathered: Gathered): esbuild.OnLoadResult {
  const loader = LOADERS.get(path.posix.extname(file)) ?? 'text';
  const bytes = input.sources.get(file);
  if (bytes === undefined && loader === 'text')
    return { contents: `module.exports = ${SANDBOX}.module('npm:a file');`, loader: 'js' };
  const source =
    bytes === undefined
      ? undefined
      : Buffer.from(bytes)
          .toString('utf8')
          .replace(/^\ufeff/, '');
  const refusal = refusalOf(source);
  if (source === undefined || refusal !== null) {
    gathered.refused ??= {
      kind: 'not-analysed',
      message: refusal ?? 'the file cannot be read as text',
      file,
      line: null,
    };
    return { errors: [{ text: 'not analysed' }] };
  }
  if (loader === 'text' || loader === 'json') return { contents: source, loader };
  const computed = withComputedImports(source, file, `${OWN}.load`);
  gathered.hasComputedImport ||= computed !== source || MAKES_REQUIRE.test(source);
  return { contents: withOwnPaths(computed, file), loader };
}

function refusalOf(source: string | undefined): string | null {
  if (source === undefined) return 'the file is larger than 2 MiB or no text';
  if (Buffer.byteLength(source) > MAX_SOURCE_BYTES) return 'the file is larger than 2 MiB';
  return nestsTooDeep(source) ? 'the file nests deeper than 1,000 brackets' : null;
}

/** On the first line, so that line numbers stay; the first line itself may be a `#!`. */
function withOwnPaths(source: string, file: string): string {
  const filename = `${SANDBOX_ROOT}/${file}`;
  const own = { url: `file://${encodeURI(filename)}`, dirname: path.posix.dirname(filename), filename };
  return `var ${OWN} = ${SANDBOX}.own(${JSON.stringify(own)});${source.replace(/^#!/, '//')}`;
}

function noteImport(
  gathered: Gathered,
  input: InspectionInput,
  specifier: string,
  importer: string,
  resolved: ResolvedImport,
): void {
  const key = `${importer}\0${specifier}`;
  if (gathered.imports.has(key)) return;
  const line = lineOfImport(input.sources.get(importer), specifier);
  gathered.imports.set(key, { specifier, file: importer, line, kind: resolved.kind, target: resolved.target });
}

function noteStaticImport({ staticImports }: Gathered, importer: string, target: string): void {
  const targets = staticImports.get(importer) ?? new Set();
  staticImports.set(importer, targets.add(target));
}

/** The first line that holds the specifier in quotes. */
function lineOfImport(bytes: Uint8Array | undefined, specifier: string): number {
  const source = bytes === undefined ? '' : Buffer.from(bytes).toString('utf8');
  const places = ["'", '"', '`'].map((quote) => source.indexOf(quote + specifier + quote)).filter((at) => at >= 0);
  return places.length === 0 ? 1 : source.slice(0, Math.min(...places)).split('\n').length;
}

function problemOf(failure: esbuild.BuildFailure): EntryProblem {
  // No list of errors: esbuild itself ended.
  if (!Array.isArray(failure.errors)) {
    return { kind: 'memory', message: 'the entry is too much for the bundler', file: null, line: null };
  }
  const first = failure.errors[0];
  const file = first?.location?.file.replace(/^archive:/, '') ?? null;
  return {
    kind: 'load-failed',
    message: first?.text ?? 'the entry does not bundle',
    file,
    line: first?.location?.line ?? null,
  };
}
