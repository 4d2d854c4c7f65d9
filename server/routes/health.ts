import { Type } from 'typebox';
import { OkAnswer } from '../../schemas/api/changes.ts';
import type { App } from '../app.ts';
import type { Deps } from '../deps.ts';
import { assertReady } from '../registry/readiness.ts';
import { answers } from './shared.ts';

/** `/healthz`: the process answers. `/readyz`: it can read rows and store an archive. */
export const addHealthRoutes = (app: App, deps: Deps): void => {
  app.get('/healthz', { schema: { response: answers({ 200: OkAnswer }) } }, async () => ({ ok: true as const }));
  app.get('/readyz', { schema: { response: answers({ 200: OkAnswer }) } }, async () => {
    await assertReady(deps);
    return { ok: true as const };
  });
  app.get('/', { schema: { hide: true, response: { 200: Type.Unknown() } } }, async () => ({
    registry: 'pi-tools',
    api: '/openapi.json',
  }));
};
