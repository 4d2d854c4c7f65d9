import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendRaw } from '../support/raw-http.ts';
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
const archive = sketchArchive();

beforeAll(async () => {
  registry = await startRegistry({ review: 'off' });
  alice = await addUser(registry, 'alice');
  await expectStatus(publishTo(registry.url, alice, archive), 201);
});
afterAll(() => registry.end());

const raw = (target: string, more = '') =>
  sendRaw(registry.url, `GET ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${more}\r\n`);

describe('reads', () => {
  const ARCHIVE = '/v1/packages/weather/versions/1.0.0/archive';

  it('carry an entity tag and answer 304 to who has it', async () => {
    for (const path of ['/v1/packages/weather', '/v1/packages/weather/versions/1.0.0', ARCHIVE]) {
      const first = await expectStatus(call(registry.url, path), 200);
      const etag = first.headers.get('etag') ?? '';
      expect(etag).toMatch(/^"[^"]+"$/);
      for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
        const again = await expectStatus(call(registry.url, path, { headers: { 'if-none-match': tag } }), 304);
        expect(again.body.byteLength).toBe(0);
      }
      await expectStatus(call(registry.url, path, { headers: { 'if-none-match': '"other"' } }), 200);
    }
  });

  it('of an archive are immutable, with its integrity as entity tag, its length, and a name to save it under', async () => {
    const answer = await expectStatus(call(registry.url, ARCHIVE), 200);
    const manifest = await call(registry.url, '/v1/packages/weather/versions/1.0.0');
    expect(answer.headers.get('etag')).toBe(`"${manifest.body.record.integrity}"`);
    expect(answer.headers.get('cache-control')).toContain('immutable');
    expect(answer.headers.get('content-length')).toBe(String(archive.byteLength));
    expect(answer.headers.get('content-type')).toBe('application/gzip');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="weather-1.0.0.tgz"');
    expect(answer.headers.get('content-encoding')).toBeNull();
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('have a HEAD with the same headers and no body', async () => {
    for (const path of ['/v1/packages/weather', '/v1/packages/weather/versions/1.0.0', ARCHIVE, '/healthz']) {
      const get = await call(registry.url, path);
      const head = await expectStatus(call(registry.url, path, { method: 'HEAD' }), 200);
      for (const name of ['etag', 'content-length', 'content-type', 'cache-control']) {
        expect(head.headers.get(name), `${path} ${name}`).toBe(get.headers.get(name));
      }
      expect(head.body.byteLength).toBe(0);
    }
  });

  it('with a token are nobody else’s', async () => {
    const answer = await expectStatus(call(registry.url, '/v1/packages/weather', { token: alice }), 200);
    expect(answer.headers.get('cache-control')).toContain('no-store');
    const open = await call(registry.url, '/v1/packages/weather');
    expect(open.headers.get('vary')).toContain('authorization');
  });
});

describe('an address', () => {
  it('means the same in every spelling', async () => {
    for (const target of [
      '/v1/packages/weather/',
      '//v1//packages//weather',
      '/v1/packages/%77eather',
      '/%761/packages/weather',
    ]) {
      expect((await raw(target)).statuses, target).toEqual([200]);
    }
    for (const target of ['/%761/users', '/v1/users/', '//v1/users', '/v1/%75sers', '/v1//users//']) {
      expect((await raw(target)).statuses, target).toEqual([401]);
    }
  });

  it('that tries to leave its place is refused, never an error of ours', async () => {
    const names = [
      '..%2f..%2fetc%2fpasswd',
      '%2e%2e',
      '%2e%2e%2f',
      '..%5c',
      '%5c',
      '%00',
      'weather%00',
      '%252e%252e',
      'weather;x',
      'a%0d%0ab',
      '%C3%28',
      '%ff',
      'WEATHER',
      '__proto__',
      'constructor',
      'x'.repeat(3000),
      '%E2%80%AE',
      '@team',
      '@%2fx',
      'aux',
    ];
    for (const name of names) {
      for (const target of [
        `/v1/packages/${name}`,
        `/v1/packages/${name}/versions/1.0.0`,
        `/v1/packages/weather/versions/${name}`,
        `/v1/packages/weather/versions/${name}/archive`,
        `/v1/packages/weather/tags/${name}`,
        `/v1/tokens/${name}`,
      ]) {
        const { statuses, text } = await raw(target);
        expect(statuses[0], target).toBeGreaterThanOrEqual(400);
        expect(statuses[0], target).toBeLessThan(500);
        expect(text).not.toMatch(/at .*\(.*:\d+:\d+\)|node_modules/);
      }
    }
  });

  it('with another method says which it knows', async () => {
    for (const [method, path, allow] of [
      ['DELETE', '/v1/packages/weather', 'GET, HEAD'],
      ['GET', '/v1/publish', 'POST'],
      ['PATCH', '/v1/packages/weather/tags/beta', 'DELETE, PUT'],
      ['OPTIONS', '/v1/search', 'GET, HEAD'],
    ] as const) {
      const answer = await expectStatus(call(registry.url, path, { method }), 405);
      expect(answer.body.code).toBe('method_not_allowed');
      expect(answer.headers.get('allow')).toBe(allow);
    }
    await expectStatus(call(registry.url, '/v1/nothing'), 404);
  });

  it('in an answer never comes from the request', async () => {
    const headers = 'x-forwarded-host: evil.example\r\nx-forwarded-proto: https\r\nx-forwarded-for: 1.2.3.4\r\n';
    for (const path of ['/openapi.json', '/v1/packages/weather', '/', '/nothing']) {
      const answer = await sendRaw(
        registry.url,
        `GET ${path} HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n${headers}\r\n`,
      );
      expect(answer.text).not.toContain('evil.example');
    }
  });
});

describe('a body of JSON', () => {
  const send = (body: string | Buffer, type = 'application/json') =>
    call(registry.url, '/v1/tokens', {
      token: alice,
      body: body,
      headers: { 'content-type': type },
    });

  it('is refused when it is deep, doubled, broken, or not UTF-8', async () => {
    const bodies = [
      '['.repeat(40_000),
      `${'['.repeat(33)}${']'.repeat(33)}`,
      `{"a":${'{"a":'.repeat(40)}1${'}'.repeat(40)}}`,
      '{"note":"a","note":"b"}',
      '{"note":"a","\\u006eote":"b"}',
      '{"__proto__":{"admin":true}}',
      '{"note":1e999}',
      '{"note":"\\ud800"}',
      '{',
      'null',
      '[]',
      '"text"',
      '\ufeff{}',
      Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    ];
    for (const body of bodies) expect((await send(body)).status, String(body).slice(0, 40)).toBe(400);
  });

  it('is refused beyond 256 KiB', async () => {
    const fits = await send(JSON.stringify({ note: 'x'.repeat(199), pad: 'x'.repeat(255 * 1024) }));
    expect(fits.status).toBe(201);
    const answer = await send(JSON.stringify({ note: 'x', pad: 'x'.repeat(256 * 1024) }));
    expect([answer.status, answer.body.code]).toEqual([413, 'too_large']);
  });

  it('is read as JSON or not at all, however its type is written', async () => {
    for (const type of [
      'text/plain',
      'text/plain; application/json',
      'application/x-www-form-urlencoded',
      'application/jsonx',
      'application/json\tx',
      'application/json; charset=utf-16',
      'garbage',
      'application/gzip',
    ]) {
      expect((await send('{"note":1}', type)).status, type).toBe(415);
    }
    for (const type of [
      'application/json',
      'Application/JSON',
      'application/json; charset=utf-8',
      'application/json;x=y',
      'application/json ; charset="UTF-8"',
    ]) {
      // The schema is never skipped.
      expect((await send('{"note":1}', type)).status, type).toBe(400);
    }
    const none = await sendRaw(
      registry.url,
      `POST /v1/tokens HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${alice}\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}`,
    );
    expect(none.statuses).toEqual([415]);
  });

  it('names the field that is wrong', async () => {
    const answer = await expectStatus(
      call(registry.url, '/v1/tokens', { token: alice, json: { scopes: ['fly'] } }),
      400,
    );
    expect(answer.body.detail).toContain('scopes[0]');
    expect(answer.body.detail).toContain('fly');
  });
});

describe('bytes that are not one request', () => {
  it('are refused, and never read as two', async () => {
    const two = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n';
    const attacks = [
      `POST /v1/tokens HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${two}`,
      `POST /v1/tokens HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello${two}`,
      `POST /v1/tokens HTTP/1.1\r\nhost: x\r\ntransfer-encoding: xchunked\r\n\r\n0\r\n\r\n${two}`,
      `POST /v1/tokens HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n${two}`,
      `GET /healthz HTTP/1.1\nhost: x\n\n${two}`,
      `GET /healthz HTTP/1.1\r\nhost : x\r\n\r\n${two}`,
      `GET /healthz HTTP/1.1\r\nhost: x\r\nx: a\r\n b\0\r\n\r\n${two}`,
      `\0\0\0\0${two}`,
    ];
    for (const attack of attacks) {
      const answer = await sendRaw(registry.url, attack);
      expect(answer.statuses, JSON.stringify(attack.slice(0, 90))).toEqual([400]);
      expect(answer.closed).toBe(true);
    }
  });

  it('are refused when the headers are too large', async () => {
    const answer = await sendRaw(registry.url, `GET /healthz HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`);
    expect(answer.statuses).toEqual([431]);
  });
});

describe('the service', () => {
  it('says that it lives, that it is ready, and what it did', async () => {
    await expectStatus(call(registry.url, '/healthz'), 200);
    await expectStatus(call(registry.url, '/readyz'), 200);
    const metrics = await expectStatus(call(registry.url, '/metrics'), 200);
    expect(metrics.body.toString()).toMatch(/pi_tools_requests_total\{.*route="\/v1\/packages\/:name"/);
    expect(metrics.body.toString()).not.toContain('weather');
  });

  it('sends what a browser needs to be careful', async () => {
    const { headers } = await call(registry.url, '/v1/packages/weather');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(headers.get('server')).toBeNull();
  });
});
