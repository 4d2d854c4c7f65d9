import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildApp } from '../../server/app.ts';
import { closeDeps, openDeps } from '../../server/deps.ts';
import {
  addUser,
  call,
  type LiveRegistry,
  publishTo,
  sketchArchive,
  snapshot,
  startRegistry,
} from '../support/registry.ts';

const MANY = 20;
/** Each is inspected, which takes its time. */
const FEW = 6;
const TIMEOUT_MS = 300_000;
const numbersTo = (count: number) => Array.from({ length: count }, (_, index) => index);
const numbers = numbersTo(MANY);
const few = numbersTo(FEW);

let registry: LiveRegistry;
let alice: string;

beforeEach(async () => {
  registry = await startRegistry({ review: 'off' });
  alice = await addUser(registry, 'alice');
});
afterEach(() => registry.end());

const statuses = (answers: readonly { status: number }[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

describe('many publishes at once', { timeout: TIMEOUT_MS }, () => {
  it('of versions of one package: every one is listed', async () => {
    const answers = await Promise.all(
      numbers.map((index) => publishTo(registry.url, alice, sketchArchive({ version: `1.${index}.0` }))),
    );
    expect(statuses(answers)).toEqual({ 201: MANY });
    const { body } = await call(registry.url, '/v1/packages/weather');
    expect(body.versions).toHaveLength(MANY);
    expect(body.tags.latest).toBe(`1.${MANY - 1}.0`);
  });

  it('of packages: every one is there', async () => {
    const answers = await Promise.all(
      few.map((index) =>
        publishTo(
          registry.url,
          alice,
          sketchArchive({ name: `tool-${'abcdefghij'[index % 10]}${index > 9 ? 'x' : 'y'}` }),
        ),
      ),
    );
    expect(statuses(answers)).toEqual({ 201: FEW });
    const { body } = await call(registry.url, '/v1/search?limit=100');
    expect(body.total).toBe(FEW);
  });

  it('of one version with other bytes each: one is taken, and its bytes are served', async () => {
    const archives = few.map((index) => sketchArchive({ description: `variant ${index}` }));
    const answers = await Promise.all(archives.map((archive) => publishTo(registry.url, alice, archive)));
    expect(statuses(answers)).toEqual({ 201: 1, 409: FEW - 1 });
    const winner = answers.findIndex((answer) => answer.status === 201);
    const { body } = await call(registry.url, '/v1/packages/weather/versions/1.0.0/archive');
    expect(body.equals(archives[winner])).toBe(true);
    const world = await snapshot(registry.dataFolder);
    expect(world.rows.versions).toHaveLength(1);
    expect(world.blobs).toHaveLength(1);
    expect(world.incoming).toEqual([]);
  });

  it('of one version with the same bytes: one is new, the others hear that it is the same', async () => {
    const archive = sketchArchive();
    const answers = await Promise.all(numbers.map(() => publishTo(registry.url, alice, archive)));
    expect(statuses(answers)).toEqual({ 201: 1, 200: MANY - 1 });
    const world = await snapshot(registry.dataFolder);
    expect([world.rows.versions?.length, world.blobs.length, world.incoming.length]).toEqual([1, 1, 0]);
  });

  it('of a new name by two users: one of them owns it', async () => {
    const bob = await addUser(registry, 'bob');
    const answers = await Promise.all(
      few.map((index) =>
        publishTo(registry.url, index % 2 === 0 ? alice : bob, sketchArchive({ version: `1.0.${index}` })),
      ),
    );
    expect(statuses(answers)).toEqual({ 201: FEW / 2, 403: FEW / 2 });
    const { body } = await call(registry.url, '/v1/packages/weather');
    expect(body.owners).toHaveLength(1);
  });

  it('through two processes on one data folder: each sees what the other wrote at once', async () => {
    const deps = await openDeps({ dataFolder: registry.dataFolder, review: 'off' });
    const app = buildApp(deps, { identity: { user: 'alice', role: 'publisher' } });
    try {
      const answers = await Promise.all(
        few.map(async (index) => {
          const archive = sketchArchive({ version: `1.${index}.0` });
          if (index % 2 === 0) return publishTo(registry.url, alice, archive);
          const headers = { 'content-type': 'application/gzip' };
          const answer = await app.inject({ method: 'POST', url: '/v1/publish', payload: archive, headers });
          return { status: answer.statusCode };
        }),
      );
      expect(statuses(answers)).toEqual({ 201: FEW });
      const here = await call(registry.url, '/v1/packages/weather');
      const there = await app.inject({ method: 'GET', url: '/v1/packages/weather' });
      expect(here.body.versions).toHaveLength(FEW);
      expect(there.json().versions).toEqual(here.body.versions);

      const yanked = await app.inject({
        method: 'POST',
        url: '/v1/packages/weather/versions/1.5.0/yank',
        payload: { reason: 'bad' },
      });
      expect(yanked.statusCode).toBe(200);
      const after = await call(registry.url, '/v1/packages/weather');
      expect(after.body.tags.latest).toBe('1.4.0');
    } finally {
      await app.close();
      await closeDeps(deps);
    }
  });
});
