/** `GET /v1/packages/:name/diff`: its defaults, who may see it, and that it is the difference of the two records. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addUser,
  call,
  expectStatus,
  type LiveRegistry,
  publishTo,
  sketchArchive,
  startRegistry,
} from '../support/registry.ts';

let registry: LiveRegistry;
let alice: string;

const release = async (version: string, description: string, more: Record<string, unknown> = {}) =>
  expectStatus(
    publishTo(registry.url, alice, sketchArchive({ version, tools: { weather: description }, packageJson: more })),
    201,
  );

beforeAll(async () => {
  registry = await startRegistry({ review: 'off' });
  alice = await addUser(registry, 'alice');
  await release('1.0.0', 'Weather of a city');
  await release('1.1.0-beta.1', 'Weather of a town');
  await release('1.1.0', 'Weather of a town', { piTools: { permissions: { network: ['api.example.com'] } } });
});
afterAll(() => registry.end());

const diff = (query: string, token?: string) =>
  call(registry.url, `/v1/packages/weather/diff${query}`, token === undefined ? {} : { token });
const classes = (answer: { body: { changes: { class: string }[] } }) => [
  ...new Set(answer.body.changes.map((one) => one.class)),
];

describe('the difference between two versions', () => {
  it('is by default that of the latest and the stable one before it', async () => {
    const answer = await expectStatus(diff(''), 200);
    expect(answer.body).toMatchObject({ name: 'weather', from: '1.0.0', to: '1.1.0' });
    expect(classes(answer)).toEqual(['new-permission', 'wording', 'files']);
    expect(answer.body.changes[0]).toEqual({
      class: 'new-permission',
      tool: null,
      agents: [],
      field: 'permissions.network',
      from: null,
      to: 'api.example.com',
      note: null,
    });
    expect(answer.body.changes[1]).toMatchObject({
      tool: 'weather',
      agents: ['pi'],
      field: 'description',
      from: 'Weather of a city',
      to: 'Weather of a town',
    });
  });

  it('is that of any two that are named, in any order', async () => {
    expect(classes(await expectStatus(diff('?from=1.1.0-beta.1&to=1.1.0'), 200))).toEqual(['new-permission', 'files']);
    expect(classes(await expectStatus(diff('?from=1.1.0'), 200))).toEqual([]);
    expect(classes(await expectStatus(diff('?from=1.1.0&to=1.0.0'), 200))).toEqual([
      'wording',
      'removed-permission',
      'files',
    ]);
    expect((await expectStatus(diff('?to=1.1.0-beta.1'), 200)).body.from).toBe('1.0.0');
  });

  it('carries an entity tag and answers 304', async () => {
    const first = await expectStatus(diff(''), 200);
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
    await expectStatus(call(registry.url, '/v1/packages/weather/diff', { headers }), 304);
    expect((await diff('', alice)).headers.get('cache-control')).toContain('no-store');
  });

  it('says what is missing', async () => {
    for (const query of ['?to=1.0.0', '?from=9.9.9', '?to=9.9.9', '?from=1.0.0&to=9.9.9']) {
      const answer = await expectStatus(diff(query), 404);
      expect(answer.body.code).toBe('version_not_found');
    }
    await expectStatus(call(registry.url, '/v1/packages/nothing/diff'), 404);
    await expectStatus(diff('?from=latest'), 400);
  });

  it('of a version that is not listed is its owner’s and the curators’', async () => {
    const own = await startRegistry({ review: 'off' });
    try {
      const carol = await addUser(own, 'carol');
      const other = await addUser(own, 'dave');
      await expectStatus(publishTo(own.url, carol, sketchArchive({ version: '1.0.0' })), 201);
      await own.restart({ review: 'required' });
      const pending = sketchArchive({ version: '1.1.0', tools: { weather: 'Secret plans' } });
      await expectStatus(publishTo(own.url, carol, pending), 202);
      const path = '/v1/packages/weather/diff?from=1.0.0&to=1.1.0';
      for (const token of [carol, own.adminToken]) {
        const answer = await expectStatus(call(own.url, path, { token }), 200);
        expect(answer.headers.get('cache-control')).toContain('no-store');
      }
      await expectStatus(call(own.url, path), 404);
      await expectStatus(call(own.url, path, { token: other }), 404);
      await expectStatus(call(own.url, '/v1/packages/weather/diff'), 404);
    } finally {
      await own.end();
    }
  });
});
