/** Rules that compare with the version before. `change/publisher` is the registry's: an archive does not know who sends it. */
import semver from 'semver';
import type { Change } from '../../schemas/api/diff.ts';
import type { Tool } from '../../schemas/manifest.ts';
import { compareGrants, compareTool, type Grants } from '../diff/index.ts';
import { showText } from '../show-text.ts';
import type { CheckedTool, Facts, Found, Rule } from './types.ts';

const definition: Rule = {
  id: 'change/definition',
  level: 'review',
  what: 'a tool’s definition that changed in a patch release',
  why: 'a fix that changes what the model is told is how a harmless tool becomes a hostile one',
  fix: 'raise the minor version when the definition changes',
  *find(facts) {
    const { previous, packageJson } = facts;
    if (previous === undefined || !isPatch(previous.version, packageJson.version)) return;
    for (const tool of facts.tools) {
      const old = previous.agents[tool.agent]?.tools.find(({ name }) => name === tool.name);
      if (old === undefined) continue;
      const fields = fieldsOf(old, tool);
      if (fields.length === 0) continue;
      yield {
        agent: tool.agent,
        tool: tool.name,
        field: fields[0] ?? null,
        file: tool.file ?? tool.entry,
        line: tool.line,
        message: `${shown(fields)} of \`${showText(old.name)}\` changed between ${previous.version} and ${packageJson.version}`,
      };
    }
  },
};

/** 1.0.0 -> 1.0.1, 1.0.1-rc.1, and from one pre-release of a patch to the next. */
const isPatch = (from: string, to: string): boolean => {
  const [a, b] = [semver.parse(from), semver.parse(to)];
  return a !== null && b !== null && a.major === b.major && a.minor === b.minor && (a.patch > 0 || b.patch > 0);
};

/** The model does not see a label: it is no part of the definition. */
const fieldsOf = (old: Tool, tool: CheckedTool): string[] => {
  const { label, description, promptSnippet, promptGuidelines, parameters, flags } = tool;
  const now = { ...old, label, description: description ?? '', promptSnippet, promptGuidelines, flags };
  const changes = compareTool(old, { ...now, parameters: parameters ?? {} });
  return [...new Set(changes.flatMap(({ field }) => (field === null || field === 'label' ? [] : [field])))];
};

const MAX_SHOWN = 5;

const shown = (fields: readonly string[]): string => {
  const names = fields.slice(0, MAX_SHOWN).map((field) => `\`${showText(field)}\``);
  return fields.length > MAX_SHOWN ? `${names.join(', ')} and ${fields.length - MAX_SHOWN} more` : names.join(', ');
};

const permission: Rule = {
  id: 'change/permission',
  level: 'review',
  what: 'a permission, override or dependency that the version before did not have',
  why: 'whoever installed the version before has not agreed to it',
  fix: 'nothing to do, if it is needed; say why in the changelog',
  *find(facts) {
    const { previous } = facts;
    if (previous === undefined) return;
    for (const change of compareGrants(previous, grantsOf(facts))) {
      // Another range of a dependency that was there is an update of it, and the shrinkwrap pins what it brings.
      if (!change.class.startsWith('new-') || change.from !== null) continue;
      yield { file: 'package.json', ...namesOf(change, previous.version) };
    }
  },
};

/** As the record will have it; what the code does beyond is `perm/undeclared`'s. */
const grantsOf = ({ packageJson }: Facts): Grants => ({
  permissions: { declared: packageJson.piTools?.permissions ?? {}, observed: null },
  overrides: packageJson.piTools?.overrides ?? [],
  dependencies: {
    tools: packageJson.piTools?.dependencies ?? {},
    npm: { ...packageJson.optionalDependencies, ...packageJson.dependencies },
  },
});

const namesOf = ({ class: changeClass, field, tool, to }: Change, since: string): Pick<Found, 'field' | 'message'> => {
  const place = placeOf(field ?? '');
  const name = tool ?? (changeClass === 'new-dependency' ? place.name : String(to));
  return { field: place.field, message: `\`${showText(name)}\` is new under \`${place.field}\` since ${since}` };
};

/** From a field of the record to where package.json says it: `dependencies.npm.undici` is `undici` under `dependencies`. */
const placeOf = (field: string): { field: string; name: string } => {
  const [, kind, name = ''] = /^dependencies\.(npm|tools)\.(.*)$/s.exec(field) ?? [];
  if (kind === undefined) return { field: `piTools.${field}`, name: '' };
  return { field: kind === 'npm' ? 'dependencies' : 'piTools.dependencies', name };
};

export const CHANGE_RULES: readonly Rule[] = [definition, permission];
