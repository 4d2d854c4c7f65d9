/** The real command line, as a user starts it. */
import { join } from 'node:path';
import { bareEnvironment, type Ended, runProgram } from './run-program.ts';

const BIN = join(import.meta.dirname, '..', '..', '..', 'cli', 'bin.js');

export type PiToolsOptions = { home: string; cwd: string; env?: Record<string, string> };

/** Runs `pi-tools` with `words`, whatever comes of it. */
export function tryPiTools(words: string[], { home, cwd, env }: PiToolsOptions): Promise<Ended> {
  const options = { cwd, env: { ...bareEnvironment(home), ...env }, timeoutMs: 60_000 };
  return runProgram(process.execPath, [BIN, ...words], options);
}

/** Runs `pi-tools … --json` and gives what it prints. Throws with all that it said when it fails. */
export async function piTools<T = unknown>(words: string[], options: PiToolsOptions): Promise<T> {
  const ended = await tryPiTools([...words, '--json'], options);
  if (ended.exitCode !== 0) {
    throw new Error(`pi-tools ${words.join(' ')}: exit ${ended.exitCode}\n${ended.stdout}\n${ended.stderr}`);
  }
  return JSON.parse(ended.stdout) as T;
}
