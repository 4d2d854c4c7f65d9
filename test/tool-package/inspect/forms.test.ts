/** The ways in which extensions register tools, and where their values come from. */
import { describe, expect, it } from 'vitest';
import { inspectFiles } from './inspect-files.ts';

const names = (inspection: Awaited<ReturnType<typeof inspectFiles>>) => inspection.tools.map((tool) => tool.name);
const EXECUTE = "execute: async () => ({ content: [{ type: 'text', text: 'x' }] })";
const definition = (name: string, more = '') =>
  `{ name: ${name}, label: 'L', description: 'D of ' + ${name}, parameters: Type.Object({ q: Type.String({ description: 'Q' }) }), ${more} ${EXECUTE} }`;
const TYPEBOX = "import { Type } from 'typebox';\n";

describe('registration', () => {
  it.each([
    ['a literal', `${TYPEBOX}export default function (pi) { pi.registerTool(${definition("'a'")}); }`, ['a']],
    [
      'an asynchronous factory',
      `${TYPEBOX}export default async (pi) => { await new Promise((r) => setTimeout(r, 60000)); pi.registerTool(${definition("'a'")}); };`,
      ['a'],
    ],
    [
      'top-level await',
      `${TYPEBOX}const name = await Promise.resolve('a'); export default (pi) => pi.registerTool(${definition('name')});`,
      ['a'],
    ],
    [
      'several',
      `${TYPEBOX}export default (pi) => { pi.registerTool(${definition("'b'")}); pi.registerTool(${definition("'a'")}); };`,
      ['b', 'a'],
    ],
    [
      'a loop over names',
      `${TYPEBOX}export default (pi) => { for (const n of ['x', 'y']) pi.registerTool(${definition('`t_${n}`')}); };`,
      ['t_x', 't_y'],
    ],
    ['a constant', `${TYPEBOX}const t = ${definition("'a'")}; export default (pi) => pi.registerTool(t);`, ['a']],
    [
      'session_start',
      `${TYPEBOX}export default (pi) => pi.on('session_start', async (event, ctx) => { ctx.ui.notify('x'); ctx.ui.theme.fg('a', 'b'); pi.getActiveTools(); pi.registerTool(${definition("'late'")}); });`,
      ['late'],
    ],
    [
      'both, later ones after',
      `${TYPEBOX}export default (pi) => { pi.on('session_start', () => pi.registerTool(${definition("'b'")})); pi.registerTool(${definition("'a'")}); };`,
      ['a', 'b'],
    ],
    [
      'a command registers nothing',
      `${TYPEBOX}export default (pi) => pi.registerCommand('x', { handler: () => pi.registerTool(${definition("'a'")}) });`,
      [],
    ],
    [
      'the same name twice: the last counts',
      `${TYPEBOX}export default (pi) => { pi.registerTool(${definition("'a'")}); pi.registerTool({ ...${definition("'a'")}, label: 'second' }); };`,
      ['a'],
    ],
    [
      'a CommonJS entry',
      `const { Type } = require('typebox'); module.exports = (pi) => pi.registerTool(${definition("'a'")});`,
      ['a'],
    ],
    [
      'exports.default',
      `const { Type } = require('typebox'); exports.default = (pi) => pi.registerTool(${definition("'a'")}); exports.__esModule = true;`,
      ['a'],
    ],
    [
      'a class',
      `${TYPEBOX}class T { name = 'a'; description = 'd'; parameters = Type.Object({}); async execute() {} } export default (pi) => pi.registerTool(new T());`,
      ['a'],
    ],
    [
      'enum and namespace of TypeScript',
      `${TYPEBOX}enum N { A = 'a' } namespace M { export const d = 'd'; } export default (pi: any) => pi.registerTool(${definition('N.A')});`,
      ['a'],
    ],
    [
      'a flag with a default',
      `${TYPEBOX}export default (pi) => { pi.registerFlag('x', { type: 'string', default: 'a' }); pi.registerTool(${definition("pi.getFlag('x')")}); };`,
      ['a'],
    ],
    [
      'after a shebang, BOM and CRLF',
      `\ufeff#!/usr/bin/env node\r\n${TYPEBOX}export default (pi) => pi.registerTool(${definition("'a'")});\r\n`,
      ['a'],
    ],
  ])('%s', async (_form, source, expected) => {
    const inspection = await inspectFiles({ 'index.ts': source });
    expect(inspection.problem).toBeNull();
    expect(names(inspection)).toEqual(expected);
    expect(inspection.tools.every((tool) => tool.unread.length === 0 && tool.execute)).toBe(true);
  });

  it('a factory and definitions in other files, by every way of writing the path', async () => {
    const inspection = await inspectFiles({
      'src/index.ts': "export { default } from './factory.js';",
      'src/factory.ts':
        "import tools from '../tools'; import { extra } from '../lib/extra.mjs'; export default (pi) => { for (const t of [...tools, extra]) pi.registerTool(t); };",
      'tools/index.ts': `${TYPEBOX}import names from './names.json'; export default names.map((n) => (${definition('n')}));`,
      'tools/names.json': '["one", "two"]',
      'lib/extra.mts': `${TYPEBOX}export const extra = ${definition("'three'")};`,
    });
    expect(inspection.problem).toBeNull();
    expect(names(inspection)).toEqual(['one', 'two', 'three']);
    expect(inspection.imports.filter((each) => each.kind === 'relative').map((each) => each.target)).toEqual([
      'src/factory.ts',
      'tools/index.ts',
      'lib/extra.mts',
      'tools/names.json',
    ]);
    expect(inspection.tools[0]).toMatchObject({ file: 'src/factory.ts', line: 1 });
  });

  it.each(['@earendil-works', '@mariozechner'])('the host packages of %s', async (scope) => {
    const source = `
      import { defineTool, truncateHead, formatSize, DEFAULT_MAX_BYTES, DEFAULT_MAX_LINES, type ExtensionAPI } from '${scope}/pi-coding-agent';
      import { StringEnum, Type } from '${scope}/pi-ai';
      import { Text } from '${scope}/pi-tui';
      import type { AgentTool } from '${scope}/pi-agent-core';
      import { Value } from '${scope === '@mariozechner' ? '@sinclair/typebox' : 'typebox'}/value';
      const t = defineTool({ name: 't', label: 'T', description: \`At most \${DEFAULT_MAX_LINES} lines or \${formatSize(DEFAULT_MAX_BYTES)}\` + Value.Check(Type.String(), 'x'),
        promptSnippet: 's', promptGuidelines: ['Use t'], parameters: Type.Object({ u: StringEnum(['a', 'b'] as const, { description: 'U', default: 'a' }), o: Type.Optional(Type.Number({ default: 7, minimum: 1 })) }),
        prepareArguments: (x) => x, renderCall: () => new Text('', 0, 0), defaultActive: false, execute: async () => ({ content: [{ type: 'text', text: truncateHead('').content }] }) });
      export default (pi: ExtensionAPI) => pi.registerTool(t);`;
    const { tools, problem } = await inspectFiles({ 'index.ts': source });
    expect(problem).toBeNull();
    expect(tools[0]).toMatchObject({
      name: 't',
      label: 'T',
      description: 'At most 2000 lines or 50.0KBtrue',
      promptSnippet: 's',
      promptGuidelines: ['Use t'],
      parameters: {
        type: 'object',
        required: ['u'],
        properties: {
          u: { type: 'string', enum: ['a', 'b'], description: 'U', default: 'a' },
          o: { type: 'number', default: 7, minimum: 1 },
        },
      },
      flags: { prepareArguments: true, renderCall: true, renderResult: false, defaultActive: false },
      unread: [],
    });
  });

  it('a schema is what the agent sends: no notes of TypeBox, nothing that JSON leaves out', async () => {
    const source = `${TYPEBOX}export default (pi) => pi.registerTool({ name: 't', description: 'd', ${EXECUTE}, parameters: Type.Object({
      u: Type.Union([Type.Literal('a'), Type.Literal('b')]), r: Type.Record(Type.String(), Type.Number()), any: Type.Any(), t: Type.Tuple([Type.String()]) }) });`;
    const { tools } = await inspectFiles({ 'index.ts': source });
    expect(tools[0]?.parameters).toEqual({
      type: 'object',
      required: ['u', 'r', 'any', 't'],
      properties: {
        u: {
          anyOf: [
            { type: 'string', const: 'a' },
            { type: 'string', const: 'b' },
          ],
        },
        r: { type: 'object', patternProperties: { '^.*$': { type: 'number' } } },
        any: {},
        t: { type: 'array', additionalItems: false, items: [{ type: 'string' }], minItems: 1 },
      },
    });
  });

  it('plain JSON Schema passes as it is', async () => {
    const schema = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/x' } },
      $defs: { x: { type: 'string' } },
      'x-own': [1, null, true],
    };
    const source = `export default (pi) => pi.registerTool({ name: 't', description: 'd', parameters: ${JSON.stringify(schema)}, ${EXECUTE} });`;
    expect((await inspectFiles({ 'index.ts': source })).tools[0]?.parameters).toEqual(schema);
  });

  it.each([
    ['createReadTool', 'read', false],
    ['createReadToolDefinition', 'read', true],
    ['createBashTool', 'bash', true],
    ['createEditToolDefinition', 'edit', true],
    ['createGrepTool', 'grep', false],
  ])('a spread of the host’s %s is that tool', async (factory, name, hasPrompts) => {
    const source = `import { ${factory} } from '@earendil-works/pi-coding-agent';
      export default (pi) => { const base = ${factory}(process.cwd()); pi.registerTool({ ...base, async execute(...a) { return base.execute(...a); } }); };`;
    const { tools, problem } = await inspectFiles({ 'index.ts': source });
    expect(problem).toBeNull();
    expect(tools[0]).toMatchObject({ name, label: name, unread: [], execute: true });
    expect(tools[0]?.parameters).toHaveProperty('properties');
    expect(tools[0]?.promptSnippet !== null).toBe(hasPrompts);
  });

  it('all built-ins by a loop over factories', async () => {
    const source = `import * as host from '@earendil-works/pi-coding-agent';
      export default (pi) => { for (const n of ['Read', 'Bash', 'Edit', 'Write', 'Grep', 'Find', 'Ls']) pi.registerTool({ ...host['create' + n + 'Tool']('/'), label: n }); };`;
    expect(names(await inspectFiles({ 'index.ts': source }))).toEqual([
      'read',
      'bash',
      'edit',
      'write',
      'grep',
      'find',
      'ls',
    ]);
  });
});

