/** What `npm pack` of the project gives must work where it is installed: only its own files and its production dependencies, offline. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
let folder: string;
let bin: string;

/** The folders below node_modules that an install without development dependencies would have. */
function productionDependencies(): string[] {
  const list = execFileSync('npm', ['ls', '--omit=dev', '--all', '--parseable'], { cwd: root, encoding: 'utf8' });
  const modules = join(root, 'node_modules');
  return list
    .split('\n')
    .filter((path) => path.startsWith(modules))
    .map((path) => relative(modules, path))
    .filter((path) => !path.includes('node_modules'));
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pi-tools-tarball-'));
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: root,
    encoding: 'utf8',
  });
  const { filename } = (JSON.parse(packed) as { filename: string }[])[0]!;
  const installed = join(folder, 'node_modules', 'pi-tools');
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, filename), '--strip-components=1', '-C', installed]);
  // Installing would compile better-sqlite3 again; the dependencies are the very ones, linked one by one, so that nothing else resolves.
  for (const name of productionDependencies()) {
    mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }
  const { bin: bins } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    bin: Record<string, string>;
  };
  bin = join(installed, bins['pi-tools']!);
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the packed project', () => {
  it('installs weather offline on a fresh machine', () => {
    const home = join(folder, 'home');
    mkdirSync(home);
    const env = { PATH: process.env.PATH, HOME: home };
    const done = spawnSync(
      process.execPath,
      ['--preserve-symlinks-main', bin, 'install', 'weather', '--offline', '--json'],
      { cwd: home, env, encoding: 'utf8' },
    );
    expect(done.stderr).not.toMatch(/Error/);
    expect(done.status).toBe(0);
    const { changes } = JSON.parse(done.stdout) as { changes: { package: string; target: string }[] };
    expect(changes).toMatchObject([{ package: 'weather', target: 'pi/user' }]);
    expect(existsSync(join(home, '.pi/agent/extensions/weather/package.json'))).toBe(true);
  });

  it('holds no source, test or machine path', () => {
    const files = execFileSync(
      'tar',
      ['-tzf', join(folder, `pi-tools-${JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version}.tgz`)],
      { encoding: 'utf8' },
    ).split('\n');
    expect(files).toContain('package/dist/catalog/catalog.json');
    expect(
      files.filter((file) => /(^|\/)(test|bench|\.ci|\.tsbuildinfo)\//.test(file) || /(?<!\.d)\.ts$/.test(file)),
    ).toEqual([]);
  });
});
