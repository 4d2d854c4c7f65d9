/** One entry of one agent: bundle, evaluate, read. */
import type { Agent } from '../../schemas/common.ts';
import { type Bundle, bundleEntry, SANDBOX_ROOT } from './bundle.ts';
import { withCertainThrow } from './certain-throw.ts';
import { exportLines } from './export-lines.ts';
import { findModuleBundle, guestBundle } from './host-bundles.ts';
import { otherExportsOf, parseReport, problemOfReport, type ReportContext, toolsOf } from './read-report.ts';
import { runSandbox, type SandboxCode, type SandboxEnd } from './sandbox.ts';
import { readSourceMap } from './source-map.ts';
import type { EntryInspection, EntryProblem, InspectedTool, InspectionInput } from './types.ts';

/** Never throws for what the archive holds: what goes wrong is the entry's `problem`. */
export async function inspectEntry(agent: Agent, entry: string, input: InspectionInput): Promise<EntryInspection> {
  const nothing = { agent, entry, tools: [], otherExports: [], imports: [] };
  if (!input.paths.includes(entry)) {
    return {
      ...nothing,
      problem: { kind: 'load-failed', message: 'the entry is not in the archive', file: entry, line: null },
    };
  }
  const bundle = await bundleEntry(agent, entry, input);
  if ('kind' in bundle) return { ...nothing, problem: bundle };
  const pieces = await piecesOf(bundle, input);
  const context = contextOf(agent, entry, bundle, input);
  const first = readEnd(await runSandbox(pieces), context);
  const ended = first.problem?.kind === 'load-failed' ? await secondTry(first, pieces, context) : first;
  const tools = agent === 'pi' ? await withOptionalTools(ended, pieces, context) : ended.tools;
  const problem = ended.problem && withCertainThrow(ended.problem, bundle.loaded, { agent, entry }, input);
  return { ...nothing, imports: bundle.imports, ...ended, problem, tools };
}

/** Puts a call of the sandbox's own before the entry's code. */
const preparedBy = (name: string, pieces: readonly SandboxCode[]): SandboxCode[] =>
  pieces.toSpliced(-1, 0, { name: 'machine.js', code: `globalThis[Symbol.for('pi-tools.sandbox')].${name}();` });

/** Tools that are registered only where some variable is set (a key for a service): the model may see them. */
async function withOptionalTools(
  ended: Ended,
  pieces: readonly SandboxCode[],
  context: ReportContext,
): Promise<InspectedTool[]> {
  const kind = ended.problem?.kind;
  const asksForVariables = /\benv\b/.test(pieces.at(-1)?.code ?? '');
  if (!asksForVariables || kind === 'time' || kind === 'memory') return ended.tools;
  const full = readEnd(await runSandbox(preparedBy('useFullEnvironment', pieces)), context);
  const known = new Set(ended.tools.map((tool) => tool.name));
  return [...ended.tools, ...full.tools.filter((tool) => tool.name !== null && !known.has(tool.name))];
}

/** On a machine without files: code that checks what it read fails on inert values, and has defaults for this case. */
async function secondTry(first: Ended, pieces: readonly SandboxCode[], context: ReportContext): Promise<Ended> {
  if (!pieces.some((piece) => piece.name === FILES)) return first;
  const second = readEnd(await runSandbox(preparedBy('useEmptyMachine', pieces)), context);
  return second.problem === null ? second : first;
}

async function piecesOf(bundle: Bundle, input: InspectionInput): Promise<SandboxCode[]> {
  const pieces = [{ name: 'sandbox.js', code: await guestBundle() }];
  for (const name of bundle.hostModules) {
    const code = await findModuleBundle(name);
    if (code !== undefined) pieces.push({ name: 'host.js', code });
  }
  if (bundle.imports.some((each) => each.kind === 'node')) pieces.push({ name: FILES, code: filesCode(input) });
  return [...pieces, { name: 'bundle.js', code: bundle.code }];
}

/** The archive's own texts, for entries that read a file beside them. */
function filesCode(input: InspectionInput): string {
  const calls = [...input.sources]
    .filter(([, bytes]) => bytes.length <= 64 * 1024)
    .map(
      ([path, bytes]) =>
        `p(${JSON.stringify(`${SANDBOX_ROOT}/${path}`)},${JSON.stringify(Buffer.from(bytes).toString('utf8'))});`,
    );
  return `const p = globalThis[Symbol.for('pi-tools.sandbox')].provideFile;\n${calls.join('\n')}`;
}

function contextOf(agent: Agent, entry: string, bundle: Bundle, input: InspectionInput): ReportContext {
  const source = Buffer.from(input.sources.get(entry) ?? []).toString('utf8');
  const files = new Set(input.paths);
  return { agent, entry, map: readSourceMap(bundle.map), files, exportLines: exportLines(source) };
}

const FILES = 'files.js';
const OUT_OF_MEMORY = 'the entry uses more memory than an inspection may';

type Ended = Pick<EntryInspection, 'tools' | 'otherExports' | 'problem'>;

function readEnd(end: SandboxEnd, context: ReportContext): Ended {
  const report = end.report === null ? undefined : parseReport(end.report);
  const stopped = problemOfEnd(end, context.entry);
  if (report === undefined) {
    const unreadable: EntryProblem = {
      kind: 'not-analysed',
      message: 'the entry leaves more than an inspection can read',
      file: context.entry,
      line: null,
    };
    return { tools: [], otherExports: [], problem: stopped ?? unreadable };
  }
  return {
    tools: toolsOf(report, context),
    otherExports: otherExportsOf(report, context),
    problem: stopped ?? blameMemory(end, problemOfReport(report, context)),
  };
}

/** Code that catches the engine's own "out of memory" fails in some other way: the full memory tells. */
const blameMemory = (end: SandboxEnd, problem: EntryProblem | null): EntryProblem | null =>
  problem?.kind === 'load-failed' && end.isFull ? { ...problem, kind: 'memory', message: OUT_OF_MEMORY } : problem;

function problemOfEnd(end: SandboxEnd, entry: string): EntryProblem | null {
  const at = { file: entry, line: null };
  if (end.stopped === 'time') return { kind: 'time', message: 'the entry runs longer than an inspection may', ...at };
  if (end.stopped === 'memory') return { kind: 'memory', message: OUT_OF_MEMORY, ...at };
  return end.pending ? { kind: 'time', message: 'the entry waits for something that never comes', ...at } : null;
}
