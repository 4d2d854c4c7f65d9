/** All sources of a package as one program: files, what they export, who imports whom, who calls whom. */
import { buildCalls, type CallIndex } from './calls.ts';
import { type ExportEntry, exportsOf } from './exports.ts';
import type { Node } from './node.ts';
import { isSourcePath, type NotAnalysed, parseSource, type SourceFile } from './parse.ts';
import { type Binding, resolveScopes } from './scopes.ts';

export type ProgramLimits = { files: number; bytes: number; nodes: number };
/** A tree takes 60 to 100 times the bytes of its source; the process that runs this has 256 MiB. */
export const PROGRAM_LIMITS: ProgramLimits = { files: 2000, bytes: 1.5 * 1024 * 1024, nodes: 800_000 };

export type Program = {
  files: ReadonlyMap<string, SourceFile>;
  /** Parsed JSON files. */
  json: ReadonlyMap<string, unknown>;
  /** `imports` of package.json: `#name` -> path. */
  aliases: ReadonlyMap<string, string>;
  notAnalysed: NotAnalysed[];
  bindings: ReadonlyMap<Node, Binding>;
  tops: ReadonlyMap<string, ReadonlyMap<string, Binding>>;
  exports: ReadonlyMap<string, ReadonlyMap<string, ExportEntry[]>>;
  calls: CallIndex;
  /** File -> kind of node -> nodes, in the order of the source. */
  nodes: NodeIndex;
};

export type NodeIndex = ReadonlyMap<string, ReadonlyMap<string, readonly Node[]>>;

/** Takes the kept files of an archive (path -> bytes) and gives the program. Never throws; what could not be looked at is in `notAnalysed`. */
export function readProgram(
  sources: ReadonlyMap<string, Uint8Array>,
  parsed: readonly (SourceFile | NotAnalysed)[] = parseAll(sources),
  limits: ProgramLimits = PROGRAM_LIMITS,
): Program {
  const files = new Map<string, SourceFile>();
  const notAnalysed: NotAnalysed[] = [];
  const bindings = new Map<Node, Binding>();
  const tops = new Map<string, ReadonlyMap<string, Binding>>();
  const index = new Map<string, ReadonlyMap<string, readonly Node[]>>();
  const left = { ...limits };
  for (const file of parsed) {
    const spent = left.nodes < 0 && !('reason' in file) ? tooMuch(file.path) : file;
    if ('reason' in spent) {
      notAnalysed.push(spent);
      continue;
    }
    const { top, nodes, byType } = resolveScopes(spent.path, spent.program, bindings);
    left.nodes -= nodes;
    files.set(spent.path, spent);
    tops.set(spent.path, top);
    index.set(spent.path, byType);
  }
  const exports = new Map(
    [...files.values()].map(
      (file) =>
        [file.path, exportsOf(file, bindings, index.get(file.path)?.get('AssignmentExpression') ?? [])] as const,
    ),
  );
  const json = readJson(sources);
  const aliases = readAliases(json.get('package.json'));
  return {
    files,
    json,
    aliases,
    notAnalysed,
    bindings,
    tops,
    exports,
    calls: buildCalls(index, bindings),
    nodes: index,
  };
}

/** Calls `visit` with every node of the given kinds, file by file, in the order of the source. */
export function eachNode(nodes: NodeIndex, types: readonly string[], visit: (node: Node, file: string) => void): void {
  for (const [file, byType] of nodes) {
    const found = types.flatMap((type) => byType.get(type) ?? []);
    if (types.length > 1) found.sort((left, right) => left.start - right.start);
    for (const node of found) visit(node, file);
  }
}

/** Parses all sources, sorted by path; beyond the limits a file is not analysed. */
export function parseAll(
  sources: ReadonlyMap<string, Uint8Array>,
  limits: ProgramLimits = PROGRAM_LIMITS,
): (SourceFile | NotAnalysed)[] {
  const paths = [...sources.keys()].filter(isSourcePath);
  const size = (path: string): number => sources.get(path)?.length ?? 0;
  const parsed = new Map<string, SourceFile | NotAnalysed>();
  let [files, bytes] = [limits.files, limits.bytes];
  // The small ones first: a bundle that is too much must not hide what was written by hand.
  for (const path of [...paths].sort((left, right) => size(left) - size(right))) {
    files -= 1;
    const file =
      files < 0 || size(path) > bytes ? tooMuch(path) : parseSource(path, sources.get(path) ?? new Uint8Array());
    if ('program' in file) bytes -= size(path);
    parsed.set(path, file);
  }
  return paths.sort().flatMap((path) => parsed.get(path) ?? []);
}

/** The reason where the limits of the whole package were reached. */
export const TOO_MUCH = 'was left out: the package has more source than is analysed';

const tooMuch = (path: string): NotAnalysed => ({
  file: path,
  line: null,
  reason: TOO_MUCH,
});

const MAX_JSON_BYTES = 256 * 1024;

function readJson(sources: ReadonlyMap<string, Uint8Array>): Map<string, unknown> {
  const values = new Map<string, unknown>();
  for (const [path, bytes] of sources) {
    if (!path.endsWith('.json') || bytes.length > MAX_JSON_BYTES || values.size >= 200) continue;
    try {
      values.set(path, JSON.parse(Buffer.from(bytes).toString('utf8')));
    } catch {
      // Not JSON: whoever imports it fails, and that is another rule's finding.
    }
  }
  return values;
}

function readAliases(packageJson: unknown): Map<string, string> {
  const aliases = new Map<string, string>();
  const imports = (packageJson as { imports?: unknown } | null | undefined)?.imports;
  if (typeof imports !== 'object' || imports === null) return aliases;
  for (const [name, target] of Object.entries(imports)) {
    const conditions = typeof target === 'object' && target !== null ? Object.values(target) : [target];
    const path = conditions.find((value) => typeof value === 'string');
    if (typeof path === 'string') aliases.set(name, path);
  }
  return aliases;
}

const EXTENSIONS = ['', '.ts', '.tsx', '.mts', '.cts', '.js', '.mjs', '.cjs', '.jsx', '.json'];

/** The file in the package that `specifier` means in `from`, or undefined where it is none of the package's. */
export function findModule(program: Program, from: string, specifier: string): string | undefined {
  const wanted = program.aliases.get(specifier) ?? specifier;
  const base = program.aliases.has(specifier) ? '' : from.slice(0, from.lastIndexOf('/') + 1);
  if (!/^\.{0,2}\//.test(wanted) && wanted !== '.' && wanted !== '..') return undefined;
  const path = normalise(wanted.startsWith('/') ? wanted : base + wanted);
  const stem = path.replace(/\.([cm]?)jsx?$/, '');
  const swapped = stem === path ? [] : [`${stem}.ts`, `${stem}.mts`, `${stem}.cts`, `${stem}.tsx`];
  const candidates = [
    ...EXTENSIONS.map((extension) => path + extension),
    ...swapped,
    ...EXTENSIONS.slice(1).map((extension) => `${path === '' ? '' : `${path}/`}index${extension}`),
  ];
  return candidates.find((candidate) => program.files.has(candidate) || program.json.has(candidate));
}

/** `a/./b/../c` -> `a/c`; steps above the top are dropped. */
function normalise(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}
