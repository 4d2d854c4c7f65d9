import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeArchive } from '../../tool-package/archive/write.ts';
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

let registry: LiveRegistry;
let alice: string;
let bob: string;

beforeEach(async () => {
  registry = await startRegistry({ review: 'off' });
  [alice, bob] = [await addUser(registry, 'alice'), await addUser(registry, 'bob')];
});
afterEach(() => registry.end());

/** The refusal's code; fails unless the world is exactly as before. */
const expectRefused = async (token: string, archive: Uint8Array, status: number, query = ''): Promise<string> => {
  const before = await snapshot(registry.dataFolder);
  const answer = await expectStatus(publishTo(registry.url, token, archive, query), status);
  expect(await snapshot(registry.dataFolder)).toEqual(before);
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  expect(answer.body).toMatchObject({ status, title: expect.any(String), detail: expect.any(String) });
  return answer.body.code;
};

/** Inspection on a busy machine. */
const TIMEOUT_MS = 120_000;

describe('a publish that is taken', { timeout: TIMEOUT_MS }, () => {
  it('is listed, and everybody can read it at once', async () => {
    const archive = sketchArchive();
    const answer = await expectStatus(publishTo(registry.url, alice, archive), 201);
    expect(answer.body.status).toBe('listed');
    expect(answer.body.manifest.record).toMatchObject({ name: 'weather', version: '1.0.0', publisher: 'alice' });

    const document = await expectStatus(call(registry.url, '/v1/packages/weather'), 200);
    expect(document.body).toMatchObject({ name: 'weather', owners: ['alice'], tags: { latest: '1.0.0' } });
    const manifest = await expectStatus(call(registry.url, '/v1/packages/weather/versions/1.0.0'), 200);
    expect(manifest.body).toEqual(answer.body.manifest);
    const bytes = await expectStatus(call(registry.url, '/v1/packages/weather/versions/1.0.0/archive'), 200);
    expect(bytes.body.equals(archive)).toBe(true);

    const world = await snapshot(registry.dataFolder);
    expect(world.rows.versions).toHaveLength(1);
    expect(world.rows.events?.at(-1)).toMatchObject({ kind: 'publish', actor: 'alice', package: 'weather' });
    expect(world.blobs).toHaveLength(1);
    expect(world.incoming).toEqual([]);
  });

  it('may be repeated with the same bytes, which changes nothing', async () => {
    const archive = sketchArchive();
    await expectStatus(publishTo(registry.url, alice, archive), 201);
    const before = await snapshot(registry.dataFolder);
    const again = await expectStatus(publishTo(registry.url, alice, archive), 200);
    expect(again.body.status).toBe('identical');
    expect(await snapshot(registry.dataFolder)).toEqual(before);
  });

  it('takes a scoped name as one encoded segment', async () => {
    await expectStatus(publishTo(registry.url, alice, sketchArchive({ name: '@team/x', version: '0.1.0' })), 201);
    const document = await expectStatus(call(registry.url, '/v1/packages/%40team%2Fx'), 200);
    expect(document.body.name).toBe('@team/x');
    await expectStatus(call(registry.url, '/v1/packages/@team%2fx/versions/0.1.0'), 200);
    await expectStatus(call(registry.url, '/v1/packages/@team/x'), 404);
  });

  it('comes as any of the three types an archive is sent as', async () => {
    const body = sketchArchive();
    const statuses = [];
    for (const type of ['application/gzip', 'application/x-gzip', 'application/octet-stream']) {
      const headers = { 'content-type': type };
      statuses.push((await call(registry.url, '/v1/publish', { token: alice, body, headers })).status);
    }
    expect(statuses).toEqual([201, 200, 200]);
  });

  it('keeps versions in order, with the highest stable one as `latest` and pre-releases under their own tag', async () => {
    const versions = [
      '1.10.0',
      '1.2.0',
      '2.0.0-beta.2',
      '2.0.0-beta.1',
      '2.0.0-rc.1',
      '1.9.0',
      '2.0.0-x.1',
      '2.0.0-latest.1',
      '2.0.0-Beta',
      '2.0.0-5',
    ];
    await seedPackages(
      registry.dataFolder,
      versions.map((version) => ({ version })),
    );
    const { body } = await call(registry.url, '/v1/packages/weather');
    expect(body.versions.map((row: { version: string }) => row.version)).toEqual([
      '1.2.0',
      '1.9.0',
      '1.10.0',
      '2.0.0-5',
      '2.0.0-Beta',
      '2.0.0-beta.1',
      '2.0.0-beta.2',
      '2.0.0-latest.1',
      '2.0.0-rc.1',
      '2.0.0-x.1',
    ]);
    expect(body.tags).toEqual({ latest: '1.10.0', beta: '2.0.0-beta.2', rc: '2.0.0-rc.1' });
  });

  it('gives `latest` to the highest pre-release where there is nothing stable', async () => {
    for (const version of ['1.0.0-beta.10', '1.0.0-0']) {
      await expectStatus(publishTo(registry.url, alice, sketchArchive({ version })), 201);
    }
    const { body } = await call(registry.url, '/v1/packages/weather');
    expect(body.tags).toEqual({ latest: '1.0.0-beta.10', beta: '1.0.0-beta.10' });
  });

  it('sets the tag that it is asked for', async () => {
    await expectStatus(publishTo(registry.url, alice, sketchArchive({ version: '1.0.0' }), '?tag=lts'), 201);
    const { body } = await call(registry.url, '/v1/packages/weather');
    expect(body.tags).toEqual({ latest: '1.0.0', lts: '1.0.0' });
  });
});

