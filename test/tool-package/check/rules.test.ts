/** The rules on packages that pass through the real inspection. The corpus measures wording; these are the kinds of fault. */
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../schemas/finding.ts';
import type { PackageJson } from '../../../schemas/package-json.ts';
import { checkPackage, RULE_SET, RULES } from '../../../tool-package/check/index.ts';
import { resolveEntries } from '../../../tool-package/entries.ts';
import { inspectPackage } from '../../../tool-package/inspect/index.ts';
import { type FileMap, piPackageFiles, piToolSource, slopcodeToolSource } from '../../support/archive.ts';

const check = async (files: FileMap): Promise<Finding[]> => {
  const sources = new Map(
    Object.entries(files).map(([path, content]) => [
      path,
      Buffer.from(typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content)),
    ]),
  );
  const packageJson = JSON.parse(String(sources.get('package.json'))) as PackageJson;
  const paths = [...sources.keys()];
  const entries = Object.entries(resolveEntries(packageJson, paths, sources)).flatMap(([agent, list]) =>
    list.map((entry) => ({ agent: agent as 'pi', entry })),
  );
  const inspections = await inspectPackage({ packageJson, paths, sources }, entries);
  return checkPackage({
    packageJson,
    files: paths.map((path) => ({ path, size: sources.get(path)?.length ?? 0 })),
    sources,
    inspections,
  });
};

const pi = (source: string, packageJson: object = {}, files: FileMap = {}): Promise<Finding[]> =>
  check({ ...piPackageFiles('weather', { packageJson }), 'index.ts': source, ...files });
const shortly = (findings: readonly Finding[]): string[] => findings.map(({ rule, level }) => `${rule} ${level}`);
const grave = (findings: readonly Finding[]): string[] =>
  shortly(findings.filter(({ level }) => level === 'error' || level === 'review'));

const withName = (name: string): string => piToolSource('x').replace('name: "x"', `name: ${JSON.stringify(name)}`);
const withParameters = (schema: string): string => piToolSource('weather').replace(/Type\.Object\(.*\),/, `${schema},`);
const withMore = (more: string, name = 'weather'): string =>
  piToolSource(name).replace('async execute', `${more}\n    async execute`);

describe('a good package', () => {
  it('has nothing grave, and says what it costs', async () => {
    const findings = await check(piPackageFiles('weather'));
    expect(shortly(findings)).toEqual(['cost/tokens info']);
    expect(findings[0]?.message).toMatch(/\d+ tokens .*`weather`/);
  });
});

describe('tool names in pi (case 56)', () => {
  it.each([
    'a.b',
    'a b',
    'a/b',
    'инструмент',
    '',
    '1a',
    '-a',
    'constructor',
    '__proto__',
    'toString',
    'mcp__x',
    'codemode',
    'tool_search',
    'x'.repeat(65),
  ])('refuses %j', async (name) => {
    expect(grave(await pi(withName(name)))).toContain('pi/required-field error');
  });
  it.each(['run-prompt', 'camelCase', 'a_b', 'A', 'x'.repeat(64)])('takes %j', async (name) => {
    expect(grave(await pi(withName(name)))).toEqual([]);
  });
});

describe('schemas in pi (case 14)', () => {
  it.each([
    `Type.Object({ a: Type.Union([Type.Literal('x'), Type.Literal('y')], { description: 'd' }) })`,
    `Type.Object({ a: Type.Optional(Type.Union([Type.Literal(1), Type.Literal(2)], { description: 'd' })) })`,
    `Type.Object({ a: Type.Array(Type.Union([Type.Literal('x'), Type.Literal('y')]), { description: 'd' }) })`,
    `Type.Object({ a: Type.Object({ b: Type.Union([Type.Literal('x'), Type.Literal('y'), Type.Null()], { description: 'd' }) }, { description: 'd' }) })`,
    `{ type: 'object', properties: { a: { description: 'd', oneOf: [{ const: 'x' }, { const: 'y' }] } } }`,
  ])('warns of %s', async (schema) => {
    const found = (await pi(withParameters(schema))).filter(({ rule }) => rule === 'pi/literal-union');
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({
      level: 'warn',
      tool: 'weather',
      field: expect.stringContaining('properties.a'),
      // Numbers have no StringEnum.
      hint: expect.stringContaining(schema.includes('Literal(1)') ? 'Type.Unsafe' : 'StringEnum'),
    });
  });
  it.each([
    `Type.Object({ a: Type.Union([Type.String(), Type.Array(Type.String())], { description: 'd' }) })`,
    `Type.Object({ a: Type.Union([Type.Literal('x'), Type.Number()], { description: 'd' }) })`,
    `Type.Object({ a: Type.String({ enum: ['x', 'y'], description: 'd' }) })`,
    `Type.Object({})`,
  ])('does not mind %s', async (schema) => {
    expect(shortly(await pi(withParameters(schema))).filter((one) => !one.startsWith('cost/'))).toEqual([]);
  });
  it.each([
    `Type.String()`,
    `Type.Array(Type.String())`,
    `Type.Union([Type.Object({}), Type.Object({})])`,
    `{ properties: {} }`,
  ])('refuses %s as parameters', async (schema) => {
    expect(grave(await pi(withParameters(schema)))).toEqual(['pi/parameters-object error']);
  });
});

