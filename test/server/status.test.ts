import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  addUser,
  call,
  expectStatus,
  type LiveRegistry,
  publishTo,
  sketchArchive,
  snapshot,
  startRegistry,
} from '../support/registry.ts';
import { seedPackages } from '../support/seeded.ts';

/** Inspection on a busy machine. */
const TIMEOUT_MS = 120_000;

let registry: LiveRegistry;
let admin: string;
let alice: string;
let bob: string;
let curator: string;

beforeAll(async () => {
  registry = await startRegistry({ review: 'required' });
  admin = registry.adminToken;
  [alice, bob] = [await addUser(registry, 'alice'), await addUser(registry, 'bob')];
  curator = await addUser(registry, 'carol', { role: 'curator' });
});
afterAll(() => registry.end());

const change = (token: string, target: string, action: string, json: object = { reason: 'because' }) => {
  const [name, version] = target.split('@');
  return call(registry.url, `/v1/packages/${name}/versions/${version}/${action}`, { token, json });
};
const read = (path: string, token?: string) =>
  call(registry.url, `/v1/packages/${path}`, token === undefined ? {} : { token });

describe('a version that waits for review', { timeout: TIMEOUT_MS }, () => {
  beforeAll(async () => {
    const answer = await expectStatus(publishTo(registry.url, alice, sketchArchive({ name: 'waits' })), 202);
    expect(answer.body.status).toBe('pending');
    expect(answer.body.hint).toContain('pi-tools review approve waits@1.0.0');
  }, TIMEOUT_MS);

  it('does not exist for others, in no answer', async () => {
    for (const token of [undefined, bob]) {
      for (const path of ['waits', 'waits/versions/1.0.0', 'waits/versions/1.0.0/archive', 'waits/owners']) {
        expect((await expectStatus(read(path, token), 404)).body.code).toBe('package_not_found');
      }
      const found = await call(registry.url, '/v1/search?q=waits', token === undefined ? {} : { token });
      expect(found.body.total).toBe(0);
      const head = await call(registry.url, '/v1/packages/waits/versions/1.0.0/archive', { method: 'HEAD' });
      expect(head.status).toBe(404);
    }
  });

  it('is there for its owner, curators and administrators', async () => {
    for (const token of [alice, curator, admin]) {
      const { body } = await expectStatus(read('waits', token), 200);
      expect(body.versions).toMatchObject([{ version: '1.0.0', state: 'pending' }]);
      expect(body.tags).toEqual({});
      expect((await expectStatus(read('waits/versions/1.0.0', token), 200)).body.status.state).toBe('pending');
      const archive = await expectStatus(read('waits/versions/1.0.0/archive', token), 200);
      expect(archive.headers.get('cache-control')).toContain('no-store');
    }
    const { reviews } = (await expectStatus(call(registry.url, '/v1/reviews', { token: curator }), 200)).body;
    expect(reviews).toMatchObject([{ package: 'waits', version: '1.0.0', state: 'pending', publisher: 'alice' }]);
    await expectStatus(call(registry.url, '/v1/reviews', { token: alice }), 403);
    await expectStatus(call(registry.url, '/v1/reviews'), 401);
  });

  it('is decided on by curators only, and not by who published it', async () => {
    const before = await snapshot(registry.dataFolder);
    for (const action of ['approve', 'reject', 'quarantine']) {
      for (const token of [alice, bob]) expect((await change(token, 'waits@1.0.0', action)).status).toBe(403);
      const [name, version] = ['waits', '1.0.0'];
      await expectStatus(call(registry.url, `/v1/packages/${name}/versions/${version}/${action}`, { json: {} }), 401);
    }
    expect(await snapshot(registry.dataFolder)).toEqual(before);
    await expectStatus(publishTo(registry.url, curator, sketchArchive({ name: 'own-work' })), 202);
    expect((await expectStatus(change(curator, 'own-work@1.0.0', 'approve'), 403)).body.detail).toContain('carol');
  });

  it('is listed by an approval, at once and for all, and a repeat changes nothing', async () => {
    const approved = await expectStatus(change(curator, 'waits@1.0.0', 'approve'), 200);
    expect(approved.body.manifest.status.state).toBe('listed');
    expect((await expectStatus(read('waits'), 200)).body.tags).toEqual({ latest: '1.0.0' });
    await expectStatus(read('waits/versions/1.0.0/archive'), 200);
    const before = await snapshot(registry.dataFolder);
    await expectStatus(change(curator, 'waits@1.0.0', 'approve'), 200);
    expect(await snapshot(registry.dataFolder)).toEqual(before);
    expect((await change(curator, 'waits@1.0.0', 'reject')).body.code).toBe('state_conflict');
  });

  it('can be rejected, which is not the end', async () => {
    await expectStatus(publishTo(registry.url, alice, sketchArchive({ name: 'waits', version: '1.1.0' })), 202);
    await expectStatus(change(curator, 'waits@1.1.0', 'reject', { reason: 'unclear' }), 200);
    await expectStatus(read('waits/versions/1.1.0'), 404);
    expect((await read('waits/versions/1.1.0', alice)).body.status).toMatchObject({
      state: 'rejected',
      stateReason: 'unclear',
    });
    expect((await read('waits')).body.versions).toHaveLength(1);
    await expectStatus(change(curator, 'waits@1.1.0', 'approve'), 200);
    expect((await read('waits')).body.tags.latest).toBe('1.1.0');
  });

  it('keeps the tag it was published with until it is listed', async () => {
    const beta = sketchArchive({ name: 'waits', version: '2.0.0-beta.1' });
    await expectStatus(publishTo(registry.url, alice, beta), 202);
    expect((await read('waits')).body.tags).toEqual({ latest: '1.1.0' });
    await expectStatus(change(curator, 'waits@2.0.0-beta.1', 'approve'), 200);
    expect((await read('waits')).body.tags).toEqual({ latest: '1.1.0', beta: '2.0.0-beta.1' });
  });
});

