/** A disk that is full or read-only, for real: a tmpfs of a few pages (only where mounting is permitted), and folders without rights (not as root). */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createPiHome, type PiHome } from '../../support/home.ts';
import { type LiveRegistry, publishTo, sketchArchive, startRegistry } from '../../support/registry.ts';

const LIST = '{\n  "allowedTools": ["read"]\n}\n';
const PAGE = 4096;

/** Of the system, not of the project. */
const program = { mount: 'mount', unmount: 'umount' };

const mount = (...args: string[]): boolean => spawnSync(program.mount, args, { stdio: 'ignore' }).status === 0;
const unmount = (folder: string): void => void spawnSync(program.unmount, ['-l', folder], { stdio: 'ignore' });

let registry: LiveRegistry;
let home: PiHome;
let mounted: string | undefined;

beforeAll(async () => {
  registry = await startRegistry({ review: 'off' });
  await publishTo(registry.url, registry.adminToken, sketchArchive());
  await publishTo(registry.url, registry.adminToken, sketchArchive({ version: '1.1.0' }));
}, 60_000);

afterAll(() => registry.end());
afterEach(() => {
  if (mounted !== undefined) unmount(mounted);
  mounted = undefined;
  home.remove();
});

const run = (args: string[]) => home.run([...args, '--json'], { env: { PI_TOOLS_REGISTRY: registry.url } });

/** A home whose agent folder is a disk of 60 pages; false where that is not permitted. */
async function mountAgent(): Promise<boolean> {
  home = await createPiHome(null);
  if (!mount('-t', 'tmpfs', '-o', `size=${60 * PAGE}`, 'tmpfs', home.agent)) return false;
  mounted = home.agent;
  writeFileSync(home.settings, LIST);
  return true;
}

/** Fills the disk but for some pages. */
const leave = (pages: number): void => {
  const free = statfsSync(home.agent).bavail;
  writeFileSync(join(home.agent, 'ballast'), Buffer.alloc(Math.max(0, free - pages) * PAGE));
};

describe('a full disk', () => {
  it.each([
    ['install', '1.0.0'],
    ['update', '1.1.0'],
  ])('%s fails cleanly or works, however little is left', { timeout: 180_000 }, async (action, version) => {
    if (!(await mountAgent())) return;
    if (action === 'update') expect((await run(['install', 'weather@1.0.0'])).code).toBe(0);
    const outcomes = new Set<number | null>();
    for (const pages of [0, 1, 2, 3, 5, 7, 9, 11, 13, 16, 20]) {
      leave(pages);
      const before = home.snapshot();
      const result = await run(['install', `weather@${version}`]);
      outcomes.add(result.code);
      if (result.code === 0) break;
      expect(result.json.error.code, `${pages}: ${result.stdout}`).toBe('file_system');
      expect(result.json.error.message).toMatch(/no space/);
      expect(home.snapshot(), `${pages} pages`).toEqual(before);
      rmSync(join(home.agent, 'ballast'));
    }
    expect([...outcomes].sort()).toEqual([0, 1]);
  });
});

describe('a disk that cannot be written', () => {
  it('read-only: says so and changes nothing', async () => {
    if (!(await mountAgent())) return;
    mount('-o', 'remount,ro', home.agent);
    const before = home.snapshot();
    const result = await run(['install', 'weather']);
    expect(result.code).toBe(1);
    expect(result.json.error).toMatchObject({ code: 'file_system', message: expect.stringContaining('read-only') });
    expect(home.snapshot()).toEqual(before);
  });

  it.skipIf(process.getuid?.() === 0)('without rights: says so and changes nothing', async () => {
    home = await createPiHome(LIST);
    mkdirSync(join(home.agent, 'extensions'));
    const before = home.snapshot();
    chmodSync(join(home.agent, 'extensions'), 0o500);
    const result = await run(['install', 'weather']);
    chmodSync(join(home.agent, 'extensions'), 0o755);
    expect(result.code).toBe(1);
    expect(result.json.error.message).toContain('permission denied');
    expect(home.snapshot()).toEqual(before);
  });
});