describe('a publish that is refused changes nothing', { timeout: TIMEOUT_MS }, () => {
  it('without a token, with a broken one, with one that may not', async () => {
    const archive = sketchArchive();
    const before = await snapshot(registry.dataFolder);
    const body = archive;
    const headers = { 'content-type': 'application/gzip' };
    const none = await expectStatus(call(registry.url, '/v1/publish', { body, headers }), 401);
    expect(none.body.code).toBe('unauthorized');
    expect(none.headers.get('www-authenticate')).toMatch(/^Bearer/);
    const broken = await expectStatus(publishTo(registry.url, `${alice}x`, archive), 401);
    expect(broken.body.code).toBe('invalid_token');
    expect(await snapshot(registry.dataFolder)).toEqual(before);
    const reader = await addUser(registry, 'reader', { scopes: ['read'] });
    expect(await expectRefused(reader, archive, 403)).toBe('forbidden');
  });

  it('for other bytes under a version that exists', async () => {
    await expectStatus(publishTo(registry.url, alice, sketchArchive()), 201);
    expect(await expectRefused(alice, sketchArchive({ description: 'changed' }), 409)).toBe('version_exists');
  });

  it("for another's package: any version, also the same bytes", async () => {
    const archive = sketchArchive();
    await expectStatus(publishTo(registry.url, alice, archive), 201);
    expect(await expectRefused(bob, sketchArchive({ version: '1.0.1' }), 403)).toBe('not_owner');
    expect(await expectRefused(bob, archive, 403)).toBe('not_owner');
  });

  it('for a name that people would take for another one', async () => {
    await expectStatus(publishTo(registry.url, alice, sketchArchive({ name: 'web-search' })), 201);
    for (const name of ['websearch', 'web-sear-ch', 'webs-earch']) {
      expect(await expectRefused(bob, sketchArchive({ name }), 409)).toBe('name_too_similar');
    }
    for (const name of ['Web-Search', 'web_search', 'web--search', 'wеb-search', '../x', 'constructor']) {
      expect(await expectRefused(bob, sketchArchive({ name }), 422)).toMatch(/^invalid_(name|package_json)$/);
    }
  });

  it('for what cannot be read as an archive', async () => {
    const archive = sketchArchive();
    const cut = archive.subarray(0, archive.byteLength - 20);
    for (const bytes of [Buffer.alloc(0), Buffer.from('hello'), cut, Buffer.concat([archive, archive])]) {
      expect(await expectRefused(alice, bytes, 422)).toBe('invalid_archive');
    }
    const noManifest = makeArchive([{ path: 'index.ts', bytes: Buffer.from('export default () => {}') }]);
    expect(await expectRefused(alice, noManifest, 422)).toMatch(/^invalid_/);
  });

  it('for a package that says that it is private', async () => {
    const archive = sketchArchive({ packageJson: { private: true } });
    expect(await expectRefused(alice, archive, 422)).toBe('private_package');
  });

  it('for a version that is not canonical', async () => {
    for (const version of ['v1.0.0', '1.0', '1.0.0+build', ' 1.0.0', '1.0.0\u0000', '01.0.0', '9007199254740991.0.0']) {
      expect(await expectRefused(alice, sketchArchive({ version }), 422)).toMatch(/^invalid_(version|package_json)$/);
    }
  });

  it('for a tag that cannot be one', async () => {
    expect(await expectRefused(alice, sketchArchive(), 409, '?tag=latest')).toBe('reserved_tag');
    for (const tag of ['1.0.0', '^1', 'x', 'A', '..', '-', '%00']) {
      expect(await expectRefused(alice, sketchArchive(), 400, `?tag=${tag}`)).toBe('invalid_tag');
    }
  });

  it('for a body of another type, and metadata beside it is no way in', async () => {
    for (const type of ['text/plain', 'application/json', 'multipart/form-data; boundary=x', 'application/gzip2', '']) {
      const answer = call(registry.url, '/v1/publish', {
        token: alice,
        body: sketchArchive(),
        headers: { 'content-type': type },
      });
      expect((await expectStatus(answer, 415)).body.code).toBe('unsupported_media_type');
    }
    const empty = await expectStatus(call(registry.url, '/v1/publish', { method: 'POST', token: alice }), 422);
    expect(empty.body.code).toBe('invalid_archive');
    const world = await snapshot(registry.dataFolder);
    expect([world.rows.versions, world.blobs, world.incoming]).toEqual([[], [], []]);
  });
});
