/** doctor names each trouble once, with what mends it, and changes nothing. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createPiHome, extensionSource, type PiHome, toolSource } from '../../support/home.ts';
import { type LiveRegistry, publishTo, sketchArchive, startRegistry } from '../../support/registry.ts';

let registry: LiveRegistry;
let home: PiHome;

beforeAll(async () => {
  registry = await startRegistry({ review: 'off' });
  await publishTo(registry.url, registry.adminToken, sketchArchive());
  const both = { pi: undefined, type: 'module', opencode: { tools: ['./git.ts'] } };
  await publishTo(
    registry.url,
    registry.adminToken,
    sketchArchive({ name: 'git', packageJson: both, files: { 'git.ts': toolSource('git') } }),
  );
}, 60_000);
afterAll(() => registry.end());
afterEach(() => home.remove());

const run = (args: string[]) => home.run([...args, '--json'], { env: { PI_TOOLS_REGISTRY: registry.url } });

/** The ids of what doctor finds; nothing may change. */
async function ids(code: number): Promise<string[]> {
  const before = home.snapshot();
  const result = await run(['doctor']);
  expect(result.code, result.stdout + result.stderr).toBe(code);
  expect(home.snapshot()).toEqual(before);
  for (const problem of result.json.problems)
    expect(problem).toMatchObject({ message: expect.any(String), level: expect.any(String) });
  return result.json.problems.map(({ id }: { id: string }) => id);
}

describe('doctor', () => {
  it('finds nothing where all is well', async () => {
    home = await createPiHome(null);
    expect(await ids(0)).toEqual([]);
    await run(['install', 'weather', '--no-allowed-tools']);
    expect(await ids(0)).toEqual([]);
  });

  it('finds files, names, settings and lists that are wrong', async () => {
    home = await createPiHome('{"allowedTools": []}');
    await run(['install', 'weather']);
    expect(await ids(0)).toEqual(['not-enforced']);
    writeFileSync(home.settings, '{"allowedTools": []}');
    expect(await ids(6)).toContain('not-allowed');
    const hand = home.write('home/.pi/agent/extensions/mine.ts', extensionSource(['weather']));
    expect(await ids(6)).toContain('tool-name-conflict');
    rmSync(hand);
    home.write('home/.pi/agent/extensions/index.ts', extensionSource(['x']));
    expect(await ids(6)).toContain('extensions-hidden');
    rmSync(join(home.agent, 'extensions', 'index.ts'));
    rmSync(join(home.agent, 'extensions', 'weather', 'package.json'));
    expect(await ids(6)).toContain('files-missing');
    writeFileSync(home.settings, '{oops');
    expect(await ids(6)).toContain('settings-invalid');
  });

  it('finds what hides a tool, and what the project wants but does not have', async () => {
    home = await createPiHome();
    await run(['install', 'git', '--agent', 'opencode']);
    home.write('project/opencode.json', '{"permission": {"*": "deny"}}');
    writeFileSync(join(home.project, 'pi-tools.json'), '{"tools": {"git": "^1.0.0", "weather": "^1.0.0"}}');
    expect((await ids(6)).sort()).toEqual(['not-installed', 'tool-hidden']);
  });
});
