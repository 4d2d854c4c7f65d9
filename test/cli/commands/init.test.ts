import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readOrigin } from '../../../cli/init/repository.ts';
import { callSlopcodeTool, callTool, loadPiExtension, loadSlopcodeTools } from '../../../tool-package/run/index.ts';
import { type CliHome, createCliHome } from '../../support/cli.ts';

vi.setConfig({ testTimeout: 90_000 });

let cli: CliHome;
beforeEach(async () => {
  cli = await createCliHome();
  const remote = 'https://me:s3cret@git.example.org/team/tools.git';
  writeFileSync(join(cli.project, '.git', 'config'), `[core]\n[remote "origin"]\n\turl = ${remote}\n`);
});
afterEach(() => cli.remove());

const textOf = (result: { content: { text?: string }[] }) => result.content.map((part) => part.text).join('');

describe('init', () => {
  test('makes a pi package that checks without a finding above info, and works', async () => {
    const made = await cli.run(['init', 'my-tool', '--json']);
    expect(made.json).toMatchObject({
      ok: true,
      package: 'my-tool',
      folder: join(cli.project, 'my-tool'),
      dryRun: false,
    });
    const check = await cli.run(['check', 'my-tool', '--json', '--strict']);
    expect(check.json.findings?.filter((one: { level: string }) => one.level !== 'info')).toEqual([]);
    expect(check.code).toBe(0);
    const extension = await loadPiExtension(join(cli.project, 'my-tool', 'my-tool.ts'));
    expect(textOf(await callTool(extension, 'my-tool', { text: 'two words' }))).toBe('2 words, 1 lines, 9 characters');
  });

  test('the test in its README passes', async () => {
    await cli.run(['init', 'my-tool']);
    const folder = join(cli.project, 'my-tool');
    const test = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(folder, 'README.md'), 'utf8'))?.[1] ?? '';
    expect(test).toContain('countText');
    const { transform } = await import('esbuild');
    for (const [name, source] of [
      ['count.ts', readFileSync(join(folder, 'count.ts'), 'utf8')],
      ['readme.test.ts', test.replace('./count.ts', './count.mjs')],
    ] as const) {
      const { code } = await transform(source, { loader: 'ts', format: 'esm' });
      writeFileSync(join(folder, name.replace('.ts', '.mjs')), code);
    }
    const { stdout } = await promisify(execFile)(process.execPath, ['--test', join(folder, 'readme.test.mjs')]);
    expect(stdout).toMatch(/pass 1/);
  });

  test('makes a tool file for SlopCode and opencode', async () => {
    await cli.run(['init', 'shouter', '--agent', 'slopcode', '--agent', 'opencode']);
    const check = await cli.run(['check', 'shouter', '--json', '--strict']);
    expect(check.json.findings?.filter((one: { level: string }) => one.level !== 'info')).toEqual([]);
    expect(Object.keys(check.json.manifest.record.agents).sort()).toEqual(['opencode', 'slopcode']);
    const tools = await loadSlopcodeTools(join(cli.project, 'shouter', 'tools', 'shouter.ts'));
    expect(JSON.stringify(await callSlopcodeTool(tools, 'shouter', { text: 'a b' }))).toContain('2 words');
  });

  test('one package for all three agents', async () => {
    await cli.run(['init', 'both', '--agent', 'pi', '--agent', 'slopcode', '--agent', 'opencode']);
    const { json, code } = await cli.run(['check', 'both', '--json', '--strict']);
    expect(code).toBe(0);
    expect(Object.keys(json.manifest.record.agents).sort()).toEqual(['opencode', 'pi', 'slopcode']);
  });

  test.each([
    ['My Tool 2', 'my-tool-2'],
    ['Über_Tool', 'u-ber-tool'],
    ['9lives', '9lives'],
  ])('a folder %s gives a name that is one', async (folder, name) => {
    const { json } = await cli.run(['init', folder, '--json']);
    expect(json.package).toBe(name);
    expect((await cli.run(['check', folder])).code).toBe(0);
  });

  test('a name can be given, with a scope', async () => {
    const { json } = await cli.run(['init', 'x', '--name', '@team/x', '--json']);
    expect(json).toMatchObject({ package: '@team/x', files: expect.arrayContaining(['x.ts']) });
  });

  test('in the working folder, beside a README that is there', async () => {
    const folder = join(cli.project, 'fresh-repo');
    mkdirSync(folder);
    writeFileSync(join(folder, 'README.md'), 'mine');
    expect((await cli.run(['init'], { cwd: folder })).code).toBe(0);
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe('mine');
    expect(readdirSync(folder)).toContain('package.json');
  });

  test('never writes over a package', async () => {
    const folder = join(cli.project, 'mine');
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{"mine":true}');
    const result = await cli.run(['init', 'mine', '--json']);
    expect([result.code, result.json.error.code]).toEqual([4, 'path_conflict']);
    expect(readdirSync(folder)).toEqual(['package.json']);
  });

  test('--dry-run names the files and writes none', async () => {
    const { json } = await cli.run(['init', 'later', '--dry-run', '--json']);
    expect(json.files).toContain('package.json');
    expect(readdirSync(cli.project)).toEqual(['.git']);
  });

  test('names the repository, without the password that a clone may hold', async () => {
    await cli.run(['init', 'my-tool']);
    const text = readFileSync(join(cli.project, 'my-tool', 'package.json'), 'utf8');
    expect(JSON.parse(text).repository).toBe('https://git.example.org/team/tools');
  });

  test.each([
    ['git@github.com:team/tools.git', 'https://github.com/team/tools'],
    ['ssh://git@example.org:2222/team/tools', 'https://example.org/team/tools'],
    ['https://example.org/a.git', 'https://example.org/a'],
    ['/srv/git/tools.git', undefined],
    ['file:///srv/git', undefined],
    ['http://example.org/a', undefined],
  ])('origin %s', (url, repository) => {
    expect(
      readOrigin(`[remote "other"]\n\turl = https://wrong\n[remote "origin"]\n\turl = ${url}\n[branch "x"]\n`),
    ).toBe(repository);
    expect(readOrigin('[core]\n')).toBeUndefined();
  });

  test.each([['天气'], ['...']])('a folder %s gives no name: exit 1 and --name', async (folder) => {
    const result = await cli.run(['init', folder]);
    expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('--name') });
  });
});
