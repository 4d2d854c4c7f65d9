/** The second answer of an address is kept from the first: it must be the same, and never older than the package. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeDeps, openDeps } from '../../server/deps.ts';
import { yank } from '../../server/registry/yank.ts';
import {
  addUser,
  call,
  expectStatus,
  type LiveRegistry,
  publishTo,
  sketchArchive,
  startRegistry,
} from '../support/registry.ts';

const DOCUMENT = '/v1/packages/weather';
const ARCHIVE = '/v1/packages/weather/versions/1.0.0/archive';
let registry: LiveRegistry;

beforeAll(async () => {
  registry = await startRegistry({ review: 'off' });
  await expectStatus(publishTo(registry.url, registry.adminToken, sketchArchive()), 201);
});
afterAll(() => registry.end());

const read = (path: string, headers: Record<string, string> = {}) => call(registry.url, path, { headers });
const act = (action: string) =>
  call(registry.url, `/v1/packages/weather/versions/1.0.0/${action}`, {
    token: registry.adminToken,
    json: { reason: 'a reason' },
  });

describe('an answer that is given again', () => {
  it.each([DOCUMENT, '/v1/packages/weather/versions/1.0.0', ARCHIVE])(
    'is the same, headers and all: %s',
    async (path) => {
      const answers = [await read(path), await read(path), await read(path)];
      const [first, ...others] = answers.map(({ status, headers, body }) => {
        const { date: _, ...lasting } = Object.fromEntries(headers);
        return { status, headers: lasting, body };
      });
      expect(first?.status).toBe(200);
      expect(first?.headers['x-content-type-options']).toBe('nosniff');
      for (const other of others) expect(other).toEqual(first);
    },
  );

  it('is still 304 for who has it, and a head without a body', async () => {
    const { headers } = await read(DOCUMENT);
    expect((await read(DOCUMENT, { 'if-none-match': headers.get('etag') ?? '' })).status).toBe(304);
    expect((await call(registry.url, ARCHIVE, { method: 'HEAD' })).body).toHaveLength(0);
  });

  it('is right for every spelling of the address, however many there are', async () => {
    const { body, headers } = await read(DOCUMENT);
    for (const path of [`${DOCUMENT}?1`, `${DOCUMENT}?${'x'.repeat(5000)}`, `${DOCUMENT}/`, '/v1/packages/%77eather']) {
      for (const _ of [1, 2]) {
        const again = await read(path);
        expect([again.body, again.headers.get('etag')], path.slice(0, 40)).toEqual([body, headers.get('etag')]);
      }
    }
  });

  it('is counted', async () => {
    const line = /pi_tools_requests_total\{method="GET",route="\/v1\/packages\/:name",status="200"\} (\d+)/;
    const count = async () => Number(line.exec((await read('/metrics')).body.toString())?.[1]);
    const before = await count();
    await read(DOCUMENT);
    await read(DOCUMENT);
    expect((await count()) - before).toBe(2);
  });

  it('knows of a version that was published, here and by another process', async () => {
    await read(DOCUMENT);
    await expectStatus(publishTo(registry.url, registry.adminToken, sketchArchive({ version: '1.1.0' })), 201);
    expect((await read(DOCUMENT)).body.tags.latest).toBe('1.1.0');
    const other = await openDeps({ dataFolder: registry.dataFolder, review: 'off' });
    const admin = {
      user: 'admin',
      role: 'administrator' as const,
      scopes: new Set(['publish' as const]),
      tokenId: null,
      expires: null,
    };
    await yank(other, { name: 'weather', version: '1.1.0' }, { viewer: admin, reason: null });
    expect((await read(DOCUMENT)).body.tags.latest).toBe('1.0.0');
    await closeDeps(other);
  });

  it('is not given any more once the version is quarantined', async () => {
    await read(ARCHIVE);
    await read(ARCHIVE);
    await expectStatus(act('quarantine'), 200);
    expect((await read(ARCHIVE)).body).toMatchObject({ code: 'version_quarantined' });
    await expectStatus(act('approve'), 200);
    expect((await read(ARCHIVE)).status).toBe(200);
  });

  it('is never what only some may see', async () => {
    const owner = await addUser(registry, 'alice');
    const waiting = await startRegistry({ review: 'required' });
    const token = await addUser(waiting, 'alice');
    await expectStatus(publishTo(waiting.url, token, sketchArchive()), 202);
    expect((await call(waiting.url, DOCUMENT, { token })).status).toBe(200);
    expect((await call(waiting.url, ARCHIVE, { token })).status).toBe(200);
    expect((await call(waiting.url, DOCUMENT)).status).toBe(404);
    expect((await call(waiting.url, ARCHIVE)).status).toBe(404);
    await waiting.end();
    expect((await call(registry.url, DOCUMENT, { token: `${owner}x` })).status).toBe(401);
  });

  it('does not hold up the stop of the server', async () => {
    const own = await startRegistry({ review: 'off' });
    await expectStatus(publishTo(own.url, own.adminToken, sketchArchive()), 201);
    let asking = true;
    const askers = Array.from({ length: 4 }, async () => {
      while (asking) await call(own.url, DOCUMENT).catch(() => (asking = false));
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    const started = performance.now();
    await own.end();
    expect(performance.now() - started).toBeLessThan(10_000);
    asking = false;
    await Promise.all(askers);
  });
});
