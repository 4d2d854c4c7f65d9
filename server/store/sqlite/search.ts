/** Search. Ranking is explained in docs/search.md. */
import type { Connection } from './connection.ts';
import { readQuery } from './search-query.ts';

export type SearchRequest = {
  readonly text: string;
  readonly agent: string | null;
  readonly limit: number;
  readonly offset: number;
};

type SearchHit = {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly agents: string;
  readonly tools: string;
};

export type SearchHits = { readonly hits: SearchHit[]; readonly total: number };

/** Weights of the columns name, tools, keywords, description, readme, unspaced, unspaced_readme. */
const WEIGHTS = '8.0, 10.0, 5.0, 3.0, 1.0, 3.0, 1.0';
const COLUMNS = 'p.name, p.latest as version, p.description, p.agents, p.tools';
const FOR_AGENT = '(@agent is null or exists (select 1 from json_each(p.agents) where value = @agent))';

/** Packages with a listed version that match every word, best first; all of them by name when nothing was asked. */
export const search = (connection: Connection, request: SearchRequest): SearchHits => {
  const query = readQuery(connection, request.text);
  const { agent, limit, offset } = request;
  if (query.match === null) return listAll(connection, { agent, limit, offset });
  const { match, asPackage, asTool } = query;
  const hits = connection
    .prepare(
      `select ${COLUMNS} from search_text join packages p on p.id = search_text.rowid
       where search_text match @match and p.latest is not null and ${FOR_AGENT}
       order by ${TIER}, bm25(search_text, ${WEIGHTS}), length(p.name), p.name
       limit @limit offset @offset`,
    )
    .all({ match, agent, limit, offset, asTool, asPackage, pattern: escapeGlob(asPackage) });
  const total = connection
    .prepare(
      `select count(*) from search_text join packages p on p.id = search_text.rowid
       where search_text match @match and p.latest is not null and ${FOR_AGENT}`,
    )
    .pluck()
    .get({ match, agent });
  return { hits: hits as SearchHit[], total: Number(total) };
};

/** Exact name, then exact tool name, then a name that begins so; all else by weight. */
const TIER = `case
  when p.name = @asPackage or p.name glob '@*/' || @pattern then 0
  when exists (select 1 from json_each(p.tools) where replace(lower(value), '-', '_') = @asTool) then 1
  when p.name glob @pattern || '*' or p.name glob '@*/' || @pattern || '*' then 2
  else 3 end`;

const listAll = (
  connection: Connection,
  request: { agent: string | null; limit: number; offset: number },
): SearchHits => {
  const hits = connection
    .prepare(
      `select ${COLUMNS} from packages p where p.latest is not null and ${FOR_AGENT}
       order by p.name limit @limit offset @offset`,
    )
    .all(request);
  const total = connection
    .prepare(`select count(*) from packages p where p.latest is not null and ${FOR_AGENT}`)
    .pluck()
    .get({ agent: request.agent });
  return { hits: hits as SearchHit[], total: Number(total) };
};

const escapeGlob = (text: string): string => text.replace(/[[*?]/g, (character) => `[${character}]`);
