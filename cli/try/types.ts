/** What the parent asks of the child that runs a tool, and what it answers. */
import type { Agent } from '../../schemas/agents.ts';
import type { Permissions } from '../../schemas/package-json.ts';

export type AccessKind = 'network' | 'read' | 'write' | 'run' | 'env' | 'worker' | 'addon';

/** One kind of access to one thing that the package does not declare. */
export type Access = { kind: AccessKind; value: string };

export type PreparedEntry = { file: string; bundle: string; id: string };

/** `tool` null: the only one that there is. */
export type Call = { tool: string | null; args: unknown };

export type TryRequest = Call & {
  agent: Agent;
  entries: PreparedEntry[];
  /** What was called before in the same session. */
  earlier: Call[];
  cwd: string;
  agentFolder: string;
  declared: Permissions;
  /** Hosts that the user's own variables name. */
  extraHosts: string[];
  /** `refuse`: undeclared hosts, programs are refused; `name`: only named. */
  mode: 'refuse' | 'name';
};

/** What the model would get, cut for a message between processes; the counts are those of the whole. */
export type Received = { text: string; bytes: number; lines: number; images: number };

export type CallFacts = {
  received: Received;
  /** The message, where the tool (or the check of its arguments) threw. */
  threw: string | null;
  /** `file:line` of the author's code that threw. */
  threwAt: string | null;
  /** `arguments`: it did not come to the tool; `other`: what was thrown is neither an Error nor a text. */
  threwKind: 'arguments' | 'error' | 'other' | null;
  /** What is wrong with the form of what it returned. */
  shapeFault: string | null;
  /** Why the arguments do not fit, where the agent itself does not look. */
  argumentFault: string | null;
  /** It returned an error flag. */
  flagged: boolean;
  /** How often it told of its progress. */
  updates: number;
  elapsedMs: number;
};

export type CancelFacts = {
  /** `ended-before`: too short to cancel; `unclear`: it ended about when it would have ended anyway. */
  state: 'ended-before' | 'settled' | 'unclear' | 'ignored';
  elapsedMs: number;
};

export type ChildMessage =
  | { kind: 'loaded'; tool: string }
  | { kind: 'reached'; access: Access }
  | { kind: 'called'; call: CallFacts }
  | { kind: 'cancelled'; cancel: CancelFacts }
  | { kind: 'no-tool'; names: string[] }
  | { kind: 'load-failed'; message: string; at: string | null }
  /** `stuck`: nothing is left that could settle the promise. `uncaught`: an error outside of the call. */
  | { kind: 'broken'; why: 'stuck' | 'uncaught'; message: string; at: string | null };

/** One thing that was checked; `ok` null where it could not be. */
export type Check = { id: string; ok: boolean | null; message: string };
