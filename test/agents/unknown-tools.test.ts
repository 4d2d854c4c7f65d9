/** Tools that nobody here has written for pi-tools: from a path, into the real agents. */
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findOpencode, findPi, type Opencode, type Pi } from '../support/agents/install.ts';
import { piTools, tryPiTools } from '../support/agents/pi-tools.ts';
import { runOpencode } from '../support/agents/run-opencode.ts';
import { runPi } from '../support/agents/run-pi.ts';
import { scratchFolders } from '../support/agents/scratch.ts';

const pi = findPi();
const opencode = findOpencode();
const scratch = scratchFolders();

function makeHome(...folders: string[]): { home: string; cwd: string } {
  const home = scratch();
  const cwd = join(home, 'project');
  for (const folder of ['project', ...folders]) mkdirSync(join(home, folder), { recursive: true });
  return { home, cwd };
}

describe.skipIf(!pi)('examples of pi, installed', () => {
  const examples = join((pi as Pi)?.modules ?? '', '@earendil-works', 'pi-coding-agent', 'examples', 'extensions');

  test('single files, straight from where they lie', async () => {
    const where = makeHome('.pi/agent');
    const files = ['hello.ts', 'tic-tac-toe.ts', 'structured-output.ts', 'dynamic-tools.ts'];
    await piTools(['install', ...files.map((file) => join(examples, file)), '--yes'], where);
    const calls = [
      { name: 'hello', args: { name: 'Ann' } },
      { name: 'echo_session', args: { message: 'twice' } },
    ];
    const run = await runPi(pi as Pi, { ...where, calls });
    const own = ['read', 'bash', 'edit', 'write'];
    expect([...run.offered.keys()].filter((name) => !own.includes(name)).sort()).toEqual(
      ['echo_session', 'hello', 'structured_output', 'tic_tac_toe', 'tic_tac_toe_see_board'].sort(),
    );
    expect([run.exitCode, run.toolErrors]).toEqual([0, [false, false]]);
    expect(run.results).toEqual(['Hello, Ann!', expect.stringContaining('twice')]);
  });

  test('one with npm dependencies is refused before anything is written', async () => {
    const where = makeHome('.pi/agent');
    const folder = join(scratch(), 'with-deps');
    cpSync(join(examples, 'with-deps'), folder, { recursive: true });
    const refused = await tryPiTools(['install', folder, '--yes', '--json'], where);
    expect(refused.exitCode).toBe(1);
    expect(JSON.parse(refused.stdout)).toMatchObject({ error: { code: 'npm_dependencies', message: /\bms\b/ } });
    expect(existsSync(join(where.home, '.pi', 'agent', 'extensions'))).toBe(false);
  });
});

/** The forms that tool files have in the wild, with the results that would crash a host. */
const SHAPES = `
import { tool } from '@slopcode-ai/plugin';
import { z } from 'zod';

export const number = tool({
  description: 'Gives a number',
  args: { a: tool.schema.number().describe('Any number'), factor: tool.schema.number().default(2).describe('Factor') },
  async execute(args) { return args.a * args.factor },
});
export const structured = {
  description: 'Gives an object with output',
  args: { word: z.enum(['one', 'two']).describe('A word') },
  execute: async ({ word }: { word: string }) => ({ title: 'T', output: 'the word is ' + word, metadata: {} }),
};
export const object = { description: 'Gives any object', args: {}, execute: async () => ({ a: [1, 2] }) };
export const nothing = { description: 'Gives nothing', args: {}, async execute() {} };
export const thrower = { description: 'Throws', args: {}, async execute() { throw new Error('thrown on purpose') } };
export const where = { description: 'Knows its file', args: {}, execute: async () => import.meta.dirname };
`;

describe.skipIf(!opencode)('forms of SlopCode and opencode tools', () => {
  test('each result arrives, arguments are checked, defaults are applied, and nothing ends the session', async () => {
    const where = makeHome('project/.opencode');
    const folder = join(scratch(), 'shapes');
    mkdirSync(folder);
    const packageJson = { name: 'shapes', version: '1.0.0', license: 'MIT', opencode: { tools: ['./shapes.ts'] } };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(packageJson));
    writeFileSync(join(folder, 'shapes.ts'), SHAPES);
    await piTools(['install', folder, '--yes', '--agent', 'opencode', '--scope', 'project'], where);
    const run = await runOpencode(opencode as Opencode, {
      ...where,
      calls: [
        { name: 'shapes_number', args: { a: 21 } },
        { name: 'shapes_number', args: { a: 'x' } },
        { name: 'shapes_number', args: { factor: 1 } },
        { name: 'shapes_structured', args: { word: 'two' } },
        { name: 'shapes_structured', args: { word: 'three' } },
        { name: 'shapes_object' },
        { name: 'shapes_nothing' },
        { name: 'shapes_thrower' },
        { name: 'shapes_where' },
      ],
    });
    expect(run.exitCode).toBe(0);
    const [number, wrong, missing, structured, unknown, object, nothing, thrown, dirname] = run.results;
    expect(number).toBe('42');
    expect(wrong).toMatch(/a: expected number, got string/);
    expect(missing).toMatch(/a: missing/);
    expect(structured).toBe('the word is two');
    expect(unknown).toMatch(/word: expected one of/);
    expect(JSON.parse(object ?? '')).toEqual({ a: [1, 2] });
    expect(nothing).toBe('');
    expect(thrown).toContain('thrown on purpose');
    expect(dirname).toContain(join(where.cwd, '.opencode', 'pi-tools', 'shapes'));
    expect(run.offered.get('shapes_number')?.parameters).toMatchObject({
      properties: { a: { description: 'Any number' }, factor: { default: 2, description: 'Factor' } },
    });
  });
});
