/** What the parent asks of the child that runs a tool, and what it answers. */
import type { Agent } from '../../schemas/agents.ts';
import type { Permissions } from '../../schemas/package-json.ts';

export type AccessKind = 'network' | 'read' | 'write' | 'run' | 'env' | 'worker' | 'addon';

/** One kind of access to one thing that the package does not declare. */
export type Access = { kind: AccessKind; value: string };

export type PreparedEntry = { file: string; bundle: string; id: string };

export type TryRequest = {
  agent: Agent;
  entries: PreparedEntry[];
  /** Null: the only one that there is. */
  tool: string | null;
  args: unknown;
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
  tool: string;
  received: Received;
  /** The message, where the tool (or the check of its arguments) threw. */
  threw: string | null;
  /** What is wrong with the form of what it returned. */
  shapeFault: string | null;
  /** It returned an error flag. */
  flagged: boolean;
  elapsedMs: number;
};

export type CancelFacts = { state: 'ended-before' | 'settled' | 'ignored'; elapsedMs: number };

export type ChildMessage =
  | { kind: 'called'; call: CallFacts; accesses: Access[] }
  | { kind: 'cancelled'; cancel: CancelFacts; accesses: Access[] }
  | { kind: 'no-tool'; names: string[] }
  | { kind: 'load-failed'; message: string; accesses: Access[] };

/** One thing that was checked; `ok` null where it could not be. */
export type Check = { id: string; ok: boolean | null; message: string };