describe('what cannot load', () => {
  it.each([
    ['no default export', 'export const x = 1;', 'no-default-function', /no default-exported function/],
    ['a default that is no function', 'export default {};', 'no-default-function', /no default-exported function/],
    ['throws at import', "\n\nthrow new Error('boom at import');", 'throws', /^boom at import$/],
    [
      'throws in the factory',
      "export default () => {\n  throw new TypeError('boom');\n};",
      'throws',
      /^TypeError: boom$/,
    ],
    ['rejects', "export default async () => { throw 'text'; };", 'throws', /text/],
    ['a syntax error', 'export default (pi) => {\n  let let = 1;\n};', 'syntax', /let/],
    [
      'an action before the session',
      'export default (pi) => { pi.setActiveTools([]); };',
      'load-failed',
      /not initialized/,
    ],
    ['process.exit', 'process.exit(7); export default () => {};', 'load-failed', /process\.exit/],
    [
      'an export that does not exist',
      "import { nope } from './lib.ts'; export default () => nope();",
      'load-failed',
      /nope/,
    ],
  ])('%s', async (_case, source, kind, message) => {
    const { problem } = await inspectFiles({ 'index.ts': source, 'lib.ts': 'export const yes = 1;' });
    expect(problem).toMatchObject({ kind, file: 'index.ts' });
    expect(problem?.message).toMatch(message);
  });

  it('parameters that are no object: pi refuses the tool, which is the business of a rule', async () => {
    const source = "export default (pi) => pi.registerTool({ name: 'x', parameters: 'y' });";
    const { problem, tools } = await inspectFiles({ 'index.ts': source });
    expect([problem, tools[0]?.parameters, tools[0]?.unread]).toEqual([null, null, []]);
  });

  it('a problem has its line, in the file where it happened', async () => {
    const { problem } = await inspectFiles({
      'index.ts': "import { f } from './lib.ts';\nexport default () => f();",
      'lib.ts': "export type A = string;\ninterface B {}\nexport function f() {\n  throw new Error('deep');\n}",
    });
    expect(problem).toMatchObject({ kind: 'load-failed', message: 'deep', file: 'lib.ts', line: 4 });
  });

  it('what was registered before a failure is still told', async () => {
    const source = `${TYPEBOX}export default (pi) => { pi.registerTool(${definition("'a'")}); throw new Error('later'); };`;
    const inspection = await inspectFiles({ 'index.ts': source });
    expect([names(inspection), inspection.problem?.kind]).toEqual([['a'], 'throws']);
  });
});

