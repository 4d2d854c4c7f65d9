/** From the sandbox's report to tools. The report comes from where the author's code ran: nothing in it is believed. */
import type { Agent } from '../../schemas/common.ts';
import type { Origin } from '../../schemas/manifest.ts';
import { findPlace, type LineMap, type SourcePlace } from './source-map.ts';
import type { EntryProblem, InspectedTool, ProblemKind, UnreadField } from './types.ts';

type Reading = { value?: unknown; unread?: unknown } | null;
type RawTool = {
  fields?: Record<string, Reading>;
  functions?: unknown;
  defaultActive?: unknown;
  stack?: unknown;
  export?: unknown;
};
export type RawReport = { state?: unknown; failure?: unknown; tools?: unknown; others?: unknown; asked?: unknown };

export type ReportContext = {
  agent: Agent;
  entry: string;
  map: LineMap;
  files: ReadonlySet<string>;
  exportLines: ReadonlyMap<string, number>;
};

export function parseReport(text: string): RawReport | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The tools as the agent would have them: of two with one name the later one, in the place of the first. */
export function toolsOf(report: RawReport, context: ReportContext): InspectedTool[] {
  const byName = new Map<string, InspectedTool>();
  const unnamed: InspectedTool[] = [];
  for (const raw of listOf(report.tools)) {
    if (!isRecord(raw)) continue;
    const tool = toTool(raw, context);
    if (tool.name === null) unnamed.push(tool);
    else byName.set(tool.name, tool);
  }
  return [...byName.values(), ...unnamed];
}

function toTool(raw: RawTool, context: ReportContext): InspectedTool {
  const fields = isRecord(raw.fields) ? raw.fields : {};
  const functions = new Set(listOf(raw.functions));
  const exported = typeof raw.export === 'string' ? raw.export : null;
  const place = placeOf(raw, exported, context);
  const unread: UnreadField[] = [];
  const origin: Record<string, Origin> = {};
  const field = <T>(name: string, is: (value: unknown) => value is T): T | null => {
    const reading = fields[name];
    if (typeof reading?.unread === 'string') unread.push({ field: name, from: reading.unread });
    const value = reading?.value;
    if (!is(value)) return null;
    origin[name] = 'evaluated';
    return value;
  };
  const isPi = context.agent === 'pi';
  const name = isPi ? field('name', isText) : nameOfExport(context.entry, exported ?? 'default');
  if (!isPi) origin.name = 'evaluated';
  return {
    name,
    label: isPi ? field('label', isText) : null,
    description: field('description', isText),
    promptSnippet: isPi ? field('promptSnippet', isText) : null,
    promptGuidelines: isPi ? (field('promptGuidelines', isTextList) ?? []) : [],
    parameters: field('parameters', isRecord),
    entry: context.entry,
    export: exported,
    flags: flagsOf(functions, raw.defaultActive, isPi),
    execute: functions.has('execute'),
    file: place?.file ?? null,
    line: place?.line ?? null,
    unread: isPi ? unread : unread.filter((each) => each.field !== 'name'),
    origin,
  };
}

function flagsOf(functions: ReadonlySet<unknown>, defaultActive: unknown, isPi: boolean): InspectedTool['flags'] {
  return {
    prepareArguments: isPi && functions.has('prepareArguments'),
    renderCall: isPi && functions.has('renderCall'),
    renderResult: isPi && functions.has('renderResult'),
    defaultActive: !isPi || defaultActive !== false,
  };
}

/** `<file>` for the default export, `<file>_<export>` for the others. */
export function nameOfExport(entry: string, exported: string): string {
  const stem = entry.slice(entry.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '');
  return exported === 'default' ? stem : `${stem}_${exported}`;
}

function placeOf(raw: RawTool, exported: string | null, context: ReportContext): SourcePlace | undefined {
  if (exported !== null) return { file: context.entry, line: context.exportLines.get(exported) ?? 1 };
  return typeof raw.stack === 'string' ? findPlace(context.map, raw.stack, context.files) : undefined;
}

/** What the engine throws when it stops code that then reports it as its own failure. */
const KIND_OF_FAILURE = new Map<string, ProblemKind>([
  ['InternalError: out of memory', 'memory'],
  ['InternalError: interrupted', 'time'],
]);

/** The problem that the report itself names, if any. */
export function problemOfReport(report: RawReport, context: ReportContext): EntryProblem | null {
  const at = { file: context.entry, line: null };
  if (report.state === 'no-default-function') {
    return { kind: 'no-default-function', message: 'the entry has no default-exported function', ...at };
  }
  if (isRecord(report.state)) {
    return { kind: 'not-analysed', message: `the default export comes from ${String(report.state.inert)}`, ...at };
  }
  if (report.state !== 'failed') return null;
  const failure = isRecord(report.failure) ? report.failure : {};
  const stack = typeof failure.stack === 'string' ? failure.stack : '';
  const place = findPlace(context.map, stack, context.files);
  const message = typeof failure.message === 'string' && failure.message !== '' ? failure.message : 'the entry throws';
  return {
    kind: KIND_OF_FAILURE.get(message) ?? 'load-failed',
    message,
    file: place?.file ?? context.entry,
    line: place?.line ?? null,
  };
}

export const otherExportsOf = (report: RawReport, context: ReportContext): { name: string; line: number | null }[] =>
  listOf(report.others)
    .filter(isText)
    .map((name) => ({ name, line: context.exportLines.get(name) ?? null }));

/** What the entry asked of its machine: `env`, `flag`, `platform`. */
export const askedOf = (report: RawReport): ReadonlySet<string> => new Set(listOf(report.asked).filter(isText));

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isTextList = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
