/** What the installed tools cost together: every request to the model carries their definitions. */
import type { Agent } from '../../schemas/agents.ts';
import type { ManifestRecord } from '../../schemas/manifest.ts';
import type { Installed } from './installed.ts';

/** Tokens of all definitions that an agent's requests carry. One request goes to one agent, with the tools of both scopes. */
export type Budget = { agent: Agent; tokens: number };

/** One row for each agent that has something installed. */
export const budgetOf = (installed: readonly Installed[]): Budget[] => {
  const sums = new Map<Agent, number>();
  for (const { place, target } of installed) sums.set(place.agent, (sums.get(place.agent) ?? 0) + target.tokens);
  return [...sums].map(([agent, tokens]) => ({ agent, tokens }));
};

/** What the budget becomes, for each agent that the package has tools for, when this version takes its own place. */
export const budgetWith = (installed: readonly Installed[], record: ManifestRecord): (Budget & { after: number })[] => {
  const now = new Map(budgetOf(installed).map(({ agent, tokens }) => [agent, tokens]));
  const others = new Map(
    budgetOf(installed.filter(({ name }) => name !== record.name)).map(({ agent, tokens }) => [agent, tokens]),
  );
  return (Object.keys(record.agents) as Agent[]).map((agent) => {
    const own = (record.agents[agent]?.tools ?? []).reduce((sum, { tokens }) => sum + tokens, 0);
    return { agent, tokens: now.get(agent) ?? 0, after: (others.get(agent) ?? 0) + own };
  });
};
