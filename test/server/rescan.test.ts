/** A new look at what is published: the rules of today say something else than those of the day. */
import { randomBytes } from 'node:crypto';
import { getEventListeners } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { statements as initial } from '../../migrations/0001-initial.ts';
import type { Finding } from '../../schemas/finding.ts';
import { type RescanOptions, rescan } from '../../server/registry/rescan.ts';
import { RULE_SET } from '../../tool-package/check/rule-set.ts';
import { plantVersions, query, withDeps } from '../support/planted.ts';
import {
  addUser,
  call,
  expectStatus,
  type LiveRegistry,
  publishTo,
  sketchArchive,
  snapshot,
  startRegistry,
  type World,
} from '../support/registry.ts';
import { spawnServer } from '../support/server-process.ts';

// Inspections on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pi-tools-rescan-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const run = (options: Partial<RescanOptions> = {}) =>
  withDeps(folder, (deps) => rescan(deps, { which: 'stale', mode: 'write', actor: 'host', ...options }));

/** An error by the rules of today: npm would run it. */
const bad = (name: string, version = '1.0.0') =>
  sketchArchive({ name, version, packageJson: { scripts: { postinstall: 'node x.js' } } });
/** A review finding: `fetch` to a host that is not declared. */
const doubtful = (name: string, version = '1.0.0') =>
  sketchArchive({
    name,
    version,
    files: {
      'index.ts': `import { Type } from 'typebox';
export default function (pi) {
  pi.registerTool({
    name: 'asks', label: 'Asks', description: 'Asks a service.',
    parameters: Type.Object({ what: Type.String({ description: 'what to ask' }) }),
    async execute(_id, params, signal) {
      const answer = await fetch('https://a.example.org/' + encodeURIComponent(params.what), { signal });
      return { content: [{ type: 'text', text: String(answer.status) }], details: {} };
    },
  });
}
`,
    },
  });
const good = (name: string, version = '1.0.0') => sketchArchive({ name, version });

type Row = Record<string, unknown>;
const versions = (): Record<string, Row> =>
  Object.fromEntries(
    query(folder, 'select p.name, v.* from versions v join packages p on p.id = v.package_id order by v.id').map(
      (row) => [`${row.name}@${row.version}`, row],
    ),
  );
const rulesOf = (row: Row | undefined, level: string): string[] =>
  (JSON.parse(String(row?.findings)) as Finding[]).filter((one) => one.level === level).map((one) => one.rule);
const events = () => query(folder, 'select actor, kind, package, version, detail from events order by id');

/** What a rescan must never touch. */
const untouchable = ({ rows, blobs, incoming }: World) => ({
  blobs,
  incoming,
  others: ['users', 'tokens', 'owners', 'tags', 'waivers'].map((table) => rows[table]),
  records: (rows.versions as Row[]).map((row) => [
    row.id,
    row.version,
    row.record,
    row.record_digest,
    row.integrity,
    row.sha512,
    row.summary,
    row.readme,
    row.publisher,
    row.published_at,
    row.yanked,
    row.deprecated,
  ]),
});

