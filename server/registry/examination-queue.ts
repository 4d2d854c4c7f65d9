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
  /** The same behind all who wait for the other, and one at a time: nobody waits for the answer. Never `busy`. */
  examineLater(request: ExaminationRequest): Promise<Examination>;
};

export const createExaminationQueue = (limits: {
  readonly examinations: number;
  readonly waitingExaminations: number;
}): ExaminationQueue => {
  const turns = createTurns(limits);
  const running = new Map<string, Promise<Examination>>();
  return {
    examine: ({ path, sha512, previous }) => {
      // A client that lost its connection sends the same bytes again while the first ones are still looked at.
      const key = `${sha512} ${previous?.version ?? ''}`;
      const known = running.get(key);
      if (known !== undefined) return known;
      const examination = turns.soon(() => examineNow({ path, previous })).finally(() => running.delete(key));
      running.set(key, examination);
      return examination;
    },
    examineLater: (request) => turns.later(() => examineNow(request)),
  };
};

const examineNow = ({ path, previous }: Omit<ExaminationRequest, 'sha512'>): Promise<Examination> =>
  examineArchive(path, previous === null ? {} : { previous });

type Kind = 'soon' | 'later';

const createTurns = ({ examinations, waitingExaminations }: Parameters<typeof createExaminationQueue>[0]) => {
  const waiting: Record<Kind, (() => void)[]> = { soon: [], later: [] };
  const running = { soon: 0, later: 0 };
  const isFull = (): boolean => running.soon + running.later >= examinations;
  const enter = async (kind: Kind): Promise<void> => {
    if (kind === 'soon' && isFull() && waiting.soon.length >= waitingExaminations) {
      throw new Problem('busy', 'Too many archives wait for their inspection', { hint: 'Try again in a minute.' });
    }
    await new Promise<void>((resolve) => {
      waiting[kind].push(resolve);
      admit();
    });
  };
  const admit = (): void => {
    while (!isFull()) {
      const kind: Kind = waiting.soon.length > 0 ? 'soon' : 'later';
      const next = kind === 'later' && running.later > 0 ? undefined : waiting[kind].shift();
      if (next === undefined) return;
      running[kind]++;
      next();
    }
  };
  const take =
    (kind: Kind) =>
    async <T>(work: () => Promise<T>): Promise<T> => {
      await enter(kind);
      try {
        return await work();
      } finally {
        running[kind]--;
        admit();
      }
    };
  return { soon: take('soon'), later: take('later') };
};
