import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { scratchFolders } from '../../test/support/agents/scratch.ts';
import { callSlopcodeTool, loadSlopcodeTools } from '../../tool-package/run/index.ts';

const scratch = scratchFolders();
const hasPython = (() => {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

const load = (folder = import.meta.dirname) => loadSlopcodeTools(join(folder, 'tools', 'python-add.ts'));
afterEach(() => vi.unstubAllEnvs());

test.runIf(hasPython)('adds in Python', async () => {
  const tools = await load();
  expect([...tools.keys()]).toEqual(['python-add']);
  await expect(callSlopcodeTool(tools, 'python-add', { a: 2, b: 3 })).resolves.toBe('5');
  await expect(callSlopcodeTool(tools, 'python-add', { a: -2.5, b: 1e21 })).resolves.toBe('1e+21');
});

test.runIf(hasPython)('finds its script wherever it is installed, whatever the working folder', async () => {
  const elsewhere = join(scratch(), 'any where');
  cpSync(join(import.meta.dirname, 'tools'), join(elsewhere, 'tools'), { recursive: true });
  const options = { directory: scratch(), worktree: '/' };
  await expect(callSlopcodeTool(await load(elsewhere), 'python-add', { a: 40, b: 2 }, options)).resolves.toBe('42');
});

test.runIf(hasPython)('an argument that is no number is an error, never code', async () => {
  const call = callSlopcodeTool(await load(), 'python-add', { a: '__import__("os")', b: 1 });
  await expect(call).rejects.toThrow(/^python3 failed: ValueError: could not convert string to float/);
});

test('says so when there is no python3', async () => {
  const tools = await load();
  vi.stubEnv('PATH', scratch());
  await expect(callSlopcodeTool(tools, 'python-add', { a: 1, b: 2 })).rejects.toThrow('python-add needs python3');
});
