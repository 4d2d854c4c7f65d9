import { Type } from 'typebox';
import { EventRow } from '../../schemas/api/changes.ts';
import type { App } from '../app.ts';
import type { Deps } from '../deps.ts';
import { requireScope } from '../registry/viewer.ts';
import { listEvents } from '../store/events.ts';
import { answers, PageQuery, PRIVATE, pageOf, readLimit, readNumberCursor } from './shared.ts';

const EventsAnswer = Type.Object({ events: Type.Array(EventRow), cursor: Type.Union([Type.String(), Type.Null()]) });

/** `GET /v1/events?package=`: what has changed, oldest first; for curators and administrators. */
export const addEventRoutes = (app: App, deps: Deps): void => {
  app.get(
    '/v1/events',
    {
      schema: {
        querystring: Type.Object({ ...PageQuery.properties, package: Type.Optional(Type.String({ maxLength: 129 })) }),
        response: answers({ 200: EventsAnswer }),
      },
    },
    async (request, reply) => {
      requireScope(request.viewer, 'review');
      const limit = readLimit(request.query.limit);
      const page = { after: readNumberCursor(request.query.cursor), limit: limit + 1 };
      const found = await listEvents(deps.store.read, request.query.package ?? null, page);
      const { rows, cursor } = pageOf(found, limit, (row) => row.id);
      reply.header('cache-control', PRIVATE);
      return {
        events: rows.map((row) => ({ ...row, detail: JSON.parse(row.detail) as Record<string, unknown> })),
        cursor,
      };
    },
  );
};
