import { Type } from 'typebox';
import { ReviewsAnswer } from '../../schemas/api/reviews.ts';
import type { Finding } from '../../schemas/finding.ts';
import { ListingState } from '../../schemas/manifest.ts';
import type { App } from '../app.ts';
import type { Deps } from '../deps.ts';
import { requireScope } from '../registry/viewer.ts';
import { readWaivers } from '../registry/waivers.ts';
import { listByState } from '../store/versions.ts';
import { answers, PageQuery, PRIVATE, pageOf, readLimit, readNumberCursor } from './shared.ts';

/** `GET /v1/reviews?state=&open=`: what waits for a curator, or is in the state that was asked for. */
export const addReviewRoutes = (app: App, deps: Deps): void => {
  app.get(
    '/v1/reviews',
    {
      schema: {
        querystring: Type.Object({
          ...PageQuery.properties,
          state: Type.Optional(ListingState),
          open: Type.Optional(
            Type.Union([Type.Literal('true'), Type.Literal('false')], {
              description: 'only versions with error or review findings that nobody has waived',
            }),
          ),
        }),
        response: answers({ 200: ReviewsAnswer }),
      },
    },
    async (request, reply) => {
      requireScope(request.viewer, 'review');
      const limit = readLimit(request.query.limit);
      const after = readNumberCursor(request.query.cursor);
      const { state: wanted = 'pending', open } = request.query;
      const filter = { state: wanted, which: open === 'true' ? 'open' : 'all' } as const;
      const found = await listByState(deps.store.read, filter, { after, limit: limit + 1 });
      const { rows, cursor } = pageOf(found, limit, (row) => row.id);
      reply.header('cache-control', PRIVATE);
      return {
        reviews: rows.map((row) => ({
          package: row.name,
          version: row.version,
          state: row.state,
          publisher: row.publisher,
          findings: JSON.parse(row.findings) as Finding[],
          waivers: readWaivers(row).waivers,
        })),
        cursor,
      };
    },
  );
};