describe('imports', () => {
  it('are told apart', async () => {
    const source = `import fs from 'node:fs'; import { join } from 'path'; import ms from 'ms'; import x from 'not-declared';\nimport { Type } from 'typebox';
      import './gone.ts'; import '../../outside'; import '/etc/passwd'; import { $ } from 'bun'; export default (pi) => { fs; join; ms; x; Type; $; import('late'); require('early'); };`;
    const { imports, problem } = await inspectFiles({ 'a/index.ts': source }, 'a/index.ts', 'pi', {
      dependencies: { ms: '^2.0.0' },
    });
    expect(problem).toBeNull();
    expect(imports.map((each) => [each.specifier, each.kind, each.line])).toEqual(
      expect.arrayContaining([
        ['node:fs', 'node', 1],
        ['path', 'node', 1],
        ['ms', 'npm', 1],
        ['not-declared', 'missing', 1],
        ['typebox', 'host', 2],
        ['./gone.ts', 'missing', 3],
        ['../../outside', 'missing', 3],
        ['/etc/passwd', 'missing', 3],
        ['bun', 'bun', 3],
        ['late', 'missing', 3],
        ['early', 'missing', 3],
      ]),
    );
  });

  it('of package.json are followed inside the package', async () => {
    const source = `${TYPEBOX}import { a } from '#a'; import { b } from '#lib/b'; import '#gone'; import '#out'; export default (pi) => pi.registerTool(${definition('a + b')});`;
    const inspection = await inspectFiles(
      { 'src/index.ts': source, 'x/a.ts': "export const a = 'a_';", 'x/lib/b.ts': "export const b = 'b';" },
      'src/index.ts',
      'pi',
      {
        imports: {
          '#a': { types: './a.d.ts', default: './x/a.ts' },
          '#lib/*': './x/lib/*.ts',
          '#out': '../../outside.ts',
        },
      },
    );
    expect(names(inspection)).toEqual(['a_b']);
    expect(inspection.imports.filter((each) => each.kind === 'missing').map((each) => each.specifier)).toEqual([
      '#gone',
      '#out',
    ]);
  });

  it('of types only are none', async () => {
    const source =
      "import type { A } from 'a'; import { type B } from 'b'; import { C } from 'c'; export default (x: A & B & C) => {};";
    expect((await inspectFiles({ 'index.ts': source })).imports.map((each) => each.specifier)).not.toContain('a');
  });
});
