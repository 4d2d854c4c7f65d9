import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { recordDigest } from '../../../tool-package/canonical.ts';
import { piPackageFiles } from '../../support/archive.ts';
import { type CliHome, createCliHome } from '../../support/cli.ts';
import { manifestOf, manifestRecord, packageDocument } from '../../support/documents.ts';
import { type HostileRegistry, sendJson, startHostileRegistry } from '../../support/hostile-registry.ts';

vi.setConfig({ testTimeout: 60_000 });

/** Clears the screen, sets the clipboard, turns the text around, hides a word. */
const EVIL = '\u001b[2J\u001b]52;c;ZXZpbA==\u0007\u202e\u200bevil\r\n\u009b31m\u{e0041}';

/** Puts it into every text that is free to be anything. */
const poison = (value: unknown, path = ''): unknown => {
  if (Array.isArray(value)) return value.map((one) => poison(one, path));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, poison(one, key)]));
  }
  const isBound =
    /^(name|version|package|integrity|recordDigest|sha256|definitionHash|state|level|role|agents?|scopes?|latest|description\.origin|formatVersion)$/.test(
      path,
    );
  return typeof value === 'string' && !isBound ? value + EVIL : value;
};

const plain = manifestRecord('weather', '1.0.0', {
  dependencies: { tools: { geo: '^1.0.0' }, npm: { left: '1' } },
  engines: { node: 'x' },
  homepage: 'https://x',
});
const poisoned = poison(plain) as typeof plain;
const agents = structuredClone(plain.agents);
for (const tool of agents.pi?.tools ?? [])
  Object.assign(tool, { name: EVIL, label: EVIL, description: EVIL, promptGuidelines: [EVIL] });
const record = { ...poisoned, agents, permissions: { declared: { network: [EVIL] }, observed: null } };
const good = manifestOf(plain);
const waiver = (evidence: string) => ({
  rule: EVIL,
  evidence,
  by: EVIL,
  reason: EVIL,
  at: EVIL,
  version: EVIL,
  message: EVIL,
  file: EVIL,
});
const manifest = {
  record,
  recordDigest: recordDigest(record),
  status: {
    ...good.status,
    stateReason: EVIL,
    yanked: EVIL,
    deprecated: EVIL,
    advisories: [EVIL],
    findings: (poison(good.status.findings) as typeof good.status.findings).flatMap((one) => {
      const evil = { ...one, tool: EVIL, file: EVIL, rule: EVIL, hint: EVIL };
      const [open, waived] = ['a', 'b'].map((digit) => ({ level: 'review' as const, evidence: digit.repeat(64) }));
      return [evil, { ...evil, ...open }, { ...evil, ...waived }];
    }),
    waivers: [waiver('b'.repeat(64))],
    lapsedWaivers: [waiver(EVIL)],
  },
};
const document = {
  ...packageDocument('weather', ['1.0.0'], { latest: '1.0.0', [EVIL]: '1.0.0' }),
  description: EVIL,
  owners: [EVIL],
};
const finding = manifest.status.findings[0];

let cli: CliHome;
let registry: HostileRegistry;
beforeAll(async () => {
  cli = await createCliHome();
  registry = await startHostileRegistry();
  registry.answer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://x');
    const answers: Record<string, unknown> = {
      '/v1/packages/weather': document,
      '/v1/packages/weather/versions/1.0.0': manifest,
      '/v1/search': {
        results: [{ name: 'weather', version: '1.0.0', description: EVIL, tools: [EVIL], agents: ['pi'] }],
        total: 1,
        cursor: null,
      },
      '/v1/me': { user: EVIL, role: 'publisher', scopes: ['read'] },
      '/v1/users': { users: [{ user: EVIL, role: 'publisher', createdAt: EVIL }], cursor: null },
      '/v1/tokens': {
        tokens: [{ id: EVIL, user: EVIL, scopes: ['read'], note: EVIL, createdAt: EVIL, expires: EVIL }],
        cursor: null,
      },
      '/v1/reviews': {
        reviews: [{ package: 'weather', version: '1.0.0', state: 'pending', publisher: EVIL, findings: [finding] }],
        cursor: null,
      },
      '/v1/publish': { status: 'pending', manifest, hint: EVIL },
      '/v1/packages/weather/versions/1.0.0/waive': { ok: true, manifest, changed: [EVIL], open: [finding] },
      '/v1/packages/weather/versions/1.0.0/unwaive': { ok: true, manifest, changed: [], open: [] },
    };
    sendJson(
      response,
      answers[pathname] ?? { code: 'not_found', detail: EVIL, hint: EVIL },
      pathname in answers ? 200 : 404,
    );
  });
  mkdirSync(join(cli.project, 'package'));
  for (const [path, content] of Object.entries(piPackageFiles('weather'))) {
    writeFileSync(join(cli.project, 'package', path), typeof content === 'string' ? content : JSON.stringify(content));
  }
});
afterAll(async () => {
  cli.remove();
  await registry.close();
});

describe('nothing that a registry says reaches the terminal raw', () => {
  test.each([
    ['info', 'weather'],
    ['info', 'weather@9.9.9'],
    ['info', 'weathr'],
    ['search', 'x'],
    ['whoami'],
    ['user', 'ls'],
    ['token', 'ls'],
    ['tag', 'ls', 'weather'],
    ['owner', 'ls', 'weather'],
    ['review', 'ls'],
    ['review', 'show', 'weather@1.0.0'],
    ['review', 'waive', 'weather@1.0.0', '--rule', 'x', '--reason', 'y'],
    ['review', 'unwaive', 'weather@1.0.0', '--rule', 'x'],
    ['publish', './package'],
    ['install', 'weather', '--yes'],
    ['token', 'revoke', 'x'],
  ])('%s %s', async (...args) => {
    const asked = args.filter((word) => word !== undefined);
    for (const more of [[], ['--json'], ['--verbose']]) {
      const { stdout, stderr } = await cli.run([...asked, ...more, '--registry', registry.url], {
        env: { PI_TOOLS_TOKEN: 'pit_0123456789' },
      });
      const seen = (stdout + stderr).replaceAll('\n', '');
      expect(seen).not.toBe('');
      expect(seen).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      expect(seen).not.toContain('unexpected');
      if (more[0] === '--json') expect(() => JSON.parse(stdout)).not.toThrow();
    }
  });
});

test('a version that is none is refused where it comes in, not where it is compared', async () => {
  for (const version of ['1.0.0\u001b[2J', '01.2.3', '1.2.99999999999999999999', 'latest', '1.2.3+x']) {
    registry.answer((_request, response) => sendJson(response, packageDocument('weather', [{ version }])));
    const { code, json } = await cli.run(['info', 'weather', '--json', '--registry', registry.url]);
    expect([code, json.error.code], version).toEqual([7, 'invalid_answer']);
  }
});
