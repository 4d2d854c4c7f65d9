/** What a definition costs: it goes into every request. */
import { definitionTokens } from '../definition.ts';
import { showText } from '../show-text.ts';
import type { CheckedTool, Facts, Rule } from './types.ts';

const MAX_TOKENS = 800;
const MAX_GROWTH = 1.25;

const tokens: Rule = {
  id: 'cost/tokens',
  level: 'info',
  what: 'the tokens of each definition and of the package; a warning over 800 per tool, or 25 % more than the version before',
  why: 'the definition is sent with every request, whether the tool is used or not',
  fix: 'say it in fewer words; move details from the description into error messages and results',
  *find(facts) {
    const costs = costOfEach(facts);
    if (costs.length === 0) return;
    const before = tokensBefore(facts);
    for (const { tool, cost } of costs) {
      const old = before.get(tool.name ?? '');
      const place = {
        agent: tool.agent,
        tool: tool.name,
        file: tool.file ?? tool.entry,
        line: tool.line,
        level: 'warn',
      } as const;
      if (cost > MAX_TOKENS)
        yield { ...place, message: `the definition of ${nameOf(tool)} costs ${cost} tokens in every request` };
      if (old !== undefined && cost > old * MAX_GROWTH)
        yield { ...place, message: `the definition of ${nameOf(tool)} has grown from ${old} to ${cost} tokens` };
    }
    const total = costs.reduce((sum, { cost }) => sum + cost, 0);
    const list = costs.map(({ tool, cost }) => `${nameOf(tool)} ${cost}`).join(', ');
    yield { message: `${total} tokens in every request (${list})`, hint: null };
  },
};

const nameOf = (tool: CheckedTool): string => `\`${showText(tool.name ?? '?')}\``;

/** Each definition once, also where two agents get it. */
const costOfEach = (facts: Facts): { tool: CheckedTool; cost: number }[] => {
  const seen = new Set<string>();
  return facts.tools.flatMap((tool) => {
    const { name, description, promptSnippet, promptGuidelines, parameters } = tool;
    if (name === null) return [];
    const definition = {
      name,
      description: description ?? '',
      promptSnippet,
      promptGuidelines,
      parameters: parameters ?? {},
    };
    const key = JSON.stringify(definition);
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ tool, cost: definitionTokens(definition) }];
  });
};

const tokensBefore = (facts: Facts): Map<string, number> =>
  new Map(
    Object.values(facts.previous?.agents ?? {}).flatMap((agent) =>
      agent === undefined ? [] : agent.tools.map((tool): [string, number] => [tool.name, tool.tokens]),
    ),
  );

export const COST_RULES: readonly Rule[] = [tokens];
