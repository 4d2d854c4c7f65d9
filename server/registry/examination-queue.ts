/** Examining costs a child process and up to 256 MiB: a few at a time, a bounded number waiting, the same bytes once. */
import type { ManifestRecord } from '../../schemas/manifest.ts';
import { type Examination, examineArchive } from '../../tool-package/examine/index.ts';
import type { Limits } from '../limits.ts';
import { createFairTurns } from './fair-turns.ts';

type ExaminationRequest = {
  readonly path: string;
  /** Of the file's bytes. */
  readonly sha512: string;
  /** What the new version is compared with. */
  readonly previous: ManifestRecord | null;
};

/** For somebody who waits for the answer. */
type Upload = ExaminationRequest & {
  readonly publisher: string;
  /** Of all files together. */
  readonly unpackedBytes: number;
};

export type ExaminationQueue = {
  /** Reads an archive in this process, when it is its turn: ten of 100 MiB at once would slow every answer. Throws `busy` too. */
  read<T>(publisher: string, work: () => Promise<T>): Promise<T>;
  /** Examines when it is its turn. Throws what `examineArchive` throws, and `busy` where too many wait or it waited too long. */
  examine(upload: Upload): Promise<Examination>;
  /** The same behind all who wait for the other, and one at a time: nobody waits for the answer. Never `busy`. */
  examineLater(request: ExaminationRequest): Promise<Examination>;
};

export const createExaminationQueue = (limits: Limits): ExaminationQueue => {
  const turnLimits = {
    places: limits.examinations,
    waiting: limits.waitingExaminations,
    waitingOfOne: limits.waitingExaminationsOfOne,
    waitMs: limits.examinationWaitMs,
  };
  const readers = createFairTurns({ ...turnLimits, quickPlaces: 0 });
  const turns = createFairTurns({ ...turnLimits, quickPlaces: limits.quickExaminations });
  const running = new Map<string, Promise<Examination>>();
  return {
    read: (publisher, work) => readers.soon({ owner: publisher, expectedMs: 0 }, work),
    examine: ({ path, sha512, previous, publisher, unpackedBytes }) => {
      // A client that lost its connection sends the same bytes again while the first ones are still looked at.
      const key = `${sha512} ${previous?.version ?? ''}`;
      const known = running.get(key);
      if (known !== undefined) return known;
      const turn = { owner: publisher, expectedMs: expectedMs(unpackedBytes) };
      const examination = turns.soon(turn, () => examineNow({ path, previous })).finally(() => running.delete(key));
      running.set(key, examination);
      return examination;
    },
    examineLater: (request) => turns.later(() => examineNow(request)),
  };
};

const MS_PER_MIB = 5000;
const MOST_MS = 15_000;

/** Sources are what takes time, and most of what a package holds. */
const expectedMs = (bytes: number): number => Math.min(MOST_MS, (bytes / 1024 / 1024) * MS_PER_MIB);

const examineNow = ({ path, previous }: Omit<ExaminationRequest, 'sha512'>): Promise<Examination> =>
  examineArchive(path, previous === null ? {} : { previous });
