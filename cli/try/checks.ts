/** From what happened to what was checked. */
import type { Agent } from '../../schemas/agents.ts';
import type { Access, CallFacts, CancelFacts, Check } from './types.ts';

const MAX_BYTES = 50 * 1024;
const MAX_LINES = 2000;

/** How the child ended before it had answered everything. */
export type Ending = { kind: 'done' } | { kind: 'timeout'; ms: number } | { kind: 'died'; message: string };

/** All checks of one call; `call` and `cancel` null where it did not come to that. */
export const checksOf = (
  agent: Agent,
  call: CallFacts | null,
  cancel: CancelFacts | null,
  accesses: readonly Access[],
  ending: Ending,
): Check[] => [
  ...(call === null ? [endingCheck(ending)] : callChecks(agent, call)),
  ...(call === null ? [] : [cancelCheck(cancel, ending)]),
  permissionCheck(accesses),
];

const endingCheck = (ending: Ending): Check => {
  if (ending.kind === 'timeout')
    return { id: 'settles', ok: false, message: `the call did not end within ${ending.ms} ms` };
  const message = ending.kind === 'died' ? ending.message : 'the tool was not called';
  return { id: 'settles', ok: false, message };
};

const callChecks = (agent: Agent, call: CallFacts): Check[] => {
  const { bytes, lines } = call.received;
  const isLarge = bytes > MAX_BYTES || lines > MAX_LINES;
  const wanted = agent === 'pi' ? 'a list of text and image parts' : 'a string';
  return [
    {
      id: 'result-shape',
      ok: call.threw === null ? call.shapeFault === null : null,
      message: call.threw === null ? (call.shapeFault ?? `the result is ${wanted}`) : 'it threw, so there is no result',
    },
    {
      id: 'result-size',
      ok: !isLarge,
      message: `${bytes} bytes, ${lines} lines${isLarge ? `: more than ${MAX_BYTES} bytes or ${MAX_LINES} lines; the agent does not cut it` : ''}`,
    },
    errorCheck(call),
  ];
};

const errorCheck = ({ threw, flagged }: CallFacts): Check => {
  const id = 'errors-are-thrown';
  if (flagged)
    return { id, ok: false, message: 'it returned `isError` instead of throwing: the model is not told of an error' };
  if (threw !== null) return { id, ok: true, message: 'the error was thrown' };
  return { id, ok: null, message: 'no error happened with these arguments' };
};

const cancelCheck = (cancel: CancelFacts | null, ending: Ending): Check => {
  const id = 'cancellation';
  if (cancel === null) {
    const why = ending.kind === 'died' ? ending.message : 'it did not give Node a chance to cancel it';
    return { id, ok: false, message: `the second call, which was cancelled, did not end: ${why}` };
  }
  const { state, elapsedMs } = cancel;
  if (state === 'ignored') return { id, ok: false, message: `still busy ${elapsedMs} ms after it was cancelled` };
  if (state === 'settled') return { id, ok: true, message: `ended ${elapsedMs} ms after it was cancelled` };
  return { id, ok: null, message: `ended after ${elapsedMs} ms, before it could be cancelled` };
};

const permissionCheck = (accesses: readonly Access[]): Check => ({
  id: 'permissions',
  ok: accesses.length === 0,
  message:
    accesses.length === 0
      ? 'nothing undeclared was reached for'
      : `not declared: ${accesses.map(({ kind, value }) => `${kind} ${value}`).join(', ')}`,
});
