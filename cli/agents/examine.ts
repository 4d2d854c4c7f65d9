/** The way to inspection, loaded only when something has to be inspected. */
import type { Agent } from '../../schemas/agents.ts';
import type { Finding } from '../../schemas/finding.ts';
import type { ManifestRecord } from '../../schemas/manifest.ts';

export type Examination = { record: ManifestRecord; findings: Finding[] };
export type InspectedExtension = { tools: { name: string; entry: string }[]; problem: string | null };

const load = async (): Promise<{
  examineArchive(path: string): Promise<Examination>;
  inspectExtension(path: string, agent: Agent): Promise<InspectedExtension>;
}> => {
  const module = '../../tool-package/examine/index.ts';
  return import(import.meta.url.endsWith('.ts') ? module : module.replace('.ts', '.js'));
};

/** Record and findings of an archive file. */
export const examineArchive = async (path: string): Promise<Examination> => (await load()).examineArchive(path);

/** The tools of a file or folder as an agent would load it; `problem` says why they could not be read. */
export const examineExtension = async (path: string, agent: Agent): Promise<InspectedExtension> => {
  try {
    const { tools, problem } = await (await load()).inspectExtension(path, agent);
    return { tools: tools.map(({ name, entry }) => ({ name, entry })), problem };
  } catch (error) {
    return { tools: [], problem: error instanceof Error ? error.message : String(error) };
  }
};
