/** Rules that compare with the version before. `change/publisher` is the registry's: an archive does not know who sends it. */
import semver from 'semver';
import { definitionHash } from '../definition.ts';
import { showText } from '../show-text.ts';
import type { Facts, Found, Rule } from './types.ts';

const definition: Rule = {
  id: 'change/definition',
  level: 'review',
  what: 'a tool’s definition that changed in a patch release',
  why: 'a fix that changes what the model is told is how a harmless tool becomes a hostile one',
  fix: 'raise the minor version when the definition changes',
  *find(facts) {
    const { previous } = facts;
    if (previous === undefined || semver.diff(previous.version, facts.packageJson.version) !== 'patch') return;
    for (const tool of facts.tools) {
      const old = previous.agents[tool.agent]?.tools.find(({ name }) => name === tool.name);
      if (old === undefined || tool.name === null) continue;
      const now = {
        name: tool.name,
        description: tool.description ?? '',
        promptSnippet: tool.promptSnippet,
        promptGuidelines: tool.promptGuidelines,
        parameters: tool.parameters ?? {},
      };
      if (definitionHash(now) === old.definitionHash) continue;
      const changed = (['description', 'promptSnippet', 'promptGuidelines', 'parameters'] as const).filter(
        (field) => JSON.stringify(now[field]) !== JSON.stringify(old[field]),
      );
      yield {
        agent: tool.agent,
        tool: tool.name,
        field: changed[0] ?? null,
        file: tool.file ?? tool.entry,
        line: tool.line,
        message: `${changed.map((field) => `\`${field}\``).join(', ')} of \`${showText(tool.name)}\` changed between ${previous.version} and ${facts.packageJson.version}`,
      };
    }
  },
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
    const now = facts.packageJson;
    const added = (field: string, names: readonly string[], before: readonly string[]): Found[] =>
      names
        .filter((name) => !before.includes(name))
        .map((name) => ({
          file: 'package.json',
          field,
          message: `\`${showText(name)}\` is new under \`${field}\` since ${previous.version}`,
        }));
    const declared = now.piTools?.permissions ?? {};
    for (const kind of ['network', 'read', 'write', 'run', 'env'] as const) {
      yield* added(`piTools.permissions.${kind}`, declared[kind] ?? [], previous.permissions.declared[kind] ?? []);
    }
    yield* added(
      'piTools.overrides',
      [...facts.overrides.keys()],
      previous.overrides.map(({ tool }) => tool),
    );
    yield* added(
      'piTools.dependencies',
      Object.keys(now.piTools?.dependencies ?? {}),
      Object.keys(previous.dependencies.tools),
    );
    yield* added('dependencies', npmDependencies(facts), Object.keys(previous.dependencies.npm));
  },
};

const npmDependencies = ({ packageJson }: Facts): string[] =>
  Object.keys({ ...packageJson.dependencies, ...packageJson.optionalDependencies });

export const CHANGE_RULES: readonly Rule[] = [definition, permission];
