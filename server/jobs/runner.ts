/** Runs the jobs that come back by themselves. Taken by lease, so that several servers can share a database later. */
import { randomBytes } from 'node:crypto';
import { nowMs } from '../clock.ts';
import type { Deps } from '../deps.ts';
import { collectBlobs } from '../registry/collect-blobs.ts';
import { ensureJob, makeJobDue, returnJob, takeJob } from '../store/jobs.ts';
import { createRescanJob } from './rescan.ts';

const MINUTE_MS = 60_000;
const LEASE_MS = 10 * MINUTE_MS;

export type JobKind = {
  readonly everyMs: number;
  /** At each start, whenever it ran last. */
  readonly atStart: boolean;
  /** `unfinished`: it comes back at once, behind the others. Safe to run twice, also at the same time. */
  readonly run: (deps: Deps, signal: AbortSignal) => Promise<'finished' | 'unfinished'>;
};

type Jobs = Readonly<Record<string, JobKind>>;

/** Jobs with what they remember between two runs. */
export const createJobs = (): Jobs => ({
  'collect-blobs': {
    everyMs: 60 * MINUTE_MS,
    atStart: false,
    run: (deps) => collectBlobs(deps).then(() => 'finished'),
  },
  rescan: createRescanJob(),
});

/** Looks for due jobs now and every minute, until it is stopped; a stop asks the one that runs to end, and waits for it. */
export const startJobs = async (deps: Deps): Promise<{ stop(): Promise<void> }> => {
  const jobs = createJobs();
  const stopping = new AbortController();
  await deps.store.write(async (trx) => {
    for (const [kind, { atStart }] of Object.entries(jobs)) {
      await ensureJob(trx, { id: kind, kind, dueAtMs: nowMs() });
      // The lease is that of a server that was killed: two never serve one folder.
      if (atStart) await makeJobDue(trx, kind);
    }
  });
  let running = runDueJobs(deps, jobs, stopping.signal);
  const timer = setInterval(() => {
    running = running.then(() => runDueJobs(deps, jobs, stopping.signal));
  }, MINUTE_MS);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
};

/** Runs what is due. A job that fails is left to its lease: it comes back when that has run out. */
export const runDueJobs = async (deps: Deps, jobs: Jobs, signal: AbortSignal): Promise<void> => {
  const holder = randomBytes(8).toString('hex');
  while (!signal.aborted) {
    const job = await deps.store.write((trx) => takeJob(trx, holder, LEASE_MS)).catch(() => undefined);
    const kind = job && jobs[job.kind];
    if (job === undefined || kind === undefined) return;
    try {
      const end = await kind.run(deps, signal);
      const dueAtMs = nowMs() + (end === 'finished' ? kind.everyMs : 0);
      await deps.store.write((trx) => returnJob(trx, job.id, holder, dueAtMs));
    } catch {
      return;
    }
  }
};
