/** The child's walk: read the archive, find the entries, inspect them one by one, check, build the record. */
import { readFile } from 'node:fs/promises';
import type { Agent } from '../../schemas/common.ts';
import { readArchive } from '../archive/read.ts';
import { RULE_SET } from '../check/index.ts';
import { type Entries, resolveEntries } from '../entries.ts';
import { inspectEntry } from '../inspect/index.ts';
import { fillFromSources } from '../inspect/parsed.ts';
import type { EntryInspection, InspectionInput } from '../inspect/types.ts';
import { checkSources } from './check-sources.ts';
import { withEvidence } from './evidence.ts';
import { createKeep, findReadme, sourcesOf } from './kept-files.ts';
import { buildRecord } from './record.ts';
import type { EntryId, Examination, ExamineRequest } from './types.ts';
import { unreadEntry } from './unread-entry.ts';

/** A glob can make 5,000 entries of one line; these many are inspected, whatever the machine's speed. */
const MAX_ENTRIES = 200;

export type Progress = {
  onEntry(entry: EntryId): void;
  onEntryDone(inspection: EntryInspection): void;
  onInspected?(): void;
};

/** Throws Problem as the archive reader and `resolveEntries` do. */
export async function examinePackage(request: ExamineRequest, progress: Progress): Promise<Examination> {
  return examineBytes(await readFile(request.path), request, progress);
}

/** The same for an archive in memory. */
export async function examineBytes(
  bytes: Uint8Array,
  request: ExamineRequest,
  progress: Progress,
): Promise<Examination> {
  const archive = await readArchive(bytes, { keep: createKeep() });
  const paths = archive.files.map((file) => file.path);
  const sources = sourcesOf(archive);
  const { packageJson } = archive;
  const entries = resolveEntries(packageJson, paths, sources);
  const evaluated = await inspectAll(entries, { packageJson, paths, sources }, request, progress);
  (globalThis as { gc?: () => void }).gc?.();
  progress.onInspected?.();
  const depth = request.checks ?? 'all';
  const inspections = depth === 'all' ? fillFromSources(evaluated, sources) : evaluated;
  const previous = request.previous === null ? {} : { previous: request.previous };
  const { findings, observed } = checkSources(
    { packageJson, files: archive.files, sources, inspections, ...previous },
    depth,
  );
  const record = buildRecord(archive, entries, inspections, observed);
  const proven = withEvidence(findings, { record, sources, inspections });
  return { record, packageJson, findings: proven, ruleSet: RULE_SET, readme: findReadme(sources) };
}

async function inspectAll(
  entries: Entries,
  input: InspectionInput,
  request: ExamineRequest,
  progress: Progress,
): Promise<EntryInspection[]> {
  const inspections: EntryInspection[] = [];
  for (const { agent, entry } of listEntries(entries)) {
    const known = findKnown([...request.known, ...inspections], agent, entry);
    if (known !== undefined) {
      inspections.push(known);
      continue;
    }
    const refusal = request.giveUp ?? (inspections.length >= MAX_ENTRIES ? 'not-analysed' : null);
    if (refusal !== null) {
      inspections.push(unreadEntry({ agent, entry }, refusal));
      continue;
    }
    progress.onEntry({ agent, entry });
    const inspection = await inspectEntry(agent, entry, input);
    progress.onEntryDone(inspection);
    inspections.push(inspection);
    // An engine that ran into its limit holds that much memory until it is collected.
    (globalThis as { gc?: () => void }).gc?.();
  }
  return inspections;
}

const listEntries = (entries: Entries): EntryId[] =>
  (Object.keys(entries) as Agent[]).flatMap((agent) => entries[agent].map((entry) => ({ agent, entry })));

/** SlopCode and opencode read a tool file in the same way: it is evaluated once for both. */
function findKnown(known: readonly EntryInspection[], agent: Agent, entry: string): EntryInspection | undefined {
  const same = known.find((each) => each.entry === entry && (each.agent === 'pi') === (agent === 'pi'));
  return same === undefined ? undefined : { ...same, agent };
}
