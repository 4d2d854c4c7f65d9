/** Starts a program, waits for its end, and stops it when it takes too long. */
import { spawn } from 'node:child_process';

export type Ended = { exitCode: number | null; stdout: string; stderr: string; timedOut: boolean };
export type ProgramOptions = { cwd: string; env: Record<string, string>; timeoutMs: number };

/** The environment that every program here gets: a home of its own, nothing of the caller's settings. */
export function bareEnvironment(home: string): Record<string, string> {
  return { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', TERM: 'dumb', NO_COLOR: '1', HOME: home };
}

/** Does not throw for a program that fails: its exit code is an answer. */
export function runProgram(program: string, words: string[], options: ProgramOptions): Promise<Ended> {
  const { cwd, env, timeoutMs } = options;
  const child = spawn(program, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let stdout = '';
  let stderr = '';
  let timedOut = false;
  child.stdout.setEncoding('utf8').on('data', (data: string) => {
    stdout += data;
  });
  child.stderr.setEncoding('utf8').on('data', (data: string) => {
    stderr += data;
  });
  return new Promise((done, fail) => {
    const timer = setTimeout(() => {
      timedOut = true;
      // The agent may have started programs of its own: the whole group goes.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, timeoutMs);
    child.on('error', fail);
    child.on('close', (exitCode) => {
      clearTimeout(timer);
      done({ exitCode, stdout, stderr, timedOut });
    });
  });
}
