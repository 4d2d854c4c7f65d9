/**
 * What a process and all that it started use: memory, and time of the processor. Time of the processor, because a result
 * must not depend on what else the machine does. Known on Linux only; elsewhere the clock on the wall has to do.
 */
import { readFileSync } from 'node:fs';

export type GroupUse = {
  readonly residentBytes: number;
  /** The part of the process itself. */
  readonly own: number;
  readonly cpuMs: number;
  readonly processes: number;
};

export const CAN_MEASURE = process.platform === 'linux';
export const NOTHING: GroupUse = { residentBytes: 0, own: 0, cpuMs: 0, processes: 0 };
/** The kernel's unit for times that it tells programs, on every Linux. */
const TICK_MS = 10;

/** A process and its descendants; zeros where it is gone or that cannot be asked. */
export function groupUse(pid: number): GroupUse {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    const own = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
    const cpuMs = cpuOf(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    const self = { residentBytes: own, own, cpuMs, processes: 1 };
    return children.map((child) => groupUse(Number(child))).reduce(sum, self);
  } catch {
    return NOTHING;
  }
}

const sum = (left: GroupUse, right: GroupUse): GroupUse => ({
  residentBytes: left.residentBytes + right.residentBytes,
  own: left.own,
  cpuMs: left.cpuMs + right.cpuMs,
  processes: left.processes + right.processes,
});

/** utime, stime, and both of the children that have ended (proc(5), fields 14 to 17). The name before may hold blanks. */
function cpuOf(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((total, ticks) => total + Number(ticks), 0) * TICK_MS;
}
