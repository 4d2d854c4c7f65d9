/** `POST /v1/packages/:name/versions/:version/{yank,unyank,deprecate,approve,reject,quarantine}`. */
import { Type } from 'typebox';
import { DeprecateBody, ReasonBody } from '../../schemas/api/changes.ts';
import { Manifest } from '../../schemas/manifest.ts';
import type { App } from '../app.ts';
import type { Deps } from '../deps.ts';
import { type Decision, decide } from '../registry/review.ts';
import type { Viewer } from '../registry/viewer.ts';
import { deprecate, unyank, yank } from '../registry/yank.ts';
import { answers, checkNameAndVersion, VersionParams, WRITE } from './shared.ts';

const ChangeAnswer = Type.Object({ ok: Type.Literal(true), manifest: Manifest });

type By = { readonly viewer: Viewer | null; readonly reason: string | null };
type Target = { readonly name: string; readonly version: string };

const decision = (kind: Decision) => (deps: Deps, target: Target, by: By) => decide(deps, target, kind, by);

const ACTIONS = {
  yank,
  unyank,
  approve: decision('approve'),
  reject: decision('reject'),
  quarantine: decision('quarantine'),
};

export const addStatusRoutes = (app: App, deps: Deps): void => {
  for (const [action, run] of Object.entries(ACTIONS)) {
    app.post(
      `/v1/packages/:name/versions/:version/${action}`,
      {
        config: WRITE,
        schema: { params: VersionParams, body: Type.Optional(ReasonBody), response: answers({ 200: ChangeAnswer }) },
      },
      async (request) => {
        const target = checkNameAndVersion(request.params);
        const reason = request.body?.reason ?? null;
        return { ok: true as const, manifest: await run(deps, target, { viewer: request.viewer, reason }) };
      },
    );
  }
  app.post(
    '/v1/packages/:name/versions/:version/deprecate',
    {
      config: WRITE,
      schema: { params: VersionParams, body: DeprecateBody, response: answers({ 200: ChangeAnswer }) },
    },
    async (request) => {
      const target = checkNameAndVersion(request.params);
      const by = { viewer: request.viewer, message: request.body.message };
      return { ok: true as const, manifest: await deprecate(deps, target, by) };
    },
  );
};
