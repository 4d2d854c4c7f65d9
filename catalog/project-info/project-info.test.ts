import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callSlopcodeTool, loadSlopcodeTools } from '../../tool-package/run/index.ts';

const load = () => loadSlopcodeTools(join(import.meta.dirname, 'tools', 'project-info.ts'));

test('repeats what the context says', async () => {
  const tools = await load();
  expect([...tools.keys()]).toEqual(['project-info']);
  const context = { agent: 'build', directory: '/home/ann/shop/packages/api', worktree: '/home/ann/shop' };
  await expect(callSlopcodeTool(tools, 'project-info', {}, context)).resolves.toBe(
    [
      'Agent: build',
      'Session: ses_1',
      'Working folder: /home/ann/shop/packages/api',
      'Worktree: /home/ann/shop',
      'Folder in the worktree: packages/api',
    ].join('\n'),
  );
});

test('at the root of the worktree', async () => {
  const answer = await callSlopcodeTool(await load(), 'project-info', {}, { directory: '/shop', worktree: '/shop' });
  expect(answer).toContain('Folder in the worktree: .');
});

test('outside git the agents give / as the worktree', async () => {
  const answer = await callSlopcodeTool(await load(), 'project-info', {}, { directory: '/tmp/x', worktree: '/' });
  expect(answer).toContain('Worktree: none (not in a git repository)');
  expect(answer).not.toContain('Folder in the worktree');
});
