import { Type } from 'typebox';
import { Me, NewToken, TokenRow, type TokenScope } from '../../schemas/api/accounts.ts';
import { NewTokenBody, OkAnswer } from '../../schemas/api/changes.ts';
import type { App } from '../app.ts';
import type { Deps } from '../deps.ts';
import { createToken, revokeToken } from '../registry/tokens.ts';
import { requireViewer } from '../registry/viewer.ts';
import { listTokens, type TokenEntry } from '../store/tokens.ts';
import { answers, PageQuery, PRIVATE, pageOf, readCursor, readLimit, WRITE } from './shared.ts';

const TokensAnswer = Type.Object({ tokens: Type.Array(TokenRow), cursor: Type.Union([Type.String(), Type.Null()]) });

/** `GET /v1/me`, and the tokens of oneself; an administrator sees and revokes everybody's. */
export const addTokenRoutes = (app: App, deps: Deps): void => {
  app.get('/v1/me', { schema: { response: answers({ 200: Me }) } }, async (request, reply) => {
    const { user, role, scopes } = requireViewer(request.viewer);
    reply.header('cache-control', PRIVATE);
    return { user, role, scopes: [...scopes] };
  });

  app.get(
    '/v1/tokens',
    { schema: { querystring: PageQuery, response: answers({ 200: TokensAnswer }) } },
    async (request, reply) => {
      const viewer = requireViewer(request.viewer);
      const limit = readLimit(request.query.limit);
      const page = { after: readCursor(request.query.cursor) ?? '', limit: limit + 1 };
      const found = await listTokens(deps.store.read, viewer.scopes.has('admin') ? null : viewer.user, page);
      const { rows, cursor } = pageOf(found, limit, (row) => row.id);
      reply.header('cache-control', PRIVATE);
      return { tokens: rows.map(tokenRow), cursor };
    },
  );

  app.post(
    '/v1/tokens',
    { config: WRITE, schema: { body: NewTokenBody, response: answers({ 201: NewToken }) } },
    async (request, reply) => {
      const viewer = requireViewer(request.viewer);
      const { user = viewer.user, scopes = ['read'], note = null, expires = null } = request.body;
      const made = await createToken(deps, { user, scopes, note, expires }, viewer);
      reply.code(201).header('cache-control', PRIVATE);
      return made;
    },
  );

  app.delete(
    '/v1/tokens/:id',
    {
      config: WRITE,
      schema: { params: Type.Object({ id: Type.String({ maxLength: 64 }) }), response: answers({ 200: OkAnswer }) },
    },
    async (request) => {
      await revokeToken(deps, request.params.id, requireViewer(request.viewer));
      return { ok: true as const };
    },
  );
};

const tokenRow = (row: TokenEntry): TokenRow => ({
  id: row.id,
  user: row.user,
  scopes: JSON.parse(row.scopes) as TokenScope[],
  note: row.note,
  createdAt: row.created_at,
  expires: row.expires_at,
});