describe('a rescan', () => {
  it('gives every version its findings, quarantines new errors, and touches no record', async () => {
    const removed = {
      rule: 'old/rule',
      level: 'review',
      agent: null,
      tool: null,
      field: null,
      file: null,
      line: null,
      message: 'once',
      hint: null,
    } as const;
    await plantVersions(folder, [
      { archive: good('fine') },
      { archive: bad('hooks') },
      { archive: good('hooks', '0.9.0') },
      { archive: bad('waits'), state: 'pending' },
      { archive: bad('refused'), state: 'rejected', stateReason: 'no' },
      { archive: bad('stopped'), state: 'quarantined', stateReason: 'by hand' },
      { archive: doubtful('asks') },
      { archive: good('forgiven'), findings: [removed] },
      { archive: bad('current'), ruleSet: RULE_SET },
    ]);
    const before = await snapshot(folder);
    const { steps, isComplete } = await run();
    expect(isComplete).toBe(true);
    expect(untouchable(await snapshot(folder))).toEqual(untouchable(before));
    expect(
      steps.map((step) => [step.package, step.changed, step.quarantined.map((one) => one.rule), step.failed]),
    ).toEqual([
      ['fine', true, [], null],
      ['hooks', true, ['supply/scripts'], null],
      ['hooks', true, [], null],
      ['waits', true, ['supply/scripts'], null],
      ['refused', true, [], null],
      ['stopped', true, [], null],
      ['asks', true, [], null],
      ['forgiven', true, [], null],
    ]);
    const after = versions();
    for (const [target, row] of Object.entries(after)) {
      expect([target, row.rule_set]).toEqual([target, RULE_SET]);
      const open = rulesOf(row, 'error').length + rulesOf(row, 'review').length;
      expect([target, row.open_findings]).toEqual([target, open]);
    }
    expect(after['current@1.0.0']).toMatchObject({ state: 'listed', findings: '[]' });
    for (const target of ['hooks@1.0.0', 'waits@1.0.0']) {
      expect(after[target]).toMatchObject({ state: 'quarantined' });
      expect(after[target]?.state_reason).toMatch(new RegExp(`^supply/scripts: .*found by rule set ${RULE_SET}$`));
    }
    expect(after['refused@1.0.0']).toMatchObject({ state: 'rejected', state_reason: 'no' });
    expect(after['stopped@1.0.0']).toMatchObject({ state: 'quarantined', state_reason: 'by hand' });
    for (const target of ['refused@1.0.0', 'stopped@1.0.0'])
      expect(rulesOf(after[target], 'error')).toEqual(['supply/scripts']);
    expect(after['asks@1.0.0']?.state).toBe('listed');
    expect(rulesOf(after['asks@1.0.0'], 'review')).toEqual(['perm/undeclared']);
    expect(rulesOf(after['forgiven@1.0.0'], 'review')).toEqual([]);
    expect(
      query(folder, "select name, latest from packages where name in ('hooks', 'waits', 'fine') order by name"),
    ).toEqual([
      { name: 'fine', latest: '1.0.0' },
      { name: 'hooks', latest: '0.9.0' },
      { name: 'waits', latest: null },
    ]);
    expect(events().filter((one) => one.kind === 'quarantine')).toMatchObject([
      { actor: 'host', package: 'hooks', version: '1.0.0' },
      { actor: 'host', package: 'waits', version: '1.0.0' },
    ]);
    const told = events().find((one) => one.package === 'forgiven' && one.kind === 'rescan');
    expect(JSON.parse(String(told?.detail))).toMatchObject({ from: '0', to: RULE_SET, gone: ['old/rule'] });
  });

  it('done again changes nothing; `all` looks again and finds the same', async () => {
    await plantVersions(folder, [{ archive: bad('hooks') }, { archive: doubtful('asks') }]);
    await run();
    const before = await snapshot(folder);
    expect((await run()).steps).toEqual([]);
    expect(await snapshot(folder)).toEqual(before);
    const { steps } = await run({ which: 'all' });
    expect(steps.map((step) => [step.changed, step.quarantined])).toEqual([
      [false, []],
      [false, []],
    ]);
    const { revisions, ...rest } = withoutRevisions(await snapshot(folder));
    const { revisions: earlier, ...restBefore } = withoutRevisions(before);
    expect(rest).toEqual(restBefore);
    expect(revisions).not.toEqual(earlier);
  });

  it('with dry-run says the same and writes nothing', async () => {
    await plantVersions(folder, [{ archive: bad('hooks') }, { archive: doubtful('asks') }]);
    const before = await snapshot(folder);
    const { signal } = new AbortController();
    const told = (await run({ mode: 'dry-run', signal })).steps;
    // One for each version would add up to thousands.
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(await snapshot(folder)).toEqual(before);
    expect((await run()).steps).toEqual(told);
  });

  it('tells of a missing and of a damaged archive, and goes on', async () => {
    await plantVersions(folder, [{ archive: good('gone') }, { archive: good('damaged') }, { archive: good('whole') }]);
    const blobOf = (target: string): string => {
      const hash = String(versions()[target]?.sha512);
      return join(folder, 'blobs', hash.slice(0, 2), hash.slice(2, 4), hash);
    };
    await rm(blobOf('gone@1.0.0'));
    await chmod(blobOf('damaged@1.0.0'), 0o600);
    await writeFile(blobOf('damaged@1.0.0'), randomBytes(500));
    const { steps } = await run();
    expect(steps.map((step) => [step.package, step.failed?.code])).toEqual([
      ['gone', 'internal'],
      ['damaged', 'integrity_mismatch'],
      ['whole', undefined],
    ]);
    expect(steps[0]?.failed?.message).toBe('The archive is missing on the disk of the registry');
    expect(versions()['gone@1.0.0']).toMatchObject({ rule_set: '0', state: 'listed' });
    expect(versions()['whole@1.0.0']?.rule_set).toBe(RULE_SET);
    await rm(blobOf('damaged@1.0.0'));
    expect((await snapshot(folder)).incoming).toEqual([]);
  });

  it('keeps what was said of the publisher on the day, and compares with what was there before', async () => {
    const first = {
      rule: 'change/publisher',
      level: 'review',
      agent: null,
      tool: null,
      field: 'publisher',
      file: null,
      line: null,
      message: 'the first version of `asks` by `bob`; so far: `alice`',
      hint: null,
    } as const;
    const wider = (version: string) =>
      sketchArchive({ name: 'asks', version, packageJson: { piTools: { permissions: { env: ['KEY'] } } } });
    await plantVersions(folder, [
      { archive: sketchArchive({ name: 'asks', version: '1.0.0' }), publisher: 'alice' },
      { archive: wider('1.1.0'), publisher: 'bob', findings: [first] },
      { archive: wider('1.2.0'), publisher: 'bob' },
      // Published later, below: no version was compared with it.
      { archive: wider('0.9.0'), publisher: 'alice' },
    ]);
    await run();
    const after = versions();
    expect(rulesOf(after['asks@1.1.0'], 'review')).toEqual(
      expect.arrayContaining(['change/publisher', 'change/permission']),
    );
    const kept = (JSON.parse(String(after['asks@1.1.0']?.findings)) as Finding[]).find(
      (one) => one.rule === first.rule,
    );
    expect(kept).toMatchObject({ ...first, evidence: expect.stringMatching(/^[0-9a-f]{64}$/) });
    for (const target of ['asks@1.0.0', 'asks@1.2.0', 'asks@0.9.0']) {
      expect(rulesOf(after[target], 'review').filter((rule) => rule.startsWith('change/'))).toEqual([]);
    }
  });

  it('notes a record that it would derive otherwise, and leaves it', async () => {
    await plantVersions(folder, [{ archive: good('moved') }]);
    const record = JSON.parse(String(versions()['moved@1.0.0']?.record));
    query(
      folder,
      'update versions set record = ?',
      JSON.stringify({ ...record, description: 'as it was derived then' }),
    );
    await run();
    expect(JSON.parse(String(versions()['moved@1.0.0']?.record)).description).toBe('as it was derived then');
    const told = events().find((one) => one.kind === 'rescan');
    expect(JSON.parse(String(told?.detail)).recordDiffers).toEqual(['description']);
  });

  it('quarantines nothing for an error that is waived, or that was known', async () => {
    const [found] = await plantVersions(folder, [{ archive: bad('waived') }]);
    const error = found?.findings.find((one) => one.level === 'error');
    await plantVersions(folder, [{ archive: bad('known'), findings: found?.findings ?? [] }]);
    const row = versions()['waived@1.0.0'];
    query(
      folder,
      `insert into waivers (package_id, rule, evidence, version, message, file, user, by_administrator, reason, at)
       values (?, 'supply/scripts', ?, '1.0.0', 'm', null, 'carol', 0, 'harmless', '2026-01-01T00:00:00.000Z')`,
      row?.package_id,
      error?.evidence,
    );
    const { steps } = await run();
    expect(steps.flatMap((step) => step.quarantined)).toEqual([]);
    expect(rulesOf(versions()['waived@1.0.0'], 'review')).toEqual([]);
    expect(versions()['waived@1.0.0']).toMatchObject({ state: 'listed', open_findings: 0 });
    expect(JSON.parse(String(versions()['waived@1.0.0']?.waivers))).toMatchObject([
      { rule: 'supply/scripts', holds: true },
    ]);
    expect(versions()['known@1.0.0']?.state).toBe('listed');
  });

  it('ends where it is asked to, before the next write', async () => {
    await plantVersions(folder, [{ archive: good('one') }, { archive: good('two') }, { archive: good('three') }]);
    const asked = new AbortController();
    const { steps, isComplete } = await run({ signal: asked.signal, onDone: () => asked.abort() });
    expect([steps.length, isComplete]).toEqual([1, false]);
    expect(Object.values(versions()).map((row) => row.rule_set === RULE_SET)).toEqual([true, false, false]);
    expect((await run()).steps).toHaveLength(2);
  });
});

