/** What no agent can load is an error for every agent, told once; what only failed in the sandbox stays a review. */
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../schemas/finding.ts';
import type { PackageJson } from '../../../schemas/package-json.ts';
import { checkPackage } from '../../../tool-package/check/index.ts';
import { resolveEntries } from '../../../tool-package/entries.ts';
import { inspectPackage } from '../../../tool-package/inspect/index.ts';

const check = async (keys: object, files: Readonly<Record<string, string>>): Promise<Finding[]> => {
  const packageJson = { name: 'weather', version: '1.0.0', ...keys } as PackageJson;
  const all = { 'package.json': JSON.stringify(packageJson), ...files };
  const sources = new Map(Object.entries(all).map(([path, text]) => [path, Buffer.from(text)]));
  const paths = [...sources.keys()];
  const entries = Object.entries(resolveEntries(packageJson, paths, sources)).flatMap(([agent, list]) =>
    list.map((entry) => ({ agent: agent as 'pi', entry })),
  );
  const inspections = await inspectPackage({ packageJson, paths, sources }, entries);
  const list = paths.map((path) => ({ path, size: sources.get(path)?.length ?? 0 }));
  return checkPackage({ packageJson, files: list, sources, inspections });
};

const PI = { pi: { extensions: ['./index.ts'] } };
const SLOPCODE = { slopcode: { tools: ['./tools/a.ts', './tools/b.ts'] } };
const inspected = (findings: readonly Finding[]): Finding[] =>
  findings.filter(({ rule }) => /^(?:any\/(?:syntax|throws)|inspect\/)/.test(rule));

describe('any/syntax', () => {
  it('names file, line and what the parser says', async () => {
    const found = inspected(await check(PI, { 'index.ts': '\nexport default function(pi){' }));
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ rule: 'any/syntax', level: 'error', agent: 'pi', file: 'index.ts', line: 2 });
    expect(found[0]?.message).toBe('`index.ts` line 2 does not parse: Unexpected end of file');
  });

  it('is told once of a file that two tool files of SlopCode and opencode import', async () => {
    const tool = "import '../lib.ts';\nexport default { description: 'x', args: {}, execute: async () => 'x' };\n";
    const found = inspected(await check(SLOPCODE, { 'tools/a.ts': tool, 'tools/b.ts': tool, 'lib.ts': 'let a = ;' }));
    expect(found.map(({ rule, level, file, line }) => [rule, level, file, line])).toEqual([
      ['any/syntax', 'error', 'lib.ts', 1],
    ]);
  });

  it('shows the text of a package escaped', async () => {
    const found = inspected(await check(PI, { 'index.ts': 'const a\u202e = 1; \u001b[31m' }));
    expect(found[0]?.rule).toBe('any/syntax');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(found[0]?.message).not.toMatch(/[\u0000-\u001f\u202e]/);
  });

  it('is no missing file', async () => {
    const found = await check(PI, { 'index.ts': "import './gone.ts';\nexport default () => {};" });
    expect(found.map(({ rule }) => rule)).not.toContain('any/syntax');
    expect(found.map(({ rule }) => rule)).toContain('any/import');
  });
});

describe('any/throws-at-load', () => {
  it('is an error where the throw is certain', async () => {
    const found = inspected(await check(PI, { 'index.ts': "export default () => {};\nthrow new Error('no');" }));
    expect(found.map(({ rule, level, line }) => [rule, level, line])).toEqual([['any/throws-at-load', 'error', 2]]);
    expect(found[0]?.message).toBe('`index.ts` line 2 throws whenever it is loaded: no');
  });

  it('is left to a curator where a machine may differ', async () => {
    const source = "if (!process.env.KEY) throw new Error('no');\nexport default () => {};";
    const found = inspected(await check(PI, { 'index.ts': source }));
    expect(found.map(({ rule, level }) => [rule, level])).toEqual([['inspect/unread', 'review']]);
  });
});
