/** What an extension asks of the machine while it is loaded, and what it does with the answers: forms seen in the wild. */
import { describe, expect, it } from 'vitest';
import { type Files, inspectFiles } from './inspect-files.ts';

const T = "import { Type } from 'typebox';\n";
const EXECUTE = "execute: async () => ({ content: [{ type: 'text', text: 'x' }] })";
const tool = (name: string, description = "'D'") =>
  `{ name: ${name}, label: 'L', description: ${description}, parameters: Type.Object({ q: Type.String() }), ${EXECUTE} }`;
const register = (name: string, description?: string) => `pi.registerTool(${tool(name, description)});`;
const factory = (body: string) => `${T}export default async function (pi) { ${body} }`;
const moduleOf = (name: string) => `${T}export default ${tool(name)};`;

/** Names, with what is unread of each; a problem ends the list. */
async function found(source: string | Files, more: object = {}): Promise<string[]> {
  const files = typeof source === 'string' ? { 'index.ts': source } : source;
  const { tools, problem } = await inspectFiles(files, 'index.ts', 'pi', more);
  const listed = tools.map(({ name, unread }) =>
    unread.length === 0 ? String(name) : `${name} without ${unread.map(({ field }) => field)}`,
  );
  return problem === null ? listed : [...listed, `problem: ${problem.message}`];
}

const folder = { 'tools/one.ts': moduleOf("'one'"), 'tools/two.ts': moduleOf("'two'") };
const shape = '{"name":"a","description":"d","parameters":{"type":"object","properties":{"q":{"type":"string"}}}}';

describe('promises and callbacks of what is not here', () => {
  it.each([
    [
      'a chain',
      `fetch('https://x.example').then((r) => r.json()).then((j) => j.v).catch(() => {}); ${register("'a'")}`,
    ],
    ['a chain of a program', `pi.exec('which', ['rg']).then(({ code }) => code); ${register("'a'")}`],
    ['a moment later', `setTimeout(() => { ${register("'a'")} }, 10);`],
    ['registered in a chain', `fetch('https://x.example').then(() => { ${register("'a'")} });`],
    [
      'a process that ends',
      `const { spawn } = require('node:child_process'); const code = await new Promise((done, fail) => { const child = spawn('x'); child.stdout.on('data', () => {}); child.on('error', fail); child.on('close', done); }); if (code === 0) { ${register("'a'")} }`,
    ],
    [
      'a callback with an error first',
      `const { exec } = require('node:child_process'); await new Promise((done, fail) => exec('x', (error, out) => (error ? fail(error) : done(out)))); ${register("'a'")}`,
    ],
    [
      'a socket that opens, with an interval beside it',
      `setInterval(() => {}, 1); const socket = new WebSocket('ws://x.example'); await new Promise((done) => { socket.onopen = done; }); ${register("'a'")}`,
    ],
    [
      'a program that is asked for',
      `const { spawnSync } = require('node:child_process'); if (spawnSync('rg', ['-V']).status !== 0) return; ${register("'a'")}`,
    ],
    [
      'a promisified one',
      `const run = require('node:util').promisify(require('node:child_process').execFile); const { stdout } = await run('x'); if (stdout.trim()) { ${register("'a'")} }`,
    ],
    [
      'an instance that is awaited is itself',
      `class M extends require('lib').Base { name = 'a' } const m = await Promise.resolve(new M()); ${register('m.name')}`,
    ],
    [
      'an event of its own emitter',
      `const { EventEmitter } = require('node:events'); class Bus extends EventEmitter {} const bus = new Bus(); bus.once('go', (name) => { ${register('name')} }); bus.emit('go', 'a');`,
    ],
    [
      'work in a store',
      `const { AsyncLocalStorage } = require('node:async_hooks'); new AsyncLocalStorage().run({}, () => { ${register("'a'")} });`,
    ],
  ])('%s', async (_what, body) => {
    expect(await found(factory(body), { dependencies: { lib: '1.0.0' } })).toEqual(['a']);
  });

  it('a handler that never ends keeps nobody from the tools', async () => {
    const source = factory(`${register("'a'")} pi.on('session_start', () => new Promise(() => {}));`);
    expect(await found(source)).toEqual(['a']);
  });

  it('a factory that never ends is told', async () => {
    expect(await found(factory(`${register("'a'")} await new Promise(() => {});`))).toEqual([
      'a',
      expect.stringMatching(/waits for something/),
    ]);
  });
});

