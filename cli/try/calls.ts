/** Which calls are made: the one that was asked for, or the examples of the package. */
import { AGENTS, type Agent } from '../../schemas/agents.ts';
import type { PackageJson } from '../../schemas/package-json.ts';
import { Problem } from '../../schemas/problem.ts';
import { didYouMean, suggest } from '../suggest.ts';
import type { TrySource } from './source.ts';
import type { Call } from './types.ts';

export type PlannedCall = Call & {
  agent: Agent;
  /** Calls of the same session before it. */
  earlier: Call[];
  /** What lies in the folder that it runs in; null: the working folder itself. */
  files: Readonly<Record<string, string>> | null;
};

type Asked = { agents: readonly Agent[]; tool: string | null; args: unknown };
type Example = NonNullable<NonNullable<PackageJson['piTools']>['examples']>[number];

/** Throws `agent_unsupported`, and `usage` where there are neither arguments nor examples. */
export const planCalls = (source: TrySource, asked: Asked): PlannedCall[] => {
  const agents = agentsOf(source);
  if (agents.length === 0)
    throw new Problem(
      'agent_unsupported',
      `\`${source.name}\` has no entry for ${asked.agents.join(', ') || 'any agent'}`,
    );
  const { tool, args } = asked;
  if (args !== undefined) return agents.map((agent) => ({ agent, tool, args, earlier: [], files: null }));
  const all = source.piTools.examples ?? [];
  const planned = all.map((example, at) => ({ ...example, ...sessionOf(all.slice(0, at + 1)) }));
  const wanted = planned.filter((example) => tool === null || example.tool === tool);
  if (wanted.length === 0) throw noExamples(source.name, tool, all);
  return wanted.flatMap(({ tool: name, args: values, earlier, files }) =>
    agents.map((agent) => ({ agent, tool: name, args: values, earlier, files })),
  );
};

/** Agents that load the same files get the same calls; SlopCode wants more of a result than opencode. */
const agentsOf = ({ entries }: TrySource): Agent[] => {
  const seen = new Set<string>();
  return AGENTS.filter((agent) => {
    const files = entries.get(agent);
    const key = agent === 'pi' ? agent : JSON.stringify(files);
    return files !== undefined && !seen.has(key) && seen.add(key);
  });
};

/** The last of these examples goes on where the ones before it began: with their files, after their calls. */
const sessionOf = (examples: readonly Example[]): Pick<PlannedCall, 'earlier' | 'files'> => {
  const start = examples.findLastIndex(({ continues }, at) => continues !== true || at === 0);
  const session = examples.slice(start);
  const files = session.map((example) => example.files).filter((one) => one !== undefined);
  return {
    earlier: session.slice(0, -1).map(({ tool, args }) => ({ tool, args })),
    files: files.length === 0 ? null : Object.assign({}, ...files),
  };
};

const noExamples = (name: string, tool: string | null, examples: readonly Example[]): Problem => {
  const near =
    tool === null
      ? []
      : suggest(
          tool,
          examples.map((example) => example.tool),
        );
  const more = near.length === 0 ? '' : `; ${didYouMean(near)}`;
  return new Problem('usage', `\`${name}\` has no \`piTools.examples\`${tool === null ? '' : ` for \`${tool}\``}`, {
    hint: `give the arguments: --tool ${tool ?? 'NAME'} --args '{…}'${more}`,
  });
};