describe('a listed version', () => {
  let name: string;
  let counter = 0;
  beforeEach(async () => {
    name = `seeded-${'abcdefghij'[counter++]}x`;
    await seedPackages(registry.dataFolder, [
      { name, version: '1.0.0' },
      { name, version: '1.1.0' },
    ]);
    await expectStatus(
      call(registry.url, `/v1/packages/${name}/owners`, { token: admin, json: { user: 'alice' } }),
      200,
    );
  });

  it('that is quarantined says why to everybody who wants it', async () => {
    await expectStatus(read(`${name}/versions/1.1.0/archive`), 200);
    await expectStatus(change(curator, `${name}@1.1.0`, 'quarantine', { reason: 'steals keys' }), 200);
    for (const token of [undefined, alice, curator, admin]) {
      const answer = await expectStatus(read(`${name}/versions/1.1.0/archive`, token), 403);
      expect(answer.body).toMatchObject({ code: 'version_quarantined', details: { reason: 'steals keys' } });
      expect(answer.body.detail).toContain('steals keys');
    }
    expect((await read(name)).body.versions).toHaveLength(1);
    expect((await read(name)).body.tags.latest).toBe('1.0.0');
    expect((await read(`${name}/versions/1.1.0`)).body.status).toMatchObject({
      state: 'quarantined',
      stateReason: 'steals keys',
    });
    await expectStatus(change(curator, `${name}@1.1.0`, 'approve'), 200);
    await expectStatus(read(`${name}/versions/1.1.0/archive`), 200);
  });

  it('that is yanked stays, and is not the latest any more', async () => {
    for (const token of [bob, curator]) await expectStatus(change(token, `${name}@1.1.0`, 'yank'), 403);
    await expectStatus(change(alice, `${name}@1.1.0`, 'yank', { reason: 'broken' }), 200);
    const { body } = await read(name);
    expect(body.tags.latest).toBe('1.0.0');
    expect(body.versions[1]).toMatchObject({ version: '1.1.0', yanked: 'broken', state: 'listed' });
    await expectStatus(read(`${name}/versions/1.1.0/archive`), 200);
    await expectStatus(change(alice, `${name}@1.1.0`, 'unyank'), 200);
    expect((await read(name)).body).toMatchObject({ tags: { latest: '1.1.0' } });
    await expectStatus(
      call(registry.url, `/v1/packages/${name}/versions/1.1.0/yank`, { method: 'POST', token: alice }),
      200,
    );
  });

  it('that is deprecated says so until it is taken back', async () => {
    await expectStatus(change(alice, `${name}@1.0.0`, 'deprecate', { message: 'use 1.1.0' }), 200);
    expect((await read(name)).body.versions[0].deprecated).toBe('use 1.1.0');
    await expectStatus(change(alice, `${name}@1.0.0`, 'deprecate', { message: '' }), 200);
    expect((await read(name)).body.versions[0].deprecated).toBeNull();
    await expectStatus(change(alice, `${name}@1.0.0`, 'deprecate', {}), 400);
    await expectStatus(change(alice, `${name}@9.9.9`, 'yank'), 404);
    await expectStatus(change(alice, 'nothing-here@1.0.0', 'yank'), 404);
  });

  it('gets and loses tags by its owners', async () => {
    const tag = (token: string, word: string, version: string) =>
      call(registry.url, `/v1/packages/${name}/tags/${word}`, { method: 'PUT', token, json: { version } });
    const untag = (token: string, word: string) =>
      call(registry.url, `/v1/packages/${name}/tags/${word}`, { method: 'DELETE', token });
    await expectStatus(tag(bob, 'lts', '1.0.0'), 403);
    await expectStatus(tag(alice, 'lts', '1.0.0'), 200);
    expect((await read(name)).body.tags).toEqual({ latest: '1.1.0', lts: '1.0.0' });
    await expectStatus(tag(alice, 'lts', '1.1.0'), 200);
    expect((await read(name)).body.tags.lts).toBe('1.1.0');
    expect((await expectStatus(tag(alice, 'latest', '1.0.0'), 409)).body.code).toBe('reserved_tag');
    expect((await expectStatus(untag(alice, 'latest'), 409)).body.code).toBe('reserved_tag');
    expect((await expectStatus(tag(alice, 'lts', '9.0.0'), 404)).body.code).toBe('version_not_found');
    for (const word of ['1.0.0', 'x', 'A', '%00', '__proto__']) await expectStatus(tag(alice, word, '1.0.0'), 400);
    await expectStatus(tag(alice, 'constructor', '1.0.0'), 200);
    await expectStatus(untag(alice, 'constructor'), 200);
    await expectStatus(untag(alice, 'lts'), 200);
    expect((await expectStatus(untag(alice, 'lts'), 404)).body.code).toBe('tag_not_found');
    expect((await read(name)).body.tags).toEqual({ latest: '1.1.0' });
  });

  it('has owners who make others owners', async () => {
    const owners = (token: string | undefined, method: string, path = '', json?: object) =>
      call(registry.url, `/v1/packages/${name}/owners${path}`, {
        method,
        ...(token === undefined ? {} : { token }),
        ...(json === undefined ? {} : { json }),
      });
    expect((await owners(undefined, 'GET')).body.owners).toEqual(['alice', 'pi-tools']);
    await expectStatus(owners(bob, 'POST', '', { user: 'bob' }), 403);
    await expectStatus(owners(alice, 'POST', '', { user: 'nobody-here' }), 404);
    await expectStatus(owners(alice, 'POST', '', { user: 'bob' }), 200);
    await expectStatus(owners(bob, 'DELETE', '/alice'), 200);
    await expectStatus(owners(bob, 'DELETE', '/pi-tools'), 200);
    await expectStatus(owners(alice, 'DELETE', '/bob'), 403);
    expect((await expectStatus(owners(bob, 'DELETE', '/bob'), 409)).body.code).toBe('state_conflict');
    expect((await read(name)).body.owners).toEqual(['bob']);
  });
});

