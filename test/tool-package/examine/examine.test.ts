import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeArchive } from '../../../tool-package/archive/write.ts';
import { canonicalJson } from '../../../tool-package/canonical.ts';
import { groupUse } from '../../../tool-package/examine/group-use.ts';
import { examineArchive, inspectExtension, keepExaminerWarm } from '../../../tool-package/examine/index.ts';
import { killGroup } from '../../../tool-package/examine/process-group.ts';
import { watchGroup } from '../../../tool-package/examine/watch-group.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'examine-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const tool = (name: string, top = '', inFactory = '') =>
  `import { Type } from 'typebox';\n${top}\nexport default (pi) => { ${inFactory} pi.registerTool({ name: '${name}', label: 'L', description: 'The ${name} tool', parameters: Type.Object({ city: Type.String({ description: 'City' }) }), execute: async () => ({ content: [] }) }); };`;

const archive = (files: Record<string, string>, packageJson: object = {}) => {
  const entries = Object.keys(files).filter((name) => name.endsWith('.ts'));
  const manifest = JSON.stringify({
    name: 'weather',
    version: '1.0.0',
    pi: { extensions: entries.map((name) => `./${name}`) },
    ...packageJson,
  });
  const all = { 'package.json': manifest, ...files };
  const file = path.join(folder, 'package.tgz');
  writeFileSync(
    file,
    makeArchive(Object.entries(all).map(([name, text]) => ({ path: name, bytes: Buffer.from(text) }))),
  );
  return file;
};

const toolNames = async (file: string, options = {}) =>
  (await examineArchive(file, options)).record.agents.pi?.tools.map((each) => each.name);

const children = (): string[] =>
  process.platform !== 'linux'
    ? []
    : readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean);

