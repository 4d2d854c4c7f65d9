import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callTool, loadPiExtension } from '../../../tool-package/run/index.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'run-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, source: string): string => {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, source);
  return file;
};

const tool = (body: string, parameters = 'Type.Object({})', more = '') => `
import { Type } from 'typebox';
export default function (pi) {
  pi.registerTool({ name: 't', label: 'T', description: 'd', parameters: ${parameters}, ${more}
    async execute(id, params, signal, onUpdate, ctx) { ${body} } });
}`;
const text = (value: string) => `return { content: [{ type: 'text', text: ${value} }], details: {} };`;

async function call(source: string, args: unknown = {}, options = {}) {
  const loaded = await loadPiExtension(write('ext.ts', source), { cwd: folder });
  return callTool(loaded, 't', args, options);
}

const textOf = (result: Awaited<ReturnType<typeof callTool>>) => result.content[0]?.text;

describe('loading', () => {
  it.each([
    ['@earendil-works/pi-coding-agent', '@earendil-works/pi-ai', 'typebox'],
    ['@mariozechner/pi-coding-agent', '@mariozechner/pi-ai', '@sinclair/typebox'],
  ])('supplies the host packages %s', async (agent, ai, typebox) => {
    const source = `
      import { defineTool, truncateHead, type ExtensionAPI } from '${agent}';
      import { StringEnum, Type as T2 } from '${ai}';
      import { Type } from '${typebox}';
      import { Value } from '${typebox}/value';
      const t = defineTool({ name: 't', description: 'd', parameters: Type.Object({ u: StringEnum(['a', 'b'] as const), n: T2.Number() }),
        async execute(id: string, p: any) { return { content: [{ type: 'text', text: p.u + truncateHead('x\\ny', { maxLines: 1 }).content + Value.Check(Type.Number(), p.n) }] }; } });
      export default (pi: ExtensionAPI) => { pi.registerTool(t); };`;
    const loaded = await loadPiExtension(write('ext.ts', source));
    expect(textOf(await callTool(loaded, 't', { u: 'a', n: 1 }))).toBe('axtrue');
    expect(JSON.parse(JSON.stringify(loaded.tools.get('t')?.parameters)).properties.u).toEqual({
      type: 'string',
      enum: ['a', 'b'],
    });
  });

  it('resolves other files, and each file knows its own place', async () => {
    write('lib/where.ts', 'export const here = [import.meta.dirname, import.meta.url, __dirname];');
    const source = `import { here } from './lib/where.ts';\n${tool(text('JSON.stringify([here, import.meta.filename])'))}`;
    const [[dirname, url, old], filename] = JSON.parse(textOf(await call(source)) ?? '');
    expect([dirname, old, filename]).toEqual([
      path.join(folder, 'lib'),
      path.join(folder, 'lib'),
      path.join(folder, 'ext.ts'),
    ]);
    expect(url).toBe(`file://${path.join(folder, 'lib/where.ts')}`);
  });

  it('loads npm packages of the extension, CommonJS and ESM', async () => {
    write('node_modules/cjs/index.js', "module.exports = require('node:path').basename('/a/cjs');");
    write('node_modules/cjs/package.json', '{"name":"cjs","version":"1.0.0"}');
    write('node_modules/esm/index.js', "export const value = 'esm';");
    write(
      'node_modules/esm/package.json',
      '{"name":"esm","version":"1.0.0","type":"module","exports":{"import":"./index.js"}}',
    );
    const source = `import cjs from 'cjs'; import { value } from 'esm';\n${tool(text('cjs + value'))}`;
    expect(textOf(await call(source))).toBe('cjsesm');
  });

  it.each([
    ['no factory', 'export default 1', /does not export a valid factory function/],
    ['throws at import', "throw new Error('boom at import')", /boom at import/],
    ['missing import', "import x from 'not-there'; export default () => x;", /not-there/],
    [
      'parameters are a string',
      "export default (pi) => pi.registerTool({ name: 'x', parameters: 'x' })",
      /must define an object parameter schema/,
    ],
  ])('%s fails the load', async (_case, source, message) => {
    await expect(loadPiExtension(write('ext.ts', source))).rejects.toThrow(message);
  });

  it('two loads of one file do not share state', async () => {
    const file = write('ext.ts', `let n = 0;\n${tool(text('String(++n)'))}`);
    const [first, second] = [await loadPiExtension(file), await loadPiExtension(file)];
    await callTool(first, 't', {});
    expect(textOf(await callTool(first, 't', {}))).toBe('2');
    expect(textOf(await callTool(second, 't', {}))).toBe('1');
  });
});

