import { spawn, spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { planFix, writeFix } from '../../../cli/check/fix.ts';
import { declareMissing } from '../../../cli/check/fix-declarations.ts';
import type { Finding } from '../../../schemas/finding.ts';
import type { Permissions } from '../../../schemas/package-json.ts';
import { packFolder } from '../../../tool-package/archive/pack.ts';
import { observePermissions } from '../../../tool-package/source/permissions.ts';
import { type CliHome, createCliHome } from '../../support/cli.ts';

vi.setConfig({ testTimeout: 90_000 });

const bin = fileURLToPath(new URL('../../../cli/bin.js', import.meta.url));
/** `script` (util-linux) gives a program a terminal. */
const hasScript = spawnSync('script', ['--version']).stdout?.toString().includes('util-linux') ?? false;

const observe = (code: string) => observePermissions(new Map([['index.ts', Buffer.from(code)]]));
const declaredIn = (text: string): Permissions => JSON.parse(text).piTools?.permissions ?? {};
const declare = (text: string, code: string) => declareMissing(text, declaredIn(text), observe(code));
const FETCH = `await fetch('https://api.example.com/x');`;
const HEAD = '"name": "x", "version": "1.0.0"';

describe('missing permissions go into package.json', () => {
  test.each([
    [
      'with its indentation',
      `{\n\t"name": "x",\n\t"version": "1.0.0"\n}\n`,
      `{\n\t"name": "x",\n\t"version": "1.0.0",\n\t"piTools": {\n\t\t"permissions": {\n\t\t\t"network": [\n\t\t\t\t"api.example.com"\n\t\t\t]\n\t\t}\n\t}\n}\n`,
    ],
    ['in one line', `{${HEAD}}`, `{${HEAD}, "piTools": {"permissions":{"network":["api.example.com"]}}}`],
    [
      'behind a host that is there',
      `{${HEAD},\r\n  "piTools": { "permissions": { "network": ["a.example"] } }\r\n}`,
      `{${HEAD},\r\n  "piTools": { "permissions": { "network": ["a.example", "api.example.com"] } }\r\n}`,
    ],
    [
      'into an empty list',
      `{${HEAD}, "piTools": {"permissions": {"network": []}}}`,
      `{${HEAD}, "piTools": {"permissions": {"network": ["api.example.com"]}}}`,
    ],
  ])('%s', async (_, before, after) => {
    const fixed = await declare(before, FETCH);
    expect(fixed.text).toBe(after);
    expect(fixed.changes).toHaveLength(1);
    expect(await declare(fixed.text, FETCH)).toMatchObject({ changes: [], text: fixed.text });
  });

  test('every kind, and nothing again', async () => {
    const code = `import { execFile } from 'node:child_process'; import { readFile, writeFile } from 'node:fs/promises';
      ${FETCH} await readFile('notes.txt'); await writeFile('out.txt', ''); execFile('git', ['log']); process.env.HOME_TOWN;
      await readFile(process.env.ANY ?? name); execFile(program, []); await fetch(url);`;
    const fixed = await declare(`{${HEAD}}`, code);
    expect(Object.keys(declaredIn(fixed.text)).sort()).toEqual(['env', 'network', 'read', 'run', 'write']);
    expect(fixed.notFixed.map(({ reason }) => reason).join()).toMatch(
      /`run` is declared for everything.*constant list/,
    );
    expect(fixed.notFixed.map(({ reason }) => reason).join()).toMatch(
      /`read` is declared for everything.*working folder/,
    );
    expect((await declare(fixed.text, code)).changes).toEqual([]);
  });

  test('files of the working folder, where only some paths are known to be there', async () => {
    const code = `import { mkdir, readFile, writeFile } from 'node:fs/promises'; import { resolve } from 'node:path';
      export default (pi) => pi.registerTool({ name: 'x', async execute(id, params, signal, update, ctx) {
        await mkdir(elsewhere()); await writeFile(resolve(ctx.cwd, params.path), await readFile(resolve(ctx.cwd, params.path))); } });`;
    const fixed = await declare(`{${HEAD}}`, code);
    expect(JSON.stringify(declaredIn(fixed.text))).toBe('{"read":["."],"write":["."]}');
    expect(fixed.notFixed).toEqual([{ file: 'package.json', line: null, reason: expect.stringContaining('`write`') }]);
    expect((await declare(fixed.text, code)).changes).toEqual([]);
  });

  test('more than a package may declare is not written', async () => {
    const code = Array.from({ length: 101 }, (_, at) => `fetch('https://h${at}.example.com');`).join('\n');
    const text = `{${HEAD}}`;
    const fixed = await declare(text, code);
    expect(fixed).toMatchObject({ text, changes: [], notFixed: [{ reason: expect.stringContaining('could not') }] });
  });

  test('keeps every other byte, whatever else the file says', async () => {
    const names = fc.string({ minLength: 1, maxLength: 8 }).filter((name) => name !== 'piTools');
    // A file with that key, at any depth, is no package.json: the next test.
    const others = fc
      .dictionary(names, fc.jsonValue({ maxDepth: 2 }))
      .filter((one) => !JSON.stringify(one).includes('"__proto__"'));
    await fc.assert(
      fc.asyncProperty(others, fc.constantFrom(undefined, 1, 2, 4, '\t'), async (extra, indent) => {
        const keys = { extra, name: 'x', version: '1.0.0' };
        const before = JSON.stringify(keys, null, indent);
        const { text } = await declare(before, FETCH);
        expect(JSON.parse(text)).toEqual({
          ...JSON.parse(before),
          piTools: { permissions: { network: ['api.example.com'] } },
        });
        const end = before.replace(/\s*\}$/, '');
        expect(text.startsWith(end)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test('is not written into a file that no registry would read', async () => {
    const before = `{${HEAD}, "config": {"__proto__": 0}}`;
    const fixed = await declare(before, FETCH);
    expect(fixed.text).toBe(before);
    expect(fixed.changes).toEqual([]);
    expect(fixed.notFixed.map(({ reason }) => reason).join()).toContain('__proto__');
  });
});

describe('check --fix', () => {
  let cli: CliHome;
  let folder: string;
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const ruleIds = (findings: Finding[]) => findings.map(({ rule }) => rule);
  const PACKAGE = JSON.stringify({ name: 'sample', version: '1.0.0', pi: { extensions: ['./index.ts'] } }, null, 4);
  const SOURCE = `import { Type } from 'typebox';
export default (pi) => pi.registerTool({
  name: 'sample', label: 'Sample', description: 'Gets it',
  parameters: Type.Object({ unit: Type.Union([Type.Literal('a'), Type.Literal('b')], { description: 'which' }) }),
  async execute(_id, { unit }, signal) {
    const answer = await fetch('https://api.example.com/' + unit, { signal });
    return { content: [{ type: 'text', text: (await answer.text()).slice(0, 1000) }] };
  },
});
`;
  beforeEach(async () => {
    cli = await createCliHome();
    folder = join(cli.project, 'sample');
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), PACKAGE);
    writeFileSync(join(folder, 'index.ts'), SOURCE);
  });
  afterEach(() => cli.remove());

  test('shows and writes nothing where nobody can answer', async () => {
    const { code, json, stderr } = await cli.run(['check', 'sample', '--fix', '--json']);
    expect([code, json.error.code]).toEqual([4, 'consent_required']);
    expect(json.error.details.changes.map(({ kind }: { kind: string }) => kind)).toEqual([
      'literal-union',
      'import',
      'permission',
    ]);
    expect(stderr).toContain("+ StringEnum(['a', 'b'] as const");
    expect(stderr).toContain('piTools.permissions.network: "api.example.com"');
    expect([read('package.json'), read('index.ts')]).toEqual([PACKAGE, SOURCE]);
  });

  test('--dry-run shows, even with --yes', async () => {
    const { code, stdout } = await cli.run(['check', 'sample', '--fix', '--dry-run', '--yes']);
    expect(code).toBe(6);
    expect(stdout).toContain("+ StringEnum(['a', 'b'] as const");
    expect([read('package.json'), read('index.ts')]).toEqual([PACKAGE, SOURCE]);
  });

  test('--yes writes; the findings are gone, and a second time there is nothing to do', async () => {
    const first = await cli.run(['check', 'sample', '--fix', '--yes', '--json']);
    expect(first.code).toBe(0);
    expect(first.json.fix).toMatchObject({ written: true, notFixed: [] });
    expect(ruleIds(first.json.findings)).not.toContain('perm/undeclared');
    expect(ruleIds(first.json.findings)).not.toContain('pi/literal-union');
    const [tool] = first.json.manifest.record.agents.pi.tools;
    expect(tool.parameters.properties.unit).toEqual({ type: 'string', enum: ['a', 'b'], description: 'which' });
    expect(read('package.json').startsWith(PACKAGE.slice(0, -2))).toBe(true);
    const after = [read('package.json'), read('index.ts')];
    const second = await cli.run(['check', 'sample', '--fix', '--yes', '--json']);
    expect(second.json.fix).toEqual({ written: false, changes: [], notFixed: [] });
    expect([read('package.json'), read('index.ts')]).toEqual(after);
  });

  test('a file behind a link stays a link', async () => {
    writeFileSync(join(folder, 'real.ts'), SOURCE);
    mkdirSync(join(folder, 'lib'));
    symlinkSync('../real.ts', join(folder, 'lib', 'linked.ts'));
    const { json } = await cli.run(['check', 'sample', '--fix', '--yes', '--json']);
    expect(json.fix.written).toBe(true);
    expect(lstatSync(join(folder, 'lib', 'linked.ts')).isSymbolicLink()).toBe(true);
    expect(read('real.ts').match(/StringEnum\(/g)).toHaveLength(1);
  });

  test('a file that changes after it was read is not written over', async () => {
    const { bytes } = await packFolder(folder, { write: 'nothing' });
    const findings = [{ rule: 'pi/literal-union' }, { rule: 'perm/undeclared' }] as Finding[];
    const plan = await planFix({ folder, kind: 'folder', bytes, findings });
    expect(plan.files.map(({ path }) => path)).toEqual(['index.ts', 'package.json']);
    writeFileSync(join(folder, 'index.ts'), `${SOURCE}// more\n`);
    expect(() => writeFix(folder, plan, 'test')).toThrow(expect.objectContaining({ code: 'state_conflict' }));
    expect([read('package.json'), read('index.ts')]).toEqual([PACKAGE, `${SOURCE}// more\n`]);
  });

  test.skipIf(!hasScript).each([
    ['y', 0],
    ['n', 4],
  ])('asks on a terminal; %s is exit %i', async (answer, expected) => {
    const command = [process.execPath, bin, 'check', 'sample', '--fix'].join(' ');
    const child = spawn('script', ['-qefc', command, '/dev/null'], {
      cwd: cli.project,
      env: { PATH: process.env.PATH ?? '', HOME: cli.home, TERM: 'xterm', LANG: 'C.UTF-8' },
    });
    let screen = '';
    child.stdout.on('data', (chunk: Buffer) => {
      const before = screen;
      screen += chunk.toString();
      const asked = (text: string) => text.includes('[y/N]');
      if (asked(screen) && !asked(before)) setTimeout(() => child.stdin.write(`${answer}\r`), 200);
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect(code).toBe(expected);
    expect(screen.indexOf('StringEnum')).toBeLessThan(screen.indexOf('[y/N]'));
    expect(read('index.ts').includes('StringEnum')).toBe(expected === 0);
    expect(read('package.json').includes('api.example.com')).toBe(expected === 0);
  });

  test('a union that is plain JSON is fixed as JSON', async () => {
    const union = `Type.Unsafe({ anyOf: [{ const: 'a' }, { const: 'b' }] })`;
    writeFileSync(join(folder, 'index.ts'), SOURCE.replace(/Type\.Union\(.*?\}\)/, union));
    const { json } = await cli.run(['check', 'sample', '--fix', '--yes', '--json']);
    expect(json.fix.notFixed).toEqual([]);
    expect(read('index.ts')).toContain(`Type.Unsafe({ type: 'string', enum: ['a', 'b'] })`);
    expect(ruleIds(json.findings)).not.toContain('pi/literal-union');
  });

  test('a union that nobody can find is left to the author, and said to be', async () => {
    const union = `made()`;
    const helper = `const made = () => ({ ['any' + 'Of']: [{ const: 'a' }, { const: 'b' }] });\n`;
    writeFileSync(join(folder, 'index.ts'), helper + SOURCE.replace(/Type\.Union\(.*?\}\)/, union));
    const { json } = await cli.run(['check', 'sample', '--fix', '--dry-run', '--json']);
    expect(json.fix.notFixed).toEqual([
      { file: 'index.ts', line: expect.any(Number), reason: expect.stringContaining('properties.unit') },
    ]);
    expect(json.fix.changes).toHaveLength(1);
  });

  test('a union beside null, and one in a module of its own that hands on TypeBox', async () => {
    writeFileSync(join(folder, 'typebox.ts'), `export { Type as T } from 'typebox';\n`);
    writeFileSync(
      join(folder, 'units.ts'),
      `import { T } from './typebox.ts';\nexport const unit = T.Union([T.Literal('a'), T.Literal('b')]);\n`,
    );
    const schema = `Type.Object({ unit, other: Type.Union([Type.Literal('x'), Type.Literal('y'), Type.Null()], { description: 'o' }) })`;
    const source = SOURCE.replace(/Type\.Object\(.*?\}\) \}\)/, schema);
    writeFileSync(join(folder, 'index.ts'), `import { unit } from './units.ts';\n${source}`);
    const { json } = await cli.run(['check', 'sample', '--fix', '--yes', '--json']);
    expect(json.fix).toMatchObject({ written: true, notFixed: [] });
    expect(ruleIds(json.findings)).not.toContain('pi/literal-union');
    expect(json.manifest.record.agents.pi.tools[0].parameters.properties).toMatchObject({
      unit: { type: 'string', enum: ['a', 'b'] },
      other: { anyOf: [{ type: 'string', enum: ['x', 'y'] }, { type: 'null' }], description: 'o' },
    });
  });

  test('a single file, which can declare nothing', async () => {
    writeFileSync(join(cli.project, 'alone.ts'), SOURCE);
    const { json, code } = await cli.run(['check', 'alone.ts', '--fix', '--yes', '--json']);
    expect(json.fix).toMatchObject({
      written: true,
      notFixed: [{ file: 'alone.ts', reason: expect.stringContaining('init') }],
    });
    expect(readFileSync(join(cli.project, 'alone.ts'), 'utf8')).toContain(`StringEnum(['a', 'b'] as const`);
    expect(code).toBe(6);
  });

  test('an archive cannot be fixed', async () => {
    await cli.run(['pack', 'sample', '-o', 'sample.tgz']);
    const { code, json } = await cli.run(['check', 'sample.tgz', '--fix', '--yes', '--json']);
    expect([code, json.error.code]).toEqual([2, 'usage']);
  });
});
