/** SlopCode's and opencode's tool files. */
import * as esbuild from 'esbuild';
import { describe, expect, it } from 'vitest';
import { inspectFiles } from './inspect-files.ts';

const one = async (args: string, top = "import { tool } from '@slopcode-ai/plugin';", wrap = 'tool') => {
  const source = `${top}\nexport default ${wrap}({ description: 'd', args: ${args}, async execute() { return 'x'; } });`;
  const inspection = await inspectFiles({ 'tools/one.ts': source }, 'tools/one.ts', 'slopcode');
  expect(inspection.problem).toBeNull();
  return inspection.tools[0]!;
};

const EXPECTED = {
  type: 'object',
  properties: {
    q: { type: 'string', description: 'The query' },
    n: { type: 'number', default: 7 },
    o: { type: 'array', items: { type: 'string' } },
    e: { type: 'string', enum: ['a', 'b'] },
  },
  required: ['q', 'e'],
  additionalProperties: false,
};
const SHAPE = (z: string) =>
  `{ q: ${z}.string().describe('The query'), n: ${z}.number().default(7), o: ${z}.array(${z}.string()).optional(), e: ${z}.enum(['a', 'b']) }`;

const BRANCHES = {
  anyOf: [
    { properties: { t: { const: 'a' } }, required: ['t'] },
    { properties: { t: { const: 'b' } }, required: ['t'] },
  ],
};

describe('arguments', () => {
  it.each([
    ['tool.schema of SlopCode', "import { tool } from '@slopcode-ai/plugin';", 'tool.schema', 'tool'],
    ['tool.schema of opencode', "import { tool } from '@opencode-ai/plugin';", 'tool.schema', 'tool'],
    ['the tool sub-path', "import { tool } from '@opencode-ai/plugin/tool';", 'tool.schema', 'tool'],
    ['the default import', "import tool from '@slopcode-ai/plugin';", 'tool.schema', 'tool'],
    ['zod, named', "import { z } from 'zod';", 'z', ''],
    ['zod, default', "import z from 'zod';", 'z', ''],
    ['zod, namespace', "import * as z from 'zod';", 'z', ''],
    ['zod/v4', "import { z } from 'zod/v4'; import { tool } from '@slopcode-ai/plugin';", 'z', 'tool'],
  ])('%s', async (_case, top, z, wrap) => {
    const tool = await one(SHAPE(z), top, wrap);
    expect(tool).toMatchObject({ name: 'one', export: 'default', description: 'd', execute: true, unread: [] });
    expect(tool.parameters).toEqual(EXPECTED);
  });

  it('JSON Schema per argument, and the portable `_zod` form', async () => {
    expect((await one("{ q: { type: 'string', description: 'The query' } }", '', '')).parameters).toEqual({
      ...EXPECTED,
      properties: { q: EXPECTED.properties.q },
      required: ['q'],
    });
    const portable =
      "{ q: { _zod: { toJSONSchema: () => ({ type: 'string', description: 'The query' }) } }, n: { _zod: { optin: 'optional', optout: 'optional', toJSONSchema: () => ({ type: 'number', default: 7 }) } } }";
    expect((await one(portable, '', '')).parameters).toEqual({
      ...EXPECTED,
      properties: { q: EXPECTED.properties.q, n: EXPECTED.properties.n },
      required: ['q'],
    });
  });

  it('a whole object, Zod or JSON Schema', async () => {
    expect((await one(`z.object(${SHAPE('z')})`, "import { z } from 'zod';", '')).parameters).toEqual(EXPECTED);
    expect(
      (await one("{ type: 'object', properties: { q: { type: 'string' } }, required: ['q'] }", '', '')).parameters,
    ).toEqual({ type: 'object', properties: { q: { type: 'string' } }, required: ['q'] });
  });

  it('none', async () => {
    expect((await one('{}')).parameters).toEqual({
      type: 'object',
      properties: {},
      required: [],
      additionalProperties: false,
    });
    expect((await one('undefined')).parameters).toEqual({
      type: 'object',
      properties: {},
      required: [],
      additionalProperties: false,
    });
  });

  it('a recursive schema keeps references that resolve', async () => {
    const tool = await one(
      '{ tree: Node }',
      "import { z } from 'zod'; const Node = z.object({ v: z.string(), get next() { return Node.optional(); } });",
      '',
    );
    const text = JSON.stringify(tool.parameters);
    for (const [, pointer] of text.matchAll(/"\$ref":"#\/([^"]*)"/g)) {
      const target = pointer!
        .split('/')
        .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], tool.parameters);
      expect(target, pointer).toBeTypeOf('object');
    }
    expect(text).toContain('$ref');
  });

  it('unread where the schema comes from elsewhere', async () => {
    const tool = await one('{ q: other.string() }', "import other from 'other-zod';", '');
    expect(tool.unread).toEqual([{ field: 'parameters', from: 'q: other-zod string' }]);
    expect(tool.parameters).toBeNull();
  });

  it.each([
    ['z.union([z.string(), z.number()])', { anyOf: [{ type: 'string' }, { type: 'number' }] }],
    ["z.number().nullable().describe('N')", { anyOf: [{ type: 'number' }, { type: 'null' }], description: 'N' }],
    ['z.array(z.string().nullable())', { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } }],
    [
      'z.object({ a: z.union([z.boolean(), z.string()]).default(true) })',
      { properties: { a: { anyOf: [{ type: 'boolean' }, { type: 'string' }], default: true } } },
    ],
    ["z.discriminatedUnion('t', [z.object({ t: z.literal('a') }), z.object({ t: z.literal('b') })])", BRANCHES],
    ['z.tuple([z.string(), z.number()])', { prefixItems: [{ type: 'string' }, { type: 'number' }] }],
  ])('%s as the hosts send it, whose Zod is older', async (schema, expected) => {
    for (const args of [`{ k: ${schema} }`, `z.object({ k: ${schema} })`]) {
      const { parameters } = await one(args, "import { z } from 'zod';", '');
      expect(parameters).toMatchObject({ type: 'object', properties: { k: expected }, required: ['k'] });
      expect(JSON.stringify(parameters)).not.toMatch(/"oneOf"|"items":false|"type":\[/);
    }
  });

  it('which arguments are asked for, Zod says', async () => {
    const args = `{ asked: z.string().catch('x'), prepared: z.preprocess((x) => x, z.number()), nothing: z.number().nullable(),
      any: z.any(), optional: z.string().nullish(), defaulted: z.number().default(1), coerced: z.coerce.number(), inner: z.string().optional().describe('x') }`;
    const { parameters } = await one(args, "import { z } from 'zod';", '');
    expect(parameters?.required).toEqual(['asked', 'prepared', 'nothing', 'any', 'coerced']);
  });

  it('a copy of Zod that the author bundled in', async () => {
    const { outputFiles } = await esbuild.build({
      stdin: {
        contents: `import { z } from 'zod';
          export default { description: 'd', args: ${SHAPE('z')}, async execute() { return 'x'; } };`,
        resolveDir: import.meta.dirname,
      },
      bundle: true,
      write: false,
      format: 'esm',
    });
    // Its own registry of descriptions, as every older Zod has.
    const files = { 'tools/one.js': outputFiles[0]!.text.replaceAll('__zod_globalRegistry', '__own_registry') };
    const { problem, tools } = await inspectFiles(files, 'tools/one.js', 'opencode');
    expect(problem).toBeNull();
    expect(tools[0]).toMatchObject({ name: 'one', unread: [], parameters: EXPECTED });
  });

  it('words that look like a schema are left as they are', async () => {
    const schema = "z.record(z.string(), z.any()).default({ type: ['a', 'b'], oneOf: [], items: false })";
    const { parameters } = await one(`{ k: ${schema} }`, "import { z } from 'zod';", '');
    expect(parameters).toMatchObject({
      properties: { k: { default: { type: ['a', 'b'], oneOf: [], items: false } } },
    });
  });

  it('JSON Schema of the author is left as it is', async () => {
    const own = { type: ['string', 'null'], description: 'Maybe' };
    expect((await one(`{ k: ${JSON.stringify(own)} }`, '', '')).parameters).toMatchObject({ properties: { k: own } });
  });

  it('odd Zod types do not stop it', async () => {
    const tool = await one(
      '{ d: z.date(), t: z.string().transform((s) => s.length), u: z.union([z.string(), z.number()]), p: z.preprocess((x) => x, z.string()), any: z.any(), c: z.coerce.number() }',
      "import { z } from 'zod';",
      '',
    );
    expect(tool.unread).toEqual([]);
    expect(tool.parameters).toMatchObject({ properties: { t: { type: 'string' }, any: {} } });
  });
});

