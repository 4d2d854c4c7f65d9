/** Timers without a clock: they run in the order of their due times once nothing else is left to do. */

type Callback = (...args: unknown[]) => unknown;
type Timer = { id: number; due: number; callback: Callback; args: unknown[]; repeatMs: number | undefined };

/** A repeating timer must not keep an inspection busy. */
const MAX_RUNS = 1000;
const PATIENCE = 50;

let timers: Timer[] = [];
let lastResorts: (() => unknown)[] = [];
let lastId = 0;
let now = 0;
let runs = 0;

function add(callback: unknown, delayMs: unknown, args: unknown[], repeatMs?: number): { id: number } {
  const delay = Math.max(0, Number(delayMs) || 0);
  const id = ++lastId;
  if (typeof callback === 'function')
    timers.push({ id, due: now + delay, callback: callback as Callback, args, repeatMs });
  const handle = {
    id,
    ref: () => handle,
    unref: () => handle,
    hasRef: () => true,
    refresh: () => handle,
    [Symbol.toPrimitive]: () => id,
  };
  return handle;
}

const idOf = (handle: unknown): number =>
  typeof handle === 'number' ? handle : ((handle as { id?: number } | undefined)?.id ?? -1);

export const setTimeout = (callback: unknown, delayMs?: unknown, ...args: unknown[]) => add(callback, delayMs, args);
export const setImmediate = (callback: unknown, ...args: unknown[]) => add(callback, 0, args);
export const setInterval = (callback: unknown, delayMs?: unknown, ...args: unknown[]) =>
  add(callback, delayMs, args, Math.max(1, Number(delayMs) || 1));

export function clearTimer(handle: unknown): void {
  const id = idOf(handle);
  timers = timers.filter((timer) => timer.id !== id);
}

/** Runs once there is no timer any more. */
export const addLastResort = (callback: () => unknown): void => void lastResorts.push(callback);

function runLastResort(): boolean {
  const [next, ...rest] = lastResorts;
  if (next === undefined) return false;
  lastResorts = rest;
  runs++;
  try {
    next();
  } catch {
    // What a callback makes of an inert value says nothing.
  }
  return true;
}

const SOON_MS = 2000;

/** Runs the next timer that comes once, and soon: what an extension does a moment after the start. */
export function runSoonTimer(): boolean {
  const next = timers.find(({ due, repeatMs }) => repeatMs === undefined && due <= SOON_MS);
  if (!next || runs >= MAX_RUNS) return false;
  runs++;
  clearTimer(next.id);
  next.callback(...next.args);
  return true;
}

/** Runs the next timer, then what waits for events; false when there is none, or when enough have run. */
export function runNextTimer(): boolean {
  if (runs >= MAX_RUNS) return false;
  const next = timers.toSorted((a, b) => a.due - b.due || a.id - b.id)[0];
  if (!next) return runLastResort();
  // An interval that polls for what only an event brings.
  if (runs % PATIENCE === PATIENCE - 1 && runLastResort()) return true;
  runs++;
  now = Math.max(now, next.due);
  clearTimer(next.id);
  if (next.repeatMs !== undefined) timers.push({ ...next, due: now + next.repeatMs });
  next.callback(...next.args);
  return true;
}
