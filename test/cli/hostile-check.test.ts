/** `check` on what is no honest package: an answer in bounded time, an exit code that says which, and no stack. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliHome, createCliHome } from '../support/cli.ts';

const MANIFEST = '{"name":"evil","version":"1.0.0","license":"MIT","pi":{"extensions":["./index.ts"]}}';
const TIMEOUT_MS = 120_000;

let home: CliHome;
let folder: string;
beforeAll(async () => {
  home = await createCliHome();
  folder = mkdtempSync(join(tmpdir(), 'hostile-check-'));
});
afterAll(() => {
  home.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** A package folder that `change` makes worse. */
const evil = (name: string, change: (inside: (path: string) => string) => void): string => {
  const root = join(folder, name);
  mkdirSync(root);
  writeFileSync(join(root, 'package.json'), MANIFEST);
  writeFileSync(join(root, 'index.ts'), 'export default () => {};');
  change((path) => join(root, path));
  return root;
};
const pipe = (path: string): void => {
  rmSync(path, { force: true });
  spawnSync('mkfifo', [path]);
};

const check = async (path: string): Promise<[number | null, string]> => {
  const { code, stdout, stderr } = await home.run(['check', path, '--json']);
  expect(`${stdout}${stderr}`).not.toMatch(/^\s+at .*:\d+:\d+/m);
  const answer = JSON.parse(stdout) as { error?: { code: string } };
  return [code, answer.error?.code ?? 'findings'];
};

describe('a folder', { timeout: TIMEOUT_MS }, () => {
  it.each<[string, [number, string], (inside: (path: string) => string) => void]>([
    ['that loops for ever', [6, 'findings'], (inside) => writeFileSync(inside('index.ts'), 'for (;;) {}')],
    ['of brackets', [6, 'findings'], (inside) => writeFileSync(inside('index.ts'), '['.repeat(500_000))],
    [
      'with noise as its manifest',
      [1, 'invalid_package_json'],
      (inside) => writeFileSync(inside('package.json'), '\0'.repeat(90_000)),
    ],
    [
      'with 3 GiB',
      [1, 'too_large'],
      (inside) => {
        writeFileSync(inside('big.bin'), '');
        truncateSync(inside('big.bin'), 3 * 1024 ** 3);
      },
    ],
    [
      'with 300 folders in each other',
      [1, 'too_large'],
      (inside) => mkdirSync(inside('d/'.repeat(300)), { recursive: true }),
    ],
    ['that links to itself', [0, 'findings'], (inside) => symlinkSync('.', inside('self'))],
  ])('%s', async (name, expected, change) => {
    expect(await check(evil(name.replaceAll(' ', '-'), change))).toEqual(expected);
  });

  it.runIf(process.platform !== 'win32').each<[string, [number, string], (inside: (path: string) => string) => void]>([
    ['a pipe as its entry', [1, 'pack_incomplete'], (inside) => pipe(inside('index.ts'))],
    ['a pipe as its manifest', [1, 'invalid_package_json'], (inside) => pipe(inside('package.json'))],
    ['a pipe as its rules', [1, 'pack_link'], (inside) => pipe(inside('.npmignore'))],
    ['a device as its rules', [1, 'pack_link'], (inside) => symlinkSync('/dev/zero', inside('.gitignore'))],
    [
      'a device as its manifest',
      [1, 'invalid_package_json'],
      (inside) => {
        rmSync(inside('package.json'));
        symlinkSync('/dev/zero', inside('package.json'));
      },
    ],
    [
      'a device as its entry',
      [1, 'pack_link'],
      (inside) => {
        rmSync(inside('index.ts'));
        symlinkSync('/dev/zero', inside('index.ts'));
      },
    ],
  ])('with %s', async (name, expected, change) => {
    expect(await check(evil(name.replaceAll(' ', '-'), change))).toEqual(expected);
  });
});

describe('a path', { timeout: TIMEOUT_MS }, () => {
  it.runIf(process.platform !== 'win32')('that is a pipe or a device is no package', async () => {
    pipe(join(folder, 'pipe.tgz'));
    pipe(join(folder, 'pipe.ts'));
    symlinkSync('/dev/zero', join(folder, 'zero.ts'));
    for (const name of ['pipe.tgz', 'pipe.ts', 'zero.ts'])
      expect(await check(join(folder, name))).toEqual([2, 'usage']);
  });

  it('that is noise named as an archive', async () => {
    writeFileSync(join(folder, 'noise.tgz'), 'noise'.repeat(100_000));
    expect(await check(join(folder, 'noise.tgz'))).toEqual([1, 'invalid_archive']);
  });
});
