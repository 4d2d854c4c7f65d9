/** The record: everything that a registry states about a version, from the archive alone. */
import type { Agent } from '../../schemas/common.ts';
import type { AgentRecord, ManifestRecord, Tool } from '../../schemas/manifest.ts';
import type { PackageJson, Permissions } from '../../schemas/package-json.ts';
import type { PackageArchive } from '../archive/read.ts';
import { type Definition, definitionHash, definitionTokens } from '../definition.ts';
import type { Entries } from '../entries.ts';
import type { EntryInspection, InspectedTool } from '../inspect/types.ts';

/** Takes what was read, gives the record without publisher and time. Tools without a readable name are left out: a finding names them. */
export function buildRecord(
  archive: PackageArchive,
  entries: Entries,
  inspections: readonly EntryInspection[],
  observed: Permissions | null,
): ManifestRecord {
  const { packageJson } = archive;
  const agents = agentRecords(entries, inspections);
  return {
    formatVersion: 1,
    name: packageJson.name,
    version: packageJson.version,
    description: packageJson.description ?? firstDescription(agents),
    license: packageJson.license ?? null,
    keywords: packageJson.keywords ?? [],
    homepage: packageJson.homepage ?? null,
    agents,
    permissions: { declared: packageJson.piTools?.permissions ?? {}, observed },
    overrides: packageJson.piTools?.overrides ?? [],
    dependencies: { tools: packageJson.piTools?.dependencies ?? {}, npm: npmDependencies(packageJson) },
    engines: packageJson.engines ?? {},
    files: archive.files.map(({ path, size, sha256, executable }) => ({ path, size, sha256, executable })),
    archiveSize: archive.archiveSize,
    integrity: archive.integrity,
    publisher: null,
    publishedAt: null,
  };
}

function npmDependencies(packageJson: PackageJson): Record<string, string> {
  return { ...packageJson.optionalDependencies, ...packageJson.dependencies };
}

function agentRecords(entries: Entries, inspections: readonly EntryInspection[]): ManifestRecord['agents'] {
  const agents: ManifestRecord['agents'] = {};
  for (const agent of Object.keys(entries) as Agent[]) {
    if (entries[agent].length === 0) continue;
    const record: AgentRecord = { entries: entries[agent], tools: toolsFor(agent, inspections) };
    agents[agent] = record;
  }
  return agents;
}

function toolsFor(agent: Agent, inspections: readonly EntryInspection[]): Tool[] {
  const tools = inspections
    .filter((inspection) => inspection.agent === agent)
    .flatMap((inspection) => inspection.tools);
  return tools.flatMap((tool) => (tool.name === null ? [] : [toTool(tool, tool.name)]));
}

/** A field that could not be read is empty here and has no `origin`. */
function toTool(tool: InspectedTool, name: string): Tool {
  const definition: Definition = {
    name,
    description: tool.description ?? '',
    promptSnippet: tool.promptSnippet,
    promptGuidelines: tool.promptGuidelines,
    parameters: tool.parameters ?? {},
  };
  return {
    ...definition,
    label: tool.label,
    entry: tool.entry,
    export: tool.export,
    flags: tool.flags,
    definitionHash: definitionHash(definition),
    tokens: definitionTokens(definition),
    origin: tool.origin,
  };
}

const firstDescription = (agents: ManifestRecord['agents']): string =>
  Object.values(agents)
    .flatMap((agent) => agent.tools)
    .find((tool) => tool.description !== '')?.description ?? '';