describe('examineArchive', () => {
  it('derives the record from the archive', async () => {
    const { record, readme, packageJson, ruleSet } = await examineArchive(
      archive(
        { 'weather.ts': tool('weather'), 'README.md': '# Weather' },
        {
          piTools: { permissions: { network: ['a.example'] }, dependencies: { geo: '^1.0.0' } },
          dependencies: { ms: '2.1.3' },
        },
      ),
    );
    expect(packageJson.name).toBe('weather');
    expect([readme, ruleSet]).toEqual(['# Weather', expect.any(String)]);
    expect(record).toMatchObject({
      formatVersion: 1,
      name: 'weather',
      version: '1.0.0',
      description: 'The weather tool',
      license: null,
      publisher: null,
      publishedAt: null,
      permissions: { declared: { network: ['a.example'] } },
      dependencies: { tools: { geo: '^1.0.0' }, npm: { ms: '2.1.3' } },
    });
    expect(record.integrity).toMatch(/^sha512-/);
    expect(record.files.map((each) => each.path)).toEqual(['README.md', 'package.json', 'weather.ts']);
    expect(record.agents.pi?.entries).toEqual(['weather.ts']);
    expect(record.agents.pi?.tools[0]).toMatchObject({
      name: 'weather',
      entry: 'weather.ts',
      export: null,
      parameters: { type: 'object', required: ['city'], properties: { city: { type: 'string', description: 'City' } } },
      origin: { name: 'evaluated', description: 'evaluated', parameters: 'evaluated' },
    });
  });

  it('one tool file for SlopCode and opencode, beside a pi entry', async () => {
    const file = archive(
      {
        'weather.ts': tool('weather'),
        'slopcode/math.js':
          "import { tool } from '@slopcode-ai/plugin'; export const add = tool({ description: 'Adds', args: { a: tool.schema.number() }, execute: async () => '1' });",
      },
      { slopcode: { tools: ['./slopcode/math.js'] }, opencode: { tools: ['./slopcode/math.js'] } },
    );
    const { agents } = (await examineArchive(file)).record;
    expect(agents.slopcode).toEqual(agents.opencode);
    expect(agents.slopcode?.tools[0]).toMatchObject({ name: 'math_add', export: 'add', entry: 'slopcode/math.js' });
    expect(agents.pi?.tools).toHaveLength(1);
  });

  it('throws the reader’s and the entries’ problems as they are', async () => {
    const bad = path.join(folder, 'bad.tgz');
    writeFileSync(bad, 'not gzip');
    await expect(examineArchive(bad)).rejects.toMatchObject({ name: 'Problem', code: 'invalid_archive' });
    await expect(examineArchive(archive({}, { pi: { extensions: ['./gone.ts'] } }))).rejects.toMatchObject({
      code: 'invalid_package_json',
    });
    await expect(examineArchive(archive({}, { version: 'one' }))).rejects.toMatchObject({
      code: 'invalid_package_json',
    });
    await expect(examineArchive(path.join(folder, 'none.tgz'))).rejects.toMatchObject({ code: 'file_system' });
  });

  it('gives the same bytes twice, in another folder, with other HOME, TZ and LANG', async () => {
    const file = archive({
      'weather.ts': tool(
        'weather',
        "import os from 'node:os'; const d = [os.homedir(), process.cwd(), new Date().toString(), (1.5).toLocaleString(), new Date(0).toLocaleString(), import.meta.url].join();",
        "pi.registerTool({ name: 'second', description: d, parameters: {}, execute() {} });",
      ),
    });
    const here = canonicalJson((await examineArchive(file)).record);
    expect(canonicalJson((await examineArchive(file)).record)).toBe(here);
    const module = fileURLToPath(new URL('../../../dist/tool-package/examine/index.js', import.meta.url));
    const script = `import { examineArchive } from ${JSON.stringify(module)}; process.stdout.write(JSON.stringify((await examineArchive(process.argv[1])).record));`;
    const elsewhere = spawnSync(process.execPath, ['--input-type=module', '-e', script, file], {
      cwd: folder,
      encoding: 'utf8',
      env: { HOME: folder, TZ: 'Pacific/Chatham', LANG: 'de_DE.UTF-8', LC_ALL: 'ar_EG.UTF-8', PATH: '' },
    });
    expect(canonicalJson(JSON.parse(elsewhere.stdout))).toBe(here);
    expect(here).not.toContain(folder);
  });

  it('works with a warm child, also after that was killed, and leaves none behind', async () => {
    const stop = keepExaminerWarm();
    const file = archive({ 'weather.ts': tool('weather') });
    expect(await Promise.all([toolNames(file), toolNames(file), toolNames(file), toolNames(file)])).toEqual(
      Array(4).fill(['weather']),
    );
    for (const pid of children()) process.kill(-Number(pid), 'SIGKILL');
    expect(await toolNames(file)).toEqual(['weather']);
    stop();
    await expect.poll(children, { timeout: 5000 }).toEqual([]);
  });
});