describe('review modes', { timeout: TIMEOUT_MS }, () => {
  // Takes the place of a built-in without saying so: a curator has to look at it.
  const suspicious = (name: string) => sketchArchive({ name, tools: { read: 'Reads a file' } });

  it('auto: lists what has nothing to review, and holds what has', async () => {
    await registry.restart({ review: 'auto' });
    const clean = await expectStatus(publishTo(registry.url, alice, sketchArchive({ name: 'clean-one' })), 201);
    expect(clean.body.status).toBe('listed');
    const held = await publishTo(registry.url, alice, suspicious('sneaky'));
    const levels = held.body.manifest.status.findings.map((finding: { level: string }) => finding.level);
    expect(levels).toContain('review');
    expect([held.status, held.body.status]).toEqual([202, 'pending']);
    const rules = held.body.manifest.status.findings.filter((finding: { level: string }) => finding.level === 'review');
    for (const { rule } of rules) expect(held.body.hint).toContain(rule);
    const again = await expectStatus(publishTo(registry.url, alice, suspicious('sneaky')), 200);
    expect(again.body).toMatchObject({ status: 'identical', manifest: { status: { state: 'pending' } } });
  });

  it('auto: holds the first version by somebody who is new to the package', async () => {
    await seedPackages(registry.dataFolder, [{ name: 'handed-over', version: '1.0.0' }]);
    await expectStatus(
      call(registry.url, '/v1/packages/handed-over/owners', { token: admin, json: { user: 'alice' } }),
      200,
    );
    const next = sketchArchive({ name: 'handed-over', version: '1.1.0' });
    const held = await expectStatus(publishTo(registry.url, alice, next), 202);
    expect(held.body.hint).toContain('change/publisher');
    await expectStatus(change(curator, 'handed-over@1.1.0', 'approve'), 200);
    const known = sketchArchive({ name: 'handed-over', version: '1.2.0' });
    await expectStatus(publishTo(registry.url, alice, known), 201);
  });

  it('off: lists what has no error', async () => {
    await registry.restart({ review: 'off' });
    await expectStatus(publishTo(registry.url, alice, suspicious('sneaky-too')), 201);
  });

  it('refuse error findings in every mode, with the findings, and change nothing', async () => {
    const broken = sketchArchive({ name: 'broken', files: { 'index.ts': 'export const nothing = 1;' } });
    for (const review of ['off', 'auto', 'required'] as const) {
      await registry.restart({ review });
      const before = await snapshot(registry.dataFolder);
      const answer = await expectStatus(publishTo(registry.url, alice, broken), 422);
      expect(answer.body.code).toBe('findings');
      expect(answer.body.details.findings).toContainEqual(
        expect.objectContaining({ level: 'error', rule: 'pi/no-factory' }),
      );
      expect(await snapshot(registry.dataFolder)).toEqual(before);
    }
  });
});
