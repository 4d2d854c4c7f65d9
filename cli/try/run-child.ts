/** Starts the child, listens, and ends it with everything it started. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { killGroup } from '../../tool-package/examine/process-group.ts';
import type { Ending } from './checks.ts';
import { killMarked, MARK, residentBytes } from './descendants.ts';
import { isChildMessage } from './messages.ts';
import type { Access, CallFacts, CancelFacts, ChildMessage, TryRequest } from './types.ts';

export type ChildOptions = {
  flags: readonly string[];
  env: Record<string, string>;
  timeoutMs: number;
  signal: AbortSignal;
};

export type ChildResult = {
  /** Null: it did not load. */
  tool: string | null;
  call: CallFacts | null;
  cancel: CancelFacts | null;
  accesses: Access[];
  /** Names of the tools that there are, where the one that was wanted is not. */
  otherTools: string[] | null;
  loadFailure: { message: string; at: string | null } | null;
  /** What the code printed. */
  printed: string;
  ending: Ending;
};

const MAX_PRINTED = 10_000;
const MAX_ACCESSES = 200;
/** For the second call: 50 ms, 2 s, and a machine that is busy. */
const CANCEL_LIMIT_MS = 8000;
/** What is still on its way when the process has ended. */
const DRAIN_MS = 500;
const MAX_RESIDENT_BYTES = 2 * 1024 ** 3;
const LOOK_MS = 50;

/** Under test this module is TypeScript, which Node 20 cannot run: the build is used. */
const childFile = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/cli/try/child.js' : './child.js', import.meta.url),
);
export const CHILD_FILE = childFile;

/** Runs one request to its end. Never throws for what the author's code does. */
export const runChild = async (request: TryRequest, options: ChildOptions): Promise<ChildResult> => {
  const mark = randomUUID();
  const child = spawn(process.execPath, [...options.flags, childFile], {
    cwd: request.cwd,
    env: { ...options.env, [MARK]: mark },
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const result = emptyResult();
  collectPrinted(child, result);
  const closed = new Promise<void>((done) => child.once('close', () => done()));
  try {
    const ending = waitForEnd(child, result, options);
    child.send(request, () => {});
    result.ending = await ending;
  } finally {
    killGroup(child);
    killMarked(mark);
  }
  await Promise.race([closed, wait(DRAIN_MS)]);
  return result;
};

const wait = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

const emptyResult = (): ChildResult => ({
  tool: null,
  call: null,
  cancel: null,
  accesses: [],
  otherTools: null,
  loadFailure: null,
  printed: '',
  ending: { kind: 'done' },
});

const collectPrinted = (child: ChildProcess, result: ChildResult): void => {
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      result.printed = (result.printed + text).slice(0, MAX_PRINTED);
    });
  }
};

const waitForEnd = (child: ChildProcess, result: ChildResult, { timeoutMs, signal }: ChildOptions): Promise<Ending> =>
  new Promise((resolve) => {
    let timer: NodeJS.Timeout;
    const limit = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => finish({ kind: 'timeout', ms }), ms);
    };
    const look = () => {
      if (residentBytes(child.pid) > MAX_RESIDENT_BYTES)
        finish({ kind: 'died', message: 'it took more than 2 GiB of memory and was stopped' });
    };
    const looks = setInterval(look, LOOK_MS);
    const onAbort = () => finish({ kind: 'died', message: 'interrupted' });
    const finish = (ending: Ending): void => {
      clearTimeout(timer);
      clearInterval(looks);
      signal.removeEventListener('abort', onAbort);
      resolve(ending);
    };
    signal.addEventListener('abort', onAbort);
    child.on('message', (message) => {
      // What is none of ours is as if it had been printed.
      if (!isChildMessage(message)) return;
      const ending = take(result, message);
      if (ending !== null) finish(ending);
      else if (message.kind === 'loaded') limit(timeoutMs);
      else if (message.kind === 'called') limit(CANCEL_LIMIT_MS);
    });
    child.on('error', (error) => finish({ kind: 'died', message: error.message }));
    child.on('exit', (code, by) => {
      const ending: Ending = {
        kind: 'died',
        message: `the process ended (${by ?? `exit code ${code}`}), as the agent would`,
      };
      // Its last messages may still be in the pipe.
      if (child.connected) child.once('disconnect', () => setImmediate(finish, ending));
      else setImmediate(finish, ending);
    });
    limit(timeoutMs);
  });

/** Null: there is more to come. */
const take = (result: ChildResult, message: ChildMessage): Ending | null => {
  switch (message.kind) {
    case 'loaded':
      result.tool = message.tool;
      return null;
    case 'reached':
      if (result.accesses.length < MAX_ACCESSES) result.accesses.push(message.access);
      return null;
    case 'called':
      result.call = message.call;
      return null;
    case 'cancelled':
      result.cancel = message.cancel;
      return { kind: 'done' };
    case 'no-tool':
      result.otherTools = message.names;
      return { kind: 'done' };
    case 'load-failed':
      result.loadFailure = message;
      return { kind: 'done' };
    case 'broken':
      return { kind: message.why, message: message.message, at: message.at };
  }
};