describe('entries of pi (case 11)', () => {
  it.each(['export function register(pi) {}', 'export default {};', 'export default 5;'])(
    'refuses %s',
    async (source) => {
      const findings = await pi(source);
      expect(grave(findings)).toContain('pi/no-factory error');
      expect(findings.find(({ rule }) => rule === 'pi/no-factory')).toMatchObject({ file: 'index.ts', agent: 'pi' });
    },
  );
  it('two entries with one tool name: pi would not start', async () => {
    const findings = await pi(
      piToolSource('same'),
      { pi: { extensions: ['./index.ts', './b.ts'] } },
      { 'b.ts': piToolSource('same') },
    );
    expect(grave(findings)).toEqual(['any/duplicate-name error']);
  });
  it('an entry that cannot be read is for a curator, never clean', async () => {
    for (const source of [
      'export default (pi) => { throw new Error("boom"); };',
      `${'('.repeat(2000)}${')'.repeat(2000)}`,
      'export default (',
      'for (;;) {}',
    ]) {
      expect((await pi(source)).filter(({ level }) => level === 'error' || level === 'review')).not.toEqual([]);
    }
  }, 60_000);
});

describe('what pi does not read after an install', () => {
  it('is named', async () => {
    const findings = await pi(piToolSource('weather'), {
      pi: { extensions: ['./index.ts'], skills: ['./skills'], themes: [] },
    });
    expect(findings.filter(({ rule }) => rule === 'pi/other-resources').map(({ field }) => field)).toEqual([
      'pi.skills',
      'pi.themes',
    ]);
  });
});

describe('overrides (case 32)', () => {
  const source = piToolSource('read');
  const declared = { piTools: { overrides: [{ tool: 'read', reason: 'Logs each read.' }] } };
  it('undeclared: review; declared: told, and what is not inherited', async () => {
    expect(grave(await pi(source))).toEqual(['pi/override review']);
    expect(shortly(await pi(source, declared)).filter((one) => one.startsWith('pi/override'))).toEqual([
      'pi/override warn',
      'pi/override warn',
      'pi/override info',
    ]);
    const complete = withMore(`promptSnippet: 'Read files', promptGuidelines: ['Use read to read.'],`, 'read');
    expect(shortly(await pi(complete, declared)).filter((one) => one.startsWith('pi/override'))).toEqual([
      'pi/override info',
    ]);
  });
});

describe('SlopCode', () => {
  const slopcode = (files: FileMap, packageJson: object = {}): Promise<Finding[]> =>
    check({
      ...piPackageFiles('x'),
      'package.json': {
        name: 'x',
        version: '1.0.0',
        license: 'MIT',
        repository: 'x',
        slopcode: { tools: ['./tools'] },
        opencode: { tools: ['./tools'] },
        ...packageJson,
      },
      ...files,
    });

  it('a good one: the final names are told once, although two agents get it', async () => {
    const findings = await slopcode({
      'tools/math.ts': slopcodeToolSource('Adds.').replace('export default', 'export const add ='),
    });
    expect(shortly(findings)).toEqual(['slopcode/name info', 'cost/tokens info']);
    expect(findings[0]?.message).toContain('`math_add`');
  });
  it.each([
    ['tools/Math.ts', 'slopcode/name error'],
    ['tools/1a.ts', 'slopcode/name error'],
    ['tools/doom_loop.ts', 'slopcode/name error'],
    ['tools/constructor.ts', 'slopcode/name error'],
    ['tools/bash.ts', 'slopcode/override review'],
    ['tools/todowrite.ts', 'slopcode/override review'],
  ])('%s: %s', async (path, expected) => {
    expect(grave(await slopcode({ [path]: slopcodeToolSource('Does it.') }))).toEqual([expected]);
  });
  it.each(['export const x = 1;', 'export {};', 'export default { description: "no execute" };'])(
    'a file without a tool is refused: %s',
    async (source) => {
      expect(grave(await slopcode({ 'tools/math.ts': source }))).toContain('slopcode/no-tools error');
    },
  );
  it('an export that is no tool is named', async () => {
    const findings = await slopcode({ 'tools/math.ts': `${slopcodeToolSource('Adds.')}\nexport const FACTOR = 2;\n` });
    expect(findings.filter(({ rule }) => rule === 'slopcode/not-a-tool')).toEqual([
      expect.objectContaining({ field: 'FACTOR', level: 'warn' }),
    ]);
  });
});

