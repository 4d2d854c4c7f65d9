import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTokenText } from '../../server/registry/token-text.ts';
import { addUser, call, expectStatus, type LiveRegistry, snapshot, startRegistry } from '../support/registry.ts';

const DAY_MS = 86_400_000;

let registry: LiveRegistry;
let admin: string;
let alice: string;
let bob: string;

beforeAll(async () => {
  registry = await startRegistry({ limits: { failedLoginsPerMinute: 1000 } });
  admin = registry.adminToken;
  [alice, bob] = [await addUser(registry, 'alice'), await addUser(registry, 'bob')];
});
afterAll(() => registry.end());

const me = (token: string) => call(registry.url, '/v1/me', { token });
const newToken = (token: string, json: object) => call(registry.url, '/v1/tokens', { token, json });

describe('the first start', () => {
  it('gives an administrator’s token, once', async () => {
    expect(admin).toMatch(/^pit_[0-9A-Za-z]{38}$/);
    expect((await me(admin)).body).toEqual({
      user: 'admin',
      role: 'administrator',
      scopes: ['admin', 'publish', 'read', 'review'],
    });
    await registry.restart();
    await expectStatus(me(admin), 200);
    const { rows } = await snapshot(registry.dataFolder);
    expect(rows.users?.filter((user) => (user as { role: string }).role === 'administrator')).toHaveLength(1);
  });
});

