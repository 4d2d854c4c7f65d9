/** The job table: a job is taken by lease, so a dead process's job is taken over when the lease has run out. */
import { nowMs } from '../clock.ts';
import type { Trx } from './tables.ts';

export type Job = { readonly id: string; readonly kind: string; readonly attempts: number };

/** Adds a job that comes back by itself; does nothing when it is there. */
export const ensureJob = async (trx: Trx, job: { id: string; kind: string; dueAtMs: number }): Promise<void> => {
  await trx
    .insertInto('jobs')
    .values({
      id: job.id,
      kind: job.kind,
      payload: '{}',
      due_at: job.dueAtMs,
      lease_until: null,
      lease_holder: null,
      attempts: 0,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

/** Makes a job due, whoever held it: for a process that knows that no other one is at work. */
export const makeJobDue = async (trx: Trx, id: string): Promise<void> => {
  await trx
    .updateTable('jobs')
    .set({ due_at: nowMs(), lease_until: null, lease_holder: null })
    .where('id', '=', id)
    .execute();
};

/** Takes one due job that nobody holds; undefined when there is none. */
export const takeJob = async (trx: Trx, holder: string, leaseMs: number): Promise<Job | undefined> => {
  const at = nowMs();
  const job = await trx
    .selectFrom('jobs')
    .select(['id', 'kind', 'attempts'])
    .where('due_at', '<=', at)
    .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<', at)]))
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst();
  if (job === undefined) return undefined;
  await trx
    .updateTable('jobs')
    .set({ lease_until: at + leaseMs, lease_holder: holder, attempts: job.attempts + 1 })
    .where('id', '=', job.id)
    .execute();
  return job;
};

/** Gives a job back, due again at `dueAtMs`; only its holder can. */
export const returnJob = async (trx: Trx, id: string, holder: string, dueAtMs: number): Promise<void> => {
  await trx
    .updateTable('jobs')
    .set({ lease_until: null, lease_holder: null, due_at: dueAtMs, attempts: 0 })
    .where('id', '=', id)
    .where('lease_holder', '=', holder)
    .execute();
};