describe('imports (cases 16, 47, 53)', () => {
  it.each([
    [`import x from 'left-pad'; x();`, ['any/import error']],
    [`import x from './gone.ts'; x();`, ['any/import error']],
    [`import { Database } from 'bun:sqlite'; new Database();`, ['any/import error']],
    [`import { Type as T } from '@sinclair/typebox'; T.String();`, []],
    [`import { Value } from 'typebox/value'; Value.Check;`, []],
    [`import { x } from '@mariozechner/pi-coding-agent'; x;`, []],
    [`import { readFile } from 'node:fs/promises'; readFile;`, []],
    [`import type { X } from 'nowhere';`, []],
    [`import { help } from './help.ts'; help;`, []],
  ])('%s', async (line, expected) => {
    const findings = await pi(`${line}\n${piToolSource('weather')}`, {}, { 'help.ts': 'export const help = 1;' });
    expect(grave(findings).filter((one) => one.startsWith('any/'))).toEqual(expected);
  });
});

describe('host packages as dependencies (cases 48, 49)', () => {
  it.each<[object, number]>([
    [{ peerDependencies: { typebox: '*', '@earendil-works/pi-coding-agent': '>=1.0.0' } }, 0],
    [{ peerDependencies: { '@earendil-works/pi-coding-agent': '1.2.3' } }, 1],
    [{ peerDependencies: { '@earendil-works/pi-coding-agent': '^1.0.0' } }, 1],
    [{ peerDependencies: { '@earendil-works/pi-coding-agent': '>=1 <2' } }, 1],
    [{ dependencies: { '@mariozechner/pi-ai': '*' } }, 1],
    [{ dependencies: { '@sinclair/typebox': '*' } }, 1],
    [{ dependencies: { zod: '*' } }, 0],
  ])('%j', async (packageJson, count) => {
    expect(
      (await pi(piToolSource('weather'), packageJson)).filter(({ rule }) => rule === 'any/host-dependency'),
    ).toHaveLength(count);
  });
});

