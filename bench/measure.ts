/** Timing helpers: medians over runs that take turns, so that a slow minute of the machine hits both sides of a ratio. */
import { type SpawnSyncOptions, spawnSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';

export type Side = { name: string; run: () => void; before?: () => void };

export const median = (values: number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
};

/** Runs the sides in turns, `rounds` times each after one warm-up; gives the median of each in milliseconds. */
export function compare(sides: readonly Side[], rounds: number): Map<string, number> {
  const times = new Map<string, number[]>(sides.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const { name, run, before } of sides) {
      before?.();
      const start = performance.now();
      run();
      if (round > 0) times.get(name)?.push(performance.now() - start);
    }
  }
  return new Map([...times].map(([name, values]) => [name, median(values)]));
}

/** Runs a program to its end; throws with its output when it fails, since the time of a failure says nothing. */
export function runProgram(command: string, args: readonly string[], options: SpawnSyncOptions): void {
  const done = spawnSync(command, args, { ...options, encoding: 'utf8' });
  if (done.status !== 0)
    throw new Error(`${command} ${args.join(' ')}: exit ${done.status}\n${done.stdout}${done.stderr}`);
}

/** One line of the report: the ratio, the bar it is held against, and whether it is met. */
export function report(
  what: string,
  ratio: number,
  bar: { atMost: number } | { atLeast: number },
  details: string,
): boolean {
  const met = 'atMost' in bar ? ratio <= bar.atMost : ratio >= bar.atLeast;
  const wanted = 'atMost' in bar ? `at most ${bar.atMost}` : `at least ${bar.atLeast}`;
  process.stdout.write(
    `${met ? 'met   ' : 'MISSED'}  ${ratio.toFixed(2).padStart(6)}  (${wanted})  ${what}  [${details}]\n`,
  );
  return met;
}
