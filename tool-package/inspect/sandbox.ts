/**
 * The engine: QuickJS as WebAssembly, without files, network or clock, limited in memory and in steps. One module
 * instance per entry: a runtime that is freed with live handles aborts its whole instance and every later call in it.
 */
import releaseSync from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  type QuickJSContext,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';

export type SandboxCode = { name: string; code: string };
export type SandboxLimits = { memoryBytes: number; steps: number; timeMs: number };
export type SandboxEnd = { report: string | null; stopped: 'time' | 'memory' | null; pending: boolean };

/** `steps` are counted by the engine (about 10,000 operations each), so that a slow machine gives the same result. */
export const DEFAULT_SANDBOX_LIMITS: SandboxLimits = { memoryBytes: 96 * 1024 * 1024, steps: 6000, timeMs: 4000 };
const STACK_BYTES = 512 * 1024;
const MAX_REPORT_LENGTH = 16 * 1024 * 1024;

const SANDBOX = "globalThis[Symbol.for('pi-tools.sandbox')]";
/** The package's types describe its CommonJS form, its ESM form has the variant itself as default. */
const variant = ((releaseSync as { default?: unknown }).default ?? releaseSync) as QuickJSSyncVariant;

/** A fresh instance of the engine: some milliseconds, more for the first one of a process. */
export const newEngine = (): Promise<QuickJSWASMModule> => newQuickJSWASMModuleFromVariant(variant);

/** Evaluates the pieces in order, lets them settle, and reads the report. Never throws for what the code does. */
export async function runSandbox(
  pieces: readonly SandboxCode[],
  limits: SandboxLimits = DEFAULT_SANDBOX_LIMITS,
): Promise<SandboxEnd> {
  const engine = await newEngine();
  const runtime = engine.newRuntime();
  runtime.setMemoryLimit(limits.memoryBytes);
  runtime.setMaxStackSize(STACK_BYTES);
  const clock = limitSteps(runtime, limits);
  const context = runtime.newContext();
  const end = runPieces(runtime, context, pieces, clock);
  disposeQuietly(context, runtime);
  return end;
}

type Clock = { stopped: boolean; reset(): void };

function limitSteps(runtime: QuickJSRuntime, limits: SandboxLimits): Clock {
  let steps = 0;
  let deadline = performance.now() + limits.timeMs;
  const clock = {
    stopped: false,
    // Reading the report gets a budget of its own, also after the entry has used up all of it.
    reset: () => {
      steps = Math.floor(limits.steps / 2);
      deadline = performance.now() + limits.timeMs / 2;
    },
  };
  runtime.setInterruptHandler(() => {
    steps++;
    if (steps <= limits.steps && performance.now() <= deadline) return false;
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
): SandboxEnd {
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
  for (const piece of pieces) {
    if (!clock.stopped && !state.memory) evaluate(piece);
  }
  settle(runtime, context, clock, state);
  const stopped = clock.stopped ? 'time' : state.memory ? 'memory' : null;
  const pending = readText(context, `String(${SANDBOX}.isPending())`) !== 'false';
  clock.reset();
  runtime.setMemoryLimit(-1);
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
    if (readText(context, `String(${SANDBOX}.isPending() && ${SANDBOX}.runNextTimer())`) !== 'true') return;
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

function disposeQuietly(context: QuickJSContext, runtime: QuickJSRuntime): void {
  try {
    context.dispose();
    runtime.dispose();
  } catch {
    // Values that the code kept alive: the instance is dropped as a whole.
  }
}