describe('exports', () => {
  it('named and default, plain and by tool()', async () => {
    const source = `import { tool } from '@slopcode-ai/plugin';
export const add = tool({ description: 'Adds', args: {}, async execute() { return '1'; } });
const multiply = { description: 'Multiplies', args: {}, execute: async () => '1' };
export { multiply };
export default { description: 'Main', args: {}, execute: async () => '1' };`;
    const { tools } = await inspectFiles({ 'math.ts': source }, 'math.ts', 'slopcode');
    expect(tools.map((tool) => [tool.name, tool.export, tool.line]).sort()).toEqual([
      ['math', 'default', 5],
      ['math_add', 'add', 2],
      ['math_multiply', 'multiply', expect.anything()],
    ]);
  });

  it('what is no tool is named, not taken for one', async () => {
    const source =
      "export const VERSION = '1';\nexport const nothing = null;\nexport function help() {}\nexport default () => {};\nexport const noExecute = { description: 'd', args: {} };";
    const { tools, otherExports, problem } = await inspectFiles({ 'x.ts': source }, 'x.ts', 'opencode');
    expect([tools, problem]).toEqual([[], null]);
    expect(otherExports.map((each) => each.name).sort()).toEqual([
      'VERSION',
      'default',
      'help',
      'noExecute',
      'nothing',
    ]);
    expect(otherExports.find((each) => each.name === 'VERSION')?.line).toBe(1);
  });

  it('a name with dots, a helper beside it, a script that it runs', async () => {
    const source = `import path from 'node:path'; import { helper } from '../lib/helper'; const script = path.join(import.meta.dirname, 'add.py');
      export default { description: helper + script, args: {}, async execute() { const { $ } = await import('bun'); return await $\`python3 \${script}\`.text(); } };`;
    const { tools } = await inspectFiles(
      { 'tools/with.dot.ts': source, 'lib/helper.ts': "export const helper = 'h ';" },
      'tools/with.dot.ts',
      'slopcode',
    );
    expect(tools[0]).toMatchObject({ name: 'with.dot', description: 'h /package/tools/add.py' });
  });

  it('a file that throws has a problem', async () => {
    const { problem } = await inspectFiles(
      { 'x.ts': "import { tool } from '@slopcode-ai/plugin';\nthrow new Error('no');" },
      'x.ts',
      'slopcode',
    );
    expect(problem).toMatchObject({ kind: 'throws', message: 'no', line: 2 });
  });
});
