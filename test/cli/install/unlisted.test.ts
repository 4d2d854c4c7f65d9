/** Versions that no curator has listed: only their owner sees them, and installs them only with a yes. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createPiHome, type PiHome } from '../../support/home.ts';
import { call, type LiveRegistry, publishTo, sketchArchive, startRegistry } from '../../support/registry.ts';

let registry: LiveRegistry;
let home: PiHome;

beforeAll(async () => {
  registry = await startRegistry({ review: 'required' });
  const token = registry.adminToken;
  for (const version of ['1.0.0', '1.1.0', '1.2.0']) {
    expect((await publishTo(registry.url, token, sketchArchive({ version }))).status).toBe(202);
  }
  const decide = (version: string, what: string) =>
    call(registry.url, `/v1/packages/weather/versions/${version}/${what}`, { token, json: { reason: 'because' } });
  expect((await decide('1.0.0', 'approve')).status).toBeLessThan(300);
  expect((await decide('1.2.0', 'approve')).status).toBeLessThan(300);
  expect((await decide('1.2.0', 'quarantine')).status).toBeLessThan(300);
}, 60_000);

afterAll(() => registry.end());
afterEach(() => home.remove());

const run = (args: string[], token?: string) =>
  home.run([...args, '--json'], {
    env: { PI_TOOLS_REGISTRY: registry.url, ...(token === undefined ? {} : { PI_TOOLS_TOKEN: token }) },
  });

describe('a version that is not listed', () => {
  it('is no choice of anybody, and not there for others', async () => {
    home = await createPiHome('{"allowedTools": []}');
    const { json } = await run(['install', 'weather']);
    expect(json.changes[0]).toMatchObject({ to: '1.0.0' });
    expect((await run(['install', 'weather@1.1.0'])).code).toBe(3);
    expect((await run(['update'])).json.changes).toEqual([]);
  });

  it('is installed by its owner with --yes only', async () => {
    home = await createPiHome('{"allowedTools": []}');
    const before = home.snapshot();
    const refused = await run(['install', 'weather@1.1.0'], registry.adminToken);
    expect(refused.code).toBe(4);
    expect(refused.json.error.code).toBe('version_not_listed');
    expect(home.snapshot()).toEqual(before);
    expect((await run(['install', 'weather@1.1.0', '--yes'], registry.adminToken)).code).toBe(0);
  });

  it('is refused with the reason when it is quarantined', async () => {
    home = await createPiHome('{"allowedTools": []}');
    const before = home.snapshot();
    const refused = await run(['install', 'weather@1.2.0', '--yes']);
    expect(refused.code).toBe(4);
    expect(refused.json.error).toMatchObject({ code: 'version_quarantined' });
    expect(home.snapshot()).toEqual(before);
  });
});
