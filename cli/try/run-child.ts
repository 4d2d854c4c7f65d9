/** Starts the child, listens, and ends it with everything it started. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { killGroup } from '../../tool-package/examine/process-group.ts';
import { anything, fields, flag, list, nullable, oneOf, type Shape, text, whole } from '../../tool-package/shape.ts';
import type { Ending } from './checks.ts';
import type { Access, CallFacts, CancelFacts, ChildMessage, TryRequest } from './types.ts';

export type ChildOptions = {
  flags: readonly string[];
  env: Record<string, string>;
  timeoutMs: number;
  signal: AbortSignal;
};

export type ChildResult = {
  call: CallFacts | null;
  cancel: CancelFacts | null;
  accesses: Access[];
  /** Names of the tools that there are, where the one that was wanted is not. */
  otherTools: string[] | null;
  loadFailure: string | null;
  /** What the code printed. */
  printed: string;
  ending: Ending;
};

const MAX_PRINTED = 10_000;
/** For the second call: 50 ms, 2 s, and a machine that is busy. */
const CANCEL_LIMIT_MS = 8000;

/** Under test this module is TypeScript, which Node 20 cannot run: the build is used. */
const childFile = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/cli/try/child.js' : './child.js', import.meta.url),
);
export const CHILD_FILE = childFile;

/** Runs one request to its end. Never throws for what the author's code does. */
export const runChild = (request: TryRequest, options: ChildOptions): Promise<ChildResult> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [...options.flags, childFile], {
      cwd: request.cwd,
      env: options.env,
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const result: ChildResult = {
      call: null,
      cancel: null,
      accesses: [],
      otherTools: null,
      loadFailure: null,
      printed: '',
      ending: { kind: 'done' },
    };
    let timer: NodeJS.Timeout;
    const limit = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => finish({ kind: 'timeout', ms }), ms);
    };
    const finish = (ending: Ending): void => {
      clearTimeout(timer);
      options.signal.removeEventListener('abort', onAbort);
      killGroup(child);
      resolve({ ...result, ending });
    };
    const onAbort = () => finish({ kind: 'died', message: 'interrupted' });
    options.signal.addEventListener('abort', onAbort);
    const print = (chunk: Buffer): void => {
      if (result.printed.length < MAX_PRINTED) result.printed += chunk.toString('utf8').slice(0, MAX_PRINTED);
    };
    child.stdout?.on('data', print);
    child.stderr?.on('data', print);
    child.on('message', (message) => {
      if (take(result, message) === 'more') limit(CANCEL_LIMIT_MS);
      else finish({ kind: 'done' });
    });
    child.on('error', (error) => finish({ kind: 'died', message: error.message }));
    child.on('exit', (code, signal) =>
      finish({ kind: 'died', message: `the process ended (${signal ?? `exit code ${code}`})` }),
    );
    child.send(request, () => {});
    limit(options.timeoutMs);
  });

const accesses = list(
  fields({ kind: oneOf('network', 'read', 'write', 'run', 'env', 'worker', 'addon'), value: text({ max: 1000 }) }),
  200,
);
const call = fields({
  tool: text({ max: 1000 }),
  received: fields({ text: text({ max: 300_000 }), bytes: whole(0), lines: whole(0), images: whole(0) }),
  threw: nullable(text()),
  shapeFault: nullable(text()),
  flagged: flag,
  elapsedMs: whole(0),
});
const cancel = fields({ state: oneOf('ended-before', 'settled', 'ignored'), elapsedMs: whole(0) });

/** The author's code runs in that process and can send what it likes: nothing is used before its form was checked. */
const MESSAGES: Readonly<Record<ChildMessage['kind'], Shape>> = {
  called: fields({ kind: anything, call, accesses }),
  cancelled: fields({ kind: anything, cancel, accesses }),
  'no-tool': fields({ kind: anything, names: list(text(), 1000) }),
  'load-failed': fields({ kind: anything, message: text(), accesses }),
};

const take = (result: ChildResult, value: unknown): 'more' | 'end' => {
  const kind = (value as { kind?: unknown } | null)?.kind;
  const shape =
    typeof kind === 'string' && Object.hasOwn(MESSAGES, kind) ? MESSAGES[kind as ChildMessage['kind']] : undefined;
  // What is none of ours the author's code sent: as when it had printed something.
  if (shape === undefined || shape(value, '') !== null) return 'more';
  const message = value as ChildMessage;
  if (message.kind === 'no-tool') result.otherTools = message.names;
  else result.accesses = message.accesses;
  if (message.kind === 'load-failed') result.loadFailure = message.message;
  if (message.kind === 'cancelled') result.cancel = message.cancel;
  if (message.kind !== 'called') return 'end';
  result.call = message.call;
  return 'more';
};
