/**
 * Looks at what is here with the rules of today. Each version is a step of its own, so that it can be stopped anywhere and
 * goes on from there; uploads go first. The record is never touched: only what is said about it changes.
 */
import type { Finding } from '../../schemas/finding.ts';
import { Problem } from '../../schemas/problem.ts';
import { RULE_SET } from '../../tool-package/check/rule-set.ts';
import type { Examination } from '../../tool-package/examine/index.ts';
import { sameIntegrity } from '../../tool-package/integrity.ts';
import { discard, type Incoming, receive } from '../blobs/incoming.ts';
import type { Deps } from '../deps.ts';
import { insertEvent } from '../store/events.ts';
import { findPackage } from '../store/packages.ts';
import type { Trx, VersionRow } from '../store/tables.ts';
import { findVersionById, listForRescan, updateStatus } from '../store/versions.ts';
import { listWaivers } from '../store/waivers.ts';
import { type Judgement, judge } from './judge.ts';
import { refreshPackage } from './listing.ts';
import { recordBefore } from './look-back.ts';

/** Whom the events name where nobody asked for it. */
export const RESCANNER = 'pi-tools';
/** Whom they name for the command on the registry's host. */
export const HOST = 'host';

export type RescanOptions = {
  /** `stale`: what other rules have judged. */
  readonly which: 'stale' | 'all';
  readonly mode: 'write' | 'dry-run';
  /** Whom the events name. */
  readonly actor: string;
  /** Ends it before the next write. */
  readonly signal?: AbortSignal;
  /** No version is begun after so long. */
  readonly budgetMs?: number;
  /** Versions to leave out, by id. */
  readonly except?: ReadonlySet<number>;
  readonly onDone?: (step: RescanStep, done: number, total: number) => void;
};

export type Quarantined = { readonly package: string; readonly version: string; readonly findings: readonly Finding[] };
export type Failed = {
  readonly package: string;
  readonly version: string;
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
};

/** What became of one version. */
export type RescanStep = {
  readonly id: number;
  readonly package: string;
  readonly version: string;
  readonly changed: boolean;
  readonly quarantined: readonly Finding[];
  readonly failed: Failed | null;
};

export type RescanResult = {
  readonly steps: readonly RescanStep[];
  /** Whether all was looked at. */
  readonly isComplete: boolean;
};

/** Never throws for what a package holds, or lacks on the disk: that is told, and the next version follows. */
export const rescan = async (deps: Deps, options: RescanOptions): Promise<RescanResult> => {
  const startMs = performance.now();
  const all = await listForRescan(deps.store.read, options.which === 'stale' ? RULE_SET : null);
  const ids = all.filter((id) => options.except?.has(id) !== true);
  const steps: RescanStep[] = [];
  for (const id of ids) {
    const isLate = options.budgetMs !== undefined && performance.now() - startMs > options.budgetMs;
    if (isLate || options.signal?.aborted === true) return { steps, isComplete: false };
    const step = await rescanOne(deps, id, options);
    if (step === undefined) continue;
    steps.push(step);
    options.onDone?.(step, steps.length, ids.length);
  }
  return { steps, isComplete: true };
};

/** Undefined where there is nothing to do: it is gone, somebody else did it, or the end was asked for. */
const rescanOne = async (deps: Deps, id: number, options: RescanOptions): Promise<RescanStep | undefined> => {
  const row = await findVersionById(deps.store.read, id);
  if (row === undefined || isDone(row, options)) return undefined;
  const step = { id, package: row.name, version: row.version, changed: false, quarantined: [], failed: null };
  try {
    const examination = await examineAgain(deps, row, options.signal);
    if (options.signal?.aborted === true) return undefined;
    const judgement = await apply(deps, id, examination, options);
    if (judgement === undefined) return undefined;
    return { ...step, changed: judgement.isChanged, quarantined: judgement.quarantinedFor };
  } catch (error) {
    if (options.signal?.aborted === true) return undefined;
    return { ...step, failed: failureOf(row, error) };
  }
};

const isDone = (row: VersionRow, { which }: RescanOptions): boolean => which === 'stale' && row.rule_set === RULE_SET;

/** From a copy: the blob's own path is nobody's business, and its bytes are hashed on the way. */
const examineAgain = async (deps: Deps, row: VersionRow, signal: AbortSignal | undefined): Promise<Examination> => {
  const incoming = await copyOf(deps, row);
  try {
    const previous = await recordBefore(deps, row);
    const examining = deps.examinations.examineLater({ path: incoming.path, sha512: row.sha512, previous });
    return await (signal === undefined ? examining : untilAborted(examining, signal));
  } finally {
    await discard(incoming);
  }
};

const copyOf = async (deps: Deps, row: VersionRow): Promise<Incoming> => {
  const incoming = await receive(deps.folder.incoming, await deps.blobs.stream(row.sha512), Number.MAX_SAFE_INTEGER);
  if (incoming.sha512 === row.sha512) return incoming;
  await discard(incoming);
  throw new Problem('integrity_mismatch', 'The archive on the disk of the registry is damaged', {
    hint: 'Take it from a backup.',
  });
};

/** A server that stops does not wait for what it would not write down any more. */
const untilAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = () => reject(new Problem('interrupted', 'The rescan was stopped'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });

/** Looks at the row again, since it may have been approved, yanked or rescanned meanwhile, and writes what follows. */
const apply = (
  deps: Deps,
  id: number,
  examination: Examination,
  options: RescanOptions,
): Promise<Judgement | undefined> => {
  const work = async (
    db: Trx | typeof deps.store.read,
  ): Promise<[VersionRow & { name: string }, Judgement] | undefined> => {
    const row = await findVersionById(db, id);
    if (row === undefined || isDone(row, options)) return undefined;
    if (!sameIntegrity(examination.record.integrity, row.integrity)) {
      throw new Problem('integrity_mismatch', 'The archive changed while it was examined');
    }
    return [row, judge(row, examination, await listWaivers(db, row.package_id))];
  };
  if (options.mode === 'dry-run') return work(deps.store.read).then((found) => found?.[1]);
  return deps.store.write(async (trx) => {
    const found = await work(trx);
    if (found !== undefined) await store(trx, found[0], found[1], options.actor);
    return found?.[1];
  });
};

const store = async (
  trx: Trx,
  row: VersionRow & { name: string },
  { change, isChanged, quarantinedFor, detail }: Judgement,
  actor: string,
): Promise<void> => {
  const owner = await findPackage(trx, row.name);
  if (owner === undefined) return;
  await updateStatus(trx, row.id, change);
  await refreshPackage(trx, owner);
  const about = { actor, package: row.name, version: row.version };
  if (isChanged) await insertEvent(trx, { ...about, kind: 'rescan', detail });
  if (quarantinedFor.length > 0) {
    await insertEvent(trx, { ...about, kind: 'quarantine', detail: { reason: change.state_reason ?? null } });
  }
};

const failureOf = (row: VersionRow & { name: string }, error: unknown): Failed => {
  const { name, version } = row;
  // Nothing of an unexpected error but its text: it is for the host's own people.
  const code = error instanceof Problem ? error.code : 'internal';
  const hint = error instanceof Problem ? error.hint : null;
  return { package: name, version, code, message: error instanceof Error ? error.message : String(error), hint };
};
