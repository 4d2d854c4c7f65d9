import { Type } from 'typebox';
import type { Agent } from '../../schemas/agents.ts';
import { SearchAnswer } from '../../schemas/api/search.ts';
import { AgentSchema } from '../../schemas/common.ts';
import type { App } from '../app.ts';
import type { Deps } from '../deps.ts';
import { answers, PageQuery, PUBLIC, readLimit, readNumberCursor, writeCursor } from './shared.ts';

const DEFAULT_LIMIT = 20;

/** `GET /v1/search`: docs/search.md says what is found and in which order. */
export const addSearchRoute = (app: App, deps: Deps): void => {
  app.get(
    '/v1/search',
    {
      config: { rateLimit: { max: deps.limits.searchesPerMinute } },
      schema: {
        querystring: Type.Object({
          ...PageQuery.properties,
          q: Type.Optional(Type.String({ maxLength: 512 })),
          agent: Type.Optional(AgentSchema),
        }),
        response: answers({ 200: SearchAnswer }),
      },
    },
    async (request, reply) => {
      const { q, agent, limit: limitText, cursor } = request.query;
      const limit = readLimit(limitText, DEFAULT_LIMIT);
      const offset = readNumberCursor(cursor);
      const { hits, total } = deps.store.search({ text: q ?? '', agent: agent ?? null, limit, offset });
      reply.header('cache-control', PUBLIC);
      return {
        results: hits.map((hit) => ({
          name: hit.name,
          version: hit.version,
          description: hit.description,
          tools: JSON.parse(hit.tools) as string[],
          agents: JSON.parse(hit.agents) as Agent[],
        })),
        total,
        cursor: offset + hits.length < total && hits.length > 0 ? writeCursor(offset + hits.length) : null,
      };
    },
  );
};
