/** One child process, warm, for one request. */
import type { ChildProcess } from 'node:child_process';
import type { ProblemKind } from '../inspect/types.ts';
import { killGroup, startChild } from './process-group.ts';
import type { ChildMessage, ChildRequest } from './types.ts';
import { type GroupLimits, watchGroup } from './watch-group.ts';

/** The checks have limits of their own, counted anew once all entries are inspected. */
export type ExaminerLimits = { inspect: GroupLimits; check: GroupLimits };
/** `stopped` says which limit ended it; null where the child ended by itself. */
export type Stopped = { kind: 'stopped'; why: ProblemKind | null };
/** `usedMs` is counted from when the child was ready: what it takes to start is not the archive's fault. */
export type Asked = { answer: Answer; usedMs: number };
export type Answer = Exclude<ChildMessage, { kind: 'ready' | 'entry' | 'entry-done' | 'inspected' }> | Stopped;

export type Examiner = {
  /** Sends the request and waits for the answer or the end. After the answer to an extension it may be asked again. */
  ask(request: ChildRequest, limits: ExaminerLimits, onProgress: (message: ChildMessage) => void): Promise<Asked>;
  isAlive(): boolean;
  end(): void;
};

export function startExaminer(): Examiner {
  const child = startChild();
  const ready = new Promise<void>((resolve) => {
    child.once('message', () => resolve());
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  hold(child, 'idle');
  return {
    ask: (request, limits, onProgress) => ask(child, ready, request, limits, onProgress),
    isAlive: () => child.connected && child.exitCode === null,
    end: () => killGroup(child),
  };
}

/** An idle child must not keep a command alive. */
function hold(child: ChildProcess, state: 'idle' | 'busy'): void {
  const channel = child.channel;
  if (state === 'busy') {
    child.ref();
    channel?.ref();
  } else {
    child.unref();
    channel?.unref();
  }
}

async function ask(
  child: ChildProcess,
  ready: Promise<void>,
  request: ChildRequest,
  limits: ExaminerLimits,
  onProgress: (message: ChildMessage) => void,
): Promise<Asked> {
  hold(child, 'busy');
  await ready;
  return new Promise((resolve) => {
    const finish = (answer: Answer) => {
      const usedMs = watch.stop();
      child.off('message', onMessage);
      child.off('exit', onExit);
      if (answer.kind === 'extension') hold(child, 'idle');
      else killGroup(child);
      resolve({ answer, usedMs });
    };
    const watch = watchGroup(child, limits.inspect, (why) => finish({ kind: 'stopped', why }));
    const onMessage = (message: ChildMessage) => {
      if (message.kind === 'ready') return;
      if (message.kind !== 'entry' && message.kind !== 'entry-done' && message.kind !== 'inspected') {
        finish(message);
        return;
      }
      onProgress(message);
      if (message.kind === 'inspected') watch.restart(limits.check);
    };
    const onExit = () => finish({ kind: 'stopped', why: null });
    child.on('message', onMessage);
    child.once('exit', onExit);
    if (!child.connected) onExit();
    else child.send(request, () => undefined);
  });
}
