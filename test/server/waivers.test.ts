/** A curator's word about one finding: what it changes, for whom, and when it stops to hold. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Finding } from '../../schemas/finding.ts';
import { findingColumns, readWaivers } from '../../server/registry/waivers.ts';
import type { WaiverRow } from '../../server/store/tables.ts';
import { plantVersions, query } from '../support/planted.ts';
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

// Inspections on a busy machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

let registry: LiveRegistry;
let admin: string;
let alice: string;
let bob: string;
let carol: string;
let dave: string;

beforeAll(async () => {
  registry = await startRegistry({ review: 'auto' });
  admin = registry.adminToken;
  [alice, bob] = [await addUser(registry, 'alice'), await addUser(registry, 'bob')];
  [carol, dave] = [
    await addUser(registry, 'carol', { role: 'curator' }),
    await addUser(registry, 'dave', { role: 'curator' }),
  ];
});
afterAll(() => registry.end());

const sources = (hosts: readonly string[]): Record<string, string> => ({
  'index.ts': `import { Type } from 'typebox';
${hosts.map((_, at) => `import { ask as ask${at} } from './ask-${at}.ts';`).join('\n')}
export default function (pi) {
  pi.registerTool({
    name: 'asks', label: 'Asks', description: 'Asks a service.',
    parameters: Type.Object({ what: Type.String({ description: 'what to ask' }) }),
    async execute(_id, params, signal) {
      const all = [${hosts.map((_, at) => `await ask${at}(params.what, signal)`).join(', ')}];
      return { content: [{ type: 'text', text: all.join(' ') }], details: {} };
    },
  });
}
`,
  ...Object.fromEntries(
    hosts.flatMap((host, at) => [
      [`host-${at}.ts`, `export const HOST = '${host}';\n`],
      [
        `ask-${at}.ts`,
        `import { HOST } from './host-${at}.ts';\nexport const ask = async (what, signal) => (await fetch('https://' + HOST + '/?q=' + encodeURIComponent(what), { signal })).status;\n`,
      ],
    ]),
  ),
});

type Sent = { hosts?: readonly string[]; readme?: string; packageJson?: object };

/** Publishes a version that talks to hosts that it does not declare: one review finding for each. */
const publish = (token: string, name: string, version: string, { hosts = ['a.example.org'], ...more }: Sent = {}) =>
  publishTo(registry.url, token, sketchArchive({ name, version, files: sources(hosts), ...(more as object) }));

const post = (token: string | undefined, target: string, action: string, json: object) => {
  const [name, version] = target.split('@');
  const path = `/v1/packages/${name}/versions/${version}/${action}`;
  return call(registry.url, path, { json, ...(token === undefined ? {} : { token }) });
};
const RULE = 'perm/undeclared';
const waive = (token: string | undefined, target: string, more: object = {}) =>
  post(token, target, 'waive', { rule: RULE, reason: 'a public service', ...more });
const statusOf = async (target: string, token?: string) => {
  const [name, version] = target.split('@');
  const path = `/v1/packages/${name}/versions/${version}`;
  return (await expectStatus(call(registry.url, path, token === undefined ? {} : { token }), 200)).body.status;
};
const world = () => snapshot(registry.dataFolder);
const eventsOf = (name: string) =>
  query(registry.dataFolder, 'select actor, kind, version, detail from events where package = ? order by id', name).map(
    ({ detail, ...event }) => ({ ...event, detail: JSON.parse(String(detail)) }),
  );

