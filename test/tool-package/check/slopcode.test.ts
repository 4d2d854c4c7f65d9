/** Rules for SlopCode's and opencode's tool files, by kind of fault. */
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../schemas/finding.ts';
import type { PackageJson } from '../../../schemas/package-json.ts';
import { checkPackage } from '../../../tool-package/check/index.ts';
import { resolveEntries } from '../../../tool-package/entries.ts';
import { inspectPackage } from '../../../tool-package/inspect/index.ts';

type Hosts = readonly ('slopcode' | 'opencode')[];

/** The findings about one tool file, `tools/one.ts`, of a package for the given agents. */
async function findingsOf(
  source: string,
  hosts: Hosts = ['opencode'],
  files: Record<string, string> = {},
  list = ['./tools/one.ts'],
) {
  const tools = { tools: list };
  const packageJson = {
    name: 'one',
    version: '1.0.0',
    license: 'MIT',
    ...Object.fromEntries(hosts.map((host) => [host, tools])),
  } as PackageJson;
  const texts = { 'package.json': JSON.stringify(packageJson), 'tools/one.ts': source, ...files };
  const sources = new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)]));
  const paths = [...sources.keys()];
  const entries = Object.entries(resolveEntries(packageJson, paths, sources)).flatMap(([agent, list]) =>
    list.map((entry) => ({ agent: agent as Hosts[number], entry })),
  );
  const inspections = await inspectPackage({ packageJson, paths, sources }, entries);
  const sizes = paths.map((path) => ({ path, size: sources.get(path)?.length ?? 0 }));
  return checkPackage({ packageJson, files: sizes, sources, inspections });
}

const ofRule = (findings: readonly Finding[], rule: string) => findings.filter((one) => one.rule === rule);
const returning = (value: string) =>
  `export default { description: 'Gives a result.', args: {}, async execute(args) { return ${value}; } };`;

describe('a result that is no string', () => {
  it.each([
    "{ output: 'done', metadata: { count: 1 } }",
    "{ title: 'Done', output: ['a', 'b'].join(), metadata: {} }",
    '{ ...args.result, title: args.title }',
    "'done'",
  ])('opencode takes %s', async (value) => {
    expect(ofRule(await findingsOf(returning(value)), 'slopcode/not-a-string')).toEqual([]);
  });

  it.each(['{ success: true }', '{ title: args.title, metadata: {} }', '[args.a]', '1'])(
    'opencode does not take %s',
    async (value) => {
      expect(ofRule(await findingsOf(returning(value)), 'slopcode/not-a-string')).toHaveLength(1);
    },
  );

  it.each<[Hosts]>([[['slopcode']], [['slopcode', 'opencode']]])('%j: SlopCode takes a string only', async (hosts) => {
    const findings = await findingsOf(returning("{ output: 'done' }"), hosts);
    expect(ofRule(findings, 'slopcode/not-a-string')).toHaveLength(1);
  });
});

describe('which tool', () => {
  it('is named, also where a file has several', async () => {
    const source = `export const first = { description: 'A', args: {}, execute: async () => 'x' };
export const second = {
  description: 'B',
  args: {},
  async execute() {
    return 1;
  },
};
export const third = { description: 'C', args: {}, execute: async () => 'x' };`;
    expect(ofRule(await findingsOf(source), 'slopcode/not-a-string')).toMatchObject([{ tool: 'one_second', line: 6 }]);
  });
});

describe('a file without a tool', () => {
  const helper = { 'tools/helper.ts': 'export const double = (n) => n * 2;' };

  it.each([['./tools'], ['./tools/*.ts']])('beside tools, in %s: a warning', async (entry) => {
    const findings = await findingsOf(returning("'x'"), ['opencode'], helper, [entry]);
    expect(ofRule(findings, 'slopcode/no-tools')).toMatchObject([{ level: 'warn', file: 'tools/helper.ts' }]);
  });

  it('that is listed itself: an error', async () => {
    const findings = await findingsOf(returning("'x'"), ['opencode'], helper, ['./tools/one.ts', './tools/helper.ts']);
    expect(ofRule(findings, 'slopcode/no-tools')).toMatchObject([{ level: 'error', file: 'tools/helper.ts' }]);
  });

  it('in a folder that gives none at all: an error', async () => {
    const findings = await findingsOf('export const VERSION = 1;', ['opencode'], helper, ['./tools']);
    expect(ofRule(findings, 'slopcode/no-tools').map(({ level }) => level)).toEqual(['error', 'error']);
  });
});

describe('arguments that the hosts cannot send', () => {
  const tool = (args: string) =>
    `import { tool } from '@opencode-ai/plugin';\nimport { z } from 'zod';\nconst shared = z.object({ a: z.string() });
export default tool({ description: 'Does it.', args: ${args}, async execute() { return 'x'; } });`;

  it.each([
    ['z.object({ a: z.string() })', 'whole schema'],
    ['tool.schema.object({ a: tool.schema.string() }).strict()', 'whole schema'],
    ['shared', 'whole schema'],
    ['{ when: z.date() }', '`date()`'],
    ['{ when: tool.schema.coerce.date().optional() }', '`date()`'],
    ['{ all: z.array(z.object({ n: z.bigint() })) }', '`bigint()`'],
    ['{ all: z.map(z.string(), z.string()) }', '`map()`'],
  ])('%s', async (args, message) => {
    const findings = ofRule(await findingsOf(tool(args)), 'slopcode/args');
    expect(findings).toMatchObject([{ level: 'warn', tool: 'one', field: 'args', line: 4 }]);
    expect(findings[0]?.message).toContain(message);
  });

  it.each([
    "{ when: z.string().date().describe('A day'), day: z.iso.date() }",
    '{ a: z.object({ b: z.string() }), list: z.array(z.string()).transform((all) => new Set(all.map((one) => one.trim()))) }',
    '{ ...shared.shape }',
    'shared.shape',
    '{}',
  ])('%s is fine', async (args) => {
    expect(ofRule(await findingsOf(tool(args)), 'slopcode/args')).toEqual([]);
  });
});

describe('imports that only work at home', () => {
  it.each([
    ['@/core/space.js', 'alias of `tsconfig.json`'],
    ['~/lib/space', 'alias of `tsconfig.json`'],
    ['/opt/opencode/plugin/index.js', 'path of one machine'],
    ['left-pad', 'neither the host’s nor declared'],
  ])('%s: the message says why', async (specifier, why) => {
    const source = `import { x } from '${specifier}';\n${returning('x')}`;
    const [found, ...others] = ofRule(await findingsOf(source), 'any/import');
    expect(found?.message).toContain(why);
    expect([found?.level, others]).toEqual(['error', []]);
  });
});