describe('arguments', () => {
  const echo = (parameters: string, args: unknown) => call(tool(text('JSON.stringify(params)'), parameters), args);

  it.each([
    ['a number as text', 'Type.Object({ n: Type.Number() })', { n: '42' }, { n: 42 }],
    ['a boolean as text', 'Type.Object({ b: Type.Boolean() })', { b: 'true' }, { b: true }],
    ['one value for a list', 'Type.Object({ l: Type.Array(Type.String()) })', { l: 'one' }, { l: ['one'] }],
    ['null in an optional', 'Type.Object({ o: Type.Optional(Type.String()) })', { o: null }, {}],
    [
      'null where null is fine',
      'Type.Object({ o: Type.Optional(Type.Union([Type.String(), Type.Null()])) })',
      { o: null },
      { o: null },
    ],
    ['an extra property', 'Type.Object({})', { extra: 1 }, { extra: 1 }],
    ['a default is not applied', 'Type.Object({ n: Type.Optional(Type.Number({ default: 7 })) })', {}, {}],
    [
      'nested',
      'Type.Object({ e: Type.Array(Type.Object({ n: Type.Integer() })) })',
      { e: { n: '3' } },
      { e: [{ n: 3 }] },
    ],
  ])('coerces: %s', async (_case, parameters, args, expected) => {
    const result = await echo(parameters, args);
    expect(JSON.parse(textOf(result) ?? '')).toEqual(expected);
  });

  it.each([
    ['Type.Object({ city: Type.String() })', {}, '  - city: missing'],
    ['Type.Object({ n: Type.Number({ maximum: 3 }) })', { n: 4 }, '  - n: expected <= 3'],
    [
      "Type.Object({ u: Type.Unsafe({ type: 'string', enum: ['a', 'b'] }) })",
      { u: 'c' },
      '  - u: expected one of ["a","b"]',
    ],
    ["Type.Object({ u: Type.Union([Type.Literal('a'), Type.Literal('b')]) })", { u: 'c' }, '  - u: expected "a"'],
    ['Type.Object({}, { additionalProperties: false })', { extra: 1 }, '  - extra: unknown field'],
    ["Type.Object({ e: Type.String({ format: 'email' }) })", { e: 'x' }, '  - e: expected format email'],
    ["Type.Object({ p: Type.String({ pattern: '^a+$' }) })", { p: 'b' }, '  - p: expected to match ^a+$'],
    [
      'Type.Object({ edits: Type.Array(Type.Object({ o: Type.String() })) })',
      { edits: [{}] },
      '  - edits.0.o: missing',
    ],
    ['Type.Object({ s: Type.String({ default: "x" }) })', {}, '  - s: missing'],
    ['Type.String()', {}, '  - root: expected string, got object'],
  ])('refuses with the agent’s words: %s', async (parameters, args, line) => {
    const result = await echo(parameters, args);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toBe(
      `Validation failed for tool "t":\n${line}\n\nReceived arguments:\n${JSON.stringify(args, null, 2)}`,
    );
  });

  it('prepareArguments comes first and is synchronous', async () => {
    const parameters = 'Type.Object({ city: Type.String() })';
    const good = tool(text('params.city'), parameters, 'prepareArguments: (args) => ({ city: args.town }),');
    expect(textOf(await call(good, { town: 'Oslo' }))).toBe('Oslo');
    const late = tool(text('params.city'), parameters, 'prepareArguments: async (args) => ({ city: args.town }),');
    expect(textOf(await call(late, { town: 'Oslo' }))).toBe('#<Promise> could not be cloned.');
    const none = tool(text('params.city'), parameters, 'prepareArguments: () => undefined,');
    expect(textOf(await call(none, {}))).toContain('root: expected object, got undefined');
  });

  it('takes the model’s own text', async () => {
    expect(textOf(await call(tool(text('params.a'), 'Type.Object({ a: Type.String() })'), '{"a":"x"}'))).toBe('x');
    expect(textOf(await call(tool(text('""')), '{"a":"x'))).toMatch(/^Invalid arguments for tool "t": /);
    expect(textOf(await call(tool(text('""')), '[]'))).toBe(
      'Invalid arguments for tool "t": Tool arguments must be a JSON object',
    );
  });
});

