/**
 * Hostile packages at once, to a server in a process of its own: all are answered, its health and reads go on, others
 * publish meanwhile, and nothing is left behind. How fast is a benchmark's question (`npm run bench:hostile`).
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { groupUse } from '../../tool-package/examine/group-use.ts';
import { HOSTILE_PACKAGES } from '../hostile/index.ts';
import { addUser, call, expectStatus, publishTo, sketchArchive, snapshot, startRegistry } from '../support/registry.ts';
import { type ServerProcess, spawnServer } from '../support/server-process.ts';

/** One of each sort: endless, greedy, large, bombs, many files, unreadable. Each takes some seconds at most. */
const TEN = [
  'file: classes in classes',
  'entry: a loop in a proxy',
  'entry: caught buffers',
  'entry: signs',
  'entry: 20,000 parameters',
  'imports: large JSON',
  'files: long paths',
  'file: binary',
  'archive: a gzip bomb',
  'archive: a cut one',
];
const TIMEOUT_MS = 300_000;

let dataFolder: string;
let server: ServerProcess;
beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'pi-tools-hostile-'));
  // On a machine that is busy with other tests, waiting is no failure.
  server = await spawnServer({ port: 0, dataFolder, review: 'auto', limits: { examinationWaitMs: 280_000 } });
});
afterAll(async () => {
  await server.kill();
  await rm(dataFolder, { recursive: true, force: true });
});

it('ten hostile packages at once: all are answered, nothing stops, nothing is left behind', {
  timeout: TIMEOUT_MS,
}, async () => {
  const registry = { url: server.url, adminToken: server.adminToken ?? '' };
  const users = await Promise.all(['ann', 'ben', 'cyd', 'dan', 'eve'].map((user) => addUser(registry, user)));
  const alice = await addUser(registry, 'alice');
  await expectStatus(publishTo(server.url, alice, sketchArchive()), 201);
  const kinds = TEN.map((id) => HOSTILE_PACKAGES.find((kind) => kind.id === id));
  expect(kinds).not.toContain(undefined);
  const archives = kinds.map((kind, index) => kind?.make(`hostile-${'abcdefghij'[index]}`) ?? new Uint8Array());

  const asking = askUntilEnded();
  const uploads = archives.map((archive, index) => publishTo(server.url, users[index % 5] ?? '', archive));
  await wait(300);
  const good = await publishTo(server.url, alice, sketchArchive({ version: '1.1.0' }));
  const answers = await Promise.all(uploads);
  const statuses = await asking.end();

  expect(good.status).toBe(201);
  const seen = answers.map(({ status, body }, index) => [TEN[index], status, body.code ?? body.status]);
  expect(seen).toEqual([
    [TEN[0], 202, 'pending'],
    [TEN[1], 202, 'pending'],
    [TEN[2], 202, 'pending'],
    [TEN[3], 202, 'pending'],
    [TEN[4], 202, 'pending'],
    [TEN[5], 202, 'pending'],
    [TEN[6], 201, 'listed'],
    [TEN[7], 202, 'pending'],
    [TEN[8], 413, 'too_large'],
    [TEN[9], 422, 'invalid_archive'],
  ]);
  for (const { body } of answers) expect(JSON.stringify(body)).not.toMatch(/node_modules|\.js:\d|\/tmp\/|\bat \w+ \(/);
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(statuses.length).toBeGreaterThan(10);

  await expectStatus(call(server.url, '/readyz'), 200);
  const listed = await expectStatus(call(server.url, '/v1/packages/weather'), 200);
  expect(listed.body.versions).toHaveLength(2);
  const world = await snapshot(dataFolder);
  expect(world.incoming).toEqual([]);
  expect(world.blobs).toHaveLength(10);
  if (process.platform !== 'linux') return;
  // The warm child alone is left.
  await expect.poll(() => groupUse(server.child.pid ?? 0).processes, { timeout: 20_000 }).toBeLessThanOrEqual(3);
});

/** Asks for the health and for a manifest by turns; gives all statuses. */
function askUntilEnded() {
  let isOn = true;
  const statuses: number[] = [];
  const paths = ['/healthz', '/v1/packages/weather/versions/1.0.0'];
  const done = (async () => {
    for (let index = 0; isOn; index += 1) {
      statuses.push((await call(server.url, paths[index % 2] ?? '')).status);
      await wait(50);
    }
  })();
  return {
    end: async () => {
      isOn = false;
      await done;
      return statuses;
    },
  };
}

it('one address does not get all connections, and gets them back when it closes some', async () => {
  const registry = await startRegistry({ limits: { connectionsOfOne: 5 } });
  const { hostname, port } = new URL(registry.url);
  const open = () => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    return socket;
  };
  const closed = (socket: ReturnType<typeof open>) =>
    Promise.race([new Promise((resolve) => socket.once('close', () => resolve('closed'))), wait(300, 'open')]);
  try {
    const held = Array.from({ length: 5 }, open);
    await wait(100);
    expect(await Promise.all([...held.map(closed), closed(open())])).toEqual([...Array(5).fill('open'), 'closed']);
    for (const socket of held) socket.destroy();
    await wait(100);
    await expectStatus(call(registry.url, '/healthz'), 200);
  } finally {
    await registry.end();
  }
});

it('who comes when too many wait is told when to try again, and nothing of it stays', async () => {
  const registry = await startRegistry({
    review: 'off',
    limits: { examinations: 1, quickExaminations: 0, waitingExaminations: 1, waitingExaminationsOfOne: 1 },
  });
  try {
    const [ann = '', ben = ''] = await Promise.all(['ann', 'ben'].map((user) => addUser(registry, user)));
    const loop = HOSTILE_PACKAGES.find(({ id }) => id === 'entry: a catch of everything');
    const archives = ['x', 'y', 'z', 'w'].map((name) => loop?.make(`slow-${name}`) ?? new Uint8Array());
    const answers = await Promise.all(
      archives.map(async (archive, index) => {
        await wait(index * 250);
        return publishTo(registry.url, index === 1 ? ben : ann, archive);
      }),
    );
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(0);
    for (const { body, headers } of refused) expect([body.code, headers.get('retry-after')]).toEqual(['busy', '30']);
    const world = await snapshot(registry.dataFolder);
    expect([world.incoming, world.rows.versions?.length]).toEqual([[], 4 - refused.length]);
  } finally {
    await registry.end();
  }
}, 120_000);