describe('a waiver', () => {
  beforeAll(async () => {
    await expectStatus(publish(alice, 'asks', '1.0.0'), 202);
  });

  it('is given by curators and administrators only, not by who published, and not without a reason', async () => {
    await expectStatus(publish(carol, 'own-asks', '1.0.0'), 202);
    const before = await world();
    await expectStatus(waive(undefined, 'asks@1.0.0'), 401);
    for (const token of [alice, bob]) await expectStatus(waive(token, 'asks@1.0.0'), 403);
    const own = await expectStatus(waive(carol, 'own-asks@1.0.0'), 403);
    expect(own.body.detail).toContain('cannot waive its findings');
    for (const reason of ['', '   ', 7, 'x'.repeat(1001), undefined]) {
      await expectStatus(waive(carol, 'asks@1.0.0', { reason }), 400);
    }
    for (const more of [{ evidence: 'xyz' }, { evidence: 'a' }, { rule: '' }, { rule: undefined }]) {
      await expectStatus(waive(carol, 'asks@1.0.0', more), 400);
    }
    expect((await expectStatus(waive(carol, 'asks@1.0.1'), 404)).body.code).toBe('version_not_found');
    expect((await expectStatus(waive(carol, 'asked@1.0.0'), 404)).body.code).toBe('package_not_found');
    for (const more of [
      { rule: 'code/shell' },
      { rule: 'cost/tokens' },
      { file: 'index.ts' },
      { evidence: '0'.repeat(64) },
    ]) {
      expect((await expectStatus(waive(carol, 'asks@1.0.0', more), 404)).body.code).toBe('finding_not_found');
    }
    expect(await world()).toEqual(before);
  });

  it('hides nothing, says who and why, and a repeat changes nothing', async () => {
    const done = (await expectStatus(waive(carol, 'asks@1.0.0'), 200)).body;
    const [finding] = done.manifest.status.findings.filter((one: Finding) => one.rule === RULE);
    expect(done).toMatchObject({ ok: true, changed: [finding.evidence], open: [] });
    const waiver = {
      rule: RULE,
      evidence: finding.evidence,
      by: 'carol',
      reason: 'a public service',
      version: '1.0.0',
    };
    expect(done.manifest.status).toMatchObject({ state: 'pending', waivers: [waiver], lapsedWaivers: [] });
    expect((await statusOf('asks@1.0.0', alice)).waivers).toMatchObject([
      { ...waiver, file: 'ask-0.ts', at: expect.any(String) },
    ]);
    const { reviews } = (await expectStatus(call(registry.url, '/v1/reviews', { token: carol }), 200)).body;
    expect(reviews.find((one: { package: string }) => one.package === 'asks').waivers).toMatchObject([waiver]);
    expect(eventsOf('asks').at(-1)).toMatchObject({
      actor: 'carol',
      kind: 'waive',
      version: '1.0.0',
      detail: { rule: RULE, evidence: finding.evidence, file: 'ask-0.ts', reason: 'a public service' },
    });
    const before = await world();
    for (const more of [
      {},
      { evidence: finding.evidence },
      { evidence: finding.evidence.slice(0, 8) },
      { all: true },
    ]) {
      expect((await expectStatus(waive(dave, 'asks@1.0.0', more), 200)).body.changed).toEqual([]);
    }
    expect(await world()).toEqual(before);
  });

  it('leaves the version waiting until it is approved', async () => {
    expect((await statusOf('asks@1.0.0', carol)).state).toBe('pending');
    await expectStatus(post(carol, 'asks@1.0.0', 'approve', {}), 200);
    expect((await statusOf('asks@1.0.0')).state).toBe('listed');
  });

  it('holds for a later version where the evidence is the same: it is listed at once', async () => {
    const sent = await expectStatus(publish(alice, 'asks', '1.0.1', { readme: '# Better words\n' }), 201);
    expect(sent.body.manifest.status).toMatchObject({ state: 'listed', waivers: [{ rule: RULE, version: '1.0.0' }] });
    const listed = await call(registry.url, '/v1/reviews?state=listed&open=true', { token: carol });
    expect(listed.body.reviews).toEqual([]);
  });

  it('ends where a file that is imported has changed, and the version says that there was one', async () => {
    const sent = await expectStatus(publish(alice, 'asks', '1.0.2', { hosts: ['b.example.org'] }), 202);
    expect(sent.body.hint).toContain(RULE);
    const { status } = sent.body.manifest;
    expect(status).toMatchObject({
      state: 'pending',
      waivers: [],
      lapsedWaivers: [{ rule: RULE, by: 'carol', version: '1.0.0' }],
    });
    expect((await statusOf('asks@1.0.1')).waivers).toHaveLength(1);
  });

  it('is taken back: the finding is open again everywhere, and what is listed stays listed', async () => {
    await expectStatus(post(alice, 'asks@1.0.1', 'unwaive', { rule: RULE }), 403);
    const before = await expectStatus(call(registry.url, '/v1/packages/asks/versions/1.0.0'), 200);
    const done = (await expectStatus(post(dave, 'asks@1.0.1', 'unwaive', { rule: RULE, reason: 'wrong' }), 200)).body;
    expect(done.changed).toHaveLength(1);
    expect(done.open).toMatchObject([{ rule: RULE }]);
    expect(query(registry.dataFolder, 'select * from waivers')).toEqual([]);
    for (const target of ['asks@1.0.0', 'asks@1.0.1']) {
      expect(await statusOf(target)).toMatchObject({ state: 'listed', waivers: [], lapsedWaivers: [] });
    }
    expect((await statusOf('asks@1.0.2', carol)).lapsedWaivers).toEqual([]);
    // Whoever kept the answer is told that it is another one.
    const after = await call(registry.url, '/v1/packages/asks/versions/1.0.0', {
      headers: { 'if-none-match': before.headers.get('etag') ?? '' },
    });
    expect(after.status).toBe(200);
    expect(eventsOf('asks').at(-1)).toMatchObject({ actor: 'dave', kind: 'unwaive', detail: { reason: 'wrong' } });
    const listed = await call(registry.url, '/v1/reviews?state=listed&open=true', { token: carol });
    expect(listed.body.reviews.map((one: { version: string }) => one.version)).toEqual(['1.0.0', '1.0.1']);
    const snapshotBefore = await world();
    expect((await expectStatus(post(dave, 'asks@1.0.1', 'unwaive', { rule: RULE }), 200)).body.changed).toEqual([]);
    expect(await world()).toEqual(snapshotBefore);
    await expectStatus(publish(alice, 'asks', '1.0.3'), 202);
  });
});

