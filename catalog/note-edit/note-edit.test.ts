import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scratchFolders } from '../../test/support/agents/scratch.ts';
import { callTool, loadPiExtension } from '../../tool-package/run/index.ts';
import { replaceOnce } from './replace.ts';

const scratch = scratchFolders();

async function setUp(files: Record<string, string | Buffer> = {}) {
  const cwd = scratch();
  for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, name), content);
  const extension = await loadPiExtension(join(import.meta.dirname, 'note-edit.ts'), { cwd });
  const call = async (args: unknown, signal?: AbortSignal) => {
    const result = await callTool(extension, 'note_edit', args, signal ? { signal } : {});
    return { ...result, text: result.content[0]?.text ?? '' };
  };
  return { cwd, call, read: (name: string) => readFileSync(join(cwd, name), 'utf8') };
}

test('replaces the one occurrence', async () => {
  const { call, read } = await setUp({ 'notes.md': '# List\n- [ ] call Ann\n- [ ] call Bob\n' });
  const result = await call({ path: 'notes.md', oldText: '[ ] call Bob', newText: '[x] call Bob' });
  expect(result).toMatchObject({
    isError: false,
    text: 'Changed notes.md at line 3.',
    details: { path: 'notes.md', line: 3, created: false },
  });
  expect(read('notes.md')).toBe('# List\n- [ ] call Ann\n- [x] call Bob\n');
});

test('takes the new text letter for letter', async () => {
  const { call, read } = await setUp({ a: 'x OLD y' });
  await call({ path: 'a', oldText: 'OLD', newText: "$& $1 $$ $` $' \\n" });
  expect(read('a')).toBe("x $& $1 $$ $` $' \\n y");
});

test.each([
  ['missing', { path: 'a', oldText: 'zzz', newText: '' }, 'oldText does not occur in the file'],
  ['twice', { path: 'a', oldText: 'one', newText: '' }, 'oldText occurs more than once (lines 1 and 2)'],
  ['overlapping', { path: 'b', oldText: 'aa', newText: '' }, 'oldText occurs more than once'],
  ['the same', { path: 'a', oldText: 'two', newText: 'two' }, 'there is nothing to change'],
  ['no such file', { path: 'c', oldText: 'x', newText: '' }, 'c does not exist. To make it, leave oldText empty.'],
  ['a folder', { path: 'dir', oldText: 'x', newText: '' }, 'dir is a folder'],
  ['file exists', { path: 'a', oldText: '', newText: 'x' }, 'a exists already'],
  ['no folder', { path: 'x/y/n', oldText: '', newText: 'x' }, 'The folder of x/y/n does not exist. Set createFolders'],
  ['outside', { path: '../a', oldText: 'one', newText: '' }, '../a is not a file inside the working folder'],
  ['outside, absolute', { path: '/etc/hosts', oldText: 'l', newText: '' }, 'is not a file inside the working folder'],
  ['the folder itself', { path: '.', oldText: 'l', newText: '' }, 'is not a file inside the working folder'],
  ['through a link', { path: 'link/a', oldText: 'one', newText: '' }, 'is not a file inside the working folder'],
  ['new through a link', { path: 'link/n', oldText: '', newText: 'x' }, 'is not a file inside the working folder'],
  ['no UTF-8', { path: 'latin', oldText: 'caf', newText: '' }, 'latin is not a UTF-8 text file'],
])('%s: an error that says so, nothing written', async (_name, args, reason) => {
  const { cwd, call, read } = await setUp({
    a: 'one two\none\n',
    b: 'aaa',
    latin: Buffer.from([0x63, 0x61, 0x66, 0xe9]),
  });
  mkdirSync(join(cwd, 'dir'));
  const outside = scratch();
  writeFileSync(join(outside, 'a'), 'one');
  symlinkSync(outside, join(cwd, 'link'));
  const result = await call(args);
  expect(result.isError).toBe(true);
  expect(result.text).toContain(reason);
  expect(read('a')).toBe('one two\none\n');
  expect(readFileSync(join(cwd, 'latin'))).toEqual(Buffer.from([0x63, 0x61, 0x66, 0xe9]));
  expect(readFileSync(join(outside, 'a'), 'utf8')).toBe('one');
  expect(existsSync(join(outside, 'n'))).toBe(false);
  expect(existsSync(join(cwd, 'x'))).toBe(false);
});

test('makes a new file, and its folders only when asked', async () => {
  const { call, read } = await setUp();
  await call({ path: 'new.md', oldText: '', newText: '# New\n' });
  expect(read('new.md')).toBe('# New\n');
  const result = await call({ path: 'deep/er/new.md', oldText: '', newText: 'x', createFolders: true });
  expect(result.text).toBe('Made deep/er/new.md.');
  expect(read('deep/er/new.md')).toBe('x');
});

test('a link to a file in the folder is followed and stays a link', async () => {
  const { cwd, call, read } = await setUp({ real: 'old' });
  symlinkSync('real', join(cwd, 'alias'));
  await call({ path: '@alias', oldText: 'old', newText: 'new' });
  expect(read('real')).toBe('new');
});

test('keeps Windows line ends and a byte order mark', async () => {
  const { call, read } = await setUp({ a: '\uFEFFone\r\ntwo\r\nthree\r\n' });
  await call({ path: 'a', oldText: 'one\ntwo', newText: 'one\n2' });
  expect(read('a')).toBe('\uFEFFone\r\n2\r\nthree\r\n');
});

test('changes of one file at the same time do not lose each other', async () => {
  const { call, read } = await setUp({ a: Array.from({ length: 20 }, (_, n) => `<${n}>`).join('\n') });
  await Promise.all(Array.from({ length: 20 }, (_, n) => call({ path: 'a', oldText: `<${n}>`, newText: `done ${n}` })));
  expect(read('a')).toBe(Array.from({ length: 20 }, (_, n) => `done ${n}`).join('\n'));
});

test('cancelled: the file stays as it was', async () => {
  const { call, read } = await setUp({ a: 'old' });
  const result = await call({ path: 'a', oldText: 'old', newText: 'new' }, AbortSignal.abort());
  expect(result.isError).toBe(true);
  expect(read('a')).toBe('old');
});

test('any text is found, replaced once, and found back (property)', () => {
  const text = fc.string({ unit: 'binary', maxLength: 20 }).filter((value) => !/[\r\n]/.test(value));
  fc.assert(
    fc.property(text, text, text, (before, after, replacement) => {
      const { next } = replaceOnce(`${before}\u0000MARK\u0000${after}`, '\u0000MARK\u0000', `[${replacement}]`);
      expect(next).toBe(`${before}[${replacement}]${after}`);
    }),
  );
});
