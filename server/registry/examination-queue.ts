/** Examining costs a child process and up to 256 MiB: a few at a time, a bounded number waiting. */
import { Problem } from '../../schemas/problem.ts';

export type ExaminationQueue = {
  /** Runs `work` when it is its turn. Throws `busy` when too many wait. */
  run<T>(work: () => Promise<T>): Promise<T>;
};

export const createExaminationQueue = (limits: {
  readonly examinations: number;
  readonly waitingExaminations: number;
}): ExaminationQueue => {
  const waiting: (() => void)[] = [];
  let running = 0;
  const enter = async (): Promise<void> => {
    if (running < limits.examinations) {
      running++;
      return;
    }
    if (waiting.length >= limits.waitingExaminations) {
      throw new Problem('busy', 'Too many archives wait for their inspection', { hint: 'Try again in a minute.' });
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  };
  // A place is handed on, not given back, so that a newcomer cannot pass those who wait.
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  };
  return {
    run: async (work) => {
      await enter();
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
};