describe('supply', () => {
  const lock = (packages: object): FileMap => ({
    'npm-shrinkwrap.json': { lockfileVersion: 3, packages: { '': {}, ...packages } },
  });
  const pinned = { 'node_modules/ms': { version: '2.1.3', integrity: 'sha512-x' } };
  it.each<[string, object, FileMap, string[]]>([
    [
      'install scripts',
      { scripts: { preinstall: 'x', postinstall: 'x', build: 'x' } },
      {},
      ['supply/scripts error', 'supply/scripts error'],
    ],
    ['binding.gyp', {}, { 'binding.gyp': '{}' }, ['supply/scripts error']],
    ['no pins', { dependencies: { ms: '^2.0.0' } }, {}, ['supply/unpinned error']],
    ['pins', { dependencies: { ms: '^2.0.0' } }, lock(pinned), []],
    ['pins of something else', { dependencies: { ms: '^2.0.0' } }, lock({}), ['supply/unpinned error']],
    [
      'a pin without integrity',
      { dependencies: { ms: '^2.0.0' } },
      lock({ 'node_modules/ms': { version: '2.1.3' } }),
      ['supply/unpinned error'],
    ],
    [
      'a pin from git',
      { dependencies: { ms: '^2.0.0' } },
      lock({ 'node_modules/ms': { resolved: 'git+ssh://git@example.com/ms.git', integrity: 'sha512-x' } }),
      ['supply/unpinned error'],
    ],
    [
      'a link',
      { dependencies: { ms: '^2.0.0' } },
      lock({ 'node_modules/ms': { link: true, resolved: '../ms' } }),
      ['supply/unpinned error'],
    ],
    [
      'an old lock',
      { dependencies: { ms: '^2.0.0' } },
      { 'npm-shrinkwrap.json': { lockfileVersion: 1, dependencies: {} } },
      ['supply/unpinned error'],
    ],
    [
      'a lock that is none',
      { dependencies: { ms: '^2.0.0' } },
      { 'npm-shrinkwrap.json': 'x' },
      ['supply/unpinned error'],
    ],
    ...[
      'git+https://example.com/x.git',
      'github:a/b',
      'a/b',
      'https://example.com/x.tgz',
      'file:../x',
      '../x',
      'link:../x',
      'workspace:*',
    ].map((range): [string, object, FileMap, string[]] => [
      range,
      { dependencies: { ms: range } },
      lock(pinned),
      ['supply/unpinned error'],
    ]),
  ])('%s', async (_name, packageJson, files, expected) => {
    expect(
      grave(await pi(piToolSource('weather'), packageJson, files)).filter((one) => one.startsWith('supply/')),
    ).toEqual(expected);
  });

  it('who to ask: source, README, licence', async () => {
    const findings = await check({
      'package.json': { name: 'x', version: '1.0.0', pi: { extensions: ['./index.ts'] } },
      'index.ts': piToolSource('x'),
    });
    expect(shortly(findings)).toEqual(
      expect.arrayContaining(['supply/no-source warn', 'supply/no-readme warn', 'supply/no-license warn']),
    );
  });
});

describe('hidden text', () => {
  it('in what the model reads: error; in other files: review; the message shows it escaped', async () => {
    const findings = await pi(
      piToolSource('weather', 'Weather.\u200b Now\u{e0041}'),
      {},
      { 'README.md': 'a\u202eb', 'data.json': '"\u2066"' },
    );
    expect(findings.filter(({ rule }) => rule === 'text/hidden').map(({ level, file }) => `${level} ${file}`)).toEqual(
      expect.arrayContaining(['error index.ts', 'error index.ts', 'review README.md', 'review data.json']),
    );
    expect(JSON.stringify(findings)).not.toMatch(/[\u200b\u202e\u2066\u{e0041}]/u);
  });
});

describe('what a tool does when it is called', () => {
  const behaves = async (body: string, head = ''): Promise<string[]> => {
    const source = piToolSource('weather').replace(
      /async execute[\s\S]*?\n {4}\},/,
      `async execute(_id, params, signal) {\n${body}\n    },`,
    );
    const rules = [
      'error-flag',
      'result-shape',
      'unbounded-output',
      'unqueued-write',
      'ignores-signal',
      'resource-in-factory',
    ].map((id) => `pi/${id}`);
    return (await pi(`${head}\n${source}`)).map(({ rule }) => rule).filter((rule) => rules.includes(rule));
  };
  const result = (text: string): string => `return { content: [{ type: 'text', text: ${text} }] };`;
  const FS = "import { readFile, writeFile } from 'node:fs/promises';";
  it.each<[string, string, string[]]>([
    [result("'ok'"), '', []],
    ["return 'ok';", '', ['pi/result-shape']],
    ['return `ok ${params.text}`;', '', ['pi/result-shape']],
    ['return { output: params.text };', '', ['pi/result-shape']],
    ['return;', '', ['pi/result-shape']],
    ['params.text;', '', ['pi/result-shape']],
    ["throw new Error('no');", '', []],
    ['return make(params.text);', 'const make = (text) => ({ content: [{ type: "text", text }] });', []],
    ['return make(params.text);', 'const make = (text) => text.trim();', ['pi/result-shape']],
    ['const result = {}; result.content = []; return result;', '', []],
    [`if (params.text) return { content: [], isError: true };\n${result("'ok'")}`, '', ['pi/error-flag']],
    [`const text = await readFile(params.text, 'utf8');\n${result('text')}`, FS, ['pi/unbounded-output']],
    [`const text = await readFile(params.text, 'utf8');\n${result('text.slice(0, 1000)')}`, FS, []],
    [`const text = await readFile(params.text, 'utf8');\n${result('String(text.length)')}`, FS, []],
    [`await writeFile(params.text, 'x');\n${result("'ok'")}`, FS, ['pi/unqueued-write']],
    [`const r = await fetch('https://example.com');\n${result('String(r.status)')}`, '', ['pi/ignores-signal']],
    [`const r = await fetch('https://example.com', { signal });\n${result('String(r.status)')}`, '', []],
    [result("'ok'"), 'setInterval(() => {}, 1000);', ['pi/resource-in-factory']],
    [result("'ok'"), 'const start = () => setInterval(() => {}, 1000);', []],
    [result("'ok'"), 'const poll = setInterval(() => {}, 1000);\npoll.unref();', []],
    [result("'ok'"), 'const limit = setTimeout(() => {}, 1000);\nclearTimeout(limit);', []],
    // Four calls deep: whether it is ever reached depends on what the calls before found.
    [result("'ok'"), 'const a = () => setInterval(d, 9), b = () => a(), c = () => b(), d = () => c();\nd();', []],
    [result("'ok'"), 'const a = () => setInterval(b, 9), b = () => a();\nb();', ['pi/resource-in-factory']],
    [
      `if (!params.text) return { content: [], isError: true };\nif (signal) return { content: [], isError: true };\n${result("'ok'")}`,
      '',
      ['pi/error-flag'],
    ],
  ])('%s %s', async (body, head, expected) => {
    expect(await behaves(body, head)).toEqual(expected);
  });
});

