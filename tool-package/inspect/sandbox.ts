/**
 * The engine: QuickJS as WebAssembly, without files, network or clock, limited in memory and in steps. One module
 * instance per entry: a runtime that is freed with live handles aborts its whole instance and every later call in it.
 */
import { cpuUsage } from 'node:process';
import releaseSync from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core';

export type SandboxCode = { name: string; code: string };
export type SandboxLimits = { memoryBytes: number; steps: number; timeMs: number };
export type SandboxEnd = {
  report: string | null;
  stopped: 'time' | 'memory' | null;
  pending: boolean;
  isFull: boolean;
};

/**
 * `steps` are counted by the engine (about 10,000 operations each), so that a slow machine gives the same result;
 * `timeMs` is time of the processor, and what examines a package watches the clock.
 */
const DEFAULT_SANDBOX_LIMITS: SandboxLimits = { memoryBytes: 96 * 1024 * 1024, steps: 12_000, timeMs: 4000 };
/** Small enough that the engine notices deep recursion before the stack of the process around it ends. */
const STACK_BYTES = 192 * 1024;
const MAX_REPORT_LENGTH = 16 * 1024 * 1024;

type Engine = { runtime: QuickJSRuntime; isFull(): boolean };

const PAGE_BYTES = 64 * 1024;
const INITIAL_PAGES = 256;
type EngineMemory = { readonly buffer: ArrayBuffer };
/** Node has it; the types of Node 20 do not name it. */
const { Memory } = (globalThis as unknown as { WebAssembly: { Memory: new (size: object) => EngineMemory } })
  .WebAssembly;

const SANDBOX = "globalThis[Symbol.for('pi-tools.sandbox')]";
/** The package's types describe its CommonJS form, its ESM form has the variant itself as default. */
const variant = ((releaseSync as { default?: unknown }).default ?? releaseSync) as QuickJSSyncVariant;

/**
 * A fresh instance of the engine, some milliseconds, more for the first one of a process. Its memory cannot grow beyond
 * `memoryBytes`: QuickJS's own limit does not count here (this build cannot ask how large an allocation is).
 */
export async function newEngine(memoryBytes = DEFAULT_SANDBOX_LIMITS.memoryBytes): Promise<Engine> {
  const maximum = Math.max(INITIAL_PAGES, Math.floor(memoryBytes / PAGE_BYTES));
  const memory = new Memory({ initial: INITIAL_PAGES, maximum });
  const options = { wasmMemory: memory } as unknown as Parameters<typeof newVariant>[1];
  const module = await newQuickJSWASMModuleFromVariant(newVariant(variant, options) as QuickJSSyncVariant);
  return { runtime: module.newRuntime(), isFull: () => memory.buffer.byteLength >= 0.9 * maximum * PAGE_BYTES };
}

/** Evaluates the pieces in order, lets them settle, and reads the report. Never throws for what the code does. */
export async function runSandbox(
  pieces: readonly SandboxCode[],
  limits: SandboxLimits = DEFAULT_SANDBOX_LIMITS,
): Promise<SandboxEnd> {
  const { runtime, isFull } = await newEngine(limits.memoryBytes);
  runtime.setMaxStackSize(STACK_BYTES);
  const clock = limitSteps(runtime, limits);
  const context = runtime.newContext();
  // Nothing is disposed: values that the code keeps alive would abort the engine, and the instance goes as a whole.
  const end = runPieces(runtime, context, pieces, clock);
  return { ...end, isFull: isFull() };
}

type Clock = { stopped: boolean; reset(): void };

/** What this process has computed: a busy machine must not make a good entry one that takes too long. */
function usedMs(): number {
  const { user, system } = cpuUsage();
  return (user + system) / 1000;
}

function limitSteps(runtime: QuickJSRuntime, limits: SandboxLimits): Clock {
  let steps = 0;
  let deadline = usedMs() + limits.timeMs;
  const clock = {
    stopped: false,
    // Reading the report gets a budget of its own, also after the entry has used up all of it.
    reset: () => {
      steps = Math.floor(limits.steps / 2);
      deadline = usedMs() + limits.timeMs / 2;
    },
  };
  runtime.setInterruptHandler(() => {
    steps++;
    if (steps <= limits.steps && usedMs() <= deadline) return false;
    clock.stopped = true;
    return true;
  });
  return clock;
}

function runPieces(
  runtime: QuickJSRuntime,
  context: QuickJSContext,
  pieces: readonly SandboxCode[],
  clock: Clock,
): Omit<SandboxEnd, 'isFull'> {
  const state = { memory: false };
  const evaluate = (piece: SandboxCode): void => {
    const result = context.evalCode(piece.code, piece.name, { type: 'module' });
    if (result.error) {
      const error: unknown = context.dump(result.error);
      result.error.dispose();
      state.memory ||= isOutOfMemory(error);
    } else {
      result.value.dispose();
    }
  };
  try {
    for (const piece of pieces) {
      if (!clock.stopped && !state.memory) evaluate(piece);
    }
    settle(runtime, context, clock, state);
  } catch {
    // The engine itself ended (its stack, or the memory of the process): there is nothing to read any more.
    return { report: null, stopped: clock.stopped ? 'time' : 'memory', pending: false };
  }
  const stopped = clock.stopped ? 'time' : state.memory ? 'memory' : null;
  const pending = readText(context, `String(${SANDBOX}.isLoading())`) !== 'false';
  clock.reset();
  return { report: readText(context, `${SANDBOX}.report()`), stopped, pending };
}

/** Runs promise jobs and timers until nothing is left to do. */
function settle(runtime: QuickJSRuntime, context: QuickJSContext, clock: Clock, state: { memory: boolean }): void {
  for (;;) {
    const jobs = runtime.executePendingJobs();
    if (jobs.error) {
      state.memory ||= isOutOfMemory(context.dump(jobs.error));
      jobs.error.dispose();
    }
    if (clock.stopped || state.memory) return;
    if (runtime.hasPendingJob()) continue;
    if (readText(context, `String(${SANDBOX}.runNext())`) !== 'true') return;
  }
}

function readText(context: QuickJSContext, code: string): string | null {
  const result = context.evalCode(code, 'read.js');
  if (result.error) {
    result.error.dispose();
    return null;
  }
  const isText = context.typeof(result.value) === 'string';
  const text = isText ? context.getString(result.value) : null;
  result.value.dispose();
  return text !== null && text.length <= MAX_REPORT_LENGTH ? text : null;
}

const isOutOfMemory = (error: unknown): boolean => {
  const message = (error as { message?: unknown } | null)?.message;
  return message === 'out of memory' || error === null;
};
