/** What the registry looks at must be what the agent loads: an import that two files answer is for a person to look at. */
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../schemas/finding.ts';
import type { PackageJson } from '../../../schemas/package-json.ts';
import { checkPackage } from '../../../tool-package/check/index.ts';
import { inspectPackage } from '../../../tool-package/inspect/index.ts';

type Files = Readonly<Record<string, string>>;

const check = async (specifier: string, files: Files, keys: object = {}): Promise<Finding[]> => {
  const packageJson = {
    name: 'asks',
    version: '1.0.0',
    pi: { extensions: ['./src/index.ts'] },
    ...keys,
  } as PackageJson;
  const index = `import { HOST } from '${specifier}';\nexport default (pi) => void HOST;\n`;
  const all = { 'package.json': JSON.stringify(packageJson), 'src/index.ts': index, ...files };
  const sources = new Map(Object.entries(all).map(([path, text]) => [path, Buffer.from(text)]));
  const paths = [...sources.keys()];
  const inspections = await inspectPackage({ packageJson, paths, sources }, [{ agent: 'pi', entry: 'src/index.ts' }]);
  const list = paths.map((path) => ({ path, size: sources.get(path)?.length ?? 0 }));
  const findings = checkPackage({ packageJson, files: list, sources, inspections });
  return findings.filter(({ rule }) => rule === 'any/ambiguous-import');
};

const A = "export const HOST = 'a.example.org';\n";

describe('any/ambiguous-import', () => {
  it.each<[string, string, Files, object]>([
    ['two endings', './host', { 'src/host.ts': A, 'src/host.js': A }, {}],
    ['a module beside a source', './host', { 'src/host.ts': A, 'src/host.mjs': A }, {}],
    ['an output that is not there', './host.js', { 'src/host.ts': A, 'src/host.tsx': A }, {}],
    ['an ending behind an ending', './host.js', { 'src/host.ts': A, 'src/host.js.ts': A }, {}],
    ['two indexes', './host', { 'src/host/index.ts': A, 'src/host/index.js': A }, {}],
    [
      'a folder with its own main',
      './host',
      { 'src/host/index.ts': A, 'src/host/package.json': '{"main":"./e.js"}', 'src/host/e.js': A },
      {},
    ],
    [
      'a folder whose package.json only others can read',
      './host',
      { 'src/host/index.ts': A, 'src/host/package.json': '{"main":"./e.js","main":"./index.ts"}', 'src/host/e.js': A },
      {},
    ],
    [
      'an alias with conditions',
      '#host',
      { 'src/host.ts': A, 'e.ts': A },
      { imports: { '#host': { node: './e.ts', import: './src/host.ts' } } },
    ],
    [
      'an alias that two keys give',
      '#lib/host',
      { 'src/host.ts': A, 'e/host.ts': A },
      { imports: { '#*': './src/host.ts', '#lib/*': './e/*.ts' } },
    ],
    ['an alias without an ending', '#host', { 'host.ts': A, 'host.js': A }, { imports: { '#host': './host' } }],
  ])('is %s', async (_what, specifier, files, keys) => {
    const found = await check(specifier, files, keys);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ level: 'review', file: 'src/index.ts', line: 1 });
    expect(found[0]?.message).toContain(' or `');
  });

  it.each<[string, string, Files, object]>([
    ['a file of that very name', './host.js', { 'src/host.ts': A, 'src/host.js': A }, {}],
    ['one file', './host', { 'src/host.ts': A }, {}],
    ['a file before a folder', './host', { 'src/host.ts': A, 'src/host/index.ts': A }, {}],
    [
      'types beside a module',
      './host',
      { 'src/host.js': A, 'src/host.d.ts': 'export declare const HOST: string;' },
      {},
    ],
    [
      'a main that is the index',
      './host',
      { 'src/host/index.ts': A, 'src/host/package.json': '{"main":"index.ts"}' },
      {},
    ],
    ['a plain alias', '#host', { 'src/host.ts': A }, { imports: { '#host': './src/host.ts' } }],
    [
      'an alias with types',
      '#host',
      { 'src/host.ts': A },
      { imports: { '#host': { types: './src/host.d.ts', default: './src/host.ts' } } },
    ],
  ])('is not %s', async (_what, specifier, files, keys) => {
    expect(await check(specifier, files, keys)).toEqual([]);
  });
});
