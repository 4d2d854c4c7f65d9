/** At most three examinations at once; the others wait. Optionally one warm child, so that a start costs little. */
import { type Examiner, startExaminer } from './examiner.ts';

const MAX_AT_ONCE = 3;

let running = 0;
const waiting: (() => void)[] = [];
let standby: Examiner | undefined;
let keepers = 0;

/** Runs `work` when there is room. */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MAX_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
    fillStandby();
  }
}

/** The warm child, else a fresh one. */
export function takeExaminer(): Examiner {
  const taken = standby?.isAlive() ? standby : startExaminer();
  standby = undefined;
  return taken;
}

/** Takes a child back that may be asked again: a command that looks at twenty extensions starts one or two. */
export function giveBack(examiner: Examiner): void {
  if (!examiner.isAlive()) return;
  if (standby?.isAlive()) examiner.end();
  else standby = examiner;
}

function fillStandby(): void {
  if (keepers > 0 && !standby?.isAlive()) standby = startExaminer();
}

/** Keeps a warm child from now on (a server); the answer stops that and ends the child. */
export function keepExaminerWarm(): () => void {
  keepers++;
  fillStandby();
  let isOn = true;
  return () => {
    if (!isOn) return;
    isOn = false;
    keepers--;
    if (keepers > 0) return;
    standby?.end();
    standby = undefined;
  };
}

/** Starts a child ahead of an examination that is about to come. */
export function prepareExaminer(): void {
  if (!standby?.isAlive()) standby = startExaminer();
}
