/** Which tools an agent would load besides the ones of a plan: our own packages by their locks, everything else by inspection. */
import type { Agent, Target } from '../../schemas/agents.ts';

export type FoundTool = {
  readonly name: string;
  /** The file or folder that registers it. */
  readonly path: string;
  /** Our package and its target; null for what others put there. */
  readonly package: string | null;
  readonly target: Target | null;
};

export type Survey = {
  readonly tools: readonly FoundTool[];
  /** Extensions that pi-tools did not install. */
  readonly foreign: readonly string[];
  readonly warnings: readonly string[];
};

/** A package of ours as a survey needs it. */
export type OwnPackage = {
  readonly name: string;
  readonly target: Target;
  readonly folder: string;
  readonly tools: readonly string[];
  /** Absolute paths of generated entries (SlopCode, opencode). */
  readonly files: readonly string[];
};

/** Gives the tools of a file or folder; injected so that a survey does not know about caches. */
export type Inspect = (
  path: string,
  agent: Agent,
) => Promise<{ tools: readonly { name: string }[]; problem: string | null }>;