describe('results', () => {
  it.each([
    ['undefined', 'return undefined;', "Cannot read properties of undefined (reading 'isError')", true],
    ['null', 'return null;', "Cannot read properties of null (reading 'isError')", true],
    ['a string', "return 'x';", '(no tool output)', false],
    ['details only', 'return { details: {} };', '(no tool output)', false],
    ['unknown part', "return { content: [{ type: 'video' }] };", '(no tool output)', false],
    ['content is a string', "return { content: 'x' };", 'content.some is not a function', true],
    ['error flag', "return { isError: true, content: [{ type: 'text', text: 'x' }] };", 'x', true],
    ['throws an error', "throw new Error('boom');", 'boom', true],
    ['throws a string', "throw 'plain';", 'plain', true],
  ])('%s', async (_case, body, expected, isError) => {
    const result = await call(tool(body));
    expect([textOf(result), result.isError]).toEqual([expected, isError]);
  });

  it('a call of an unknown tool is an error result', async () => {
    const loaded = await loadPiExtension(write('ext.ts', tool(text('""'))));
    expect(textOf(await callTool(loaded, 'other', {}))).toBe('Tool other not found');
  });

  it('is never shortened', async () => {
    expect(textOf(await call(tool(text("'x'.repeat(5 * 1024 * 1024)"))))).toHaveLength(5 * 1024 * 1024);
  });
});

describe('session', () => {
  it('signal, updates, notifications and context reach the tool', async () => {
    const controller = new AbortController();
    const updates: unknown[] = [];
    const source = tool(`onUpdate({ content: [] }); ctx.ui.notify('hello', 'warning'); ctx.ui.setStatus('a', 'b');
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true })); ${text('ctx.cwd + ctx.signal.aborted')}`);
    const loaded = await loadPiExtension(write('ext.ts', source), { cwd: folder });
    const pending = callTool(
      loaded,
      't',
      {},
      { signal: controller.signal, onUpdate: (update) => updates.push(update) },
    );
    setTimeout(() => controller.abort(), 20);
    expect(textOf(await pending)).toBe(`${folder}true`);
    expect(updates).toHaveLength(1);
    expect(loaded.notifications).toEqual([{ message: 'hello', type: 'warning' }]);
  });

  it('session_start sees earlier results, and a later start sees ours', async () => {
    const source = `import { Type } from 'typebox';
      export default (pi) => {
        let count = 0;
        pi.on('session_start', async (_event, ctx) => {
          count = 0;
          for (const entry of ctx.sessionManager.getBranch()) {
            if (entry.type === 'message' && entry.message.role === 'toolResult' && entry.message.toolName === 't') count = entry.message.details.count;
          }
        });
        pi.registerTool({ name: 't', description: 'd', parameters: Type.Object({}), execute: async () => ({ content: [{ type: 'text', text: String(++count) }], details: { count } }) });
      };`;
    const loaded = await loadPiExtension(write('ext.ts', source), {
      earlierResults: [{ toolName: 't', details: { count: 4 } }],
    });
    expect(textOf(await callTool(loaded, 't', {}))).toBe('5');
    await callTool(loaded, 't', {});
    await loaded.emit('session_start');
    expect(textOf(await callTool(loaded, 't', {}))).toBe('7');
  });

  it('a tool_call handler blocks, changes arguments without a second check; tool_result replaces', async () => {
    const source = `${tool(text('JSON.stringify(params)'), 'Type.Object({ n: Type.Number() })')}`.replace(
      'export default function (pi) {',
      `export default function (pi) {
        pi.on('tool_call', (event) => { if (event.input.n === 1) return { block: true, reason: 'not one' }; event.input.n = 'changed'; });
        pi.on('tool_result', (event) => event.input.n === 'changed' ? { details: { seen: true } } : undefined);`,
    );
    const loaded = await loadPiExtension(write('ext.ts', source));
    expect(textOf(await callTool(loaded, 't', { n: 1 }))).toBe('not one');
    const changed = await callTool(loaded, 't', { n: 2 });
    expect([textOf(changed), changed.details]).toEqual(['{"n":"changed"}', { seen: true }]);
  });
});

