/** What an update tells before it is agreed to, and what the tools cost: against a real registry, with real files. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPiHome, createToolFolder, type PiHome } from '../../support/home.ts';
import { expectStatus, type LiveRegistry, publishTo, sketchArchive, startRegistry } from '../../support/registry.ts';

let registry: LiveRegistry;
let home: PiHome;

beforeAll(async () => {
  registry = await startRegistry({ review: 'off' });
  const publish = (version: string, more: Parameters<typeof sketchArchive>[0]) =>
    expectStatus(
      publishTo(registry.url, registry.adminToken, sketchArchive({ name: 'weather', version, ...more })),
      201,
    );
  const packageJson = { piTools: { permissions: { network: ['api.example.com'] } } };
  await publish('1.0.0', { tools: { weather: 'Weather of a city' } });
  await publish('1.1.0', { tools: { weather: 'Weather of a town', climate: 'The climate' } });
  await publish('1.2.0', { tools: { weather: 'Weather of a town' }, packageJson });
  await publish('1.2.1', { tools: { weather: 'Weather of a town' }, packageJson, readme: '# Other words\n' });
}, 60_000);
afterAll(() => registry.end());
beforeEach(async () => {
  home = await createPiHome('{}\n');
});
afterEach(() => home.remove());

const run = (args: string[]) => home.run(args, { env: { PI_TOOLS_REGISTRY: registry.url } });
const lockText = () => home.read('home/.pi/agent/pi-tools.lock.json');
const editLock = (edit: (locked: Record<string, unknown>) => void) => {
  const lock = JSON.parse(lockText());
  edit(lock.packages.weather);
  writeFileSync(join(home.agent, 'pi-tools.lock.json'), JSON.stringify(lock));
};

describe('what an update changes', () => {
  it('is shown for the named version, files only counted, and is in the JSON', async () => {
    await run(['install', 'weather@1.0.0']);
    const shown = await run(['install', 'weather@1.1.0', '--dry-run']);
    expect(shown.stderr).toContain('What changes in weather from 1.0.0 to 1.1.0:');
    expect(shown.stderr).toMatch(/New tools\n\s+climate \(pi\)/);
    expect(shown.stderr).toMatch(/- Weather of a city\n\s+\+ Weather of a town/);
    expect(shown.stderr).toContain('Files: 2 changed; see them with: pi-tools diff weather 1.0.0 1.1.0');
    const { json } = await run(['install', 'weather@1.1.0', '--json']);
    const asked = await run(['diff', 'weather', '1.0.0', '1.1.0', '--json']);
    expect(json.diffs).toEqual([
      { package: 'weather', from: '1.0.0', to: '1.1.0', changes: asked.json.changes, unknown: null },
    ]);
    expect(asked.json.changes.length).toBeGreaterThan(2);
  });

  it('is told before a wider permission is refused, and nothing is changed', async () => {
    await run(['install', 'weather@1.1.0']);
    editLock((locked) => Object.assign(locked, { wanted: '~1.2.0' }));
    const before = home.snapshot();
    const refused = await run(['update']);
    expect(refused.code).toBe(4);
    expect(refused.stderr).toMatch(/May use, and did not before\n\s+network: api\.example\.com/);
    expect(refused.stderr).toMatch(/Removed tools\n\s+climate/);
    expect(home.snapshot()).toEqual(before);
  });

  it('says so when only files changed, and nothing for a first install or a repeat', async () => {
    const first = await run(['install', 'weather@1.2.0', '--json']);
    expect(first.json.diffs).toEqual([]);
    expect((await run(['install', 'weather@1.2.0'])).stderr).not.toContain('What changes');
    const update = await run(['install', 'weather@1.2.1']);
    expect(update.stderr).toContain('No tool, permission or dependency');
    expect(update.stderr).toContain('Files: 2 changed');
  });

  it('is not known where the installed version came from a path', async () => {
    const folder = createToolFolder({ version: '0.9.0' });
    try {
      await run(['install', folder.path, '--agent', 'pi']);
      const update = await run(['install', 'weather@1.0.0', '--json', '--yes']);
      expect(update.code).toBe(0);
      expect(update.json.diffs).toMatchObject([
        { from: '0.9.0', to: '1.0.0', changes: [], unknown: 'the installed version came from a path' },
      ]);
    } finally {
      folder.remove();
    }
  });

  it('is not known where the registry tells another story of the installed version', async () => {
    await run(['install', 'weather@1.0.0']);
    editLock((locked) => Object.assign(locked, { recordDigest: '0'.repeat(64) }));
    const update = await run(['install', 'weather@1.1.0']);
    expect(update.code).toBe(0);
    expect(update.stderr).toMatch(/What changes in weather .* is not known: .*is not what was installed/);
  });
});

describe('the budget', () => {
  it('sums what is installed, and says what a package would make of it', async () => {
    const [none] = (await run(['info', 'weather@1.1.0', '--json'])).json.budget;
    expect(none).toMatchObject({ agent: 'pi', tokens: 0 });
    await run(['install', 'weather@1.0.0']);
    const list = (await run(['list', '--json'])).json;
    expect(list.budget).toEqual([{ agent: 'pi', tokens: list.installed[0].tokens }]);
    const [one] = (await run(['info', 'weather@1.1.0', '--json'])).json.budget;
    // This version takes the place of the installed one.
    expect(one).toEqual({ agent: 'pi', tokens: list.installed[0].tokens, after: none.after });
    const text = (await run(['info', 'weather@1.1.0'])).stdout;
    expect(text).toContain(`about ${one.tokens} tokens in every request now, ${one.after} with this version`);
  });

  it('leaves `info` working beside a lock file that cannot be read', async () => {
    writeFileSync(join(home.agent, 'pi-tools.lock.json'), '{');
    expect((await run(['info', 'weather@1.1.0'])).code).toBe(0);
    expect(readFileSync(join(home.agent, 'pi-tools.lock.json'), 'utf8')).toBe('{');
  });
});