describe('other machines and users', () => {
  it.each([
    ['a flag', `pi.registerFlag('x', { type: 'boolean' }); if (pi.getFlag('x')) { ${register("'a'")} }`, ['a']],
    ['a system', `if (process.platform === 'darwin') { ${register("'a'")} } else { ${register("'b'")} }`, ['b', 'a']],
    ['os.platform()', `if (require('node:os').platform() === 'win32') { ${register("'a'")} }`, ['a']],
    ['a terminal', `pi.on('session_start', (_event, ctx) => { if (ctx.hasUI) { ${register("'a'")} } });`, ['a']],
    ['the first prompt', `pi.on('before_agent_start', () => { ${register("'a'")} });`, ['a']],
    ['a variable in the name', register("(process.env.PREFIX ?? 'x') + '_a'"), ['x_a']],
    [
      'tools of a server, with a key',
      `if (!process.env.KEY) return; const { tools } = await require('sdk').list(); for (const each of tools) { ${register('each.name')} }`,
      ['null without name'],
    ],
    ['members that pi has not', `const own = pi.typebox?.Type ?? Type; ${register("own === Type ? 'a' : 'b'")}`, ['a']],
    [
      'a copy of the API',
      `const own = { ...pi, registerTool: (each) => pi.registerTool({ ...each, name: 'x_' + each.name }) }; own.registerShortcut('k', {}); own.registerMcpServer?.('m', {}); ${register("'a'").replace('pi.', 'own.')}`,
      ['x_a'],
    ],
  ])('%s', async (_what, body, names) => {
    expect(await found(factory(body), { dependencies: { sdk: '1.0.0' } })).toEqual(names);
  });

  it('a description that lists what lies in a folder is shown as it is without', async () => {
    const list =
      "const names = require('node:fs').existsSync('/home/x') ? require('node:fs').readdirSync('/home/x') : [];";
    const source = factory(`${list} ${register("'a'", "'Agents: ' + (names.join(', ') || 'none')")}`);
    const { tools } = await inspectFiles({ 'index.ts': source });
    expect(tools).toMatchObject([{ name: 'a', description: 'Agents: none', unread: [{ field: 'description' }] }]);
  });
});

describe('files of the package', () => {
  it.each([
    [
      'a folder of tools that is listed',
      `const { readdirSync } = await import('node:fs'); const path = await import('node:path'); const dir = path.join(import.meta.dirname, 'tools'); for (const file of readdirSync(dir, { withFileTypes: true })) { if (file.isFile()) pi.registerTool((await import(path.join(dir, file.name))).default); }`,
    ],
    ['a template', "for (const name of ['one', 'two']) pi.registerTool((await import(`./tools/${name}.ts`)).default);"],
    [
      'a URL',
      "for (const name of ['one', 'two']) pi.registerTool((await import(new URL(`tools/${name}.js`, import.meta.url).href)).default);",
    ],
  ])('%s', async (_what, body) => {
    expect(await found({ 'index.ts': factory(body), ...folder })).toEqual(['one', 'two']);
  });

  it('a file that is broken beside them hides nothing but itself', async () => {
    const body = "pi.registerTool((await import('./tools/' + 'one.ts')).default);";
    const files = { 'index.ts': factory(`${register("'a'")} ${body}`), ...folder, 'tools/bad.ts': 'const = 1' };
    expect((await found(files))[0]).toBe('a');
  });

  it.each([
    [
      'createRequire',
      "const { createRequire } = await import('node:module'); const own = createRequire(import.meta.url)('./shape.json');",
    ],
    [
      'createRequire of a script',
      "const { createRequire } = await import('node:module'); const { own } = createRequire(import.meta.url)('./own.cjs');",
    ],
    [
      'fs.promises',
      "const fs = require('node:fs'); const own = JSON.parse(await fs.promises.readFile(__dirname + '/shape.json', 'utf8'));",
    ],
    [
      'import with a computed path',
      "const file = './shape.json'; const { default: own } = await import(file, { with: { type: 'json' } });",
    ],
  ])('JSON by %s', async (_what, load) => {
    const source = factory(`${load} pi.registerTool({ label: 'L', ...own, ${EXECUTE} });`);
    const own = "exports.own = require('./shape.json');";
    expect(await found({ 'index.ts': source, 'shape.json': shape, 'own.cjs': own })).toEqual(['a']);
  });

  it('the package by its own name', async () => {
    const files = {
      'index.ts': `import t from 'test/t'; export default (pi) => pi.registerTool(t);`,
      'lib/t.ts': moduleOf("'a'"),
    };
    expect(await found(files, { exports: { './*': './lib/*.ts' } })).toEqual(['a']);
  });
});

describe('what Node has and a bare engine has not', () => {
  it.each([
    ['numbers', '(50000).toLocaleString()', '50,000'],
    ['fractions', "(-1234.5).toLocaleString('en-US', { minimumFractionDigits: 2 })", '-1,234.50'],
    ['Intl', "new Intl.NumberFormat('en-US').format(2000)", '2,000'],
    ['util.format', "require('node:util').format('%s and %d', 'x', '7')", 'x and 7'],
    ['processors', "String(require('node:os').cpus().length)", '4'],
    ['import.meta.resolve', "import.meta.resolve('./x.ts')", 'file:///package/x.ts'],
  ])('%s', async (_what, expression, text) => {
    const { tools, problem } = await inspectFiles({ 'index.ts': factory(register("'a'", expression)) });
    expect([problem, tools[0]?.description]).toEqual([null, text]);
  });

  it.each([
    'require.resolve("x")',
    'if (typeof require !== "undefined" && require.main === module) start()',
    'process.getBuiltinModule("node:fs").watch("x")',
    'process.getuid(); process.umask(); process.setMaxListeners(20); process.removeListener("exit", () => {})',
    'Error.captureStackTrace(new Error("x"))',
    'const list = await Array.fromAsync([1].values().map(String)); list.toSorted()',
    'using held = { [Symbol.dispose]() {} }',
    'Buffer.alloc(4).write("x"); Buffer.from("a").equals(Buffer.from("b"))',
    'AbortSignal.abort().throwIfAborted?.name; navigator.hardwareConcurrency.toFixed()',
  ])('%s', async (statement) => {
    expect(await found(factory(`${statement}; ${register("'a'")}`))).toEqual(['a']);
  });
});