describe('several findings of one rule', () => {
  const hosts = ['a.example.org', 'b.example.org', 'c.example.org'];
  it('are decided on one by one: by evidence, by file, or all', async () => {
    await expectStatus(publish(alice, 'many', '1.0.0', { hosts }), 202);
    const before = await world();
    const refused = (await expectStatus(waive(carol, 'many@1.0.0'), 409)).body;
    expect(refused.code).toBe('several_findings');
    expect(refused.hint).toContain('`pi-tools review show many@1.0.0`');
    const candidates = refused.details.findings as { evidence: string; file: string }[];
    expect(candidates.map((one) => one.file)).toEqual(['ask-0.ts', 'ask-1.ts', 'ask-2.ts']);
    expect(await world()).toEqual(before);
    const [first] = candidates;
    const one = (await expectStatus(waive(carol, 'many@1.0.0', { evidence: first?.evidence.slice(0, 12) }), 200)).body;
    expect(one.open.map((finding: Finding) => finding.file)).toEqual(['ask-1.ts', 'ask-2.ts']);
    const two = (await expectStatus(waive(carol, 'many@1.0.0', { file: 'ask-2.ts', reason: 'another' }), 200)).body;
    expect(two.open.map((finding: Finding) => finding.file)).toEqual(['ask-1.ts']);
    expect(two.manifest.status.waivers.map((waiver: { reason: string }) => waiver.reason)).toEqual([
      'a public service',
      'another',
    ]);
    // The only one that is left needs no name, and a retry of that finds it done.
    expect((await expectStatus(waive(carol, 'many@1.0.0'), 200)).body.open).toEqual([]);
    expect((await expectStatus(waive(carol, 'many@1.0.0'), 200)).body.changed).toEqual([]);
    expect((await expectStatus(post(carol, 'many@1.0.0', 'unwaive', { rule: RULE }), 409)).body.code).toBe(
      'several_findings',
    );
    expect(
      (await expectStatus(post(carol, 'many@1.0.0', 'unwaive', { rule: RULE, all: true }), 200)).body.open,
    ).toHaveLength(3);
    const all = (await expectStatus(waive(carol, 'many@1.0.0', { all: true }), 200)).body;
    expect([all.changed.length, all.open.length]).toEqual([3, 0]);
  });
});

describe('nobody’s waiver counts for their own versions', () => {
  it('also not one given in advance on a colleague’s version; an administrator’s does', async () => {
    await expectStatus(publish(alice, 'shared', '1.0.0'), 202);
    await expectStatus(
      call(registry.url, '/v1/packages/shared/owners', { token: alice, json: { user: 'carol' } }),
      200,
    );
    await expectStatus(waive(carol, 'shared@1.0.0'), 200);
    await expectStatus(post(carol, 'shared@1.0.0', 'approve', {}), 200);
    const sent = await expectStatus(publish(carol, 'shared', '1.0.1', { readme: '# carol’s\n' }), 202);
    expect(sent.body.manifest.status).toMatchObject({ waivers: [], lapsedWaivers: [{ by: 'carol' }] });
    // Somebody else's word about the same evidence does.
    await expectStatus(waive(dave, 'shared@1.0.1'), 200);
    expect((await statusOf('shared@1.0.1', carol)).waivers).toMatchObject([{ by: 'dave' }]);

    await expectStatus(publish(admin, 'alone', '1.0.0'), 202);
    await expectStatus(waive(admin, 'alone@1.0.0'), 200);
    await expectStatus(publish(admin, 'alone', '1.0.1', { readme: '# again\n' }), 201);
  });
});

