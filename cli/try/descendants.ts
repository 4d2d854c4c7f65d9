/** What the author's code has started, wherever it went: a process that makes itself a group of its own outlives ours. */
import { readdirSync, readFileSync } from 'node:fs';

/** The variable that all of them inherit. */
export const MARK = 'PI_TOOLS_TRY';

const MAX_ROUNDS = 10;

/** Ends every process with that mark. Linux only: elsewhere nobody else's variables can be read. */
export const killMarked = (mark: string): void => {
  // One that starts another between two looks is found by the next.
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const found = listMarked(`${MARK}=${mark}\0`);
    if (found.length === 0) return;
    found.forEach(kill);
  }
};

const listMarked = (text: string): number[] => {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(text))
    .map(Number);
};

/** Empty for a process that is gone or another user's. */
const environmentOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    return '';
  }
};

const kill = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
};

/** Of one process; 0 where that cannot be asked. */
export const residentBytes = (pid: number | undefined): number => {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
};