describe('a token', () => {
  it('says who it is', async () => {
    expect((await expectStatus(me(alice), 200)).body).toEqual({
      user: 'alice',
      role: 'publisher',
      scopes: ['publish', 'read'],
    });
  });

  it('is refused when it is missing, malformed, unknown, revoked or mistyped, and never repeated in the answer', async () => {
    expect((await expectStatus(call(registry.url, '/v1/me'), 401)).body.code).toBe('unauthorized');
    const last = alice.at(-1) === 'x' ? 'y' : 'x';
    const wrong = [
      'x',
      'pit_',
      'pit_x',
      alice.slice(0, -1),
      `${alice.slice(0, -1)}${last}`,
      makeTokenText(),
      alice.toUpperCase(),
      'x'.repeat(4000),
      'null',
      "' or 1=1 --",
    ];
    for (const token of wrong) {
      const answer = await expectStatus(me(token), 401);
      expect(answer.body.code).toBe('invalid_token');
      expect(answer.headers.get('www-authenticate')).toContain('invalid_token');
      expect(JSON.stringify(answer.body)).not.toContain(token.length > 4 ? token : '\u0000');
    }
    for (const authorization of ['Basic YTpi', alice, `Bearer`, `Bearer ${alice} x`, `Token ${alice}`]) {
      expect((await call(registry.url, '/v1/me', { headers: { authorization } })).status, authorization).toBe(401);
    }
    // A token in the address is not looked at.
    await expectStatus(call(registry.url, `/v1/me?token=${alice}`), 401);
    // Also where nobody would have to be known.
    await expectStatus(call(registry.url, '/v1/packages/x', { token: makeTokenText() }), 401);
  });

  it('is made within what its maker may, for at most 90 days', async () => {
    const made = await expectStatus(newToken(alice, { scopes: ['publish'], note: 'ci' }), 201);
    expect(made.body).toMatchObject({ token: expect.stringMatching(/^pit_/), scopes: ['publish'] });
    expect(Date.parse(made.body.expires) - Date.now()).toBeLessThanOrEqual(90 * DAY_MS);
    expect((await expectStatus(newToken(alice, {}), 201)).body.scopes).toEqual(['read']);
    for (const scopes of [['review'], ['admin'], ['publish', 'admin']]) {
      expect((await expectStatus(newToken(alice, { scopes }), 403)).body.code).toBe('forbidden');
    }
    const reader = (await newToken(alice, { scopes: ['read'] })).body.token;
    await expectStatus(newToken(reader, { scopes: ['publish'] }), 403);
    await expectStatus(newToken(alice, { user: 'bob' }), 403);
    await expectStatus(newToken(admin, { user: 'alice', scopes: ['admin'] }), 403);
    await expectStatus(newToken(admin, { user: 'nobody' }), 404);
  });

  it('ends when it is said to, and not after its maker', async () => {
    const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
    for (const expires of [inDays(91), inDays(-1), '1970-01-01', 'tomorrow', '2027-13-45', '9999-12-31T00:00:00Z']) {
      await expectStatus(newToken(alice, { expires }), 400);
    }
    const short = await expectStatus(newToken(alice, { expires: inDays(2), scopes: ['read'] }), 201);
    const child = await expectStatus(newToken(short.body.token, {}), 201);
    expect(child.body.expires).toBe(short.body.expires);
    await expectStatus(newToken(short.body.token, { expires: inDays(3) }), 400);

    const soon = await expectStatus(newToken(alice, { expires: new Date(Date.now() + 1200).toISOString() }), 201);
    await expectStatus(me(soon.body.token), 200);
    await new Promise((resolve) => setTimeout(resolve, 1300));
    await expectStatus(me(soon.body.token), 401);
  });

  it('is listed without itself, and revoked at once by its user or an administrator only', async () => {
    const made = (await newToken(alice, { note: 'to revoke' })).body;
    const listed = await expectStatus(call(registry.url, '/v1/tokens', { token: alice }), 200);
    expect(listed.body.tokens.every((row: { user: string }) => row.user === 'alice')).toBe(true);
    expect(listed.body.tokens.map((row: { id: string }) => row.id)).toContain(made.id);
    expect(JSON.stringify(listed.body)).not.toContain('pit_');
    const revoke = (token: string) => call(registry.url, `/v1/tokens/${made.id}`, { method: 'DELETE', token });
    expect((await expectStatus(revoke(bob), 404)).body.code).toBe('token_not_found');
    await expectStatus(me(made.token), 200);
    await expectStatus(revoke(alice), 200);
    await expectStatus(me(made.token), 401);
    await expectStatus(revoke(alice), 404);
    const another = (await newToken(alice, {})).body;
    await expectStatus(call(registry.url, `/v1/tokens/${another.id}`, { method: 'DELETE', token: admin }), 200);
    await expectStatus(me(another.token), 401);
  });

  it('lies nowhere on the disk, only its hash in the database', async () => {
    const database = new Sqlite(join(registry.dataFolder, 'registry.db'), { readonly: true });
    const hashes = database.prepare('select hash from tokens').pluck().all();
    database.close();
    expect(hashes).toContain(createHash('sha256').update(alice).digest('hex'));
    for (const file of await readdir(registry.dataFolder, { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue;
      const bytes = await readFile(join(file.parentPath, file.name));
      for (const token of [admin, alice, bob]) expect(bytes.includes(token.slice(4)), file.name).toBe(false);
    }
  });

  it('that is wrong too often slows its address down, whatever the route', async () => {
    await registry.restart({ limits: { failedLoginsPerMinute: 5 } });
    const statuses = [];
    for (let index = 0; index < 8; index++)
      statuses.push((await call(registry.url, '/v1/packages/x', { token: makeTokenText() })).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
    const limited = await call(registry.url, '/v1/me', { token: makeTokenText() });
    expect([limited.status, limited.body.code]).toEqual([429, 'rate_limited']);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    await expectStatus(me(alice), 200);
    await registry.restart({ limits: { failedLoginsPerMinute: 1000 } });
  });

  it('that writes too often is told to wait', async () => {
    await registry.restart({ limits: { writesPerMinute: 3 } });
    const statuses = [];
    for (let index = 0; index < 5; index++) statuses.push((await newToken(bob, {})).status);
    expect(statuses).toEqual([201, 201, 201, 429, 429]);
    expect(Number((await newToken(bob, {})).headers.get('retry-after'))).toBeGreaterThan(0);
    await expectStatus(newToken(alice, {}), 201);
    await registry.restart({ limits: {} });
  });
});

describe('users', () => {
  const add = (token: string, json: object) => call(registry.url, '/v1/users', { token, json });

  it('are made, listed and removed by administrators only', async () => {
    for (const token of [alice, bob]) {
      await expectStatus(add(token, { user: 'carol' }), 403);
      await expectStatus(call(registry.url, '/v1/users', { token }), 403);
      await expectStatus(call(registry.url, '/v1/users/alice', { method: 'DELETE', token }), 403);
    }
    await expectStatus(add(admin, { user: 'carol', role: 'curator' }), 201);
    expect((await expectStatus(add(admin, { user: 'carol' }), 409)).body.code).toBe('user_exists');
    const { users } = (await expectStatus(call(registry.url, '/v1/users', { token: admin }), 200)).body;
    expect(users).toContainEqual({ user: 'carol', role: 'curator', createdAt: expect.any(String) });
  });

  it('have names that are names', async () => {
    for (const user of [
      '',
      'A',
      'a b',
      '../a',
      'a--b',
      '-a',
      'a'.repeat(64),
      'аlice',
      '__proto__',
      'a\u0000',
      'pi-tools',
      'host',
    ]) {
      await expectStatus(add(admin, { user }), 400);
    }
    await expectStatus(add(admin, { user: 'dave', role: 'king' }), 400);
    await expectStatus(add(admin, {}), 400);
  });

  it('lose their tokens when they go, and their name is not given again', async () => {
    const erin = await addUser(registry, 'erin');
    await expectStatus(call(registry.url, '/v1/users/erin', { method: 'DELETE', token: admin }), 200);
    await expectStatus(me(erin), 401);
    await expectStatus(add(admin, { user: 'erin' }), 409);
    await expectStatus(call(registry.url, '/v1/users/erin', { method: 'DELETE', token: admin }), 404);
    const last = await expectStatus(call(registry.url, '/v1/users/admin', { method: 'DELETE', token: admin }), 409);
    expect(last.body.code).toBe('state_conflict');
  });

  it('are listed in pages', async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const path: string = `/v1/users?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`;
      const { body } = await expectStatus(call(registry.url, path, { token: admin }), 200);
      seen.push(...body.users.map((row: { user: string }) => row.user));
      cursor = body.cursor;
    } while (cursor !== null);
    expect(seen).toEqual([...new Set(seen)].sort());
    expect(seen).toEqual(expect.arrayContaining(['admin', 'alice', 'bob', 'carol']));
  });
});

describe('events', () => {
  it('tell what happened, oldest first, to curators and administrators, and hold no token', async () => {
    await expectStatus(call(registry.url, '/v1/events', { token: alice }), 403);
    const { body } = await expectStatus(call(registry.url, '/v1/events?limit=200', { token: admin }), 200);
    const kinds = body.events.map((event: { kind: string }) => event.kind);
    expect(kinds.slice(0, 3)).toEqual(['user-create', 'token-create', 'user-create']);
    expect(kinds).toEqual(expect.arrayContaining(['token-revoke', 'user-remove']));
    const ids = body.events.map((event: { id: number }) => event.id);
    expect(ids).toEqual([...ids].sort((left, right) => left - right));
    expect(JSON.stringify(body)).not.toContain('pit_');
  });
});
