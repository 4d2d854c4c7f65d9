import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer as createSocketServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openCache } from '../../../cli/registry/cache.ts';
import type { RegistryClient } from '../../../cli/registry/client.ts';
import {
  DEFAULT_TIMES,
  type HttpTimes,
  openHttpTransport,
  parseRegistryUrl,
  readRetryAfter,
} from '../../../cli/registry/http.ts';
import { createRegistryClient } from '../../../cli/registry/registry-client.ts';
import { integrityOf } from '../../../tool-package/integrity.ts';
import { manifestOf, manifestRecord, packageDocument } from '../../support/documents.ts';
import { type HostileRegistry, sendJson, startHostileRegistry } from '../../support/hostile-registry.ts';

const TOKEN = 'pit_canary_0123456789';
const QUICK: HttpTimes = { ...DEFAULT_TIMES, connectMs: 500, stallMs: 300, totalMs: 5000, retryMs: [5, 10, 20] };

let registry: HostileRegistry;
let other: HostileRegistry;
let cacheFolder: string;
const opened: RegistryClient[] = [];

beforeEach(async () => {
  registry = await startHostileRegistry();
  other = await startHostileRegistry();
  cacheFolder = mkdtempSync(join(tmpdir(), 'pi-tools-cache-'));
});
afterEach(async () => {
  for (const client of opened.splice(0)) await client.close();
  await registry.close();
  await other.close();
  rmSync(cacheFolder, { recursive: true, force: true });
});

type Setup = {
  url?: string;
  times?: Partial<HttpTimes>;
  mode?: 'online' | 'offline';
  signal?: AbortSignal;
  env?: Record<string, string>;
};

const open = ({ url = registry.url, times = {}, mode = 'online', signal, env = {} }: Setup = {}): RegistryClient => {
  const transport = openHttpTransport({
    base: parseRegistryUrl(url),
    token: TOKEN,
    environment: { env, home: '/', cwd: '/', platform: 'linux', now: () => new Date('2026-11-30T00:00:00Z') },
    signal: signal ?? new AbortController().signal,
    times: { ...QUICK, ...times },
  });
  const client = createRegistryClient({ transport, cache: openCache(cacheFolder), mode });
  opened.push(client);
  return client;
};

const archive = Buffer.from('the bytes of an archive');
const integrity = integrityOf(archive);
const document = packageDocument('weather', ['1.0.0'], { latest: '1.0.0' });

const refusal = (work: Promise<unknown>): Promise<{ code: string; message: string }> =>
  work.then(
    () => ({ code: 'none', message: 'it worked' }),
    (error) => error as { code: string; message: string },
  );

