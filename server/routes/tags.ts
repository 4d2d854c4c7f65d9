import { Type } from 'typebox';
import { OkAnswer, TagBody } from '../../schemas/api/changes.ts';
import { checkVersion } from '../../tool-package/version.ts';
import type { App } from '../app.ts';
import type { Deps } from '../deps.ts';
import { removeTag, setTag } from '../registry/tags.ts';
import { answers, checkName, WRITE } from './shared.ts';

const TagParams = Type.Object({ name: Type.String(), tag: Type.String() });

export const addTagRoutes = (app: App, deps: Deps): void => {
  app.put(
    '/v1/packages/:name/tags/:tag',
    { config: WRITE, schema: { params: TagParams, body: TagBody, response: answers({ 200: OkAnswer }) } },
    async (request) => {
      const target = { name: checkName(request.params), tag: request.params.tag };
      const { version } = request.body;
      checkVersion(version);
      await setTag(deps, target, { viewer: request.viewer, version });
      return { ok: true as const };
    },
  );
  app.delete(
    '/v1/packages/:name/tags/:tag',
    { config: WRITE, schema: { params: TagParams, response: answers({ 200: OkAnswer }) } },
    async (request) => {
      await removeTag(deps, { name: checkName(request.params), tag: request.params.tag }, request.viewer);
      return { ok: true as const };
    },
  );
};