describe('what is returned whole', () => {
  const FS = "import { readFile, writeFile } from 'node:fs/promises';\nimport { spawn } from 'node:child_process';";
  const unbounded = async (body: string): Promise<boolean> => {
    const source = piToolSource('weather').replace(
      /async execute[\s\S]*?\n {4}\},/,
      `async execute(_id, params, signal) {\n${body}\n    },`,
    );
    return (await pi(`${FS}\n${source}`)).some(({ rule }) => rule === 'pi/unbounded-output');
  };
  const text = (value: string): string => `return { content: [{ type: 'text', text: ${value} }], details: {} };`;
  it.each([
    ["let all = '';\nall = await readFile('a', 'utf8');", text('all')],
    ["const lines = [];\nlines.push(await readFile('a', 'utf8'));", text("lines.join('\\n')")],
    ["const read = async () => await readFile('a', 'utf8');\nconst all = await read();", text('`Read: ${all}`')],
    ["let out = '';\nconst child = spawn('ls');\nchild.stdout.on('data', (chunk) => { out += chunk; });", text('out')],
    [
      "const run = () => new Promise((done) => { let out = ''; const child = spawn('ls'); child.stdout.on('data', (d) => { out += d; }); child.on('close', () => done(out)); });\nconst answer = await run();",
      text('JSON.stringify(answer)'),
    ],
  ])('%s %s', async (body, result) => {
    expect(await unbounded(`${body}\n${result}`)).toBe(true);
  });
  it.each([
    // What was there is written back; the model hears where.
    [
      "const old = await readFile('a', 'utf8');\nawait writeFile('a', old + params.text);",
      text('`Added to a: ${params.text}`'),
    ],
    ["const all = await readFile('a', 'utf8');", text("all.includes(params.text) ? 'found' : 'not found'")],
    [
      "const all = await readFile('a', 'utf8');",
      "return { content: [{ type: 'text', text: 'ok' }], details: { all } };",
    ],
    [
      "const child = spawn('ls');\nconst code = await new Promise((done) => child.on('close', done));",
      text('`exit ${child.exitCode}`'),
    ],
  ])('not: %s %s', async (body, result) => {
    expect(await unbounded(`${body}\n${result}`)).toBe(false);
  });
  it('not: where a request goes, which a file says', async () => {
    const body = `const address = await readFile('address', 'utf8');
      const answer = await fetch(address);
      return { content: [{ type: 'text', text: (await answer.json()).name }] };`;
    expect(await unbounded(body)).toBe(false);
  });
  it('not: operations of a built-in tool, which shortens what they give', async () => {
    const body = `const read = createReadTool(params.text, { operations: { readFile: (path) => readFile(path) } });
      return read.execute('1', params, signal);`;
    expect(await unbounded(body)).toBe(false);
  });
});

