/** Examining costs a child process and up to 256 MiB: a few at a time, a bounded number waiting, the same bytes once. */
import type { ManifestRecord } from '../../schemas/manifest.ts';
import { Problem } from '../../schemas/problem.ts';
import { type Examination, examineArchive } from '../../tool-package/examine/index.ts';

type ExaminationRequest = {
  readonly path: string;
  /** Of the file's bytes. */
  readonly sha512: string;
  /** What the new version is compared with. */
  readonly previous: ManifestRecord | null;
};

export type ExaminationQueue = {
  /** Examines when it is its turn. Throws what `examineArchive` throws, and `busy` when too many wait. */
  examine(request: ExaminationRequest): Promise<Examination>;
};

export const createExaminationQueue = (limits: {
  readonly examinations: number;
  readonly waitingExaminations: number;
}): ExaminationQueue => {
  const inTurn = createTurns(limits);
  const running = new Map<string, Promise<Examination>>();
  return {
    examine: ({ path, sha512, previous }) => {
      // A client that lost its connection sends the same bytes again while the first ones are still looked at.
      const key = `${sha512} ${previous?.version ?? ''}`;
      const known = running.get(key);
      if (known !== undefined) return known;
      const examination = inTurn(() => examineArchive(path, previous === null ? {} : { previous })).finally(() =>
        running.delete(key),
      );
      running.set(key, examination);
      return examination;
    },
  };
};

const createTurns = ({ examinations, waitingExaminations }: Parameters<typeof createExaminationQueue>[0]) => {
  const waiting: (() => void)[] = [];
  let running = 0;
  const enter = async (): Promise<void> => {
    if (running < examinations) {
      running++;
      return;
    }
    if (waiting.length >= waitingExaminations) {
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
  return async <T>(work: () => Promise<T>): Promise<T> => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
};
