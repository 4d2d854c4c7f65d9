/** One entry of one agent: bundle, evaluate, read. */
import type { Agent } from '../../schemas/common.ts';
import { type Bundle, bundleEntry, SANDBOX_ROOT } from './bundle.ts';
import { withCertainThrow } from './certain-throw.ts';
import { exportLines } from './export-lines.ts';
import { findModuleBundle, guestBundle } from './host-bundles.ts';
import { askedOf, otherExportsOf, parseReport, problemOfReport, type ReportContext, toolsOf } from './read-report.ts';
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
  // Code that brings a Zod of its own, bundled in: ours reads its schemas.
  if (agent !== 'pi' && bundle.code.includes('_zod')) bundle.hostModules.add('zod');
  const pieces = await piecesOf(bundle, input);
  const context = contextOf(agent, entry, bundle, input);
  const first = readEnd(await runSandbox(pieces), context);
  const ended = first.problem?.kind === 'load-failed' ? await secondTry(first, pieces, context) : first;
  const read = await withoutFiles(ended, pieces, context);
  const tools = agent === 'pi' ? await withOptionalTools(read, pieces, context) : read.tools;
  const problem = ended.problem && withCertainThrow(ended.problem, bundle.loaded, { agent, entry }, input);
  return { ...nothing, imports: bundle.imports, otherExports: ended.otherExports, problem, tools };
}

/** Puts a call of the sandbox's own before the entry's code. */
const preparedBy = (call: string, pieces: readonly SandboxCode[]): SandboxCode[] =>
  pieces.toSpliced(-1, 0, { name: 'machine.js', code: `globalThis[Symbol.for('pi-tools.sandbox')].${call};` });

/** Other machines and users: where the entry asked for it, and what the sandbox does then. */
const OTHER_MACHINES: readonly (readonly [question: string, call: string])[] = [
  ['env', 'useFullEnvironment()'],
  ['flag', 'useFullEnvironment()'],
  ['platform', "usePlatform('darwin')"],
  ['platform', "usePlatform('win32')"],
];

/** Tools that are registered only with a variable (a key for a service), a flag, or on a system: the model may see them. */
async function withOptionalTools(
  ended: Ended,
  pieces: readonly SandboxCode[],
  context: ReportContext,
): Promise<InspectedTool[]> {
  const kind = ended.problem?.kind;
  if (kind === 'time' || kind === 'memory') return ended.tools;
  const calls = OTHER_MACHINES.filter(([question]) => ended.asked.has(question)).map(([, call]) => call);
  const tools = [...ended.tools];
  for (const call of new Set(calls)) {
    const other = readEnd(await runSandbox(preparedBy(call, pieces)), context);
    tools.push(...other.tools.filter((tool) => isNew(tool, tools)));
  }
  return tools;
}

/** By its name; one without, by where it is registered: its name may only be another one there. */
const isNew = (tool: InspectedTool, known: readonly InspectedTool[]): boolean =>
  !known.some((each) => (tool.name !== null ? each.name === tool.name : isSamePlace(each, tool)));

const isSamePlace = (one: InspectedTool, other: InspectedTool): boolean =>
  one.file === other.file && one.line === other.line;

/** On a machine without files: code that checks what it read fails on inert values, and has defaults for this case. */
async function secondTry(first: Ended, pieces: readonly SandboxCode[], context: ReportContext): Promise<Ended> {
  if (!pieces.some((piece) => piece.name === FILES)) return first;
  const second = readEnd(await runSandbox(preparedBy('useEmptyMachine()', pieces)), context);
  return second.problem === null ? second : first;
}

/**
 * A definition that names what lies in the user's folders (a list of agents) is shown as it is where nothing lies
 * there; that it is made from files is still said.
 */
async function withoutFiles(ended: Ended, pieces: readonly SandboxCode[], context: ReportContext): Promise<Ended> {
  const isMadeFromFiles = ({ unread }: InspectedTool) => unread.some(({ from }) => from.startsWith('node:fs'));
  if (!ended.tools.some(isMadeFromFiles)) return ended;
  const empty = readEnd(await runSandbox(preparedBy('useEmptyMachine()', pieces)), context);
  const tools = ended.tools.map((tool) => {
    const same = empty.tools.find((each) => tool.name !== null && each.name === tool.name && isSamePlace(each, tool));
    return same !== undefined && isMadeFromFiles(tool) ? { ...same, unread: [...same.unread, ...tool.unread] } : tool;
  });
  return { ...ended, tools };
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

/** The archive's own files, for entries that look for one beside them; their text where it is short. */
function filesCode(input: InspectionInput): string {
  const calls = input.paths.map((path) => {
    const bytes = input.sources.get(path);
    const text = bytes !== undefined && bytes.length <= MAX_GIVEN_BYTES ? Buffer.from(bytes).toString('utf8') : null;
    return `p(${JSON.stringify(`${SANDBOX_ROOT}/${path}`)},${JSON.stringify(text)});`;
  });
  return `const p = globalThis[Symbol.for('pi-tools.sandbox')].provideFile;\n${calls.join('\n')}`;
}

function contextOf(agent: Agent, entry: string, bundle: Bundle, input: InspectionInput): ReportContext {
  const source = Buffer.from(input.sources.get(entry) ?? []).toString('utf8');
  const files = new Set(input.paths);
  return { agent, entry, map: readSourceMap(bundle.map), files, exportLines: exportLines(source) };
}

const FILES = 'files.js';
const MAX_GIVEN_BYTES = 64 * 1024;
const OUT_OF_MEMORY = 'the entry uses more memory than an inspection may';

type Ended = Pick<EntryInspection, 'tools' | 'otherExports' | 'problem'> & {
  readonly asked: ReadonlySet<string>;
};

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
    return { tools: [], otherExports: [], problem: stopped ?? unreadable, asked: new Set() };
  }
  return {
    asked: askedOf(report),
    tools: toolsOf(report, context),
    otherExports: otherExportsOf(report, context),
    problem: stopped ?? blameMemory(end, problemOfReport(report, context), context.entry),
  };
}

/** Code that catches the engine's own "out of memory" fails in some other way, or ends early: the full memory tells. */
const blameMemory = (end: SandboxEnd, problem: EntryProblem | null, entry: string): EntryProblem | null => {
  if (!end.isFull || (problem !== null && problem.kind !== 'load-failed')) return problem;
  return { file: entry, line: null, ...problem, kind: 'memory', message: OUT_OF_MEMORY };
};

function problemOfEnd(end: SandboxEnd, entry: string): EntryProblem | null {
  const at = { file: entry, line: null };
  if (end.stopped === 'time') return { kind: 'time', message: 'the entry runs longer than an inspection may', ...at };
  if (end.stopped === 'memory') return { kind: 'memory', message: OUT_OF_MEMORY, ...at };
  return end.pending ? { kind: 'time', message: 'the entry waits for something that never comes', ...at } : null;
}
