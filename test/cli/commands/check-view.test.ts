/** What `check` prints: for people, on a terminal of any width. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { countFindings, findingsText } from '../../../cli/terminal/package-view.ts';
import { styleFor } from '../../../cli/terminal/style.ts';
import type { Finding } from '../../../schemas/finding.ts';
import { type CliHome, createCliHome } from '../../support/cli.ts';

vi.setConfig({ testTimeout: 60_000 });

let cli: CliHome;
beforeAll(async () => {
  cli = await createCliHome();
});
afterAll(() => cli.remove());

const options = { style: styleFor('off'), columns: 80, now: new Date(0) };
const finding = (more: Partial<Finding>): Finding => ({
  ...{ rule: 'text/undescribed', level: 'warn', agent: null, tool: 'add', field: 'x', file: 'a.ts', line: 3 },
  ...{ message: 'a message', hint: 'a hint' },
  ...more,
});

test('the same about two agents is said once, and names both', () => {
  const findings = [finding({ agent: 'slopcode', evidence: 'a'.repeat(64) }), finding({ agent: 'opencode' })];
  expect(findingsText(findings, options)).toBe(
    'warn   text/undescribed  a.ts:3  tool add (slopcode, opencode)\n       a message\n       → a hint',
  );
  expect(countFindings(findings)).toBe('1 warning');
});

test('what differs is said twice', () => {
  const findings = [
    finding({ agent: 'slopcode' }),
    finding({ agent: 'opencode', line: 4 }),
    finding({ agent: 'pi', tool: null }),
  ];
  expect(findingsText(findings, options).match(/a message/g)).toHaveLength(3);
  expect(findingsText(findings, options)).toContain('a.ts:3  (pi)');
  expect(countFindings(findings)).toBe('3 warnings');
});

test('of a single file it says where to put what only a package can say', async () => {
  const code = `export default (pi) => pi.registerTool({ name: 'alone', label: 'A', description: 'Reads it', parameters: { type: 'object' }, async execute() { return { content: [{ type: 'text', text: String(process.env.MY_VARIABLE) }] }; } });`;
  writeFileSync(join(cli.project, 'alone.ts'), code);
  const { stdout } = await cli.run(['check', 'alone.ts']);
  const text = stdout.replace(/\s+/g, ' ');
  expect(text).toContain('supply/no-license');
  expect(text).toContain('a single file cannot say this: `pi-tools init`');
  expect(text).not.toContain('--fix');
  expect(text).not.toContain('package.json names');
});

test('a package.json that does not parse: what is not JSON about it', async () => {
  for (const [name, content] of [
    ['comma', '{ "name": "x",\n }'],
    ['comment', '{ // why\n }'],
  ]) {
    mkdirSync(join(cli.project, String(name)));
    writeFileSync(join(cli.project, String(name), 'package.json'), String(content));
    const { code, json } = await cli.run(['check', String(name), '--json']);
    expect(code).toBe(1);
    expect(json.error.hint).toContain('trailing comma');
  }
});
