/** The child process: takes one request over IPC, answers, and ends. Everything slow or dangerous happens here. */
import { isProblemCode, Problem } from '../../schemas/problem.ts';
import { warmBundles } from '../inspect/index.ts';
import { newEngine } from '../inspect/sandbox.ts';
import { examinePackage } from './examine-package.ts';
import { examineExtension } from './extension.ts';
import { stepBack } from './priority.ts';
import type { ChildMessage, ChildRequest, SentProblem } from './types.ts';
import { warmUp } from './warm-up.ts';

function send(message: ChildMessage): void {
  process.send?.(message);
}

async function answer(request: ChildRequest): Promise<ChildMessage> {
  if (request.kind === 'extension') {
    return { kind: 'extension', extension: await examineExtension(request.path, request.agent) };
  }
  const examination = await examinePackage(request, {
    onEntry: (entry) => send({ kind: 'entry', entry }),
    onEntryDone: (inspection) => send({ kind: 'entry-done', inspection }),
    onInspected: () => send({ kind: 'inspected' }),
  });
  return { kind: 'examined', examination };
}

/** No text of an unexpected error: it could hold a path of this machine. */
function toProblem(error: unknown): SentProblem {
  if (error instanceof Problem && isProblemCode(error.code)) {
    return { code: error.code, message: error.message, hint: error.hint, details: error.details };
  }
  const code = (error as NodeJS.ErrnoException | null)?.code;
  const isFile = typeof code === 'string' && /^E[A-Z]+$/.test(code);
  if (isFile) return { code: 'file_system', message: `The archive cannot be read: ${code}`, hint: null, details: {} };
  return {
    code: 'inspection_failed',
    message: 'The inspection failed',
    hint: null,
    details: { error: String((error as Error)?.name) },
  };
}

/** A request that is waiting comes first; a child that stands by uses the time. */
const STANDBY_MS = 50;
let standby: NodeJS.Timeout | undefined;
let isAsked = false;

/** One archive and then the end; extensions one after the other, since each is evaluated in an engine of its own. */
process.on('message', (request: ChildRequest) => {
  isAsked = true;
  clearTimeout(standby);
  answer(request)
    .catch((error: unknown): ChildMessage => ({ kind: 'problem', problem: toProblem(error) }))
    .then((message) => process.send?.(message, undefined, undefined, () => endAfter(message)));
});

function endAfter(message: ChildMessage): void {
  if (message.kind !== 'extension') process.disconnect();
}

// A parent that was killed leaves a channel that is closed: nothing of ours may live on.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));

stepBack();
await Promise.all([warmBundles(), newEngine()]);
send({ kind: 'ready' });
if (!isAsked) standby = setTimeout(() => void warmUp().catch(() => undefined), STANDBY_MS);