describe('lines of fields', () => {
  const source = [
    "import { Type } from 'typebox';",
    'export default function (pi) {',
    '  pi.registerTool({',
    "    name: 'weather',",
    "    label: 'Weather',",
    "    description: 'Tells the weather',",
    "    promptGuidelines: ['Use weather for the weather.',",
    "      'Ask for the town.'],",
    '    parameters: Type.Object({',
    "      city: Type.String({ description: 'City' }),",
    '      when: Type.Optional(',
    "        Type.Union([Type.Literal('a'), Type.Literal('b')], { description: 'When' }),",
    '      ),',
    '    }),',
    "    async execute() { return { content: [{ type: 'text', text: 'x' }] }; },",
    '  });',
    '}',
  ].join('\n');
  const lineOf = async (text: string, rule: string): Promise<number | null | undefined> =>
    (await pi(text)).find((each) => each.rule === rule)?.line;
  it.each([
    [source, 'pi/literal-union', 11],
    [source, 'pi/guideline-names-tool', 8],
    // Named elsewhere: the object that begins where it is registered; a schema elsewhere: where it is given.
    [
      source.replace("'weather',", 'NAME,').replace("'typebox';", "'typebox'; const NAME = 'weather';"),
      'pi/literal-union',
      11,
    ],
    [source.replace("name: 'weather',", "name: 'weather', prepareArguments: (all) => all,"), 'pi/prepare-arguments', 4],
    [source.replace("    label: 'Weather',\n", ''), 'pi/required-field', 3],
  ])('%#', async (text, rule, line) => {
    expect(await lineOf(text, rule)).toBe(line);
  });
});

describe('a union of literals', () => {
  it.each([
    ["anyOf: [{ const: 'a', type: 'string' }, { const: 'b', type: 'string' }]", /StringEnum/],
    ["anyOf: [{ const: 1, type: 'number' }, { const: 2, type: 'number' }]", /Type\.Unsafe/],
  ])('%s', async (union, hint) => {
    const findings = await pi(withParameters(`{ type: 'object', properties: { q: { ${union} } } }`));
    expect(findings.find(({ rule }) => rule === 'pi/literal-union')?.hint).toMatch(hint);
  });
});

describe('tools that are registered later', () => {
  const later = (body: string): string => `export default function (pi) { ${body} }`;
  const register = "pi.registerTool({ name: 'a', description: 'd', parameters: { type: 'object' }, execute() {} });";
  it.each([
    ["pi.registerCommand('x', { handler: () => { R } });", ['inspect/unread review'], []],
    ["pi.on('tool_call', () => { R });", ['inspect/unread review'], []],
    ["pi.registerCommand('x', { handler: () => {} });", [], ['pi/no-tools info']],
  ])('%s', async (body, graves, notes) => {
    const findings = await pi(later(body.replace('R', register)));
    expect(grave(findings)).toEqual(graves);
    expect(shortly(findings).filter((one) => one.startsWith('pi/no-tools'))).toEqual(notes);
  });
});

describe('imports of files that nothing loads', () => {
  it('say nothing of the package: a page of its own beside the tool', async () => {
    const page = { 'page/app.tsx': "import { render } from 'some-view';\nrender();" };
    const findings = await pi(piToolSource('weather'), {}, page);
    expect(findings.filter(({ rule }) => rule === 'any/import')).toEqual([]);
  });
  it('an import without `type` is followed, although only a type is used', async () => {
    const source = `import { A } from './types.ts';\n${piToolSource('weather')}\nexport type B = A;`;
    const findings = await pi(source, {}, { 'types.ts': "import { X } from 'gone';\nexport type A = X;" });
    expect(grave(findings)).toEqual([]);
    expect(shortly(findings)).toContain('any/import warn');
  });
});

describe('parameters that are no schema (case 43)', () => {
  it.each([
    `{ type: 'object', properties: { q: 'string' } }`,
    `{ type: 'object', properties: { q: { type: 'str' } } }`,
    `{ type: 'object', properties: ['q'] }`,
    `{ type: 'object', properties: {}, required: 'q' }`,
    `{ type: 'object', properties: { q: { type: 'string', enum: [] } } }`,
    `{ type: 'object', properties: { q: { type: 'array', items: { type: 'text' } } } }`,
  ])('%s', async (schema) => {
    expect(grave(await pi(withParameters(schema)))).toEqual(['any/invalid-schema error']);
  });
  it('args that are plain values', async () => {
    const source =
      'export default { description: "d", args: { query: "string" }, async execute(a) { return a.query; } };';
    const findings = await check({
      'package.json': { name: 'x', version: '1.0.0', slopcode: { tools: ['./a.ts'] } },
      'a.ts': source,
    });
    expect(grave(findings)).toEqual(['any/invalid-schema error']);
  });
});

