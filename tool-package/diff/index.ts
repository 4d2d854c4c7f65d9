/** What changed between two versions of a package, from their records alone. */
import { AGENTS, type Agent } from '../../schemas/agents.ts';
import type { Change, ChangeClass } from '../../schemas/api/diff.ts';
import type { ManifestRecord, Tool } from '../../schemas/manifest.ts';
import { comparePermissions } from './compare-permissions.ts';
import { compareTools, type ToolChange } from './compare-tools.ts';
import { sameJson, textOf } from './same-json.ts';
import { type Budget, newBudget } from './walk.ts';

/** What one should look at first comes first. */
const ORDER: readonly ChangeClass[] = [
  'new-permission',
  'new-override',
  'new-tool',
  'removed-tool',
  'schema-narrower',
  'schema-wider',
  'wording',
  'new-dependency',
  'removed-permission',
  'removed-override',
  'removed-dependency',
  'files',
];

/**
 * All changes, by class in the order above. Empty for a record and itself. The other way round, `new-` and `removed-`
 * swap, and so do `schema-narrower` and `schema-wider` where they could be decided.
 */
export function diffRecords(from: ManifestRecord, to: ManifestRecord): Change[] {
  const changes = [
    ...compareGrants(from, to),
    ...compareAllTools(from, to),
    ...compareDescription(from, to),
    ...compareFiles(from, to),
  ];
  return changes.sort((left, right) => ORDER.indexOf(left.class) - ORDER.indexOf(right.class));
}

/** What a user agrees to, besides the tools. */
export type Grants = Pick<ManifestRecord, 'permissions' | 'overrides' | 'dependencies'>;

/** Changes of permissions, overrides and dependencies. */
export const compareGrants = (from: Grants, to: Grants): Change[] => [
  ...comparePermissions(from.permissions, to.permissions),
  ...compareOverrides(from, to),
  ...compareDependencies(from, to),
];

/** Changes of one tool's definition. */
export const compareTool = (from: Tool, to: Tool): ToolChange[] => compareTools(from, to, newBudget());

/** The same change of a tool for two agents is one change. */
function compareAllTools(from: ManifestRecord, to: ManifestRecord): Change[] {
  const changes = new Map<string, Change>();
  const budget = newBudget();
  for (const agent of AGENTS) {
    for (const { tool, ...change } of compareAgent(from, to, agent, budget)) {
      const key = textOf([tool, change]);
      const known = changes.get(key);
      if (known === undefined) changes.set(key, { ...change, tool, agents: [agent] });
      else if (!known.agents.includes(agent)) known.agents.push(agent);
    }
  }
  return [...changes.values()];
}

function compareAgent(
  from: ManifestRecord,
  to: ManifestRecord,
  agent: Agent,
  budget: Budget,
): (ToolChange & { tool: string })[] {
  const [before, after] = [byName(from, agent), byName(to, agent)];
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names.flatMap((tool) => {
    const [old, now] = [before.get(tool), after.get(tool)];
    if (old !== undefined && now !== undefined)
      return compareTools(old, now, budget).map((change) => ({ ...change, tool }));
    return [
      {
        class: old === undefined ? ('new-tool' as const) : ('removed-tool' as const),
        tool,
        field: null,
        from: definitionOf(old),
        to: definitionOf(now),
        note: null,
      },
    ];
  });
}

const byName = (record: ManifestRecord, agent: Agent): Map<string, Tool> =>
  new Map((record.agents[agent]?.tools ?? []).map((tool) => [tool.name, tool]));

const definitionOf = (tool: Tool | undefined) => {
  if (tool === undefined) return null;
  const { description, promptSnippet, promptGuidelines, parameters } = tool;
  return { description, promptSnippet, promptGuidelines, parameters };
};

const ofPackage = (
  changeClass: ChangeClass,
  field: string | null,
  from: unknown,
  to: unknown,
  tool: string | null = null,
): Change => ({ class: changeClass, tool, agents: [], field, from: from ?? null, to: to ?? null, note: null });

function compareOverrides(from: Grants, to: Grants): Change[] {
  const reasons = ({ overrides }: Grants) => overrides.map(({ tool, reason }): [string, string] => [tool, reason]);
  return comparePairs(reasons(from), reasons(to), (tool, old, now) => {
    if (old === undefined) return ofPackage('new-override', 'overrides', null, now, tool);
    if (now === undefined) return ofPackage('removed-override', 'overrides', old, null, tool);
    return ofPackage('wording', 'overrides.reason', old, now, tool);
  });
}

const compareDescription = (from: ManifestRecord, to: ManifestRecord): Change[] =>
  from.description === to.description ? [] : [ofPackage('wording', 'description', from.description, to.description)];

/** Another range is another dependency: it brings other code. */
const compareDependencies = (from: Grants, to: Grants): Change[] =>
  (['tools', 'npm'] as const).flatMap((kind) =>
    comparePairs(Object.entries(from.dependencies[kind]), Object.entries(to.dependencies[kind]), (name, old, now) =>
      ofPackage(now === undefined ? 'removed-dependency' : 'new-dependency', `dependencies.${kind}.${name}`, old, now),
    ),
  );

function compareFiles(from: ManifestRecord, to: ManifestRecord): Change[] {
  const files = (record: ManifestRecord) =>
    record.files.map(({ path, ...file }): [string, Omit<typeof file, 'path'>] => [path, file]);
  return comparePairs(files(from), files(to), (path, old, now) => ofPackage('files', path, old, now));
}

/** Calls `make` for every key whose value is not the same in both. */
function comparePairs<Value>(
  from: readonly [string, Value][],
  to: readonly [string, Value][],
  make: (key: string, old: Value | undefined, now: Value | undefined) => Change,
): Change[] {
  const [before, after] = [new Map(from), new Map(to)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((key) => !sameJson(before.get(key), after.get(key)))
    .map((key) => make(key, before.get(key), after.get(key)));
}
