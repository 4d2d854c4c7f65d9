import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeDeps, openDeps } from '../../server/deps.ts';
import { collectBlobs } from '../../server/registry/collect-blobs.ts';
import { addUser, call, expectStatus, publishTo, sketchArchive, snapshot, startRegistry } from '../support/registry.ts';
import { spawnServer } from '../support/server-process.ts';

const TIMEOUT_MS = 300_000;
const ROUNDS = 5;
const PER_ROUND = 4;

let dataFolder: string;
beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'pi-tools-crash-'));
});
afterEach(() => rm(dataFolder, { recursive: true, force: true }));

describe('a registry that is killed', { timeout: TIMEOUT_MS }, () => {
  it('has every version that it said it has, and takes the others again', async () => {
    const acknowledged = new Map<string, Buffer>();
    const sent = new Map<string, Buffer>();
    let token = '';
    for (let round = 0; round < ROUNDS; round++) {
      const server = await spawnServer({ dataFolder, port: 0, review: 'off' });
      token = server.adminToken ?? token;
      const answered = Array.from({ length: PER_ROUND }, () => {
        let tell = () => {};
        const promise = new Promise<void>((resolve) => {
          tell = resolve;
        });
        return { promise, tell };
      });
      let answers = 0;
      const publishes = Array.from({ length: PER_ROUND }, async (_, index) => {
        const version = `${round}.${index}.0`;
        const archive = sketchArchive({ version });
        sent.set(version, archive);
        const answer = await publishTo(server.url, token, archive).catch(() => null);
        if (answer?.status === 201) acknowledged.set(version, archive);
        answered[answers++]?.tell();
      });
      // At another moment each round: while they come in, then at the first answer, the second, the third …
      await (round === 0 ? new Promise((resolve) => setTimeout(resolve, 20)) : answered[round - 1]?.promise);
      await server.kill();
      await Promise.all(publishes);
    }

    const server = await spawnServer({ dataFolder, port: 0, review: 'off' });
    try {
      for (const [version, archive] of acknowledged) {
        const { body } = await expectStatus(call(server.url, `/v1/packages/weather/versions/${version}/archive`), 200);
        expect(body.equals(archive)).toBe(true);
      }
      for (const [version, archive] of sent) {
        const answer = await publishTo(server.url, token, archive);
        expect(answer.status, version).toSatisfy((status) => status === (acknowledged.has(version) ? 200 : status));
        expect([200, 201]).toContain(answer.status);
      }
      const { body } = await call(server.url, '/v1/packages/weather');
      expect(body.versions).toHaveLength(sent.size);
    } finally {
      await server.kill();
    }

    // What the kills left behind goes, what a row names stays.
    const deps = await openDeps({ dataFolder });
    await collectBlobs(deps, -1000);
    await closeDeps(deps);
    const world = await snapshot(dataFolder);
    expect(world.incoming).toEqual([]);
    expect(world.blobs).toHaveLength(sent.size);
    expect(world.rows.versions).toHaveLength(sent.size);
  });

  it('can be started again at once on the same data folder, and by one process only', async () => {
    const first = await spawnServer({ dataFolder, port: 0 });
    await expect(spawnServer({ dataFolder, port: 0 })).rejects.toThrow(/using the data folder/);
    await first.kill();
    const second = await spawnServer({ dataFolder, port: 0 });
    expect(second.adminToken).toBeNull();
    expect(await second.terminate()).toBe(0);
  });

  it('ends cleanly on SIGTERM: the publishes that run are answered', async () => {
    const server = await spawnServer({ dataFolder, port: 0, review: 'off' });
    const token = server.adminToken ?? '';
    const publishes = Array.from({ length: 3 }, (_, index) =>
      publishTo(server.url, token, sketchArchive({ version: `1.0.${index}` })),
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await server.terminate()).toBe(0);
    const answers = await Promise.allSettled(publishes);
    const done = answers.filter((answer) => answer.status === 'fulfilled').map((answer) => answer.value.status);
    expect(done.every((status) => status === 201 || status === 503)).toBe(true);
    expect((await snapshot(dataFolder)).rows.versions).toHaveLength(done.filter((status) => status === 201).length);
  });
});

describe('a connection that is cut', { timeout: TIMEOUT_MS }, () => {
  it('in the middle of the body leaves nothing, and the retry is taken', async () => {
    const registry = await startRegistry({ dataFolder, review: 'off' });
    const alice = await addUser(registry, 'alice');
    const archive = sketchArchive();
    const before = await snapshot(dataFolder);
    await sendPart(registry.url, alice, archive, archive.byteLength - 10);
    await expectEventually(async () => expect(await snapshot(dataFolder)).toEqual(before));
    await expectStatus(publishTo(registry.url, alice, archive), 201);
    await registry.end();
  });

  it('before the answer: the retry hears that it is there, or is taken', async () => {
    const registry = await startRegistry({ dataFolder, review: 'off' });
    const alice = await addUser(registry, 'alice');
    const archive = sketchArchive();
    await sendPart(registry.url, alice, archive, archive.byteLength);
    const retry = await publishTo(registry.url, alice, archive);
    expect([200, 201]).toContain(retry.status);
    await expectEventually(async () => {
      const world = await snapshot(dataFolder);
      expect([world.rows.versions?.length, world.blobs.length, world.incoming.length]).toEqual([1, 1, 0]);
    });
    await registry.end();
  });
});

/** Sends the head of a publish and some of its body, and cuts the connection. */
const sendPart = async (url: string, token: string, archive: Buffer, bytes: number): Promise<void> => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(
    `POST /v1/publish HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/gzip\r\ncontent-length: ${archive.byteLength}\r\n\r\n`,
  );
  socket.write(archive.subarray(0, bytes));
  await new Promise((resolve) => setTimeout(resolve, 30));
  socket.destroy();
};

const expectEventually = async (check: () => Promise<void>): Promise<void> => {
  for (let attempt = 0; ; attempt++) {
    try {
      return await check();
    } catch (error) {
      if (attempt > 50) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
};