describe('what is hostile hides nothing and stops nothing', () => {
  it.each([
    ['a loop', 'while (true) {}'],
    ['memory', 'const all = []; for (;;) all.push(new Uint8Array(1 << 20));'],
    ['a throw', "throw new Error('no');"],
    ['parentheses', `${'('.repeat(300_000)}${')'.repeat(300_000)}`],
  ])('%s beside a good entry', async (_case, source) => {
    const file = archive({ 'bad.ts': `${source}\nexport default () => {};`, 'good.ts': tool('good') });
    expect(await toolNames(file)).toEqual(['good']);
  });

  it('what ends the child itself: esbuild at its limits', async () => {
    const deep = `export default ${'!'.repeat(1_900_000)}1;`;
    const started = performance.now();
    const examination = await examineArchive(archive({ 'bad.ts': deep, 'good.ts': tool('good') }));
    expect(examination.record.agents.pi?.tools.map((each) => each.name)).toEqual(['good']);
    expect(performance.now() - started).toBeLessThan(25_000);
  });

  it('time is limited for all entries together, and the record is still made', async () => {
    const loops = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`l${index}.ts`, 'for (;;) {}']));
    const started = performance.now();
    const { record } = await examineArchive(archive({ 'a.ts': tool('first'), ...loops, 'z.ts': tool('last') }), {
      timeMs: 3000,
    });
    expect(performance.now() - started).toBeLessThan(25_000);
    expect(record.agents.pi?.tools.map((each) => each.name)).toContain('first');
    expect(record.agents.pi?.entries).toHaveLength(42);
  });

  it.runIf(process.platform === 'linux')('memory of the whole group is watched, children of children too', async () => {
    const eat = 'const all = []; setInterval(() => all.push(Buffer.alloc(4e6, 1)), 5);';
    const code = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(eat)}]); setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['-e', code], { detached: true, stdio: 'ignore' });
    try {
      await new Promise<void>((resolve) => {
        watchGroup(child, { timeMs: 60_000, residentBytes: 300 * 1024 * 1024 }, () => resolve());
      });
      expect(groupUse(child.pid ?? 0).residentBytes).toBeGreaterThan(200 * 1024 * 1024);
    } finally {
      killGroup(child);
    }
    await expect.poll(() => groupUse(child.pid ?? 0).residentBytes, { timeout: 5000 }).toBe(0);
  });

  it('sources that are too much for the checks are named, and the record is made', async () => {
    const line = 'export const f = (a) => [a, a + 1, { b: a, c: [a, a] }, `x${a}`, (x) => x.y.z(a)];\n';
    const big = line
      .repeat(Math.floor((1.6 * 1024 * 1024) / line.length))
      .replaceAll('const f', () => `const f${Math.random().toString(36).slice(2)}`);
    const files = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`lib/big${index}.js`, big]));
    const { record, findings } = await examineArchive(archive({ 'good.ts': tool('good'), ...files }));
    expect(record.agents.pi?.tools.map((each) => each.name)).toEqual(['good']);
    expect(
      findings.filter((each) => each.level === 'review' && each.file?.startsWith('lib/big')).length,
    ).toBeGreaterThan(0);
  }, 120_000);

  it('a glob that makes thousands of entries', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 4900 }, (_, index) => [
        `src/e${String(index).padStart(4, '0')}.js`,
        'export default () => {};',
      ]),
    );
    const { record, findings } = await examineArchive(
      archive({ ...many, 'src/a.js': tool('first') }, { pi: { extensions: ['./src/*.js'] } }),
    );
    expect(record.agents.pi?.entries).toHaveLength(4901);
    expect(record.agents.pi?.tools.map((each) => each.name)).toEqual(['first']);
    expect(findings.some((each) => each.rule === 'inspect/unread')).toBe(true);
  }, 120_000);

  it('a source that is too large to be kept is never clean', async () => {
    const { findings } = await examineArchive(
      archive({ 'good.ts': tool('good'), 'lib/huge.js': `// ${'x'.repeat(2 * 1024 * 1024)}` }),
    );
    expect(findings.filter((each) => each.file === 'lib/huge.js')).toMatchObject([
      { rule: 'code/not-analysed', level: 'review' },
    ]);
  });

  it('ends its children with itself', async () => {
    const file = archive({ 'bad.ts': 'while (true) {}' });
    const pending = examineArchive(file, { timeMs: 300 });
    await expect(pending.then((each) => each.record.agents.pi?.tools)).resolves.toEqual([]);
    await expect.poll(children, { timeout: 5000 }).toEqual([]);
  });
});