const withoutRevisions = (world: World) => ({
  ...world,
  rows: { ...world.rows, packages: (world.rows.packages as Row[]).map(({ revision: _, ...row }) => row) },
  revisions: (world.rows.packages as Row[]).map((row) => row.revision),
});

describe('beside what else happens', () => {
  it('two rescans, approvals, yanks and a publish of the same packages lose nothing', async () => {
    const registry: LiveRegistry = await startRegistry({ dataFolder: folder, review: 'required' });
    try {
      const [alice, carol] = [await addUser(registry, 'alice'), await addUser(registry, 'carol', { role: 'curator' })];
      const names = ['a1', 'b2', 'c3', 'd4'];
      await plantVersions(
        folder,
        names.map((name) => ({ archive: name === 'd4' ? bad(name) : good(name), state: 'pending' as const })),
      );
      const change = (name: string, action: string, token: string) =>
        call(registry.url, `/v1/packages/${name}/versions/1.0.0/${action}`, { token, json: { reason: 'r' } });
      const [first, second, published, ...answers] = await Promise.all([
        run(),
        run(),
        publishTo(registry.url, alice, good('a1', '1.1.0')),
        ...names.map((name) => change(name, 'approve', carol)),
        ...names.map((name) => change(name, 'yank', alice)),
      ]);
      expect(published.status).toBe(202);
      expect(first.steps.length + second.steps.length).toBe(names.length);
      for (const { status, body } of answers) expect([status, body.code].join(' ')).toMatch(/^200 $|^422 findings/);
      const after = versions();
      for (const name of ['a1', 'b2', 'c3']) {
        expect(after[`${name}@1.0.0`]).toMatchObject({ state: 'listed', yanked: 'r', rule_set: RULE_SET });
      }
      // Approved before or after: an error is not listed.
      expect(after['d4@1.0.0']).toMatchObject({ state: 'quarantined', yanked: 'r', rule_set: RULE_SET });
      const archive = await call(registry.url, '/v1/packages/d4/versions/1.0.0/archive');
      expect([archive.status, archive.body.code]).toEqual([403, 'version_quarantined']);
    } finally {
      await registry.stop();
    }
  });

  it('readers of a running server see it at once', async () => {
    const registry: LiveRegistry = await startRegistry({ dataFolder: folder });
    try {
      await plantVersions(folder, [{ archive: bad('hooks') }]);
      const read = (path: string) => call(registry.url, `/v1/${path}`);
      for (let turn = 0; turn < 3; turn++) {
        await expectStatus(read('packages/hooks/versions/1.0.0'), 200);
        await expectStatus(read('packages/hooks/versions/1.0.0/archive'), 200);
        await expectStatus(read('packages/hooks'), 200);
      }
      expect((await read('search?q=hooks')).body.total).toBe(1);
      await run();
      expect((await read('packages/hooks/versions/1.0.0')).body.status.state).toBe('quarantined');
      expect((await read('packages/hooks/versions/1.0.0/archive')).body.code).toBe('version_quarantined');
      await expectStatus(read('packages/hooks'), 404);
      expect((await read('search?q=hooks')).body.total).toBe(0);
    } finally {
      await registry.stop();
    }
  });
});