describe('an error', () => {
  const archive = (version: string, postinstall = 'node ok.js', readme = '# hooked\n') =>
    sketchArchive({ name: 'hooked', version, readme, packageJson: { scripts: { postinstall } } });

  it('is waived on a version that is there; then it can be approved, and a later one published', async () => {
    await expectStatus(publishTo(registry.url, alice, archive('1.0.1')), 422);
    const [found] = await plantVersions(registry.dataFolder, [
      { archive: archive('1.0.0'), state: 'quarantined', stateReason: 'supply/scripts', ruleSet: '2' },
    ]);
    query(
      registry.dataFolder,
      "update versions set findings = ? where version = '1.0.0' and state = 'quarantined'",
      JSON.stringify(found?.findings),
    );
    const refused = await expectStatus(post(carol, 'hooked@1.0.0', 'approve', {}), 422);
    expect(refused.body).toMatchObject({
      code: 'findings',
      hint: expect.stringContaining('review waive hooked@1.0.0 --rule supply/scripts'),
    });
    await expectStatus(waive(carol, 'hooked@1.0.0', { rule: 'supply/scripts' }), 200);
    await expectStatus(post(carol, 'hooked@1.0.0', 'approve', {}), 200);
    expect((await statusOf('hooked@1.0.0')).findings).toEqual(
      expect.arrayContaining([expect.objectContaining({ rule: 'supply/scripts', level: 'error' })]),
    );
    const sent = await expectStatus(
      publishTo(registry.url, alice, archive('1.0.1', 'node ok.js', '# other words\n')),
      201,
    );
    expect(sent.body.manifest.status.waivers).toMatchObject([{ rule: 'supply/scripts' }]);
    const before = await world();
    const other = await expectStatus(publishTo(registry.url, alice, archive('1.0.2', 'node evil.js')), 422);
    expect(other.body.details.findings).toEqual(
      expect.arrayContaining([expect.objectContaining({ rule: 'supply/scripts' })]),
    );
    expect(await world()).toEqual(before);
  });
});

describe('a package that is waived anew with every release', () => {
  it('keeps with a version the waivers that hold, and the latest other one of each rule and file', () => {
    const waiver = (id: number, evidence: string, file: string | null, user = 'carol'): WaiverRow => ({
      id,
      package_id: 1,
      rule: RULE,
      evidence,
      version: `1.0.${id}`,
      message: 'm',
      file,
      user,
      by_administrator: 0,
      reason: `r${id}`,
      at: '2026-01-01T00:00:00.000Z',
    });
    const finding: Finding = {
      rule: RULE,
      level: 'review',
      agent: null,
      tool: null,
      field: null,
      file: 'a.ts',
      line: 1,
      message: 'm',
      hint: null,
      evidence: 'now',
    };
    const old = Array.from({ length: 500 }, (_, at) => waiver(at, `old-${at}`, at % 2 === 0 ? 'a.ts' : 'b.ts'));
    const all = [...old, waiver(900, 'now', 'a.ts'), waiver(901, 'now', 'a.ts', 'alice')];
    const columns = findingColumns([finding], all, 'alice');
    const { waivers: holding, lapsedWaivers } = readWaivers(columns);
    expect(holding.map((one) => one.reason)).toEqual(['r900']);
    // Alice's own word does not count for her version, and is the latest of that file.
    expect(lapsedWaivers.map((one) => one.reason).sort()).toEqual(['r499', 'r901']);
    expect(columns.open_findings).toBe(0);
    expect(findingColumns([finding], old, 'alice').open_findings).toBe(1);
    expect(readWaivers(findingColumns([{ ...finding, rule: 'other/rule' }], all.slice(0, 500), 'alice'))).toEqual({
      waivers: [],
      lapsedWaivers: [],
    });
  });
});

describe('a version from before waivers', () => {
  it('has findings without evidence: they cannot be waived before a rescan', async () => {
    const old = {
      rule: RULE,
      level: 'review',
      agent: null,
      tool: null,
      field: null,
      file: 'index.ts',
      line: 1,
      message: 'm',
      hint: null,
    } as const;
    await plantVersions(registry.dataFolder, [
      { archive: sketchArchive({ name: 'old' }), state: 'pending', ruleSet: '2', findings: [old] },
    ]);
    const refused = (await expectStatus(waive(carol, 'old@1.0.0'), 409)).body;
    expect(refused).toMatchObject({ code: 'state_conflict', hint: expect.stringContaining('pi-tools rescan') });
  });
});

describe('a tag that its owner has moved', () => {
  it('is not taken back by a yank of the version that had it first', async () => {
    const at = (version: string) => sketchArchive({ name: 'tagged', version });
    await expectStatus(publishTo(registry.url, alice, at('1.0.0'), '?tag=stable'), 201);
    await expectStatus(publishTo(registry.url, alice, at('1.1.0')), 201);
    const put = { method: 'PUT', token: alice, json: { version: '1.1.0' } };
    await expectStatus(call(registry.url, '/v1/packages/tagged/tags/stable', put), 200);
    await expectStatus(post(alice, 'tagged@1.0.0', 'yank', {}), 200);
    expect((await call(registry.url, '/v1/packages/tagged')).body.tags).toMatchObject({ stable: '1.1.0' });
  });
});
