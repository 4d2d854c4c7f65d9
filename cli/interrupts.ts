/** Ctrl-C and termination: cleanups run, newest first, then the process ends with 128 + the signal's number. */
import type { Interrupts } from './command.ts';

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;
const CLEANUP_LIMIT_MS = 5000;

/** Listens from now on. `end` is called once, after the cleanups, with the exit code; a second signal does not wait for them. */
export const listenForInterrupts = (end: (exitCode: number) => void): Interrupts => {
  const controller = new AbortController();
  const cleanups: (() => void | Promise<void>)[] = [];
  let owner: 'main' | 'command' = 'main';
  const onSignal = (signal: keyof typeof EXIT_CODES): void => {
    const again = controller.signal.aborted;
    controller.abort();
    if (again) end(EXIT_CODES[signal]);
    if (!again && owner === 'main') void runAll(cleanups).then(() => end(EXIT_CODES[signal]));
  };
  process.on('SIGINT', () => onSignal('SIGINT'));
  process.on('SIGTERM', () => onSignal('SIGTERM'));
  return {
    signal: controller.signal,
    onInterrupt: (cleanup) => {
      cleanups.push(cleanup);
      return () => void (cleanups.includes(cleanup) && cleanups.splice(cleanups.indexOf(cleanup), 1));
    },
    takeOver: () => {
      owner = 'command';
    },
  };
};

const runAll = async (cleanups: (() => void | Promise<void>)[]): Promise<void> => {
  const work = (async () => {
    for (const cleanup of cleanups.reverse()) await Promise.resolve(cleanup()).catch(() => {});
  })();
  const limit = new Promise<void>((done) => {
    setTimeout(done, CLEANUP_LIMIT_MS).unref();
  });
  await Promise.race([work.catch(() => {}), limit]);
};