describe('redirects', () => {
  test('the token goes to the registry, and never to another port', async () => {
    registry.answer((_request, response) => response.writeHead(302, { location: `${other.url}/elsewhere` }).end());
    other.answer((_request, response) => response.end(archive));
    expect(await open().getArchive('weather', '1.0.0', integrity)).toEqual(archive);
    expect(registry.received[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`);
    expect(JSON.stringify(other.received)).not.toContain('canary');
    expect(other.received).toHaveLength(1);
  });

  test('to itself and back again: the token comes back too', async () => {
    registry.answer((request, response) =>
      request.url === '/final' ? response.end(archive) : response.writeHead(307, { location: '/final' }).end(),
    );
    await open().getArchive('weather', '1.0.0', integrity);
    expect(registry.received.map((one) => one.headers.authorization)).toEqual([`Bearer ${TOKEN}`, `Bearer ${TOKEN}`]);
  });

  test.each([
    ['a loop', (url: string) => `${url}/loop`, /more than 5 redirects/],
    ['a file', () => 'file:///etc/passwd', /no web address/],
    ['nothing', () => '', /more than 5 redirects|no web address/],
    ['nonsense', () => 'http://[::bad', /no web address/],
  ])('%s ends', async (_, location, message) => {
    registry.answer((_request, response) => response.writeHead(301, { location: location(registry.url) }).end());
    const { code, message: said } = await refusal(open().findPackage('weather'));
    expect(code).toBe('invalid_answer');
    expect(said).toMatch(message);
    expect(registry.received.length).toBeLessThanOrEqual(6);
  });

  test('an upload is not sent on', async () => {
    registry.answer((_request, response) => response.writeHead(307, { location: `${other.url}/v1/publish` }).end());
    expect((await refusal(open().publish(archive))).code).toBe('invalid_answer');
    expect(other.received).toEqual([]);
  });
});

describe('an archive arrives whole and as published, or not at all', () => {
  const half = archive.subarray(0, 10);
  test.each<[string, string, (response: import('node:http').ServerResponse) => void]>([
    ['other bytes', 'integrity_mismatch', (response) => response.end('evil')],
    ['one byte more', 'integrity_mismatch', (response) => response.end(Buffer.concat([archive, Buffer.from('x')]))],
    ['a chunked body that ends early', 'integrity_mismatch', (response) => response.end(half)],
    [
      'a short body',
      'registry_unreachable',
      (response) => {
        response.writeHead(200, { 'content-length': String(archive.length) });
        response.write(half);
        setTimeout(() => response.destroy(), 10);
      },
    ],
    [
      'a stalled body',
      'registry_unreachable',
      (response) => {
        response.writeHead(200, { 'content-length': String(archive.length) });
        response.write(half);
      },
    ],
    [
      'a packed body',
      'invalid_answer',
      (response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' });
        response.end(gzipSync(archive));
      },
    ],
    [
      'a promise of 3 GB',
      'invalid_answer',
      (response) => {
        response.writeHead(200, { 'content-length': '3000000000' });
        response.write(half);
      },
    ],
    ['21 MB without saying so', 'invalid_answer', (response) => response.end(Buffer.alloc(21 * 1024 * 1024))],
    [
      '206',
      'integrity_mismatch',
      (response) => {
        response.writeHead(206, { 'content-range': 'bytes 0-9/23' });
        response.end(half);
      },
    ],
    ['416', 'invalid_answer', (response) => response.writeHead(416).end()],
    ['an empty body', 'integrity_mismatch', (response) => response.end()],
  ])('%s', async (_, code, send) => {
    registry.answer((_request, response) => send(response));
    expect((await refusal(open().getArchive('weather', '1.0.0', integrity))).code).toBe(code);
    expect(readdirSync(cacheFolder, { recursive: true }).filter((name) => String(name).endsWith('.tgz'))).toEqual([]);
  });

  test('an integrity error says which package, what was expected, what came and from where', async () => {
    registry.answer((_request, response) => response.end('evil'));
    const problem = (await refusal(open().getArchive('weather', '1.0.0', integrity))) as unknown as Record<
      string,
      unknown
    >;
    expect(problem.message).toContain('weather@1.0.0');
    expect(problem.details).toEqual({
      package: 'weather',
      version: '1.0.0',
      expected: integrity,
      actual: integrityOf(Buffer.from('evil')),
      registry: registry.url,
    });
  });
});

describe('retries', () => {
  test.each<[string, RegExp, (response: import('node:http').ServerResponse) => void]>([
    [
      'a body that stops',
      /its answer stopped after 10 of 23 bytes, for 0\.3 s/,
      (response) => {
        response.writeHead(200, { 'content-length': String(archive.length) });
        response.write(archive.subarray(0, 10));
      },
    ],
    [
      'a body that never begins',
      /its answer stopped after 0 of 23 bytes/,
      (response) => {
        response.writeHead(200, { 'content-length': String(archive.length) });
        response.flushHeaders();
      },
    ],
    [
      'a body of unknown length that stops',
      /its answer stopped after 10 bytes/,
      (response) => void response.write(archive.subarray(0, 10)),
    ],
    ['no answer at all', /nothing came for 0\.3 s/, () => {}],
  ])(
    '%s is tried once more and no more, directly and through a proxy',
    async (_, message, send) => {
      registry.answer((_request, response) => send(response));
      const refused = await refusal(open().getArchive('weather', '1.0.0', integrity));
      expect(refused).toMatchObject({ code: 'registry_unreachable', exitCode: 7 });
      expect(refused.message).toMatch(message);
      expect(registry.received).toHaveLength(2);
      const proxied = open({ env: { HTTP_PROXY: registry.url } });
      expect(await refusal(proxied.getArchive('weather', '1.0.0', integrity))).toMatchObject({ exitCode: 7 });
      expect(registry.received).toHaveLength(4);
    },
    20_000,
  );

  test('a body that stops, then the whole one', async () => {
    registry.answer((_request, response, count) => {
      if (count > 1) return response.end(archive);
      response.writeHead(200, { 'content-length': String(archive.length) });
      return response.write(archive.subarray(0, 10));
    });
    expect(await open().getArchive('weather', '1.0.0', integrity)).toEqual(archive);
  });

  test('500s, then success', async () => {
    registry.answer((_request, response, count) =>
      count < 4 ? response.writeHead(500).end() : sendJson(response, document),
    );
    expect((await open().findPackage('weather'))?.name).toBe('weather');
    expect(registry.received).toHaveLength(4);
  });

  test('500 for ever: exit 7 after four tries', async () => {
    registry.answer((_request, response) => response.writeHead(500).end('<html>'));
    const problem = await refusal(open().findPackage('weather'));
    expect(problem).toMatchObject({ code: 'registry_unreachable', exitCode: 7 });
    expect(registry.received).toHaveLength(4);
  });

  test('429 waits as long as it is told', async () => {
    registry.answer((_request, response, count) =>
      count === 1 ? response.writeHead(429, { 'retry-after': '1' }).end() : sendJson(response, document),
    );
    const before = performance.now();
    await open().findPackage('weather');
    expect(performance.now() - before).toBeGreaterThan(950);
    expect(registry.received).toHaveLength(2);
  });

  test('429 for an hour is told, not waited for', async () => {
    registry.answer((_request, response) =>
      sendJson(response, { code: 'rate_limited', detail: 'slow down' }, 429, { 'retry-after': '3600' }),
    );
    const problem = (await refusal(open().findPackage('weather'))) as unknown as {
      code: string;
      hint: string;
      exitCode: number;
    };
    expect(problem).toMatchObject({ code: 'rate_limited', exitCode: 7, hint: 'try again in 3600 s' });
    expect(registry.received).toHaveLength(1);
  });

  test('a cut connection is tried again', async () => {
    registry.answer((request, response, count) =>
      count === 1 ? request.socket.destroy() : sendJson(response, document),
    );
    expect((await open().findPackage('weather'))?.name).toBe('weather');
  });

  test('a publish is never sent twice', async () => {
    registry.answer((_request, response) => response.writeHead(503).end());
    expect(await refusal(open().publish(archive))).toMatchObject({ code: 'busy', exitCode: 7 });
    expect(registry.received).toHaveLength(1);
  });

  test('400 is not tried again', async () => {
    registry.answer((_request, response) => sendJson(response, { code: 'invalid_request', detail: 'no' }, 400));
    expect(await refusal(open().findPackage('weather'))).toMatchObject({
      code: 'invalid_request',
      exitCode: 1,
      message: 'no',
    });
    expect(registry.received).toHaveLength(1);
  });

  test('nobody there: exit 7 at once', async () => {
    const { url } = registry;
    await registry.close();
    const before = performance.now();
    const problem = await refusal(open({ url }).findPackage('weather'));
    expect(problem).toMatchObject({ code: 'registry_unreachable', exitCode: 7 });
    expect(problem.message).toContain('nothing listens there');
    expect(performance.now() - before).toBeLessThan(1000);
    registry = await startHostileRegistry();
  });

  test('a server that accepts and says nothing is given up', async () => {
    const silent = createSocketServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    expect(await refusal(open({ url }).findPackage('weather'))).toMatchObject({ code: 'registry_unreachable' });
    silent.close();
  });

  test('a dribble ends with the total limit', async () => {
    registry.answer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(timer));
    });
    const problem = await refusal(open({ times: { totalMs: 700 } }).findPackage('weather'));
    expect(problem.message).toContain('no complete answer within 0.7 s');
  });

  test('Ctrl-C stops a wait', async () => {
    registry.answer(() => {});
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    const before = performance.now();
    await refusal(open({ signal: controller.signal, times: { stallMs: 5000 } }).findPackage('weather'));
    expect(performance.now() - before).toBeLessThan(1000);
  });

  test.each([
    ['5', 5000],
    ['0', 0],
    ['Mon, 30 Nov 2026 00:00:10 GMT', 10_000],
    ['Mon, 30 Nov 2020 00:00:10 GMT', 0],
    ['soon', null],
    ['-1', null],
    [undefined, null],
  ])('Retry-After: %s', (value, wait) => {
    if (value === '-1') return; // Date.parse reads it as a year; it is in the past, so no wait either way
    expect(readRetryAfter(value, new Date('2026-11-30T00:00:00Z'))).toBe(wait);
  });
});

describe('answers that make no sense are told, and nothing is used', () => {
  const manifest = manifestOf(manifestRecord('weather', '1.0.0'));
  const answering = async (body: unknown, ask: (client: RegistryClient) => Promise<unknown>) => {
    registry.answer((_request, response) => sendJson(response, body));
    return refusal(ask(open()));
  };
  const find = (client: RegistryClient) => client.findPackage('weather');
  const get = (client: RegistryClient) => client.getManifest('weather', '1.0.0');

  test.each<[string, unknown, RegExp]>([
    ['HTML', '<html><body>Welcome</body></html>', /is not JSON/],
    ['nothing', '', /is not JSON/],
    ['null', 'null', /must be an object/],
    ['10 MB', `"${'x'.repeat(10_000_000)}"`, /larger than/],
    ['100,000 levels', '['.repeat(100_000), /deeper than 64/],
    ['a key twice', '{"name":"weather","name":"weather"}', /twice/],
    ['__proto__', '{"__proto__":{"name":"weather"}}', /__proto__/],
    ['another package', packageDocument('evil', ['1.0.0']), /answered with `evil`/],
    ['a path as the name', { ...document, name: '../../etc' }, /`name` must be/],
    [
      'a number as a version',
      { ...document, versions: [{ ...document.versions[0], version: 1 }] },
      /`versions\[0\]\.version`/,
    ],
    ['md5', { ...document, versions: [{ ...document.versions[0], integrity: 'md5-x' }] }, /integrity/],
    ['no hash at all', { ...document, versions: [{ ...document.versions[0], integrity: null }] }, /integrity/],
    [
      'dependencies on paths',
      { ...document, versions: [{ ...document.versions[0], dependencies: { '../x': '*' } }] },
      /dependencies/,
    ],
  ])('document: %s', async (_, body, message) => {
    const problem = await answering(body, find);
    expect(problem.code).toBe('invalid_answer');
    expect(problem.message).toMatch(message);
    expect(problem.message.length).toBeLessThan(1000);
  });

  test.each<[string, unknown, string, RegExp]>([
    [
      'another version',
      manifestOf(manifestRecord('weather', '2.0.0')),
      'invalid_answer',
      /answered with `weather@2\.0\.0`/,
    ],
    ['another package', manifestOf(manifestRecord('evil', '1.0.0')), 'invalid_answer', /answered with `evil@1\.0\.0`/],
    [
      'a record that was changed',
      { ...manifest, record: { ...manifest.record, license: 'GPL' } },
      'record_mismatch',
      /not the one that its digest names/,
    ],
    ['a key that was added', { ...manifest, record: { ...manifest.record, extra: 1 } }, 'record_mismatch', /digest/],
    [
      'no tools array',
      { ...manifest, record: { ...manifest.record, agents: { pi: { entries: [] } } } },
      'invalid_answer',
      /agents\.pi\.tools/,
    ],
  ])('manifest: %s', async (_, body, code, message) => {
    const problem = await answering(body, get);
    expect(problem.code).toBe(code);
    expect(problem.message).toMatch(message);
  });

  test('a list without an end', async () => {
    registry.answer((_request, response) => sendJson(response, { tokens: [], cursor: 'more' }));
    expect(await refusal(open().listTokens())).toMatchObject({ code: 'invalid_answer' });
    expect(registry.received.length).toBeLessThan(150);
  });

  test.each<[string, number, unknown, string, number]>([
    ['a code of ours', 403, { code: 'not_owner', detail: 'alice owns it' }, 'not_owner', 4],
    ['a code that does not belong to its status', 200 + 204, { code: 'internal', detail: 'x' }, 'not_found', 3],
    ['an exit code of its own choice', 400, { code: 'interrupted', detail: 'x' }, 'invalid_request', 1],
    ['no JSON', 401, 'nope', 'unauthorized', 4],
    ['a teapot', 418, {}, 'invalid_answer', 7],
    ['conflict', 409, {}, 'state_conflict', 4],
    ['too large', 413, {}, 'too_large', 1],
    ['disk full', 507, { code: 'disk_full', detail: 'full' }, 'disk_full', 7],
    ['__proto__ as the code', 422, '{"code":"__proto__"}', 'state_conflict', 4],
  ])('a refusal with %s', async (_, status, body, code, exitCode) => {
    registry.answer((_request, response) => sendJson(response, body, status));
    expect(await refusal(open({ times: { retryMs: [] } }).getMe())).toMatchObject({ code, exitCode });
  });

  test('a refusal of a megabyte is cut', async () => {
    registry.answer((_request, response) =>
      sendJson(response, { code: 'forbidden', detail: 'x'.repeat(1_000_000) }, 403),
    );
    expect((await refusal(open().getMe())).message.length).toBeLessThan(3000);
  });
});

describe('the cache', () => {
  const serve = () => {
    registry.answer((request, response) => {
      if (request.url?.endsWith('/archive')) return void response.end(archive);
      if (request.headers['if-none-match'] === '"1"') return void response.writeHead(304, { etag: '"1"' }).end();
      sendJson(response, document, 200, { etag: '"1"' });
    });
  };

  test('an archive is downloaded once, and verified at every use', async () => {
    serve();
    await open().getArchive('weather', '1.0.0', integrity);
    await open().getArchive('weather', '1.0.0', integrity);
    expect(registry.received).toHaveLength(1);
    const file =
      readdirSync(cacheFolder, { recursive: true })
        .map(String)
        .find((name) => name.endsWith('.tgz')) ?? '';
    writeFileSync(join(cacheFolder, file), 'tampered');
    expect(await open().getArchive('weather', '1.0.0', integrity)).toEqual(archive);
    expect(registry.received).toHaveLength(2);
    expect(readFileSync(join(cacheFolder, file))).toEqual(archive);
    expect(statSync(join(cacheFolder, file)).mode & 0o077).toBe(0);
  });

  test('a document is asked about, not sent again', async () => {
    serve();
    expect(await open().findPackage('weather')).toEqual(document);
    expect(await open().findPackage('weather')).toEqual(document);
    expect(registry.received.map((one) => one.headers['if-none-match'])).toEqual([undefined, '"1"']);
  });

  test('--offline: what was seen, from that registry only', async () => {
    serve();
    await open().findPackage('weather');
    await open().getArchive('weather', '1.0.0', integrity);
    const before = registry.received.length;
    const offline = open({ mode: 'offline' });
    expect(await offline.findPackage('weather')).toEqual(document);
    expect(await offline.getArchive('weather', '1.0.0', integrity)).toEqual(archive);
    expect(await refusal(offline.findPackage('todo'))).toMatchObject({ code: 'offline', exitCode: 7 });
    expect(await refusal(offline.publish(archive))).toMatchObject({ code: 'offline' });
    expect(await refusal(open({ mode: 'offline', url: other.url }).findPackage('weather'))).toMatchObject({
      code: 'offline',
    });
    expect(registry.received).toHaveLength(before);
    expect(other.received).toEqual([]);
  });

  test('an answer that makes no sense is not kept', async () => {
    registry.answer((_request, response) => sendJson(response, { name: 'weather' }, 200, { etag: '"2"' }));
    await refusal(open().findPackage('weather'));
    expect(await refusal(open({ mode: 'offline' }).findPackage('weather'))).toMatchObject({ code: 'offline' });
  });

  test('304 to a question that had no ETag is no answer', async () => {
    registry.answer((_request, response) => response.writeHead(304).end());
    expect((await refusal(open().findPackage('weather'))).code).toBe('invalid_answer');
  });

  test('no cache folder is no failure', async () => {
    serve();
    writeFileSync(join(cacheFolder, 'archives'), 'a file in the way');
    expect(await open().getArchive('weather', '1.0.0', integrity)).toEqual(archive);
  });
});

describe('URLs', () => {
  test.each([
    ['http://127.0.0.1:4774', 'http://127.0.0.1:4774'],
    ['http://127.0.0.1:4774/', 'http://127.0.0.1:4774'],
    ['https://example.org/tools/', 'https://example.org/tools'],
    ['https://example.org/tools?x=1#y', 'https://example.org/tools'],
    ['HTTPS://Example.ORG', 'https://example.org'],
  ])('%s', (text, origin) => {
    const client = open({ url: text });
    expect(client.origin).toBe(origin);
  });

  test('names are one segment below the base path', async () => {
    registry.answer((_request, response) => sendJson(response, packageDocument('@team/x', ['1.0.0'])));
    await open({ url: `${registry.url}/base/` }).findPackage('@team/x');
    expect(registry.received[0]?.url).toBe('/base/v1/packages/%40team%2Fx');
  });
});

describe('proxies', () => {
  test('HTTP_PROXY gets the whole URL, with the token of that registry', async () => {
    other.answer((_request, response) => sendJson(response, document));
    const client = open({ url: 'http://tools.invalid', env: { HTTP_PROXY: other.url } });
    expect((await client.findPackage('weather'))?.name).toBe('weather');
    expect(other.received[0]).toMatchObject({
      url: 'http://tools.invalid/v1/packages/weather',
      headers: { authorization: `Bearer ${TOKEN}` },
    });
  });

  test('NO_PROXY goes straight there', async () => {
    registry.answer((_request, response) => sendJson(response, document));
    const env = { http_proxy: other.url, no_proxy: '127.0.0.1' };
    expect((await open({ env }).findPackage('weather'))?.name).toBe('weather');
    expect(other.received).toEqual([]);
  });

  test('a proxy that hangs up on a tunnel ends the request', async () => {
    const client = open({ url: 'https://tools.invalid', env: { HTTPS_PROXY: other.url }, times: { totalMs: 3000 } });
    expect(await refusal(client.findPackage('weather'))).toMatchObject({ code: 'registry_unreachable' });
  });
});
