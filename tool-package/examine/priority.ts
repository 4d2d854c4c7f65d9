/** An examination can wait a little, a server's answer or a user's keystroke cannot. */
import { readdirSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

const NICE = 5;

/** This process, with the threads that it has already, steps back behind others. What cannot be had is left. */
export function stepBack(): void {
  // Linux keeps a priority per thread.
  for (const thread of listThreads()) attempt(() => setPriority(thread, NICE));
  // Where the kernel shares time by session, a priority counts only within one, and the child has its own.
  if (process.platform === 'linux') attempt(() => writeFileSync('/proc/self/autogroup', String(NICE)));
}

function listThreads(): number[] {
  try {
    return readdirSync('/proc/self/task').map(Number);
  } catch {
    return [0];
  }
}

function attempt(change: () => void): void {
  try {
    change();
  } catch {
    // Not allowed here, or unknown to this platform.
  }
}
