/** Runs the jobs that come back by themselves. Taken by lease, so that several servers can share a database later. */
import { randomBytes } from 'node:crypto';
import { nowMs } from '../clock.ts';
import type { Deps } from '../deps.ts';
import { collectBlobs } from '../registry/collect-blobs.ts';
import { ensureJob, returnJob, takeJob } from '../store/jobs.ts';

const MINUTE_MS = 60_000;
const LEASE_MS = 10 * MINUTE_MS;

/** Each is safe to run twice, also at the same time. */
const JOBS: Readonly<Record<string, { readonly everyMs: number; readonly run: (deps: Deps) => Promise<unknown> }>> = {
  'collect-blobs': { everyMs: 60 * MINUTE_MS, run: collectBlobs },
};

/** Looks for due jobs now and every minute, until it is stopped; a stop waits for the one that runs. */
export const startJobs = async (deps: Deps): Promise<{ stop(): Promise<void> }> => {
  await deps.store.write(async (trx) => {
    for (const kind of Object.keys(JOBS)) await ensureJob(trx, { id: kind, kind, dueAtMs: nowMs() });
  });
  let running = runDueJobs(deps);
  const timer = setInterval(() => {
    running = running.then(() => runDueJobs(deps));
  }, MINUTE_MS);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
};

/** Runs what is due. A job that fails is left to its lease: it comes back when that has run out. */
export const runDueJobs = async (deps: Deps): Promise<void> => {
  const holder = randomBytes(8).toString('hex');
  for (;;) {
    const job = await deps.store.write((trx) => takeJob(trx, holder, LEASE_MS)).catch(() => undefined);
    const kind = job && JOBS[job.kind];
    if (job === undefined || kind === undefined) return;
    try {
      await kind.run(deps);
      await deps.store.write((trx) => returnJob(trx, job.id, holder, nowMs() + kind.everyMs));
    } catch {
      return;
    }
  }
};
