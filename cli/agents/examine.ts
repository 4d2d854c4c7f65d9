/** The way to inspection, loaded only when something has to be inspected. */
import type { Agent } from '../../schemas/agents.ts';

export type InspectedExtension = { tools: { name: string; entry: string }[]; problem: string | null };

const load = () => import('../../tool-package/examine/index.ts');

/** Record and findings of an archive file. */
export const examineArchive = async (path: string) => (await load()).examineArchive(path);

/** The tools of a file or folder as an agent would load it; `problem` says why they could not be read. */
export const examineExtension = async (path: string, agent: Agent): Promise<InspectedExtension> => {
  try {
    const { tools, problem } = await (await load()).inspectExtension(path, agent);
    return { tools: tools.map(({ name, entry }) => ({ name, entry })), problem };
  } catch (error) {
    return { tools: [], problem: error instanceof Error ? error.message : String(error) };
  }
};