describe('host tools', () => {
  it('a spread of the host’s read works and keeps its schema', async () => {
    write('data.txt', 'one\ntwo\nthree');
    const source = `import { createReadToolDefinition } from '@earendil-works/pi-coding-agent';
      export default (pi) => { const read = createReadToolDefinition(process.cwd());
        pi.registerTool({ ...read, async execute(id, params, signal, onUpdate, ctx) { return createReadToolDefinition(ctx.cwd).execute(id, params, signal, onUpdate, ctx); } }); };`;
    const loaded = await loadPiExtension(write('ext.ts', source), { cwd: folder });
    expect(loaded.tools.get('read')?.promptSnippet).toBeTypeOf('string');
    expect(textOf(await callTool(loaded, 'read', { path: 'data.txt', offset: 2, limit: 1 }))).toContain('two');
  });

  it('edits of one file wait for each other', async () => {
    const source = `import { withFileMutationQueue } from '@earendil-works/pi-coding-agent'; import { readFile, writeFile } from 'node:fs/promises';
      ${tool(`const file = ctx.cwd + '/n.txt'; await withFileMutationQueue(file, async () => { const n = Number(await readFile(file, 'utf8')); await new Promise((r) => setTimeout(r, 5)); await writeFile(file, String(n + 1)); }); ${text('"done"')}`)}`;
    write('n.txt', '0');
    const loaded = await loadPiExtension(write('ext.ts', source), { cwd: folder });
    await Promise.all(Array.from({ length: 8 }, () => callTool(loaded, 't', {})));
    expect(readFileSync(path.join(folder, 'n.txt'), 'utf8')).toBe('8');
  });
});

describe('pi’s own tools somewhere else', () => {
  const own = (options: string, factory: string) =>
    `import { ${factory} } from '@earendil-works/pi-coding-agent';
     export default (pi) => pi.registerTool({ ...${factory}('/nowhere', ${options}), name: 't' });`;

  it('a shell of the extension runs the command, and nothing here does', async () => {
    const exec = `{ operations: { async exec(command, cwd, { onData }) { onData(Buffer.from('remote ' + cwd + ' ' + command)); return { exitCode: command === 'no' ? 3 : 0 }; } } }`;
    expect(textOf(await call(own(exec, 'createBashTool'), { command: 'touch x' }))).toBe('remote /nowhere touch x');
    const failed = await call(own(exec, 'createBashTool'), { command: 'no' });
    expect(failed).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('exited with code 3') }] });
  });

  it('a hook and a prefix change what is run', async () => {
    const hook = `{ commandPrefix: 'A=prefixed', spawnHook: ({ command, env }) => ({ command: command + '; echo $HOOK', cwd: ${JSON.stringify(folder)}, env: { ...env, HOOK: 'hooked' } }) }`;
    expect(textOf(await call(own(hook, 'createBashTool'), { command: 'echo $A' }))).toBe('prefixed\nhooked\n');
  });

  it('files of the extension are read and written, and none of this machine', async () => {
    const disk = `{ operations: (globalThis.disk ??= { files: new Map([['/nowhere/a', 'one two']]), access: async (path) => { if (!globalThis.disk.files.has(path)) throw new Error('gone ' + path); }, mkdir: async () => {},
      readFile: async (path) => Buffer.from(globalThis.disk.files.get(path)), writeFile: async (path, text) => void globalThis.disk.files.set(path, text) }) }`;
    expect(textOf(await call(own(disk, 'createReadTool'), { path: 'a' }))).toBe('one two');
    expect(textOf(await call(own(disk, 'createReadTool'), { path: 'b' }))).toBe('gone /nowhere/b');
    await call(own(disk, 'createWriteTool'), { path: 'b', content: 'new' });
    await call(own(disk, 'createEditTool'), { path: 'a', edits: [{ oldText: 'two', newText: 'three' }] });
    expect([...(globalThis as unknown as { disk: { files: Map<string, string> } }).disk.files]).toEqual([
      ['/nowhere/a', 'one three'],
      ['/nowhere/b', 'new'],
    ]);
  });
});
