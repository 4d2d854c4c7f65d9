import { Type } from 'typebox';
import { UserRow } from '../../schemas/api/accounts.ts';
import { NewUserBody, OkAnswer } from '../../schemas/api/changes.ts';
import type { App } from '../app.ts';
import type { Deps } from '../deps.ts';
import { createUser, removeUser } from '../registry/users.ts';
import { requireScope } from '../registry/viewer.ts';
import { listUsers } from '../store/users.ts';
import { answers, PageQuery, PRIVATE, pageOf, readCursor, readLimit, WRITE } from './shared.ts';

const UsersAnswer = Type.Object({ users: Type.Array(UserRow), cursor: Type.Union([Type.String(), Type.Null()]) });

/** `/v1/users`: for administrators. */
export const addUserRoutes = (app: App, deps: Deps): void => {
  app.get(
    '/v1/users',
    { schema: { querystring: PageQuery, response: answers({ 200: UsersAnswer }) } },
    async (request, reply) => {
      requireScope(request.viewer, 'admin');
      const limit = readLimit(request.query.limit);
      const page = { after: readCursor(request.query.cursor) ?? '', limit: limit + 1 };
      const { rows, cursor } = pageOf(await listUsers(deps.store.read, page), limit, (row) => row.name);
      reply.header('cache-control', PRIVATE);
      return { users: rows.map(({ name, role, created_at }) => ({ user: name, role, createdAt: created_at })), cursor };
    },
  );

  app.post(
    '/v1/users',
    { config: WRITE, schema: { body: NewUserBody, response: answers({ 201: OkAnswer }) } },
    async (request, reply) => {
      const viewer = requireScope(request.viewer, 'admin');
      const { user, role = 'publisher' } = request.body;
      await createUser(deps, { user, role }, viewer.user);
      reply.code(201);
      return { ok: true as const };
    },
  );

  app.delete(
    '/v1/users/:user',
    {
      config: WRITE,
      schema: { params: Type.Object({ user: Type.String({ maxLength: 64 }) }), response: answers({ 200: OkAnswer }) },
    },
    async (request) => {
      const viewer = requireScope(request.viewer, 'admin');
      await removeUser(deps, request.params.user, viewer.user);
      return { ok: true as const };
    },
  );
};