describe('a server that starts after an upgrade', () => {
  const settled = async (count: number): Promise<void> => {
    await vi.waitFor(
      () => expect(Object.values(versions()).filter((row) => row.rule_set === RULE_SET)).toHaveLength(count),
      {
        timeout: 120_000,
        interval: 100,
      },
    );
  };

  it('looks at everything by itself, and goes on after it was killed', async () => {
    const names = ['a1', 'b2', 'c3', 'f6'];
    await plantVersions(
      folder,
      names.map((name) => ({ archive: name === 'f6' ? bad(name) : good(name) })),
    );
    const records = untouchable(await snapshot(folder)).records;
    const killed = await spawnServer({ dataFolder: folder, port: 0 });
    await vi.waitFor(() => expect(Object.values(versions()).some((row) => row.rule_set === RULE_SET)).toBe(true), {
      timeout: 120_000,
      interval: 20,
    });
    await killed.kill();
    const done = Object.values(versions()).filter((row) => row.rule_set === RULE_SET).length;
    expect(done).toBeGreaterThan(0);
    const next = await spawnServer({ dataFolder: folder, port: 0 });
    await settled(names.length);
    expect(versions()['f6@1.0.0']?.state).toBe('quarantined');
    expect(await next.terminate()).toBe(0);
    expect(untouchable(await snapshot(folder)).records).toEqual(records);
    expect(events().filter((one) => one.kind === 'quarantine')).toMatchObject([{ actor: 'pi-tools', package: 'f6' }]);
    expect(query(folder, "select lease_holder from jobs where id = 'rescan'")).toEqual([{ lease_holder: null }]);
  });

  it('stops without waiting for what it was looking at', async () => {
    await plantVersions(
      folder,
      Array.from({ length: 4 }, (_, at) => ({ archive: good(`package-${at}`) })),
    );
    const registry = await startRegistry({ dataFolder: folder });
    const startMs = performance.now();
    await registry.stop();
    expect(performance.now() - startMs).toBeLessThan(5000);
    expect((await snapshot(folder)).incoming).toEqual([]);
    expect((await run()).isComplete).toBe(true);
    await settled(4);
  });

  it('tells once of what it cannot look at, and answers all the while', async () => {
    await plantVersions(folder, [{ archive: good('gone') }, { archive: good('whole') }]);
    const hash = String(versions()['gone@1.0.0']?.sha512);
    await rm(join(folder, 'blobs', hash.slice(0, 2), hash.slice(2, 4), hash));
    const registry = await startRegistry({ dataFolder: folder });
    try {
      const health = await call(registry.url, '/healthz');
      expect(health.status).toBe(200);
      await settled(1);
      await vi.waitFor(() => expect(events().filter((one) => one.package === 'gone')).toHaveLength(1), {
        timeout: 60_000,
      });
      expect(JSON.parse(String(events().find((one) => one.package === 'gone')?.detail))).toMatchObject({
        failed: 'internal',
      });
    } finally {
      await registry.stop();
    }
  });
});

