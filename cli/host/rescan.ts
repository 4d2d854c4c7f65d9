/** Looks at everything in a registry's data folder with the rules of today; also while it is served. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../schemas/problem.ts';
import type { Failed, Quarantined, RescanStep } from '../../server/registry/rescan.ts';

export type RescanRequest = {
  dataFolder: string;
  which: 'stale' | 'all';
  mode: 'write' | 'dry-run';
  /** Ends it between two versions, at once. */
  signal: AbortSignal;
  onDone: (step: RescanStep, done: number, total: number) => void;
};

export type RescanSummary = {
  ruleSet: string;
  checked: number;
  changed: number;
  quarantined: Quarantined[];
  failed: Failed[];
};

/** Throws `data_folder_invalid` where there is none, `interrupted` after the signal. What a package lacks is in the answer's `failed`. */
export const rescanFolder = async ({
  dataFolder,
  which,
  mode,
  signal,
  onDone,
}: RescanRequest): Promise<RescanSummary> => {
  const found = await stat(join(dataFolder, 'registry.db')).catch(() => undefined);
  if (found === undefined) {
    throw new Problem('data_folder_invalid', `\`${dataFolder}\` is no data folder of a registry`, {
      hint: 'name the one of `pi-tools serve` with --data',
    });
  }
  const [{ openDeps, closeDeps }, { rescan, HOST }, { RULE_SET }] = await Promise.all([
    import('../../server/deps.ts'),
    import('../../server/registry/rescan.ts'),
    import('../../tool-package/check/rule-set.ts'),
  ]);
  const deps = await openDeps({ dataFolder });
  try {
    const { steps, isComplete } = await rescan(deps, { which, mode, actor: HOST, signal, onDone });
    if (!isComplete) {
      throw new Problem('interrupted', `the rescan was stopped after ${steps.length} versions: they are done`, {
        hint: 'the same command goes on from there',
      });
    }
    return {
      ruleSet: RULE_SET,
      checked: steps.filter((step) => step.failed === null).length,
      changed: steps.filter((step) => step.changed).length,
      quarantined: steps
        .filter((step) => step.quarantined.length > 0)
        .map((step) => ({ package: step.package, version: step.version, findings: step.quarantined })),
      failed: steps.flatMap((step) => step.failed ?? []),
    };
  } finally {
    await closeDeps(deps);
  }
};
