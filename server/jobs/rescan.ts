/** After a change of the rules: looks at everything again, a minute of it at a time, so that other jobs get their turn. */
import type { Deps } from '../deps.ts';
import { RESCANNER, type RescanStep, rescan } from '../registry/rescan.ts';
import { insertEvent } from '../store/events.ts';
import type { JobKind } from './runner.ts';

const HOUR_MS = 60 * 60_000;
const BUDGET_MS = 60_000;

/** What could not be looked at is told once, and tried again by the next server only: a missing archive stays missing. */
export const createRescanJob = (): JobKind => {
  const failed = new Set<number>();
  return {
    everyMs: HOUR_MS,
    atStart: true,
    run: async (deps, signal) => {
      const { steps, isComplete } = await rescan(deps, {
        which: 'stale',
        mode: 'write',
        actor: RESCANNER,
        signal,
        budgetMs: BUDGET_MS,
        except: failed,
      });
      for (const step of steps) {
        if (step.failed === null) continue;
        failed.add(step.id);
        await tell(deps, step);
      }
      return isComplete ? 'finished' : 'unfinished';
    },
  };
};

const tell = (deps: Deps, { package: name, version, failed }: RescanStep): Promise<void> =>
  deps.store.write((trx) =>
    insertEvent(trx, {
      actor: RESCANNER,
      kind: 'rescan',
      package: name,
      version,
      detail: { failed: failed?.code, message: failed?.message },
    }),
  );
