/** `pi-tools try`: real tools in a real child, on the permission model of the Node that runs the tests. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { limitsFor } from '../../../cli/try/limits.ts';
import { makeArchive } from '../../../tool-package/archive/write.ts';
import { type CliHome, createCliHome } from '../../support/cli.ts';
import { type Tried, tryIt, writePiPackage } from '../../support/tried.ts';

vi.setConfig({ testTimeout: 120_000 });

let cli: CliHome;
let server: Server;
beforeAll(async () => {
  cli = await createCliHome();
  server = createServer((_request, response) => response.end('sunny'));
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
});
afterAll(() => {
  server.close();
  cli.remove();
});

const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

const piPackage = (name: string, body: string, piTools: object = {}, more: Record<string, string> = {}): string =>
  writePiPackage(cli, name, body, piTools, more);
const attempt = (path: string, more?: readonly string[], env?: Record<string, string>): Promise<Tried> =>
  tryIt(cli, path, more, env);

describe('try', () => {
  test('prints what the model would receive, after pi’s own coercion', async () => {
    const path = piPackage('good', 'return text("x is " + args.x);');
    const result = await attempt(path, ['--tool', 't', '--args', '{"x":42}']);
    expect(result.call).toMatchObject({
      agent: 'pi',
      tool: 't',
      threw: null,
      received: { text: 'x is 42', lines: 1 },
      undeclared: [],
    });
    expect(result.ok).toEqual({
      'result-shape': true,
      'result-size': true,
      'errors-are-thrown': null,
      cancellation: null,
      permissions: true,
    });
    expect(result.code).toBe(0);
    expect(result.stderr).toContain("runs the author's code");
    const { stdout } = await cli.run(['try', path, '--args', '{"x":"\\u001b[2J"}']);
    expect(stdout).toContain('The model receives\n  x is \\u001b[2J');
    expect(existsSync(join(cli.project, 'good', 'RAN'))).toBe(false);
  });

  test('runs the examples of the package; without any, it asks for arguments', async () => {
    const path = piPackage('examples', 'return text(args.x);', {
      examples: [
        { tool: 't', args: { x: 'a' } },
        { tool: 't', args: { x: 'b' } },
      ],
    });
    const { json } = await attempt(path, []);
    expect(json.calls.map((one: { received: { text: string } }) => one.received.text)).toEqual(['a', 'b']);
    expect((await attempt(piPackage('none', 'return text(1);'), [])).code).toBe(2);
    expect((await attempt(path, ['--args', '{'])).code).toBe(2);
    expect((await attempt(path, ['--tool', 'nothing', '--args', '{}'])).code).toBe(3);
    expect((await attempt('./nowhere')).code).toBe(3);
  });

  test('exit 1 for a tool that throws, with what the model receives', async () => {
    const result = await attempt(piPackage('throws', 'throw new Error("no such city");'));
    expect(result.code).toBe(1);
    expect(result.call).toMatchObject({ threw: 'no such city', received: { text: 'no such city' } });
    expect(result.ok['errors-are-thrown']).toBe(true);
    const wrong = await attempt(piPackage('throws', 'return text(1);'), ['--args', '{"x":{}}']);
    expect(wrong.call.threw).toContain('Validation failed');
    expect(wrong.call.threw_kind).toBe('arguments');
    expect(wrong.code).toBe(1);
  });

  const faults: [string, string, string][] = [
    ['returns a string', 'return "x";', 'result-shape'],
    ['returns no content', 'return { details: 1 };', 'result-shape'],
    ['returns too much', 'return text("x".repeat(60_000));', 'result-size'],
    ['returns too many lines', 'return text("x\\n".repeat(3000));', 'result-size'],
    ['flags its error', 'return { ...text("no"), isError: true };', 'errors-are-thrown'],
    ['ignores the signal', 'await new Promise((done) => setTimeout(done, 4000)); return text(1);', 'cancellation'],
  ];
  test.each(faults)('exit 6 for a tool that %s', async (name, body, check) => {
    const result = await attempt(piPackage(name.replaceAll(' ', '-'), body));
    expect(result.ok[check]).toBe(false);
    expect(result.code).toBe(6);
  });

  test('a tool that heeds the signal passes, one that hangs or ends the process is ended and told of', async () => {
    const heeds =
      'await new Promise((done, fail) => { const t = setTimeout(done, 3000); signal.addEventListener("abort", () => { clearTimeout(t); fail(new Error("stopped")); }); }); return text(1);';
    expect((await attempt(piPackage('heeds', heeds))).ok).toMatchObject({ cancellation: true });
    const hangs = await attempt(piPackage('hangs', 'for (;;);'), ['--args', '{}', '--timeout', '3']);
    expect(hangs.ok.settles).toBe(false);
    expect(hangs.code).toBe(6);
    const dies = await attempt(piPackage('dies', 'process.exit(3);'));
    expect(dies.call.checks[0]).toMatchObject({ ok: false, message: expect.stringContaining('exit code 3') });
    const broken = await attempt(piPackage('broken', '}{'));
    expect(broken.code).toBe(1);
    expect(broken.json.error.code).toBe('inspection_failed');
    const loads = await attempt(
      piPackage(
        'load-fault',
        'return text(1);',
        {},
        { 'index.ts': 'throw new Error("at once"); export default () => {};' },
      ),
    );
    expect(loads.ok.loads).toBe(false);
    expect(loads.code).toBe(6);
  });
});

describe('what is not declared fails and is named', () => {
  const undeclared: [string, string, object][] = [
    ['read', 'return text(await readFile("/etc/passwd", "utf8"));', { kind: 'read', value: '/etc/passwd' }],
    [
      'read, swallowed',
      'try { readFileSync("/etc/passwd"); } catch {} return text("fine");',
      { kind: 'read', value: '/etc/passwd' },
    ],
    [
      'write',
      'await writeFile("planted", "x"); return text(1);',
      { kind: 'write', value: expect.stringContaining('planted') },
    ],
    ['run', 'return text(execFileSync("ls"));', { kind: 'run', value: 'ls' }],
    ['env', 'return text(process.env.SECRET_KEY);', { kind: 'env', value: 'SECRET_KEY' }],
    ['worker', 'new Worker("1", { eval: true }); return text(1);', { kind: 'worker', value: expect.anything() }],
    [
      'network',
      'return text(await (await fetch("http://127.0.0.1:47741/")).text());',
      { kind: 'network', value: '127.0.0.1' },
    ],
  ];
  test.each(undeclared)('%s', async (name, body, access) => {
    const path = piPackage(`undeclared-${name.replaceAll(/\W+/g, '-')}`, body);
    const result = await attempt(path, ['--args', '{}'], { SECRET_KEY: 'hunter2' });
    expect(result.call.undeclared).toContainEqual(access);
    expect(result.ok.permissions).toBe(false);
    expect(result.code).toBe(6);
    expect(JSON.stringify(result.json)).not.toMatch(/root:|hunter2/);
    expect(existsSync(join(cli.project, 'planted'))).toBe(false);
  });

  test('a program beside the declared one, too', async () => {
    const path = piPackage(
      'one-program',
      'try { execFileSync("ls"); } catch {} return text(execFileSync("echo", ["hi"]));',
      { permissions: { run: ['echo'] } },
    );
    const result = await attempt(path);
    expect(result.call.received.text).toBe('hi\n');
    expect(result.call.undeclared).toEqual([{ kind: 'run', value: 'ls' }]);
    expect(result.json.not_limited.join()).toContain('what a started program does is not limited');
  });
});

describe('what is declared works', () => {
  test('files, variables, programs and hosts', async () => {
    const permissions = { read: ['.'], write: ['out'], env: ['CITY', 'WEATHER_URL'], run: ['echo'] };
    const body =
      'await writeFile("out/file", process.env.CITY); return text([await readFile("out/file", "utf8"), execFileSync("echo", ["hi"]), await (await fetch(process.env.WEATHER_URL!)).text()].join("|"));';
    const path = piPackage('declared', body, { permissions });
    mkdirSync(join(cli.project, 'out'), { recursive: true });
    const result = await attempt(path, ['--args', '{}'], { CITY: 'Rome', WEATHER_URL: url() });
    expect(result.call).toMatchObject({ threw: null, received: { text: 'Rome|hi\n|sunny' }, undeclared: [] });
    expect(result.code).toBe(0);
    expect(readFileSync(join(cli.project, 'out', 'file'), 'utf8')).toBe('Rome');
    expect(result.json.not_limited.join()).toContain('network');
  });

  test('a folder may be listed itself', async () => {
    const path = piPackage('lists', 'return text(readdirSync(".").includes("lists") && readdirSync("lists").length);', {
      permissions: { read: ['.'] },
    });
    expect(await attempt(path)).toMatchObject({ code: 0, call: { received: { text: '2' }, undeclared: [] } });
  });

  test('its own files, and npm packages beside it', async () => {
    const path = piPackage(
      'own-files',
      'return text(readFileSync(new URL("./data.txt", import.meta.url), "utf8") + named);',
      {},
      {
        'data.txt': 'data',
        'node_modules/dep/package.json': '{"name":"dep","version":"1.0.0","main":"i.js"}',
        'node_modules/dep/i.js': 'exports.named = "!";',
      },
    );
    const file = join(cli.project, 'own-files', 'index.ts');
    writeFileSync(file, `import { named } from 'dep';\n${readFileSync(file, 'utf8')}`);
    expect(await attempt(path)).toMatchObject({ code: 0, call: { received: { text: 'data!' } } });
  });

  test('with --unlimited everything, and it is still named', async () => {
    const result = await attempt(
      piPackage(
        'unlimited',
        'return text((await readFile("/etc/hostname", "utf8")).length > 0 && process.env.SECRET_KEY);',
      ),
      ['--args', '{}', '--unlimited'],
      { SECRET_KEY: 'k' },
    );
    expect(result.call.received.text).toBe('k');
    expect(result.call.undeclared).toEqual([{ kind: 'env', value: 'SECRET_KEY' }]);
    expect(result.json.not_limited).toEqual(['everything: --unlimited was given']);
  });
});

describe('other forms', () => {
  test('an archive, and a single file', async () => {
    const source =
      'export default { description: "d", args: {}, async execute(args) { return "hello " + args.name; } };';
    const archive = makeArchive([
      {
        path: 'package.json',
        bytes: Buffer.from(
          JSON.stringify({
            name: 'hello',
            version: '1.0.0',
            slopcode: { tools: ['./hello.ts'] },
            opencode: { tools: ['./hello.ts'] },
          }),
        ),
      },
      { path: 'hello.ts', bytes: Buffer.from(source) },
    ]);
    writeFileSync(join(cli.project, 'hello-1.0.0.tgz'), archive);
    writeFileSync(join(cli.project, 'hello.ts'), source);
    for (const path of ['./hello-1.0.0.tgz', './hello.ts']) {
      const { json, code } = await attempt(path, ['--args', '{"name":"you"}']);
      expect(json.calls).toHaveLength(1);
      expect(json.calls[0]).toMatchObject({ agent: 'slopcode', tool: 'hello', received: { text: 'hello you' } });
      expect(code).toBe(0);
    }
  });

  test('SlopCode wants a string, opencode takes an object', async () => {
    writeFileSync(
      join(cli.project, 'object.ts'),
      'export default { description: "d", args: {}, async execute() { return { title: "t", output: "o", metadata: {} }; } };',
    );
    expect((await attempt('./object.ts', ['--args', '{}', '--agent', 'slopcode'])).ok['result-shape']).toBe(false);
    expect((await attempt('./object.ts', ['--args', '{}', '--agent', 'opencode'])).ok['result-shape']).toBe(true);
    writeFileSync(
      join(cli.project, 'number.ts'),
      'export default { description: "d", args: {}, async execute() { return 7; } };',
    );
    const number = await attempt('./number.ts');
    expect(number.ok['result-shape']).toBe(false);
    expect(number.code).toBe(6);
  });
});

describe('the flags', () => {
  const places = { cwd: '/p', home: '/h', temp: '/t', agentFolder: '/a' };
  test.each([
    ['v20.20.2', '--experimental-permission', true],
    ['v22.12.0', '--experimental-permission', true],
    ['v22.23.3', '--permission', true],
    ['v23.4.0', '--experimental-permission', true],
    ['v24.0.0', '--permission', true],
    ['v25.1.0', '--permission', false],
  ])('of Node %s: %s', (version, flag, isNetOpen) => {
    const { flags, notLimited } = limitsFor(version, {}, places, [], {});
    expect(flags[0]).toBe(flag);
    expect(flags).not.toContain('--allow-child-process');
    expect(notLimited.some((one) => one.startsWith('network'))).toBe(isNetOpen);
  });

  test('grant what is declared and no more', () => {
    const granted = (read: string[], args: unknown = {}) =>
      limitsFor('v22.23.3', { read }, places, [], args)
        .flags.filter((flag) => flag.startsWith('--allow-fs-read'))
        .map((flag) => flag.slice('--allow-fs-read='.length));
    expect(granted([])).toEqual([]);
    expect(granted(['.'])).toEqual(['/p', '/p/*']);
    expect(granted(['src/*.ts'])).toEqual(['/p/src/*']);
    expect(granted(['~/notes'])).toEqual(['/h/notes', '/h/notes/*']);
    expect(granted(['<temp>/x'])).toEqual(['/t/x', '/t/x/*']);
    expect(granted(['<agent>'])).toEqual(['/a', '/a/*']);
    expect(granted(['*'])).toEqual(['*']);
    expect(granted(['<argument>'], { path: ['a.txt'], n: 1 })).toEqual(['/p/a.txt', '/p/a.txt/*']);
  });
});
