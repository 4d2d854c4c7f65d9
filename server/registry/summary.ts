/** What the package document tells of a record, kept beside it so that a document need not parse every record. */
import { AGENTS, type Agent } from '../../schemas/agents.ts';
import type { ManifestRecord } from '../../schemas/manifest.ts';

export type Summary = {
  readonly agents: readonly Agent[];
  readonly tools: readonly string[];
  readonly dependencies: Readonly<Record<string, string>>;
  readonly npmDependencies: boolean;
  readonly engines: Readonly<Record<string, string>>;
};

export const summarize = (record: ManifestRecord): Summary => {
  const agents = AGENTS.filter((agent) => record.agents[agent] !== undefined);
  const names = agents.flatMap((agent) => (record.agents[agent]?.tools ?? []).map((tool) => tool.name));
  return {
    agents,
    tools: [...new Set(names)].sort(),
    dependencies: record.dependencies.tools,
    npmDependencies: Object.keys(record.dependencies.npm).length > 0,
    engines: record.engines,
  };
};

export const readSummary = (text: string): Summary => JSON.parse(text) as Summary;

/** Tokens of all definitions, each once: the same tool for two agents is given to a model by one of them. */
export const countRecordTokens = (record: ManifestRecord): number => {
  const byHash = new Map<string, number>();
  for (const agent of AGENTS) {
    for (const tool of record.agents[agent]?.tools ?? []) byHash.set(tool.definitionHash, tool.tokens);
  }
  return [...byHash.values()].reduce((sum, tokens) => sum + tokens, 0);
};