describe('names in package.json', () => {
  it('that no tool has are told', async () => {
    const piTools = {
      overrides: [{ tool: 'bash', reason: 'x' }],
      examples: [
        { tool: 'weather', args: {} },
        { tool: 'wether', args: {} },
      ],
    };
    const findings = await pi(piToolSource('weather'), { piTools });
    expect(findings.filter(({ rule }) => rule === 'any/unknown-tool').map(({ field }) => field)).toEqual([
      'piTools.overrides[0]',
      'piTools.examples[1]',
    ]);
  });
});

describe('secrets', () => {
  const secrets = async (files: FileMap): Promise<string[]> => {
    const findings = (await pi(piToolSource('weather'), {}, files)).filter(({ rule }) => rule === 'code/secret');
    // The key itself is in no message.
    expect(JSON.stringify(findings)).not.toMatch(/[A-Za-z0-9]{20}/);
    return findings.map(({ level, file }) => `${level} ${file}`);
  };
  const random = 'q7Rk2ZpVx9LmT4sBw8Yc';
  it.each<[string, FileMap, string[]]>([
    [
      'a GitHub token',
      { 'a.json': `{"t":"${['ghp', `${random}${random}`.slice(0, 36)].join('_')}"}` },
      ['error a.json'],
    ],
    ['an AWS key', { 'a.txt': ['AKIA', 'Q3EGR6ZTBN7WMXKD'].join('') }, ['error a.txt']],
    [
      'a private key',
      { 'a.txt': `${['-----BEGIN', 'RSA PRIVATE KEY-----'].join(' ')}\n${random}${random}${random}\n` },
      ['error a.txt'],
    ],
    ['a value that looks like a key', { 'a.ts': `export const API_KEY = '${random}';` }, ['review a.ts']],
    ['an environment file', { '.env': 'X=1' }, ['review .env']],
    ['a placeholder', { 'a.ts': "export const API_KEY = 'your-api-key-goes-here-1';" }, []],
    ['a vendor’s example', { 'README.md': 'AKIAIOSFODNN7EXAMPLE' }, []],
    ['a hash', { 'a.ts': "export const sha = '2fd4e1c67a2d28fced849ee1bb76e7391b93eb12';" }, []],
  ])('%s', async (_name, files, expected) => {
    expect(await secrets(files)).toEqual(expected);
  });
});

describe('the rules as data', () => {
  it('each has an id of its own, and says what, why and how to fix', () => {
    expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length);
    for (const rule of RULES) {
      expect(rule.id).toMatch(/^[a-z]+\/[a-z-]+$/);
      for (const text of [rule.what, rule.why, rule.fix]) expect(text.length).toBeGreaterThan(10);
    }
    expect(RULE_SET).toMatch(/^\d/);
  });

  it('no package can make them throw, or give findings without end', () => {
    const hostile = Object.fromEntries(
      Array.from({ length: 3000 }, (_, index) => [
        `p${index}`,
        { anyOf: [{ const: 1 }, { const: 2 }], properties: { __proto__: { enum: [{ deep: ['\u200b'] }] } } },
      ]),
    );
    const findings = checkPackage({
      packageJson: { name: 'x', version: '1.0.0', scripts: { constructor: 'x' } } as never,
      files: [],
      sources: new Map([
        ['a.ts', Buffer.from([0xff, 0xfe])],
        ['b.ts', Buffer.alloc(3 * 1024 * 1024)],
        ['c.ts', Buffer.from('a'.repeat(100_000))],
      ]),
      inspections: [
        {
          agent: 'pi',
          entry: 'a.ts',
          problem: null,
          imports: [],
          otherExports: [],
          tools: [
            {
              name: '__proto__',
              label: null,
              description: '',
              promptSnippet: null,
              promptGuidelines: [],
              parameters: { properties: hostile, anyOf: null, items: [1, null] },
              entry: 'a.ts',
              export: null,
              flags: { prepareArguments: false, renderCall: false, renderResult: false, defaultActive: true },
              execute: false,
              file: null,
              line: null,
              unread: [],
              origin: {},
            },
          ],
        },
      ],
    });
    expect(findings.length).toBeLessThan(400);
  });
});