it.runIf(process.platform === 'linux')(
  'a killed parent leaves nothing behind',
  async () => {
    const file = archive({ 'bad.ts': 'while (true) {}' });
    const module = fileURLToPath(new URL('../../../dist/tool-package/examine/index.js', import.meta.url));
    const script = `import { examineArchive } from ${JSON.stringify(module)}; examineArchive(${JSON.stringify(file)}); setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
    const childrenOf = (pid: number) =>
      readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
    await expect.poll(() => childrenOf(parent.pid ?? 0).length, { timeout: 10_000 }).toBe(1);
    const [child] = childrenOf(parent.pid ?? 0);
    await expect.poll(() => childrenOf(child ?? 0).length, { timeout: 10_000 }).toBe(1);
    const group = [child, ...childrenOf(child ?? 0)];
    parent.kill('SIGKILL');
    await expect
      .poll(() => group.filter((pid) => groupUse(pid ?? 0).residentBytes > 0), { timeout: 20_000 })
      .toEqual([]);
  },
  60_000,
);

describe('inspectExtension', () => {
  const put = (name: string, text: string) => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  const names = async (target: string, agent: 'pi' | 'slopcode' | 'opencode' = 'pi') => {
    const { tools, problem } = await inspectExtension(target, agent);
    return [tools.map((each) => each.name), problem];
  };

  it('reads a file, a folder with index, and a folder with a manifest', async () => {
    put('shared.ts', "export const suffix = '_x';");
    expect(await names(put('one.ts', tool('one', "import { suffix } from './shared.ts'; suffix;")))).toEqual([
      ['one'],
      null,
    ]);
    put('two/index.ts', tool('two'));
    expect(await names(path.join(folder, 'two'))).toEqual([['two'], null]);
    put('three/package.json', '{"pi":{"extensions":["./src/a.ts","./src/b.ts"]}}');
    put('three/src/a.ts', tool('a'));
    put('three/src/b.ts', tool('b'));
    put('three/index.ts', tool('unused'));
    expect(await names(path.join(folder, 'three'))).toEqual([['a', 'b'], null]);
    put('four/package.json', '{"pi":{"extensions":["./gone.ts"]}}');
    put('four/index.js', tool('four'));
    expect(await names(path.join(folder, 'four'))).toEqual([['four'], null]);
    put('five/package.json', '{ not json');
    put('five/index.ts', tool('five'));
    expect(await names(path.join(folder, 'five'))).toEqual([['five'], null]);
  });

  it('follows links and names what the agent could not load', async () => {
    put('.store/six/index.ts', tool('six'));
    symlinkSync(path.join(folder, '.store/six'), path.join(folder, 'six'));
    expect(await names(path.join(folder, 'six'))).toEqual([['six'], null]);
    expect(await names(put('broken.ts', "throw new Error('boom');"))).toEqual([[], 'broken.ts: boom']);
    mkdirSync(path.join(folder, 'empty'));
    expect((await names(path.join(folder, 'empty')))[1]).toMatch(/nothing here/);
    expect((await names(path.join(folder, 'gone')))[1]).toMatch(/ENOENT/);
  });

  it('reads tool files; SlopCode makes a tool of every export', async () => {
    const file = put(
      'tools/math.ts',
      "export const VERSION = '1'; export const add = { description: 'd', args: {}, execute: async () => '1' };",
    );
    expect(await names(file, 'opencode')).toEqual([['math_add'], null]);
    expect((await names(file, 'slopcode'))[0]).toEqual(['math_add', 'math_VERSION']);
    symlinkSync(file, path.join(folder, 'tools/other.ts'));
    expect(await names(path.join(folder, 'tools/other.ts'), 'opencode')).toEqual([['other_add'], null]);
  });

  it('twenty in a row take one child or two, which do not keep the process alive', async () => {
    const module = fileURLToPath(new URL('../../../dist/tool-package/examine/index.js', import.meta.url));
    const files = Array.from({ length: 20 }, (_, index) => put(`e${index}.ts`, tool(`t${index}`)));
    const script = `import { inspectExtension } from ${JSON.stringify(module)}; import { readFileSync } from 'node:fs';
      const children = new Set(); const names = [];
      for (const file of ${JSON.stringify(files)}) {
        names.push((await inspectExtension(file, 'pi')).tools[0].name);
        if (process.platform === 'linux') for (const pid of readFileSync('/proc/self/task/' + process.pid + '/children', 'utf8').split(' ')) if (pid) children.add(pid);
      }
      process.stdout.write(JSON.stringify([names, children.size]));`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      timeout: 60_000,
    });
    const [names, count] = JSON.parse(stdout);
    expect(names).toEqual(files.map((_, index) => `t${index}`));
    expect(count).toBeLessThanOrEqual(2);
  }, 60_000);

  it('writes nothing there', async () => {
    put('x/index.ts', tool('x'));
    await inspectExtension(path.join(folder, 'x'), 'pi');
    expect(readdirSync(path.join(folder, 'x'))).toEqual(['index.ts']);
    expect(existsSync(path.join(folder, 'x', 'node_modules'))).toBe(false);
  });
});
