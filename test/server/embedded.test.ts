import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type App, buildApp } from '../../server/app.ts';
import { closeDeps, type Deps, openDeps } from '../../server/deps.ts';
import { sketchArchive, snapshot } from '../support/registry.ts';
import { seedPackages } from '../support/seeded.ts';

let dataFolder: string;
let deps: Deps;
let app: App;

beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'pi-tools-embedded-'));
  deps = await openDeps({ dataFolder, review: 'off' });
  app = buildApp(deps, { identity: { user: 'local', role: 'administrator' } });
});
afterEach(async () => {
  await app.close();
  await closeDeps(deps);
  await rm(dataFolder, { recursive: true, force: true });
});

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ method: 'GET', url, headers });

it('comes from its user, with all rights, and looks at no token', async () => {
  for (const headers of [{}, { authorization: 'Bearer nonsense' }]) {
    const me = await get('/v1/me', headers);
    expect(me.json()).toMatchObject({ user: 'local', role: 'administrator' });
  }
});

it('publishes and reads without a port', { timeout: 120_000 }, async () => {
  const archive = sketchArchive();
  const headers = { 'content-type': 'application/gzip' };
  const published = await app.inject({ method: 'POST', url: '/v1/publish', payload: archive, headers });
  expect([published.statusCode, published.json().status]).toEqual([201, 'listed']);
  expect((await get('/v1/packages/weather')).json().owners).toEqual(['local']);
  expect((await get('/v1/packages/weather/versions/1.0.0/archive')).rawPayload.equals(archive)).toBe(true);
  const again = await app.inject({ method: 'POST', url: '/v1/publish', payload: archive, headers });
  expect(again.json().status).toBe('identical');
  const other = await app.inject({
    method: 'POST',
    url: '/v1/publish',
    payload: sketchArchive({ description: 'other' }),
    headers,
  });
  expect([other.statusCode, other.json().code]).toEqual([409, 'version_exists']);
  expect((await snapshot(dataFolder)).incoming).toEqual([]);
});

it('answers 304, 404 and problems as on the network, and sees what another process writes', async () => {
  expect((await get('/v1/packages/kept')).json().code).toBe('package_not_found');
  await seedPackages(dataFolder, [{ name: 'kept', version: '1.0.0' }]);
  const first = await get('/v1/packages/kept');
  expect(first.statusCode).toBe(200);
  const etag = String(first.headers.etag);
  expect((await get('/v1/packages/kept', { 'if-none-match': etag })).statusCode).toBe(304);
  await seedPackages(dataFolder, [{ name: 'kept', version: '1.1.0' }]);
  const second = await get('/v1/packages/kept', { 'if-none-match': etag });
  expect([second.statusCode, second.json().tags.latest]).toEqual([200, '1.1.0']);
  expect((await get('/openapi.json')).statusCode).toBe(404);
  expect((await get('/v1/packages/%00')).json().code).toBe('invalid_name');
});

it('makes users and tokens on the host, which a server on the same folder knows at once', async () => {
  const made = await app.inject({ method: 'POST', url: '/v1/users', payload: { user: 'alice' } });
  expect(made.statusCode).toBe(201);
  const token = await app.inject({
    method: 'POST',
    url: '/v1/tokens',
    payload: { user: 'alice', scopes: ['publish'] },
  });
  expect(token.statusCode).toBe(201);
  const served = buildApp(deps);
  const me = await served.inject({
    method: 'GET',
    url: '/v1/me',
    headers: { authorization: `Bearer ${token.json().token}` },
  });
  expect(me.json()).toEqual({ user: 'alice', role: 'publisher', scopes: ['publish'] });
  await served.close();
});
