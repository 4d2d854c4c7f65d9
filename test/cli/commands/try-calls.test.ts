/** `pi-tools try`: which calls are made, in which folder and session, and what to declare for what they reach for. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type CliHome, createCliHome } from '../../support/cli.ts';
import { type Tried, tryIt, writePackage, writePiPackage } from '../../support/tried.ts';

vi.setConfig({ testTimeout: 120_000 });

let cli: CliHome;
beforeAll(async () => {
  cli = await createCliHome();
});
afterAll(() => cli.remove());

const textsOf = ({ json }: Tried): unknown[] =>
  json.calls.map(({ received, threw }: { received: { text: string }; threw: string | null }) => threw ?? received.text);

describe('examples', () => {
  const BODY =
    'await writeFile("n.txt", await readFile("n.txt", "utf8") + args.x); return text(await readFile("n.txt", "utf8"));';
  const permissions = { read: ['.'], write: ['.'] };

  test('with files run in a fresh folder that has these, not in the user’s', async () => {
    writeFileSync(join(cli.project, 'n.txt'), 'mine');
    const path = writePiPackage(cli, 'worlds', BODY, {
      permissions,
      examples: [
        { tool: 't', args: { x: '1' }, files: { 'n.txt': 'a', 'deep/er.txt': '' } },
        { tool: 't', args: { x: '2' }, files: { 'n.txt': 'b' } },
      ],
    });
    const result = await tryIt(cli, path, []);
    expect([result.code, textsOf(result)]).toEqual([0, ['a1', 'b2']]);
    expect(readFileSync(join(cli.project, 'n.txt'), 'utf8')).toBe('mine');
  });

  test('that continue go on in the session and the folder of those before', async () => {
    const path = writePiPackage(
      cli,
      'sessions',
      `(globalThis as any).seen = ((globalThis as any).seen ?? '') + args.x; ${BODY.replace('return text(', 'return text((globalThis as any).seen + "|" + ')}`,
      {
        permissions,
        examples: [
          { tool: 't', args: { x: '1' }, files: { 'n.txt': 'a' } },
          { tool: 't', args: { x: '2' }, continues: true },
          { tool: 't', args: { x: '3' }, continues: true },
          { tool: 't', args: { x: '4' }, files: { 'n.txt': 'd' } },
        ],
      },
    );
    const result = await tryIt(cli, path, []);
    expect(textsOf(result)).toEqual(['1|a1', '12|a12', '123|a123', '4|d4']);
  });

  test.each(['../out.txt', '/out.txt', 'a/../../out.txt', 'a\\b', ''])('a file %j is refused', async (file) => {
    const path = writePiPackage(cli, 'escape', BODY, { examples: [{ tool: 't', args: {}, files: { [file]: 'x' } }] });
    const { code, json } = await tryIt(cli, path, []);
    expect([code, json.error.code]).toEqual([1, 'invalid_package_json']);
    expect(existsSync(join(cli.project, 'out.txt'))).toBe(false);
  });

  test('of a tool that is not there', async () => {
    const path = writePiPackage(cli, 'lost', 'return text(1);', {
      examples: [
        { tool: 't', args: {} },
        { tool: 'tt', args: {} },
      ],
    });
    const { code, json } = await tryIt(cli, path, []);
    expect([code, json.error.message]).toEqual([3, 'there is no tool `tt`']);
  });
});

describe('the tool that is meant', () => {
  const two = () =>
    writePackage(cli, 'two', {
      'package.json': JSON.stringify({ name: 'two', version: '1.0.0', slopcode: { tools: ['./math.ts'] } }),
      'math.ts': `import { z } from 'zod';
const of = (name) => ({ description: name, args: { a: z.number(), b: z.number().optional() }, async execute(args) { return name + args.a; } });
export const add = of('add'); export const multiply = of('multiply');`,
    });

  test('has to be named where there are several, and is guessed at where it is misspelled', async () => {
    expect((await tryIt(cli, two())).json.error).toMatchObject({
      code: 'usage',
      message: expect.stringContaining('math_add'),
    });
    const { json, code } = await tryIt(cli, two(), ['--tool', 'math_ad', '--args', '{}']);
    expect([code, json.error.hint]).toEqual([3, expect.stringContaining('did you mean `math_add`?')]);
  });

  test('arguments that do not fit are told of where the agent does not look', async () => {
    const wrong = await tryIt(cli, two(), ['--tool', 'math_add', '--args', '{"a":"x"}']);
    expect(wrong.ok.arguments).toBe(false);
    expect(wrong.call.checks[0].message).toContain('`a`');
    const right = await tryIt(cli, two(), ['--tool', 'math_add', '--args', '{"a":1}']);
    expect([right.code, right.ok.arguments]).toEqual([0, undefined]);
  });

  test.each(['[1]', '"x"', 'null', '7', '', '{a:1}'])('--args %j is no object: exit 2', async (args) => {
    expect((await tryIt(cli, two(), ['--args', args])).code).toBe(2);
  });

  test('nothing is said to be run before it is', async () => {
    expect((await tryIt(cli, './nowhere')).stderr).not.toContain('runs the author');
  });

  test('of a folder without package.json, the file that an agent would load is named', async () => {
    const path = writePackage(cli, 'bare', { 'index.ts': 'export default () => {};' });
    const { json } = await tryIt(cli, path);
    expect(json.error).toMatchObject({ code: 'not_found', hint: expect.stringContaining('bare/index.ts') });
  });

  test('an npm package that is not there is named, with what to do', async () => {
    const path = writePackage(cli, 'needs', {
      'package.json': JSON.stringify({ name: 'needs', version: '1.0.0', pi: { extensions: ['./index.ts'] } }),
      'index.ts': `import ms from 'left-out'; export default () => void ms;`,
    });
    const { json } = await tryIt(cli, path);
    expect(json.error).toMatchObject({
      message: expect.stringContaining('left-out'),
      hint: expect.stringContaining('npm'),
    });
  });
});

describe('what to declare', () => {
  test('in the words of docs/permissions.md', async () => {
    mkdirSync(join(cli.project, 'sub'), { recursive: true });
    const body = `const { homedir, tmpdir } = await import('node:os'); const { rm } = await import('node:fs/promises');
      for (const path of ['sub/made.txt', args.x, homedir() + '/.thing', tmpdir() + '/x', ctx.cwd + '/../above']) await writeFile(path, '').catch(() => {});
      return text(1);`;
    const path = writePiPackage(cli, 'declares', body);
    const { call, code } = await tryIt(cli, path, ['--args', '{"x":"given.txt"}']);
    expect(code).toBe(6);
    expect(call.declare.write).toEqual(
      expect.arrayContaining(['sub/made.txt', '.', '~/.thing', '<temp>', expect.stringMatching(/^\/.*above$/)]),
    );
    const { stdout } = await cli.run(['try', path, '--args', '{"x":"given.txt"}']);
    expect(stdout.replace(/\s+/g, ' ')).toContain('declare "write": ["sub/made.txt",".","~/.thing"');
  });

  let server: Server;
  beforeAll(async () => {
    server = createServer((_request, response) => response.end('sunny'));
    await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  });
  afterAll(() => void server.close());

  test.each([
    ['a host over TLS', 'return text(await (await fetch("https://api.example.com/")).text());', 'api.example.com'],
    [
      'a host that is looked up',
      'const dns = await import("node:dns/promises"); return text(await dns.resolve4("a.example.com"));',
      'a.example.com',
    ],
    [
      'a datagram',
      'const { createSocket } = await import("node:dgram"); createSocket("udp4").send("x", 9, "b.example.com"); return text(1);',
      'b.example.com',
    ],
    [
      'waiting for connections',
      'const { createServer } = await import("node:http"); createServer().listen(0); return text(1);',
      '<listen>',
    ],
  ])('%s fails, is named, and ends nothing', async (name, body, host) => {
    const result = await tryIt(cli, writePiPackage(cli, name.replaceAll(' ', '-').toLowerCase(), body));
    expect(result.call).toMatchObject({ undeclared: [{ kind: 'network', value: host }], declare: { network: [host] } });
    expect(result.ok).toMatchObject({ permissions: false, 'errors-are-thrown': true });
    expect(result.json.calls[0].printed).toBe('');
  });

  test('a declared host is reached, another one beside it is not', async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const path = writePiPackage(
      cli,
      'hosts',
      `const other = await fetch('http://other.example.com/').catch(() => 'no'); return text(other + await (await fetch('${url}')).text());`,
      {
        permissions: { network: ['127.0.0.1'] },
      },
    );
    const result = await tryIt(cli, path);
    expect(result.call).toMatchObject({ received: { text: 'nosunny' }, declare: { network: ['other.example.com'] } });
  });
});
