import type { SearchResult } from '../../schemas/api/search.ts';
import { Problem } from '../../schemas/problem.ts';
import type { CommandModule } from '../command.ts';
import { openRegistry } from '../registry/open.ts';
import { escapeProse } from '../terminal/escape.ts';
import { joinNames } from '../terminal/package-view.ts';
import { plural } from '../terminal/units.ts';
import { shorten, table, textWidth } from '../terminal/width.ts';

type SearchData = { results: SearchResult[]; total: number };

const DEFAULT_LIMIT = 20;

export const command: CommandModule<SearchData> = {
  define: {
    name: 'search',
    summary: 'Search the registry',
    arguments: '<words...>',
    options: [{ flags: '--limit <count>', description: `show at most so many (default ${DEFAULT_LIMIT}, up to 100)` }],
    examples: ['pi-tools search weather', 'pi-tools search 天气 --agent pi'],
  },
  run: async (context, words, flags) => {
    const limit = readLimit(flags.limit);
    const client = await openRegistry(context);
    const [agent, ...others] = context.options.agents;
    if (others.length > 0) throw new Problem('usage', '`search` looks for one --agent at a time');
    try {
      const query = { text: words.join(' '), limit, ...(agent === undefined ? {} : { agent }) };
      const { results, total } = await client.search(query);
      return { data: { results: results.slice(0, limit), total } };
    } finally {
      await client.close();
    }
  },
  human: ({ results, total }, { terminal }) => {
    if (results.length === 0) return 'nothing found';
    const heads = results.map((one) => [terminal.style.bold(one.name), one.version, one.agents.join(' ')]);
    const widest = Math.max(...table(heads).split('\n').map(textWidth));
    const rows = heads.map((head, at) => [
      ...head,
      shorten(escapeProse(results[at]?.description ?? ''), Math.max(30, terminal.columns - widest - 2)),
    ]);
    const [only, ...others] = results;
    const tools =
      only !== undefined && others.length === 0 && only.tools.length > 0
        ? `\n${plural(only.tools.length, 'tool')}: ${joinNames(only.tools)}`
        : '';
    const more =
      total > results.length ? `\n${terminal.style.dim(`${results.length} of ${total}; --limit shows more`)}` : '';
    return table(rows) + tools + more;
  },
};

const readLimit = (value: unknown): number => {
  if (value === undefined) return DEFAULT_LIMIT;
  const limit = Number(value);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 100) return limit;
  throw new Problem('usage', `--limit \`${String(value)}\` is not a whole number from 1 to 100`);
};
