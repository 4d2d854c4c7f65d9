/** docs/checks.md is made from the rules: `npm run docs:rules` writes it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { groupsOf, groupTitle, ruleRow, rulesPage } from '../../../cli/check/rules.ts';
import type { Finding } from '../../../schemas/finding.ts';
import { RULE_SET, RULES } from '../../../tool-package/check/index.ts';
import { type CliHome, createCliHome } from '../../support/cli.ts';

vi.setConfig({ testTimeout: 60_000 });

let cli: CliHome;
beforeAll(async () => {
  cli = await createCliHome();
});
afterAll(() => cli.remove());

describe('the rules', () => {
  const rows = RULES.map(ruleRow);

  test('docs/checks.md says what the rules say', async () => {
    await expect(rulesPage(rows)).toMatchFileSnapshot(
      '../../../docs/checks.md',
      'docs/checks.md is stale: run `npm run docs:rules`',
    );
  });

  test('each has its own id, and says what, why and how to fix it', () => {
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    for (const { id, what, why, fix } of rows) {
      expect(id).toMatch(/^[a-z]+\/[a-z-]+$/);
      for (const text of [what, why, fix]) expect(text.trim().length, id).toBeGreaterThan(5);
    }
  });

  test('each group has a title', () => {
    for (const [group] of groupsOf(rows)) expect(groupTitle(group)).not.toBe(group);
  });

  test('a page shows no text of a rule as markup', () => {
    const page = rulesPage([{ id: 'x/y', level: 'warn', what: 'a <b> [c](d) `<e>`', why: 'a|b', fix: '*f*' }]);
    expect(page).toContain('A \\<b\\> \\[c\\](d) `<e>`');
    expect(page).toContain('a\\|b');
    expect(page).toContain('\\*f\\*');
  });
});

describe('a finding that only tells', () => {
  test('has no hint: a declared override, the final names', async () => {
    const folder = join(cli.project, 'sample');
    mkdirSync(join(folder, 'tools'), { recursive: true });
    const overrides = [
      { tool: 'read', reason: 'it logs' },
      { tool: 'grep', reason: 'it is faster' },
    ];
    const keys = {
      pi: { extensions: ['./index.ts'] },
      slopcode: { tools: ['./tools/grep.ts'] },
      piTools: { overrides },
    };
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'sample', version: '1.0.0', ...keys }));
    const pi = `export default (pi) => pi.registerTool({ name: 'read', description: 'Reads', parameters: { type: 'object' }, execute() {} });`;
    writeFileSync(join(folder, 'index.ts'), pi);
    writeFileSync(
      join(folder, 'tools', 'grep.ts'),
      `export default { description: 'Seeks', args: {}, execute: async () => '' };`,
    );
    const { json } = await cli.run(['check', 'sample', '--json']);
    const told = (json.findings as Finding[]).filter(
      ({ rule, level }) => level === 'info' && /^(?:pi\/override|slopcode\/(?:override|name))$/.test(rule),
    );
    expect(told.map(({ rule, hint }) => [rule, hint]).sort()).toEqual([
      ['pi/override', null],
      ['slopcode/name', null],
      ['slopcode/override', null],
    ]);
  });
});

describe('check --rules', () => {
  test('lists every rule', async () => {
    const { code, json } = await cli.run(['check', '--rules', '--json']);
    expect(code).toBe(0);
    expect(json).toEqual({ ruleSet: RULE_SET, rules: RULES.map(ruleRow) });
    const { stdout } = await cli.run(['check', '--rules']);
    for (const { id } of RULES) expect(stdout).toContain(id);
  });

  test.each([[['somewhere']], [['--fix']], [['--sarif', 'x']]])('takes nothing else: %j', async (more) => {
    expect((await cli.run(['check', '--rules', ...more])).code).toBe(2);
  });
});
