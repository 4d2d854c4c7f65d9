import { Type } from 'typebox';
import { OkAnswer, OwnerBody } from '../../schemas/api/changes.ts';
import type { App } from '../app.ts';
import type { Deps } from '../deps.ts';
import { addOwner, removeOwner } from '../registry/owners.ts';
import { getDocument } from '../registry/package-document.ts';
import { answers, checkName, NameParams, WRITE } from './shared.ts';

const OwnerParams = Type.Object({ name: Type.String(), user: Type.String({ maxLength: 64 }) });
const OwnersAnswer = Type.Object({ owners: Type.Array(Type.String()) });

export const addOwnerRoutes = (app: App, deps: Deps): void => {
  app.get(
    '/v1/packages/:name/owners',
    { schema: { params: NameParams, response: answers({ 200: OwnersAnswer }) } },
    async (request) => {
      const { owners } = await getDocument(deps, checkName(request.params), request.viewer);
      return { owners };
    },
  );
  app.post(
    '/v1/packages/:name/owners',
    { config: WRITE, schema: { params: NameParams, body: OwnerBody, response: answers({ 200: OkAnswer }) } },
    async (request) => {
      await addOwner(deps, { name: checkName(request.params), user: request.body.user, viewer: request.viewer });
      return { ok: true as const };
    },
  );
  app.delete(
    '/v1/packages/:name/owners/:user',
    { config: WRITE, schema: { params: OwnerParams, response: answers({ 200: OkAnswer }) } },
    async (request) => {
      await removeOwner(deps, { name: checkName(request.params), user: request.params.user, viewer: request.viewer });
      return { ok: true as const };
    },
  );
};
