/** Ends a wait on a child that uses more than it may. */
import type { ChildProcess } from 'node:child_process';
import { CAN_MEASURE, type GroupUse, groupUse, NOTHING } from './group-use.ts';

const POLL_MS = 25;
/**
 * A busy machine gives a child that steps back (priority.ts) a small part of itself. Only what does nothing at all, or
 * is stopped, gets here.
 */
const WALL_PER_CPU = CAN_MEASURE ? 8 : 1;

export type GroupLimits = {
  /** Of the processor, for the whole group. */
  readonly timeMs: number;
  /** What the group may grow by since the watch began. */
  readonly residentBytes: number;
};

export type Watch = {
  /** Other limits from now on; the time counts anew. */
  restart(limits: GroupLimits): void;
  /** Ends it, and gives the time that was used since the beginning. */
  stop(): number;
};

/** Watches the group of `child`, and calls `onOver` once when it has passed a limit. */
export function watchGroup(child: ChildProcess, limits: GroupLimits, onOver: (why: 'time' | 'memory') => void): Watch {
  const clock = startClock(child.pid ?? 0);
  let current = limits;
  let phase = clock.now();
  const look = (): void => {
    const now = clock.now();
    const isLate =
      now.cpuMs - phase.cpuMs > current.timeMs || now.wallMs - phase.wallMs > current.timeMs * WALL_PER_CPU;
    if (!isLate && now.grownBytes <= current.residentBytes) return;
    clearInterval(timer);
    onOver(isLate ? 'time' : 'memory');
  };
  const timer = setInterval(look, POLL_MS);
  return {
    restart: (next) => {
      current = next;
      phase = clock.now();
    },
    stop: () => {
      clearInterval(timer);
      return clock.now().cpuMs;
    },
  };
}

/** What the group has used since this was called; it never goes back, also when the group is gone. */
function startClock(pid: number) {
  const started = performance.now();
  const base = groupUse(pid);
  let last: GroupUse = base;
  return {
    now: () => {
      const wallMs = performance.now() - started;
      const use = CAN_MEASURE ? groupUse(pid) : { ...NOTHING, cpuMs: wallMs };
      if (use.cpuMs >= last.cpuMs) last = use;
      return { wallMs, cpuMs: last.cpuMs - base.cpuMs, grownBytes: last.residentBytes - base.residentBytes };
    },
  };
}
