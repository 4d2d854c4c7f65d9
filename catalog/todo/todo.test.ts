import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callTool, type EarlierResult, loadPiExtension } from '../../tool-package/run/index.ts';

const load = (earlierResults: EarlierResult[] = []) =>
  loadPiExtension(join(import.meta.dirname, 'todo.ts'), { earlierResults });

const textOf = (result: { content: { text?: string }[] }) => result.content[0]?.text;

test('adds, lists and finishes', async () => {
  const extension = await load();
  expect(textOf(await callTool(extension, 'todo', { action: 'list' }))).toBe('The todo list is empty.');
  expect(textOf(await callTool(extension, 'todo', { action: 'add', text: ' buy milk ' }))).toBe(
    'Added 1. buy milk (1 open)',
  );
  await callTool(extension, 'todo', { action: 'add', text: '写周报' });
  const done = await callTool(extension, 'todo', { action: 'done', text: '周报' });
  expect(textOf(done)).toBe('Done: 2. 写周报 (1 open)');
  expect(done.details).toEqual({
    action: 'done',
    todos: [
      { id: 1, text: 'buy milk', done: false },
      { id: 2, text: '写周报', done: true },
    ],
  });
  expect(textOf(await callTool(extension, 'todo', { action: 'list' }))).toBe('[ ] 1. buy milk\n[x] 2. 写周报');
});

test.each([
  [{ action: 'done', text: '2' }, 'Done: 2. call Bob'],
  [{ action: 'done', text: '#1' }, 'Done: 1. call Ann'],
  [{ action: 'done', text: 'BOB' }, 'Done: 2. call Bob'],
])('%j finds the item', async (args, expected) => {
  const extension = await load();
  await callTool(extension, 'todo', { action: 'add', text: 'call Ann' });
  await callTool(extension, 'todo', { action: 'add', text: 'call Bob' });
  expect(textOf(await callTool(extension, 'todo', args))).toContain(expected);
});

test.each([
  [{ action: 'done', text: 'call' }, '"call" matches 2 items; use the number. Open: 1. call Ann; 2. call Bob'],
  [{ action: 'done', text: 'nothing' }, 'No open item matches "nothing". Open: 1. call Ann; 2. call Bob'],
  [{ action: 'done', text: '7' }, 'No open item matches "7"'],
  [{ action: 'done' }, 'todo done needs text: which item is done'],
  [{ action: 'add', text: '   ' }, 'todo add needs text: the new item'],
  [{ action: 'clear' }, 'action: expected one of ["list","add","done"]'],
  [{}, 'action: missing'],
])('%j fails, says why, and changes nothing', async (args, reason) => {
  const extension = await load();
  await callTool(extension, 'todo', { action: 'add', text: 'call Ann' });
  await callTool(extension, 'todo', { action: 'add', text: 'call Bob' });
  const result = await callTool(extension, 'todo', args);
  expect(result.isError).toBe(true);
  expect(textOf(result)).toContain(reason);
  expect(textOf(await callTool(extension, 'todo', { action: 'list' }))).toBe('[ ] 1. call Ann\n[ ] 2. call Bob');
});

test('a finished item is not finished twice', async () => {
  const extension = await load();
  await callTool(extension, 'todo', { action: 'add', text: 'call Ann' });
  await callTool(extension, 'todo', { action: 'done', text: '1' });
  expect(textOf(await callTool(extension, 'todo', { action: 'done', text: '1' }))).toBe(
    'No open item matches "1". Nothing is open.',
  );
});

test('comes back from the results in the session, the newest one', async () => {
  const result = (text: string): EarlierResult => ({
    toolName: 'todo',
    details: { todos: [{ id: 4, text, done: false }] },
  });
  const extension = await load([
    result('old'),
    result('new'),
    { toolName: 'other', details: { todos: [{ id: 1, text: 'foreign', done: false }] } },
    { toolName: 'todo', isError: true },
    { toolName: 'todo', details: { todos: 'damaged' } },
  ]);
  expect(textOf(await callTool(extension, 'todo', { action: 'list' }))).toBe('[ ] 4. new');
  expect(textOf(await callTool(extension, 'todo', { action: 'add', text: 'next' }))).toBe('Added 5. next (2 open)');
});

test('follows the session when the user goes to another branch', async () => {
  const extension = await load();
  await callTool(extension, 'todo', { action: 'add', text: 'on the old branch' });
  extension.session.entries.length = 0;
  await extension.emit('session_tree');
  expect(textOf(await callTool(extension, 'todo', { action: 'list' }))).toBe('The todo list is empty.');
});

test.each([
  [{ oldAction: 'add', text: 'a' }],
  [{ action: 'add', item: 'a' }],
  [{ oldAction: 'add', item: 'a' }],
  [{ oldAction: 'list', action: 'add', item: 'b', text: 'a' }],
])('the old names in %j are understood, the new ones win', async (args) => {
  const extension = await load();
  expect(textOf(await callTool(extension, 'todo', args))).toBe('Added 1. a (1 open)');
});

test('tells how it goes and notifies', async () => {
  const extension = await load();
  const updates: unknown[] = [];
  await callTool(extension, 'todo', { action: 'add', text: 'a' }, { onUpdate: (update) => updates.push(update) });
  await callTool(extension, 'todo', { action: 'done', text: 'a' });
  await callTool(extension, 'todo', { action: 'list' });
  expect(updates).toHaveLength(1);
  expect(extension.notifications.map(({ message }) => message)).toEqual(['Todo added: a', 'Todo done: a']);
});

test('works where there is no screen', async () => {
  const extension = await load();
  const blind = { ...extension, context: Object.create(extension.context, { ui: { value: undefined } }) };
  expect((await callTool(blind, 'todo', { action: 'add', text: 'a' })).isError).toBe(false);
});

test('cancelled: the list stays as it was', async () => {
  const extension = await load();
  const result = await callTool(extension, 'todo', { action: 'add', text: 'a' }, { signal: AbortSignal.abort() });
  expect(result.isError).toBe(true);
  expect(textOf(await callTool(extension, 'todo', { action: 'list' }))).toBe('The todo list is empty.');
});

test('a very long list is cut', async () => {
  const todos = Array.from({ length: 3000 }, (_, index) => ({ id: index + 1, text: 'x', done: false }));
  const extension = await load([{ toolName: 'todo', details: { todos } }]);
  expect(textOf(await callTool(extension, 'todo', { action: 'list' }))).toMatch(/\[1000 more items are not shown\]$/);
});