describe('a data folder from before waivers', () => {
  it('opens with all its rows, and a rescan gives the findings their evidence', async () => {
    const [found] = await plantVersions(folder, [{ archive: doubtful('asks') }]);
    const plain = found?.findings.map(({ evidence: _, ...finding }) => finding);
    await toFirstMigration(join(folder, 'registry.db'), JSON.stringify(plain));
    const rowsBefore = query(folder, 'select id, record, findings, waivers, state, rule_set from versions');
    const tables = () => query(folder, "select name from sqlite_schema where type = 'table' and name = 'waivers'");
    expect(tables()).toEqual([]);
    await withDeps(folder, async () => undefined);
    expect(tables()).toHaveLength(1);
    expect(query(folder, 'select id, record, findings, waivers, state, rule_set from versions')).toEqual(rowsBefore);
    expect(query(folder, 'select open_findings from versions')).toEqual([{ open_findings: 1 }]);
    await run();
    const after = JSON.parse(String(versions()['asks@1.0.0']?.findings)) as Finding[];
    expect(after).toEqual(found?.findings);
    expect(query(folder, 'pragma foreign_key_check')).toEqual([]);
  });
});

/** The database as the first migration alone would have made it, with the rows that are there. */
const toFirstMigration = async (file: string, findings: string): Promise<void> => {
  const database = new Sqlite(file);
  const data = Object.fromEntries(
    ['users', 'tokens', 'packages', 'owners', 'versions', 'tags', 'events'].map((table) => [
      table,
      database.prepare(`select * from ${table}`).all() as Row[],
    ]),
  );
  database.close();
  for (const end of ['', '-wal', '-shm']) await rm(file + end, { force: true });
  const old = new Sqlite(file);
  old.pragma('journal_mode = WAL');
  for (const statement of initial) old.exec(statement);
  old.exec('create table migrations (id integer primary key, name text not null, applied_at text not null) strict');
  old.prepare("insert into migrations values (1, 'initial', '2026-01-01T00:00:00.000Z')").run();
  for (const [table, rows] of Object.entries(data)) {
    for (const { open_findings: _, ...row } of rows) {
      const values: Row = table === 'versions' ? { ...row, findings, waivers: '[]', rule_set: '1' } : row;
      const names = Object.keys(values);
      old
        .prepare(`insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`)
        .run(...Object.values(values));
    }
  }
  old.close();
  expect((await readFile(file)).byteLength).toBeGreaterThan(0);
};
