/** From what happened to what was checked. */
import type { Agent } from '../../schemas/agents.ts';
import type { Permissions } from '../../schemas/package-json.ts';
import type { ChildResult } from './run-child.ts';
import type { CallFacts, CancelFacts, Check } from './types.ts';

const MAX_BYTES = 50 * 1024;
const MAX_LINES = 2000;

/** How the child ended before it had answered everything; `at`: `file:line`. */
export type Ending =
  | { kind: 'done' }
  | { kind: 'timeout'; ms: number }
  | { kind: 'died'; message: string }
  | { kind: 'stuck' | 'uncaught'; message: string; at: string | null };

type Context = {
  agent: Agent;
  /** What would have to be declared. */
  declare: Permissions;
  mode: 'limited' | 'unlimited';
};

/** All checks of one call. */
export const checksOf = (result: ChildResult, context: Context): Check[] => [
  ...outcomeChecks(result, context.agent),
  permissionCheck(result, context),
];

const outcomeChecks = ({ tool, call, cancel, loadFailure, ending }: ChildResult, agent: Agent): Check[] => {
  if (loadFailure !== null)
    return [{ id: 'loads', ok: false, message: `${loadFailure.message}${placeText(loadFailure.at)}` }];
  if (tool === null) return [{ id: 'loads', ok: false, message: endingText(ending, 'loading') }];
  if (call === null) return [{ id: 'settles', ok: false, message: endingText(ending, 'the call') }];
  const late: Check[] =
    ending.kind === 'uncaught' ? [{ id: 'settles', ok: false, message: endingText(ending, 'the call') }] : [];
  return [...late, ...callChecks(agent, call), cancelCheck(cancel, ending)];
};

const placeText = (at: string | null): string => (at === null ? '' : ` (${at})`);

const endingText = (ending: Ending, what: string): string => {
  switch (ending.kind) {
    case 'timeout':
      return `${what} did not end within ${ending.ms} ms`;
    case 'stuck':
      return `${what} never ends: its promise is not settled, and nothing is left to wait for`;
    case 'uncaught':
      return `an error outside of the call ended the process, as it would end the agent: ${ending.message}${placeText(ending.at)}`;
    case 'died':
      return ending.message;
    default:
      return 'the tool was not called';
  }
};

const callChecks = (agent: Agent, call: CallFacts): Check[] => {
  const wanted = agent === 'pi' ? 'a list of text and image parts' : 'a string';
  const shape: Check =
    call.threw === null
      ? { id: 'result-shape', ok: call.shapeFault === null, message: call.shapeFault ?? `the result is ${wanted}` }
      : { id: 'result-shape', ok: null, message: 'it threw, so there is no result' };
  const { argumentFault } = call;
  const misfit: Check[] =
    argumentFault === null
      ? []
      : [{ id: 'arguments', ok: false, message: `they do not fit: ${argumentFault}; the agent itself does not look` }];
  return [...misfit, shape, sizeCheck(call), errorCheck(call)];
};

const count = (many: number, word: string): string => `${many} ${word}${many === 1 ? '' : 's'}`;

const sizeCheck = ({ received: { bytes, lines } }: CallFacts): Check => {
  const isLarge = bytes > MAX_BYTES || lines > MAX_LINES;
  const size = `${count(bytes, 'byte')}, ${count(lines, 'line')}`;
  return {
    id: 'result-size',
    ok: !isLarge,
    message: isLarge ? `${size}: more than ${MAX_BYTES} bytes or ${MAX_LINES} lines; the agent does not cut it` : size,
  };
};

const errorCheck = ({ threw, threwKind, flagged }: CallFacts): Check => {
  const id = 'errors-are-thrown';
  if (flagged)
    return { id, ok: false, message: 'it returned `isError` instead of throwing: the model is not told of an error' };
  if (threw === null) return { id, ok: null, message: 'no error happened with these arguments' };
  if (threwKind === 'arguments') return { id, ok: null, message: 'the tool was not reached with these arguments' };
  if (threwKind === 'error') return { id, ok: true, message: 'the error was thrown' };
  return { id, ok: false, message: `what it threw is no Error: the model reads \`${threw.slice(0, 100)}\`` };
};

const cancelCheck = (cancel: CancelFacts | null, ending: Ending): Check => {
  const id = 'cancellation';
  if (cancel === null && ending.kind === 'uncaught') return { id, ok: null, message: 'not tried' };
  if (cancel === null) {
    const why =
      ending.kind === 'timeout' ? 'it did not give Node a chance to cancel it' : endingText(ending, 'the call');
    return { id, ok: false, message: `the second call, which was cancelled, did not end: ${why}` };
  }
  const { state, elapsedMs } = cancel;
  if (state === 'ignored') return { id, ok: false, message: `still busy ${elapsedMs} ms after it was cancelled` };
  if (state === 'settled') return { id, ok: true, message: `ended ${elapsedMs} ms after it was cancelled` };
  if (state === 'unclear')
    return {
      id,
      ok: null,
      message: `ended ${elapsedMs} ms after it was cancelled, about when it would have ended anyway`,
    };
  return { id, ok: null, message: `ended after ${elapsedMs} ms, before it could be cancelled` };
};

const permissionCheck = ({ accesses }: ChildResult, { declare, mode }: Context): Check => {
  const id = 'permissions';
  if (accesses.length === 0 && mode === 'unlimited')
    return { id, ok: true, message: 'no undeclared host, program or variable was reached for; files were not watched' };
  if (accesses.length === 0) return { id, ok: true, message: 'nothing undeclared was reached for' };
  const named = accesses.map(({ kind, value }) => `${kind} ${value}`).join(', ');
  const lists = Object.entries(declare).map(([kind, values]) => `"${kind}": ${JSON.stringify(values)}`);
  const advice = lists.length === 0 ? 'it cannot be declared' : `declare ${lists.join(', ')}`;
  return { id, ok: false, message: `not declared: ${named}; ${advice}` };
};
