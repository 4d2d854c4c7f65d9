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
import { giveBack, inTurn, takeExaminer } from './pool.ts';
import type {
  CheckDepth,
  ChildMessage,
  EntryId,
  Examination,
  ExamineRequest,
  InspectedExtension,
  SentProblem,
} from './types.ts';
import { unreadEntry } from './unread-entry.ts';

export { keepExaminerWarm, prepareExaminer } from './pool.ts';
export type { Examination, InspectedExtension } from './types.ts';

export type ExamineOptions = {
  /** Time of the processor, for all entries together. */
  timeMs?: number;
  /** What the process group may grow by. */
  residentBytes?: number;
  /** The record of the version before, for the rules that compare. */
  previous?: ManifestRecord;
};

/** Times are of the processor (watch-group.ts): a busy machine gives the same record, later. */
const INSPECT_MS = 10_000;
const INSPECT_BYTES = 256 * 1024 * 1024;
/** For a pass in which no entry is evaluated any more: the archive is read, and what is known is taken. */
const READ_MS = 5000;
/** Less for less: the sources that a child could not finish are not given to the next one. */
const CHECK_MS: Readonly<Record<CheckDepth, number>> = { all: 20_000, small: 5000, none: 5000 };
/** Syntax trees of a few MiB of sources, on top of what the inspection left. */
const CHECK_MORE_BYTES = 128 * 1024 * 1024;
/** Entries that end a child are named one by one; after these, the rest is given up. */
const MAX_CHILDREN = 4;

/**
 * What an archive is: its record, what the checks find, its README. Throws Problem as `readArchive` and
 * `resolveEntries` do. An entry that runs too long, eats memory or ends the child is a finding, and hides no other.
 */
export function examineArchive(archivePath: string, options: ExamineOptions = {}): Promise<Examination> {
  return inTurn(() => examineInChildren(path.resolve(archivePath), options));
}

/** What the next child may use, where `leftMs` are left for the entries. */
function limitsOf(options: ExamineOptions, { giveUp, checks }: Pick<Attempt, 'giveUp' | 'checks'>, leftMs: number) {
  const residentBytes = options.residentBytes ?? INSPECT_BYTES;
  const timeMs = giveUp === null && checks === 'all' ? Math.max(1, leftMs) : READ_MS;
  const limits: ExaminerLimits = {
    inspect: { timeMs, residentBytes },
    check: { timeMs: CHECK_MS[checks], residentBytes: residentBytes + CHECK_MORE_BYTES },
  };
  return limits;
}

type Attempt = {
  known: EntryInspection[];
  giveUp: ProblemKind | null;
  checks: CheckDepth;
  children: number;
  silent: number;
};
/** How far a child came: the entry that it was at, or the checks behind the last one. */
type Place = { entry: EntryId | undefined; isInspected: boolean };

async function examineInChildren(archivePath: string, options: ExamineOptions): Promise<Examination> {
  let leftMs = options.timeMs ?? INSPECT_MS;
  const attempt: Attempt = { known: [], giveUp: null, checks: 'all', children: 0, silent: 0 };
  for (;;) {
    const request = requestFor(archivePath, attempt, options);
    const { answer, place, usedMs } = await askOnce(request, limitsOf(options, attempt, leftMs), attempt.known);
    leftMs -= usedMs;
    if (answer.kind === 'examined') return answer.examination;
    if (answer.kind === 'problem') throw fromSent(answer.problem);
    noteStop(attempt, (answer.kind === 'stopped' ? answer.why : null) ?? 'memory', place);
  }
}

function requestFor(path: string, { known, giveUp, checks }: Attempt, options: ExamineOptions): ExamineRequest {
  return { kind: 'archive', path, known, giveUp, previous: options.previous ?? null, checks };
}

/** The entry that ended the child is known to be bad; after a time-out, or too many children, all others are given up. */
function noteStop(attempt: Attempt, why: ProblemKind, { entry: current, isInspected }: Place): void {
  if (isInspected) {
    attempt.checks = lessThan(attempt.checks);
    return;
  }
  if (attempt.giveUp !== null) throw ended();
  attempt.children++;
  if (current !== undefined) attempt.known.push(unreadEntry(current, why));
  // Once may be a warm child that something else ended before it was asked.
  else attempt.silent++;
  if (why === 'time' || attempt.silent > 1 || attempt.children >= MAX_CHILDREN) attempt.giveUp = why;
}

/** Sources that end the checks are looked at only as far as they are small. */
function lessThan(checks: CheckDepth): CheckDepth {
  if (checks === 'none') throw ended();
  return checks === 'all' ? 'small' : 'none';
}

const ended = (): Problem =>
  new Problem('inspection_failed', 'The inspection was ended: it took too long or too much memory', {
    hint: 'the archive itself could not be read within the limits',
  });

async function askOnce(
  request: ExamineRequest,
  limits: ExaminerLimits,
  known: EntryInspection[],
): Promise<Asked & { place: Place }> {
  const place: Place = { entry: undefined, isInspected: false };
  const onProgress = (message: ChildMessage) => {
    if (message.kind === 'entry') place.entry = message.entry;
    if (message.kind === 'inspected') place.isInspected = true;
    if (message.kind !== 'entry-done') return;
    known.push(message.inspection);
    place.entry = undefined;
  };
  const asked = await takeExaminer().ask(request, limits, onProgress);
  return { ...asked, place };
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
  const limits = limitsOf(options, { giveUp: null, checks: 'all' }, options.timeMs ?? INSPECT_MS);
  return inTurn(async () => {
    const request = { kind: 'extension' as const, path: path.resolve(target), agent };
    const examiner = takeExaminer();
    const { answer } = await examiner.ask(request, limits, () => undefined);
    if (answer.kind === 'extension') {
      giveBack(examiner);
      return answer.extension;
    }
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
