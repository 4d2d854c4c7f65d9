import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { closeDeps, type Deps, openDeps } from '../../server/deps.ts';
import { createJobs, runDueJobs } from '../../server/jobs/runner.ts';
import { startServer } from '../../server/main.ts';
import { collectBlobs } from '../../server/registry/collect-blobs.ts';
import { seedCatalog } from '../../server/registry/seed-catalog.ts';
import { call, expectStatus, listBlobs, snapshot, startRegistry } from '../support/registry.ts';
import { seedPackages, writeCatalog } from '../support/seeded.ts';
import { spawnServer } from '../support/server-process.ts';

let dataFolder: string;
beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'pi-tools-data-'));
});
afterEach(() => rm(dataFolder, { recursive: true, force: true }));

const withDeps = async <T>(work: (deps: Deps) => Promise<T>): Promise<T> => {
  const deps = await openDeps({ dataFolder });
  try {
    return await work(deps);
  } finally {
    await closeDeps(deps);
  }
};

describe('a data folder', () => {
  it('is for its owner alone', async () => {
    await chmod(dataFolder, 0o755);
    await withDeps(async () => undefined);
    expect((await stat(dataFolder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(dataFolder, 'blobs'))).mode & 0o777).toBe(0o700);
  });

  it('keeps every commit: WAL with synchronous=FULL on every connection, and its foreign keys', async () => {
    await withDeps(async (deps) => {
      const { sql } = await import('kysely');
      const read = async (db: Parameters<ReturnType<typeof sql>['execute']>[0], pragma: string) =>
        Object.values((await sql`${sql.raw(`pragma ${pragma}`)}`.execute(db)).rows[0] as object)[0];
      expect(await read(deps.store.read, 'journal_mode')).toBe('wal');
      expect(await read(deps.store.read, 'synchronous')).toBe(2);
      await deps.store.write(async (trx) => {
        expect(await read(trx, 'synchronous')).toBe(2);
        expect(await read(trx, 'foreign_keys')).toBe(1);
      });
    });
  });

  it('cannot be written through its reading connection', async () => {
    await withDeps(async (deps) => {
      const write = deps.store.read
        .insertInto('events')
        .values({ at: '', actor: '', kind: '', package: null, version: null, detail: '' });
      await expect(write.execute()).rejects.toThrow(/readonly/i);
    });
  });

  it('shows a reader nothing of a transaction before it is committed, and nothing of one that fails', async () => {
    await withDeps(async (deps) => {
      const count = async () => (await deps.store.read.selectFrom('events').selectAll().execute()).length;
      const failing = deps.store.write(async (trx) => {
        await trx
          .insertInto('events')
          .values({ at: '', actor: '', kind: '', package: null, version: null, detail: '{}' })
          .execute();
        expect(await count()).toBe(0);
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect(await count()).toBe(0);
    });
  });

  it('that is damaged or newer is refused with a reason', async () => {
    await withDeps(async () => undefined);
    const file = join(dataFolder, 'registry.db');
    const database = new Sqlite(file);
    database.prepare("insert into migrations values (999, 'future', '')").run();
    database.close();
    await expect(openDeps({ dataFolder })).rejects.toMatchObject({ code: 'data_folder_invalid' });
    const bytes = await readFile(file);
    await rm(`${file}-wal`, { force: true });
    await writeFile(file, Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(8192, 7), bytes.subarray(12288)]));
    await expect(openDeps({ dataFolder })).rejects.toMatchObject({ code: 'data_folder_invalid' });
    await writeFile(file, 'this is no database, but it is long enough to look like one: '.repeat(100));
    await expect(openDeps({ dataFolder })).rejects.toMatchObject({ code: 'data_folder_invalid' });
  });

  it('with a search index of another form gets it anew', async () => {
    await seedPackages(dataFolder, [{ name: 'kept', version: '1.0.0', description: '查询天气' }]);
    const database = new Sqlite(join(dataFolder, 'registry.db'));
    database.exec('update search_format set format = 0; delete from search_text; delete from search_terms');
    database.close();
    await withDeps(async (deps) => {
      for (const text of ['kept', '天气', 'kebt']) {
        expect(deps.store.search({ text, agent: null, limit: 9, offset: 0 }).total, text).toBe(1);
      }
    });
  });

  it('is served by one server at a time, and opened by anybody else', async () => {
    const server = await startServer({ dataFolder, port: 0 });
    await expect(startServer({ dataFolder, port: 0 })).rejects.toMatchObject({ code: 'data_folder_locked' });
    await withDeps(async (deps) =>
      expect(deps.store.search({ text: '', agent: null, limit: 1, offset: 0 }).total).toBe(0),
    );
    await server.stop();
    const next = await startServer({ dataFolder, port: 0 });
    expect(next.adminToken).toBeNull();
    await next.stop();
    await next.stop();
  });

  it('is not taken over from a server that only stands still', { timeout: 120_000 }, async () => {
    const server = await spawnServer({ dataFolder, port: 0 });
    server.child.kill('SIGSTOP');
    await expect(startServer({ dataFolder, port: 0 })).rejects.toMatchObject({ code: 'data_folder_locked' });
    server.child.kill('SIGCONT');
    await expectStatus(call(server.url, '/healthz'), 200);
    await server.kill();
    const next = await startServer({ dataFolder, port: 0 });
    await next.stop();
  });

  it('waits for another writer without standing still, and gives up in time', { timeout: 120_000 }, async () => {
    const registry = await startRegistry({ dataFolder });
    const blocker = new Sqlite(join(dataFolder, 'registry.db'), { timeout: 0 });
    await vi.waitFor(() => blocker.exec('begin immediate'), { timeout: 5000, interval: 20 });
    const token = registry.adminToken;
    const waiting = Promise.all([1, 2, 3].map(() => call(registry.url, '/v1/tokens', { token, json: {} })));
    const started = performance.now();
    await expectStatus(call(registry.url, '/healthz'), 200);
    await expectStatus(call(registry.url, '/v1/search'), 200);
    expect(performance.now() - started).toBeLessThan(2000);
    const answers = await waiting;
    expect(performance.now() - started).toBeLessThan(25_000);
    for (const answer of answers) {
      expect([answer.status, answer.body.code]).toEqual([503, 'busy']);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    blocker.exec('rollback');
    blocker.close();
    await expectStatus(call(registry.url, '/v1/tokens', { token, json: {} }), 201);
    await registry.stop();
  });

  it('stays where it is when the server starts again: all of it is there at once', async () => {
    const registry = await startRegistry({ dataFolder });
    await seedPackages(dataFolder, [{ name: 'kept', version: '1.0.0' }]);
    const before = await call(registry.url, '/v1/packages/kept');
    await registry.restart();
    expect((await call(registry.url, '/v1/packages/kept')).body).toEqual(before.body);
    await expectStatus(call(registry.url, '/v1/packages/kept/versions/1.0.0/archive'), 200);
    await registry.stop();
  });
});

describe('many processes', { timeout: 120_000 }, () => {
  it('that open an empty folder at the same time and put the catalog in all succeed', async () => {
    const catalog = await writeCatalog(join(dataFolder, 'catalog'), [
      { name: 'one', version: '1.0.0' },
      { name: 'two', version: '1.0.0' },
    ]);
    const target = join(dataFolder, 'registry');
    const module = (path: string) => JSON.stringify(new URL(`../../dist/server/${path}`, import.meta.url).href);
    const script = `
      import { openDeps, closeDeps } from ${module('deps.js')};
      import { seedCatalog } from ${module('registry/seed-catalog.js')};
      const deps = await openDeps({ dataFolder: process.argv[1] });
      console.log(await seedCatalog(deps, process.argv[2]));
      await closeDeps(deps);`;
    const run = promisify(execFile);
    const all = Array.from({ length: 12 }, () =>
      run(process.execPath, ['--input-type=module', '-e', script, target, catalog]),
    );
    const outputs = await Promise.all(all);
    expect(outputs.reduce((sum, { stdout }) => sum + Number(stdout), 0)).toBe(2);
    const world = await snapshot(target);
    expect([world.rows.versions?.length, world.blobs.length, world.incoming.length]).toEqual([2, 2, 0]);
  });
});

describe('the catalog', () => {
  const SKETCHES = ['one', 'two', 'three', 'four'].map((name) => ({ name, version: '1.0.0' }));

  it('goes in once, however many processes put it in at the same time', { timeout: 120_000 }, async () => {
    const catalog = await writeCatalog(join(dataFolder, 'catalog'), SKETCHES);
    const target = join(dataFolder, 'registry');
    const all = await Promise.all(Array.from({ length: 20 }, () => openDeps({ dataFolder: target })));
    const inserted = await Promise.all(all.map((deps) => seedCatalog(deps, catalog)));
    await Promise.all(all.map(closeDeps));
    expect(inserted.reduce((sum, count) => sum + count, 0)).toBe(SKETCHES.length);
    const world = await snapshot(target);
    expect([world.rows.versions?.length, world.blobs.length, world.incoming.length]).toEqual([4, 4, 0]);
    expect(world.rows.users).toMatchObject([{ name: 'pi-tools', role: 'publisher' }]);
  });

  it('adds what is new, and leaves alone what is there: yanked, quarantined, or somebody’s own', async () => {
    const registry = await startRegistry({ dataFolder: join(dataFolder, 'registry') });
    const first = await writeCatalog(join(dataFolder, 'first'), SKETCHES);
    const deps = await openDeps({ dataFolder: registry.dataFolder });
    expect(await seedCatalog(deps, first)).toBe(4);
    expect(await seedCatalog(deps, first)).toBe(0);
    const quarantine = call(registry.url, '/v1/packages/one/versions/1.0.0/quarantine', {
      token: registry.adminToken,
      json: {},
    });
    await expectStatus(quarantine, 200);
    const owner = { token: registry.adminToken, json: { user: 'admin' } };
    await expectStatus(call(registry.url, '/v1/packages/two/owners', owner), 200);
    const gone = call(registry.url, '/v1/packages/two/owners/pi-tools', {
      method: 'DELETE',
      token: registry.adminToken,
    });
    await expectStatus(gone, 200);
    const second = await writeCatalog(join(dataFolder, 'second'), [
      ...SKETCHES,
      { name: 'one', version: '1.1.0' },
      { name: 'two', version: '1.1.0' },
      { name: 'fo-ur', version: '1.0.0' },
    ]);
    expect(await seedCatalog(deps, second)).toBe(1);
    expect(
      (await call(registry.url, '/v1/packages/one')).body.versions.map((row: { version: string }) => row.version),
    ).toEqual(['1.1.0']);
    expect((await call(registry.url, '/v1/packages/two')).body.tags).toEqual({ latest: '1.0.0' });
    await closeDeps(deps);
    await registry.stop();
  });

  it('whose archive is not its record’s is refused whole', async () => {
    const catalog = await writeCatalog(join(dataFolder, 'catalog'), SKETCHES);
    await writeFile(join(catalog, '2.tgz'), await readFile(join(catalog, '1.tgz')));
    const target = join(dataFolder, 'registry');
    const deps = await openDeps({ dataFolder: target });
    await expect(seedCatalog(deps, catalog)).rejects.toMatchObject({ code: 'integrity_mismatch' });
    await closeDeps(deps);
    expect((await snapshot(target)).rows.versions).toEqual([]);
  });

  it('is offered by a server that is told to', async () => {
    const catalog = await writeCatalog(join(dataFolder, 'catalog'), SKETCHES);
    const registry = await startRegistry({ dataFolder: join(dataFolder, 'registry'), catalog });
    expect((await call(registry.url, '/v1/search')).body.total).toBe(4);
    expect(registry.adminToken).toMatch(/^pit_/);
    await registry.stop();
  });
});

describe('what nobody needs', () => {
  it('is collected: old blobs without a row, uploads of processes that have ended; nothing else', async () => {
    await seedPackages(dataFolder, [{ name: 'kept', version: '1.0.0' }]);
    await withDeps(async (deps) => {
      const [kept] = await listBlobs(dataFolder);
      const hash = (letter: string) => letter.repeat(128);
      for (const letter of ['a', 'b']) {
        const upload = join(dataFolder, 'incoming', `${process.pid}-${letter}`);
        await writeFile(upload, letter);
        await deps.blobs.put(upload, hash(letter));
        await rm(upload);
      }
      const old = new Date(Date.now() - 2 * 3_600_000);
      await utimes(join(dataFolder, 'blobs', 'aa', 'aa', hash('a')), old, old);
      await utimes(join(dataFolder, 'blobs', (kept ?? '').slice(0, 2), (kept ?? '').slice(2, 4), kept ?? ''), old, old);
      await writeFile(join(dataFolder, 'incoming', '999999999-dead'), 'x');
      await writeFile(join(dataFolder, 'incoming', `${process.pid}-live`), 'x');

      expect(await collectBlobs(deps)).toEqual({ blobs: 1, uploads: 1 });
      expect(await deps.blobs.has(hash('a'))).toBe(false);
      expect(await deps.blobs.has(hash('b'))).toBe(true);
      expect(await deps.blobs.has(kept ?? '')).toBe(true);
      expect(await readdir(join(dataFolder, 'incoming'))).toContain(`${process.pid}-live`);
      expect(await collectBlobs(deps)).toEqual({ blobs: 0, uploads: 0 });
    });
  });

  it('is collected by a job that one process takes at a time and that comes back', async () => {
    const registry = await startRegistry({ dataFolder });
    await registry.stop();
    const jobs = () => {
      const database = new Sqlite(join(dataFolder, 'registry.db'), { readonly: true });
      const rows = database.prepare('select * from jobs order by id').all() as {
        due_at: number;
        lease_holder: string | null;
      }[];
      database.close();
      return rows;
    };
    expect(jobs()).toMatchObject([
      { id: 'collect-blobs', lease_holder: null },
      { id: 'rescan', lease_holder: null },
    ]);
    expect(jobs()[0]?.due_at).toBeGreaterThan(Date.now() + 30 * 60_000);
    await withDeps(async (deps) => {
      await deps.store.write(async (trx) => {
        await trx
          .updateTable('jobs')
          .set({ due_at: 0, lease_until: Date.now() + 60_000, lease_holder: 'another' })
          .execute();
      });
      await runDueJobs(deps, createJobs(), new AbortController().signal);
      expect(jobs()[0]).toMatchObject({ due_at: 0, lease_holder: 'another' });
      await deps.store.write(async (trx) => {
        await trx
          .updateTable('jobs')
          .set({ lease_until: Date.now() - 1 })
          .execute();
      });
      const { signal } = new AbortController();
      await Promise.all([1, 2].map(() => runDueJobs(deps, createJobs(), signal)));
      expect(jobs()[0]?.lease_holder).toBeNull();
      expect(jobs()[0]?.due_at).toBeGreaterThan(Date.now());
    });
  });
});
