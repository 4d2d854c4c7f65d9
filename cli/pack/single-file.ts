/** What a single source file is: for which agents, and which tools it gives. */
import type { Agent } from '../../schemas/agents.ts';
import { Problem } from '../../schemas/problem.ts';

type Found = { agents: Agent[]; toolNames: string[] };

/**
 * The agents that were asked for, else those that can load the file: pi's extensions are functions, the other two
 * agents' tools objects, so a file is one or the other. Throws `inspection_failed`.
 */
export const inspectSingleFile = async (path: string, asked: readonly Agent[]): Promise<Found> => {
  const { inspectExtension } = await import('../../tool-package/examine/index.ts');
  const toolsOf = async (agents: readonly Agent[]): Promise<Found & { problem: string | null }> => {
    const found = await Promise.all(agents.map((agent) => inspectExtension(path, agent)));
    const names = new Set(found.flatMap((one) => one.tools.map((tool) => tool.name)));
    const problem = found.find((one) => one.problem !== null)?.problem ?? null;
    return { agents: [...agents], toolNames: [...names], problem };
  };
  if (asked.length > 0) return toolsOf(asked);
  const forPi = await toolsOf(['pi']);
  if (forPi.problem === null) return forPi;
  const forOthers = await toolsOf(['slopcode', 'opencode']);
  if (forOthers.problem === null && forOthers.toolNames.length > 0) return forOthers;
  throw new Problem('inspection_failed', `no agent can load \`${path}\`: ${forPi.problem}`, {
    hint: `as a SlopCode tool: ${forOthers.problem ?? 'it gives no tool'}; name the agent with --agent`,
  });
};
