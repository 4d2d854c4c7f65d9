import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { callSlopcodeTool, loadSlopcodeTools } from '../../../tool-package/run/index.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'run-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function load(name: string, source: string) {
  const file = path.join(folder, name);
  writeFileSync(file, source);
  return loadSlopcodeTools(file);
}

it('names the tools as the agent does and leaves out what is no tool', async () => {
  const source = `import { tool } from '@slopcode-ai/plugin';
    export const VERSION = '1'; export const nothing = null; export function help() {}
    export const add = tool({ description: 'Adds', args: { a: tool.schema.number(), b: tool.schema.number() }, async execute(args) { return String(args.a + args.b); } });
    export default tool({ description: 'Main', args: {}, execute: async () => 'main' });`;
  const tools = await load('math.ts', source);
  expect([...tools.keys()].sort()).toEqual(['math', 'math_add']);
  expect(await callSlopcodeTool(tools, 'math_add', { a: 2, b: 3 })).toBe('5');
});

it('gives raw arguments: no check, no default', async () => {
  const source = `import { z } from 'zod'; import { tool } from '@opencode-ai/plugin/tool';
    export default tool({ description: 'd', args: { n: z.number().default(7) }, execute: async (args) => JSON.stringify(args) });`;
  const tools = await load('raw.ts', source);
  expect(await callSlopcodeTool(tools, 'raw', { n: 'x', extra: 1 })).toBe('{"n":"x","extra":1}');
  expect(await callSlopcodeTool(tools, 'raw', {})).toBe('{}');
});

it.each([['5'], ['{ a: 1 }'], ['undefined'], ['null']])('a result of %s is where the host crashes', async (value) => {
  const tools = await load('bad.ts', `export default { description: 'd', args: {}, execute: async () => (${value}) };`);
  await expect(callSlopcodeTool(tools, 'bad', {})).rejects.toThrow(/needs a string/);
});

it('the context has what the agents give', async () => {
  const source = `export default { description: 'd', args: {}, async execute(args, context) {
      context.metadata({ title: 't' }); await context.ask({ permission: 'bash' });
      return JSON.stringify({ ...context, abort: context.abort.aborted, here: import.meta.dirname }); } };`;
  const tools = await load('ctx.ts', source);
  const seen: unknown[] = [];
  const context = JSON.parse(
    await callSlopcodeTool(
      tools,
      'ctx',
      {},
      {
        directory: '/a',
        worktree: '/',
        onMetadata: (value) => seen.push(value),
        onAsk: (value) => void seen.push(value),
      },
    ),
  );
  expect(context).toMatchObject({
    sessionID: 'ses_1',
    agent: 'build',
    messageID: 'msg_1',
    directory: '/a',
    worktree: '/',
    abort: false,
    here: folder,
  });
  expect(seen).toEqual([{ title: 't' }, { permission: 'bash' }]);
});

it('what a file throws comes through', async () => {
  await expect(load('x.ts', "throw new Error('at import')")).rejects.toThrow('at import');
  const tools = await load(
    'y.ts',
    "export default { description: 'd', args: {}, execute() { throw new Error('exploded'); } };",
  );
  await expect(callSlopcodeTool(tools, 'y', {})).rejects.toThrow('exploded');
});
