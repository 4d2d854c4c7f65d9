import { closeSync, ftruncateSync, mkdirSync, openSync, symlinkSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scratchFolders } from '../../test/support/agents/scratch.ts';
import { callTool, loadPiExtension } from '../../tool-package/run/index.ts';

const scratch = scratchFolders();

async function setUp() {
  const cwd = scratch();
  const extension = await loadPiExtension(join(import.meta.dirname, 'read-log.ts'), { cwd });
  const call = async (args: unknown, signal?: AbortSignal) => {
    const result = await callTool(extension, 'read_log', args, signal ? { signal } : {});
    return { ...result, text: result.content[0]?.text ?? '' };
  };
  return { cwd, call, write: (name: string, content: string | Buffer) => writeFileSync(join(cwd, name), content) };
}

const numbered = (count: number) => Array.from({ length: count }, (_, n) => `line ${n + 1}\n`).join('');

test('a short file comes whole, without a notice', async () => {
  const { call, write } = await setUp();
  write('a.log', numbered(3));
  for (const from of ['head', 'tail']) expect((await call({ path: 'a.log', from })).text).toBe(numbered(3));
});

test('the end is the default, and the notice says what was left out', async () => {
  const { call, write } = await setUp();
  write('a.log', numbered(1000));
  const result = await call({ path: 'a.log', lines: 2 });
  expect(result.text).toBe(
    'line 999\nline 1000\n\n[Shown: the last 2 lines, 19B of 8.7KB. The earlier part of the file was left out.]',
  );
  expect(result.details).toMatchObject({ from: 'tail', lines: 2, fileBytes: 8893, cut: true });
});

test('the beginning', async () => {
  const { call, write } = await setUp();
  write('a.log', numbered(1000));
  const { text } = await call({ path: 'a.log', from: 'head', lines: 1 });
  expect(text).toBe('line 1\n\n[Shown: the first 1 line, 7B of 8.7KB. The later part of the file was left out.]');
});

test('200 lines when nothing is said; a file without a final line end', async () => {
  const { call, write } = await setUp();
  write('a.log', `${numbered(500)}unfinished`);
  const { text } = await call({ path: 'a.log' });
  expect(text).toMatch(/^line 302\n/);
  expect(text).toContain('line 500\nunfinished\n\n[Shown: the last 200 lines');
});

test.each(['head', 'tail'])('%s: long lines are cut at the limit of bytes', async (from) => {
  const { call, write } = await setUp();
  write('a.log', Array.from({ length: 400 }, (_, n) => `${n} ${'я'.repeat(500)}\n`).join(''));
  const { text, details } = await call({ path: 'a.log', from, lines: 2000 });
  expect(Buffer.byteLength(text)).toBeLessThan(50 * 1024 + 200);
  expect(details).toMatchObject({ cut: true });
  expect(text).not.toContain('\uFFFD');
  expect(text).toMatch(/\[Shown: the (first|last) 5\d lines/);
});

test.each(['head', 'tail'])('%s of one endless line', async (from) => {
  const { call, write } = await setUp();
  write('a.log', '天'.repeat(1_000_000));
  const { text } = await call({ path: 'a.log', from });
  expect(text).toMatch(/^天+\n\n\[Shown: the (first|last) 1 line, (50\.0|49\.\d)KB of 2\.9MB/);
});

test.each(['head', 'tail'])('%s of a file of 8 GB is as quick as of a small one', async (from) => {
  const { cwd, call } = await setUp();
  const file = openSync(join(cwd, 'huge.log'), 'w');
  writeSync(file, 'first line\n');
  ftruncateSync(file, 8 * 1024 ** 3);
  writeSync(file, '\nlast line\n', 8 * 1024 ** 3);
  closeSync(file);
  const started = performance.now();
  const { text } = await call({ path: 'huge.log', from, lines: 1 });
  expect(text).toContain(from === 'head' ? 'first line\n' : 'last line\n');
  expect(performance.now() - started).toBeLessThan(2000);
});

test.each(['file', 'path'])('the parameter may be called %s', async (name) => {
  const { call, write } = await setUp();
  write('a.log', 'x\n');
  expect((await call({ [name]: 'a.log' })).text).toBe('x\n');
});

test('an empty file', async () => {
  const { call, write } = await setUp();
  write('a.log', '');
  expect((await call({ path: 'a.log' })).text).toBe('[The file is empty.]');
});

test.each([
  [{ path: 'none.log' }, 'There is no file'],
  [{ path: 'dir' }, 'is a folder, not a log file'],
  [{ path: '/etc/passwd' }, '/etc/passwd is not a log: only files in the working folder, /var/log and /tmp are read'],
  [{ path: 'link.log' }, 'link.log is not a log'],
  [{ path: 'a.log', lines: 0 }, 'lines: expected >= 1'],
  [{ path: 'a.log', lines: 2001 }, 'lines: expected <= 2000'],
  [{ path: 'a.log', from: 'middle' }, 'from: expected one of'],
])('%j is refused with a reason', async (args, reason) => {
  const { cwd, call, write } = await setUp();
  write('a.log', 'x');
  mkdirSync(join(cwd, 'dir'));
  symlinkSync('/etc/passwd', join(cwd, 'link.log'));
  const result = await call(args);
  expect(result.isError).toBe(true);
  expect(result.text).toContain(reason);
});

test('cancelled', async () => {
  const { call, write } = await setUp();
  write('a.log', 'x');
  const result = await call({ path: 'a.log' }, AbortSignal.abort());
  expect([result.isError, result.text]).toEqual([true, 'Reading the log was cancelled.']);
});

test('head and tail are the lines of the file (property)', async () => {
  const { call, write } = await setUp();
  const line = fc
    .string({ unit: fc.constantFrom('a', 'é', '天', '😀', ' '), maxLength: 400 })
    .map((text) => `>${text}`);
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1, maxLength: 400 }),
      fc.boolean(),
      fc.integer({ min: 1, max: 50 }),
      async (lines, finalLineEnd, count) => {
        write('p.log', lines.join('\n') + (finalLineEnd ? '\n' : ''));
        const shown = async (from: string) => {
          const { text } = await call({ path: 'p.log', from, lines: count });
          return text
            .replace(/\n?\n\n\[Shown: [^\n]*\]$/, '')
            .replace(/\n$/, '')
            .split('\n');
        };
        if (lines.length <= count || Buffer.byteLength(lines.join('\n')) > 40_000) return;
        expect(await shown('head')).toEqual(lines.slice(0, count));
        expect(await shown('tail')).toEqual(lines.slice(-count));
      },
    ),
    { numRuns: 60 },
  );
});
