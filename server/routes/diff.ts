/** `GET /v1/packages/:name/diff`. */
import { Type } from 'typebox';
import { DiffAnswer } from '../../schemas/api/diff.ts';
import { checkVersion } from '../../tool-package/version.ts';
import type { App } from '../app.ts';
import type { Deps } from '../deps.ts';
import { createDiffer } from '../registry/diff.ts';
import { answers, checkName, NameParams, PRIVATE, PUBLIC, sendPrepared } from './shared.ts';

const DiffQuery = Type.Object({
  from: Type.Optional(Type.String({ maxLength: 64, description: 'a version; by default the one before `to`' })),
  to: Type.Optional(Type.String({ maxLength: 64, description: 'a version; by default the tag `latest`' })),
});

export const addDiffRoute = (app: App, deps: Deps): void => {
  const differ = createDiffer(deps);

  app.get(
    '/v1/packages/:name/diff',
    { schema: { params: NameParams, querystring: DiffQuery, response: answers({ 200: DiffAnswer }) } },
    async (request, reply) => {
      const name = checkName(request.params);
      const { from, to } = request.query;
      for (const version of [from, to]) if (version !== undefined) checkVersion(version);
      const { answer, isPublic } = await differ.diff({ name, from, to }, request.viewer);
      return sendPrepared(request, reply, answer, isPublic && request.viewer === null ? PUBLIC : PRIVATE);
    },
  );
};
