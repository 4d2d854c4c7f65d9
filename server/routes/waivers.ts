/** `POST /v1/packages/:name/versions/:version/{waive,unwaive}`. */
import type { Static } from 'typebox';
import { UnwaiveBody, WaiveBody } from '../../schemas/api/changes.ts';
import { WaiveAnswer } from '../../schemas/api/reviews.ts';
import type { App } from '../app.ts';
import type { Deps } from '../deps.ts';
import { unwaive, type WaiveResult, type Wanted, waive } from '../registry/waive.ts';
import { answers, checkNameAndVersion, VersionParams, WRITE } from './shared.ts';

export const addWaiverRoutes = (app: App, deps: Deps): void => {
  const params = VersionParams;
  const response = answers({ 200: WaiveAnswer });

  app.post(
    '/v1/packages/:name/versions/:version/waive',
    { config: WRITE, schema: { params, body: WaiveBody, response } },
    async (request) => {
      const target = checkNameAndVersion(request.params);
      const by = { viewer: request.viewer, reason: request.body.reason };
      return answerOf(await waive(deps, target, wantedOf(request.body), by));
    },
  );
  app.post(
    '/v1/packages/:name/versions/:version/unwaive',
    { config: WRITE, schema: { params, body: UnwaiveBody, response } },
    async (request) => {
      const target = checkNameAndVersion(request.params);
      const by = { viewer: request.viewer, reason: request.body.reason ?? null };
      return answerOf(await unwaive(deps, target, wantedOf(request.body), by));
    },
  );
};

const wantedOf = ({ rule, evidence, file, all }: Static<typeof UnwaiveBody>): Wanted => ({
  rule,
  evidence: evidence ?? null,
  file: file ?? null,
  which: all === true ? 'all' : 'the-only-one',
});

const answerOf = ({ manifest, changed, open }: WaiveResult) => ({
  ok: true as const,
  manifest,
  changed: [...changed],
  open: [...open],
});
