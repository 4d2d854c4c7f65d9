import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolders } from '../../test/support/agents/scratch.ts';
import { callTool, loadPiExtension } from '../../tool-package/run/index.ts';
import { formatRecords, recordsOf } from './journal.ts';

const scratch = scratchFolders();
async function setUp() {
  const cwd = scratch();
  writeFileSync(join(cwd, 'a.txt'), 'one\ntwo\nthree\nfour\n');
  writeFileSync(join(cwd, 'long.txt'), 'x\n'.repeat(5000));
  const extension = await loadPiExtension(join(import.meta.dirname, 'read-logger.ts'), { cwd });
  const call = async (args: unknown, signal?: AbortSignal) =>
    callTool(extension, 'read', args, signal ? { signal } : {});
  return { cwd, extension, call, records: () => recordsOf(extension.session.entries) };
}

// Images are tried in the real pi: test/agents/pi-catalog.test.ts.
test('reads as the built-in does: paging, cutting with details', async () => {
  const { call } = await setUp();
  expect((await call({ path: 'a.txt' })).content[0]?.text).toContain('one\ntwo\nthree\nfour');
  const part = (await call({ path: 'a.txt', offset: 2, limit: 2 })).content[0]?.text;
  expect(part).toContain('two\nthree');
  expect(part).not.toContain('four\n');
  const long = await call({ path: 'long.txt' });
  expect(long.details).toMatchObject({ truncation: { truncated: true, totalLines: 5000, outputLines: 2000 } });
});

test('logs each read, with what was asked for and how it ended', async () => {
  const { call, records } = await setUp();
  await call({ path: 'a.txt' });
  await call({ path: 'a.txt', offset: 3, limit: 1 });
  const failed = await call({ path: 'none.txt' });
  expect(failed.isError).toBe(true);
  expect(records()).toEqual([
    { at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/), path: 'a.txt', offset: null, limit: null, error: null },
    { at: expect.any(String), path: 'a.txt', offset: 3, limit: 1, error: null },
    { at: expect.any(String), path: 'none.txt', offset: null, limit: null, error: expect.stringContaining('ENOENT') },
  ]);
});

test('what the model gets holds nothing of the log', async () => {
  const { call } = await setUp();
  const { content } = await call({ path: 'a.txt' });
  expect(JSON.stringify(content)).not.toContain('read-logger');
});

test('a cancelled read fails and is logged', async () => {
  const { call, records } = await setUp();
  expect((await call({ path: 'a.txt' }, AbortSignal.abort())).isError).toBe(true);
  expect(records()).toHaveLength(1);
});

test('/reads shows the log', async () => {
  const { call, extension } = await setUp();
  const show = async () => {
    await extension.commands.get('reads')?.handler?.('', extension.context);
    return extension.notifications.at(-1)?.message;
  };
  expect(await show()).toBe('Nothing has been read in this session.');
  await call({ path: 'a.txt', offset: 3 });
  expect(await show()).toMatch(/^\S+Z a\.txt from line 3$/);
});

test('a long log shows its newest reads', () => {
  const record = (n: number) => ({
    at: `t${n}`,
    path: `f${n}`,
    offset: null,
    limit: n === 3 ? 5 : null,
    error: n === 4 ? 'no' : null,
  });
  expect(formatRecords([1, 2, 3, 4].map(record), 2)).toBe(
    '(2 earlier reads)\nt3 f3 from line 1, 5 lines\nt4 f4 failed: no',
  );
});

test('foreign and damaged entries are left out', () => {
  const entries = [
    { type: 'custom', customType: 'other', data: { at: 't', path: 'p' } },
    { type: 'custom', customType: 'read-logger', data: null },
    { type: 'message', message: {} },
  ];
  expect(recordsOf(entries)).toEqual([]);
});

test('brings its own line for the system prompt, and declares the override', async () => {
  const { extension } = await setUp();
  const tool = extension.tools.get('read') as unknown as { promptSnippet: string; promptGuidelines: string[] };
  expect(tool.promptSnippet).not.toBe('');
  expect(tool.promptGuidelines.every((line) => line.includes('read'))).toBe(true);
  const packageJson = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8'));
  expect(packageJson.piTools.overrides).toMatchObject([{ tool: 'read' }]);
});
