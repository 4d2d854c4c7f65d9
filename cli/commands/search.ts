import type { SearchResult } from '../../schemas/api/search.ts';
import { Problem } from '../../schemas/problem.ts';
import type { CommandModule } from '../command.ts';
import { openRegistry } from '../registry/open.ts';
import { escapeProse } from '../terminal/escape.ts';
import { joinNames } from '../terminal/package-view.ts';
import { plural } from '../terminal/units.ts';
import { shorten, table } from '../terminal/width.ts';

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
    const [agent] = context.options.agents;
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
    const rows = results.map((one) => [
      terminal.style.bold(one.name),
      one.version,
      one.agents.join(' '),
      shorten(escapeProse(one.description), Math.max(30, terminal.columns - 48)),
    ]);
    const tools =
      results.length === 1
        ? `\n${plural(results[0]?.tools.length ?? 0, 'tool')}: ${joinNames(results[0]?.tools ?? [])}`
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
