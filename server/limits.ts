/** What a request may cost. Documented in docs/api.md and docs/self-hosting.md; each can be set in `ServerOptions.limits`. */

export type Limits = {
  readonly archiveBytes: number;
  readonly jsonBytes: number;
  readonly jsonDepth: number;
  readonly headerTimeoutMs: number;
  /** The whole request, headers and body. */
  readonly bodyTimeoutMs: number;
  /** Between two requests of one connection. */
  readonly idleTimeoutMs: number;
  /** A connection on which nothing moves; longer than an archive may wait for its inspection and be inspected. */
  readonly stalledTimeoutMs: number;
  readonly connections: number;
  /** From one address, so that nobody holds all of them. A proxy in front is one address. */
  readonly connectionsOfOne: number;
  /** Archives read or examined at the same time, each examined in a child process of up to 384 MiB. */
  readonly examinations: number;
  /** As many more, if they are small and their publisher took little lately. */
  readonly quickExaminations: number;
  /** Archives that may wait for their examination. */
  readonly waitingExaminations: number;
  /** Archives of one publisher that may wait. */
  readonly waitingExaminationsOfOne: number;
  /** After that the publisher is told to try again. */
  readonly examinationWaitMs: number;
  /** Per token, else per address. */
  readonly writesPerMinute: number;
  readonly searchesPerMinute: number;
  /** Answers of 401 per address. */
  readonly failedLoginsPerMinute: number;
};

export const DEFAULT_LIMITS: Limits = {
  archiveBytes: 20 * 1024 * 1024,
  jsonBytes: 256 * 1024,
  jsonDepth: 32,
  headerTimeoutMs: 10_000,
  bodyTimeoutMs: 60_000,
  idleTimeoutMs: 15_000,
  stalledTimeoutMs: 300_000,
  connections: 4096,
  connectionsOfOne: 1024,
  examinations: 2,
  quickExaminations: 1,
  waitingExaminations: 128,
  waitingExaminationsOfOne: 32,
  examinationWaitMs: 120_000,
  writesPerMinute: 600,
  searchesPerMinute: 600,
  failedLoginsPerMinute: 60,
};
