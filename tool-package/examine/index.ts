/**
 * Examining an archive or an extension, callable from server and CLI. Everything slow or dangerous happens in a child
 * process group that is ended on time or on memory: no input stops or fills the caller.
 */
import path from 'node:path';
import type { Agent } from '../../schemas/common.ts';
import type { ManifestRecord } from '../../schemas/manifest.ts';
import { isProblemCode, Problem } from '../../schemas/problem.ts';
import type { EntryInspection, ProblemKind } from '../inspect/types.ts';
import type { Asked, ExaminerLimits } from './examiner.ts';
import { inTurn, takeExaminer } from './pool.ts';
import type { ChildMessage, EntryId, Examination, ExamineRequest, InspectedExtension, SentProblem } from './types.ts';
import { unreadEntry } from './unread-entry.ts';

export { keepExaminerWarm, prepareExaminer } from './pool.ts';
export type { Examination, InspectedExtension } from './types.ts';

export type ExamineOptions = {
  /** For all entries together. */
  timeMs?: number;
  /** What the process group may grow by. */
  residentBytes?: number;
  /** The record of the version before, for the rules that compare. */
  previous?: ManifestRecord;
};

const DEFAULT_TIME_MS = 10_000;
const DEFAULT_RESIDENT_BYTES = 256 * 1024 * 1024;
/** Reading the archive, checking, building the record, once no entry is left to evaluate. */
const LAST_PASS_MS = 15_000;
/** Entries that end a child are named one by one; after these, the rest is given up. */
const MAX_CHILDREN = 4;

/**
 * What an archive is: its record, what the checks find, its README. Throws Problem as `readArchive` and
 * `resolveEntries` do. An entry that runs too long, eats memory or ends the child is a finding, and hides no other.
 */
export function examineArchive(archivePath: string, options: ExamineOptions = {}): Promise<Examination> {
  return inTurn(() => examineInChildren(path.resolve(archivePath), options));
}

type Attempt = { known: EntryInspection[]; giveUp: ProblemKind | null; children: number };

async function examineInChildren(archivePath: string, options: ExamineOptions): Promise<Examination> {
  const residentBytes = options.residentBytes ?? DEFAULT_RESIDENT_BYTES;
  let leftMs = options.timeMs ?? DEFAULT_TIME_MS;
  const attempt: Attempt = { known: [], giveUp: null, children: 0 };
  for (;;) {
    const { known, giveUp } = attempt;
    const request: ExamineRequest = {
      kind: 'archive',
      path: archivePath,
      known,
      giveUp,
      previous: options.previous ?? null,
    };
    const timeMs = giveUp === null ? Math.max(1, leftMs) : LAST_PASS_MS;
    const { answer, current, ms } = await askOnce(request, { timeMs, residentBytes }, known);
    leftMs -= ms;
    if (answer.kind === 'examined') return answer.examination;
    if (answer.kind === 'problem') throw fromSent(answer.problem);
    if (giveUp !== null) throw ended();
    noteStop(attempt, (answer.kind === 'stopped' ? answer.why : null) ?? 'memory', current);
  }
}

/** The entry that ended the child is known to be bad; after a time-out, or too many children, all others are given up. */
function noteStop(attempt: Attempt, why: ProblemKind, current: EntryId | undefined): void {
  attempt.children++;
  if (current !== undefined) attempt.known.push(unreadEntry(current, why));
  if (why === 'time' || current === undefined || attempt.children >= MAX_CHILDREN) attempt.giveUp = why;
}

const ended = (): Problem =>
  new Problem('inspection_failed', 'The inspection was ended: it took too long or too much memory', {
    hint: 'the archive itself could not be read within the limits',
  });

async function askOnce(
  request: ExamineRequest,
  limits: ExaminerLimits,
  known: EntryInspection[],
): Promise<Asked & { current: EntryId | undefined }> {
  let current: EntryId | undefined;
  const onProgress = (message: ChildMessage) => {
    if (message.kind === 'entry') current = message.entry;
    if (message.kind !== 'entry-done') return;
    known.push(message.inspection);
    current = undefined;
  };
  const asked = await takeExaminer().ask(request, limits, onProgress);
  return { ...asked, current };
}

/**
 * The tools that an agent would get from a file or folder that others put there. `problem` says what it could not load;
 * nothing is thrown for that. SlopCode and opencode: a tool file; pi: an extension file or folder, or a package.
 */
export function inspectExtension(
  target: string,
  agent: Agent,
  options: ExamineOptions = {},
): Promise<InspectedExtension> {
  const limits = {
    timeMs: options.timeMs ?? DEFAULT_TIME_MS,
    residentBytes: options.residentBytes ?? DEFAULT_RESIDENT_BYTES,
  };
  return inTurn(async () => {
    const request = { kind: 'extension' as const, path: path.resolve(target), agent };
    const { answer } = await takeExaminer().ask(request, limits, () => undefined);
    if (answer.kind === 'extension') return answer.extension;
    if (answer.kind === 'problem') return { tools: [], problem: answer.problem.message };
    const why = answer.kind === 'stopped' && answer.why === 'time' ? 'it takes too long' : 'it uses too much memory';
    return { tools: [], problem: `could not be inspected: ${why}` };
  });
}

function fromSent(problem: SentProblem): Problem {
  const code = isProblemCode(problem.code) ? problem.code : 'inspection_failed';
  return new Problem(code, problem.message, {
    ...(problem.hint === null ? {} : { hint: problem.hint }),
    details: problem.details,
  });
}
