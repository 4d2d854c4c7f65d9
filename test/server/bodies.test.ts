import { createHash, randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeArchive } from '../../tool-package/archive/write.ts';
import { converse, sendRaw } from '../support/raw-http.ts';
import {
  addUser,
  call,
  expectStatus,
  type LiveRegistry,
  publishTo,
  snapshot,
  startRegistry,
} from '../support/registry.ts';

const LIMIT = 40_000;

let registry: LiveRegistry;
let alice: string;

beforeAll(async () => {
  registry = await startRegistry({
    review: 'off',
    limits: { archiveBytes: LIMIT, headerTimeoutMs: 600, bodyTimeoutMs: 1500, idleTimeoutMs: 700 },
  });
  alice = await addUser(registry, 'alice');
});
afterAll(() => registry.end());

/** An archive of exactly this many bytes: noise does not compress, so its length can be corrected to fit. */
const archiveOfSize = (bytes: number, version: string): Buffer => {
  const packageJson = {
    name: 'sized',
    version,
    description: 'x',
    license: 'MIT',
    pi: { extensions: ['./i.ts'] },
  };
  const make = (length: number) =>
    makeArchive([
      { path: 'package.json', bytes: Buffer.from(JSON.stringify(packageJson)) },
      { path: 'i.ts', bytes: Buffer.from('export default function () {}') },
      { path: 'noise.bin', bytes: randomBytes(length) },
    ]);
  let length = bytes - 600;
  for (let attempt = 0; attempt < 500; attempt++) {
    const archive = make(length);
    if (archive.byteLength === bytes) return archive;
    length += bytes - archive.byteLength;
  }
  throw new Error('no archive of that size was found');
};

const authorization = () => `authorization: Bearer ${alice}\r\n`;

/** A publish that does not say how long it is. */
const publishChunked = (archive: Buffer): Promise<{ status: number; body: string }> =>
  new Promise((resolve, reject) => {
    const request = httpRequest(
      new URL('/v1/publish', registry.url),
      { method: 'POST', headers: { authorization: `Bearer ${alice}`, 'content-type': 'application/gzip' } },
      (response) => {
        let body = '';
        response.on('data', (chunk) => {
          body += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
      },
    );
    request.on('error', reject);
    for (let at = 0; at < archive.byteLength; at += 1000) request.write(archive.subarray(at, at + 1000));
    request.end();
  });

describe('the size of an archive', () => {
  it('may be just the limit, said before or not', async () => {
    const below = archiveOfSize(LIMIT - 1, '1.0.0');
    const at = archiveOfSize(LIMIT, '1.0.1');
    await expectStatus(publishTo(registry.url, alice, below), 201);
    expect((await publishChunked(at)).status).toBe(201);
    const { body } = await call(registry.url, '/v1/packages/sized/versions/1.0.1/archive');
    expect(createHash('sha512').update(body).digest('hex')).toBe(createHash('sha512').update(at).digest('hex'));
  });

  it('is refused above it, said before or not, and nothing stays', async () => {
    const before = await snapshot(registry.dataFolder);
    const above = archiveOfSize(LIMIT + 1, '1.0.2');
    const said = await expectStatus(publishTo(registry.url, alice, above), 413);
    expect(said.body.code).toBe('too_large');
    const unsaid = await publishChunked(above);
    expect([unsaid.status, JSON.parse(unsaid.body).code]).toEqual([413, 'too_large']);
    expect(await snapshot(registry.dataFolder)).toEqual(before);
  });

  it('is refused while the sender is still sending, and the sender can read why', async () => {
    const head = `POST /v1/publish HTTP/1.1\r\nhost: x\r\n${authorization()}content-type: application/gzip\r\ntransfer-encoding: chunked\r\n\r\n`;
    const answer = await converse(registry.url, async (socket) => {
      socket.write(head);
      const chunk = randomBytes(8000);
      // Goes on after the limit, as a client does that does not look at answers before it is done.
      for (let index = 0; index < 9; index++) {
        socket.write(`${chunk.byteLength.toString(16)}\r\n`);
        socket.write(chunk);
        socket.write('\r\n');
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      socket.write('0\r\n\r\n');
    });
    expect(answer.statuses).toEqual([413]);
    expect(answer.text).toContain('too_large');
  });

  it('has an end also for who never stops sending', async () => {
    const head = `POST /v1/publish HTTP/1.1\r\nhost: x\r\n${authorization()}content-type: application/gzip\r\ntransfer-encoding: chunked\r\n\r\n`;
    const answer = await converse(registry.url, async (socket) => {
      socket.write(head);
      for (let index = 0; index < 1000 && !socket.destroyed; index++) {
        socket.write(`1000\r\n${'x'.repeat(0x1000)}\r\n`);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    });
    expect(answer.closed).toBe(true);
    expect(answer.ms).toBeLessThan(4000);
  });
});

describe('time', () => {
  it('is limited for headers', async () => {
    const answer = await converse(
      registry.url,
      async (socket) => void socket.write('GET /healthz HTTP/1.1\r\nho'),
      5000,
    );
    expect(answer).toMatchObject({ closed: true, statuses: [408] });
    expect(answer.ms).toBeLessThan(3500);
  });

  it('is limited for a connection that says nothing at all', async () => {
    const answer = await converse(registry.url, async () => undefined, 5000);
    expect(answer.closed).toBe(true);
  });

  it('is limited for a body that comes byte by byte, and nothing stays', async () => {
    const before = await snapshot(registry.dataFolder);
    const answer = await converse(
      registry.url,
      async (socket) => {
        socket.write(
          `POST /v1/publish HTTP/1.1\r\nhost: x\r\n${authorization()}content-type: application/gzip\r\ncontent-length: 1000\r\n\r\n`,
        );
        for (let index = 0; index < 100 && !socket.destroyed; index++) {
          socket.write('x');
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
      },
      6000,
    );
    expect(answer.closed).toBe(true);
    expect(answer.ms).toBeLessThan(5000);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await snapshot(registry.dataFolder)).toEqual(before);
  });

  it('is limited for a connection that waits for its next request', async () => {
    const answer = await sendRaw(registry.url, 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n', 5000);
    expect(answer).toMatchObject({ closed: true, statuses: [200] });
    expect(answer.ms).toBeLessThan(3500);
  });

  it('of others is not taken by two hundred slow ones', async () => {
    const { hostname, port } = new URL(registry.url);
    const sockets = Array.from({ length: 200 }, () => connect(Number(port), hostname));
    for (const socket of sockets) {
      socket.on('error', () => undefined);
      socket.write('GET /healthz HTTP/1.1\r\nx: ');
    }
    const started = performance.now();
    await expectStatus(call(registry.url, '/healthz'), 200);
    expect(performance.now() - started).toBeLessThan(500);
    for (const socket of sockets) socket.destroy();
  });
});
