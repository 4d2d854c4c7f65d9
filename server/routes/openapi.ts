import { Problem } from '../../schemas/problem.ts';
import type { App } from '../app.ts';

/** `GET /openapi.json`: made from the routes' schemas, once. */
export const addOpenApiRoute = (app: App): void => {
  let document: string | undefined;
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    if (!app.hasDecorator('swagger'))
      throw new Problem('not_found', 'The description of the API is on the network only');
    document ??= JSON.stringify(app.swagger());
    return reply.header('content-type', 'application/json; charset=utf-8').send(document);
  });
};
