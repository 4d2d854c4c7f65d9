/** Archives that other packers make must pass: npm, tar and node-tar for real, the others as they were packed once (npm 11, pnpm 10, Yarn 1 and 4, bun 1). */
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { create } from 'tar';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readArchive } from '../../../tool-package/archive/read.ts';

const LONG = `${'deep-folder-with-a-long-name/'.repeat(4)}file-at-the-end-of-a-path-of-more-than-a-hundred-bytes.txt`;
let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'packers-test-'));
  const files: Record<string, string> = {
    'package.json': JSON.stringify({
      name: 'sample',
      version: '1.0.0',
      bin: { run: './run.sh' },
      pi: { extensions: ['./index.ts'] },
    }),
    'index.ts': 'export default () => {};\n',
    'run.sh': '#!/bin/sh\nexit 0\n',
    '天气/城市.json': '{}\n',
    'café/naïve.md': 'text\n',
    [LONG]: 'long\n',
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, 'package', path)), { recursive: true });
    await writeFile(join(root, 'package', path), text);
  }
  await chmod(join(root, 'package', 'run.sh'), 0o755);
});
afterAll(() => rm(root, { recursive: true, force: true }));

const expectAll = async (bytes: Buffer): Promise<void> => {
  const archive = await readArchive(bytes);
  expect(archive.files.map(({ path }) => path)).toEqual(
    [LONG, 'index.ts', 'package.json', 'run.sh', '天气/城市.json', 'café/naïve.md'].sort(),
  );
  expect(archive.files.find(({ path }) => path === 'run.sh')?.executable).toBe(true);
  expect(archive.files.find(({ path }) => path === LONG)?.bytes?.toString()).toBe('long\n');
};

describe('packers', () => {
  it.each(['npm', 'pnpm', 'yarn1', 'yarn4', 'bun'])('%s, a stored archive', async (name) => {
    await expectAll(await readFile(join(import.meta.dirname, 'fixtures', `${name}.tgz`)));
  });

  it('npm pack', async () => {
    const folder = join(root, 'package');
    execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', root, '--silent'], { cwd: folder });
    const [file] = (await readdir(root)).filter((name) => name.endsWith('.tgz'));
    await expectAll(await readFile(join(root, file as string)));
  });

  it('node-tar, portable', async () => {
    const file = join(root, 'portable.tar.gz');
    await create({ file, cwd: root, gzip: true, portable: true }, ['package']);
    await expectAll(await readFile(file));
  });

  it.each(['ustar', 'gnu', 'posix'])('GNU tar, format %s', async (format) => {
    const file = join(root, `${format}.tar.gz`);
    execFileSync('tar', ['--format', format, '-czf', file, '-C', root, 'package']);
    await expectAll(await readFile(file));
  });
});
