// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the samples are sources with templates
/** What the analysis sees of networks, files, programs and variables, however they are written. */
import { describe, expect, it } from 'vitest';
import { observePermissions } from '../../../tool-package/source/permissions.ts';

type Files = Readonly<Record<string, string>>;
const observe = (sources: string | Files) =>
  observePermissions(
    new Map(
      Object.entries(typeof sources === 'string' ? { 'tool.ts': sources } : sources).map(([path, text]) => [
        path,
        Buffer.from(text),
      ]),
    ),
  );
const kinds = (sources: string | Files) => {
  const { undecided, ...permissions } = observe(sources).permissions;
  return {
    ...Object.fromEntries(Object.entries(permissions).filter(([, values]) => values.length > 0)),
    ...(undecided.length > 0 ? { undecided } : {}),
  };
};

const NETWORK: [string, string | Files, string[]][] = [
  ['a constant URL', `await fetch('https://api.example.com/v1');`, ['api.example.com']],
  ['a template with a constant host', 'await fetch(`https://api.example.com/${path}?q=${q}`);', ['api.example.com']],
  [
    'a template that begins with a constant',
    'const BASE = "https://api.example.com"; fetch(`${BASE}/x/${id}`);',
    ['api.example.com'],
  ],
  ['text put together', `const h = 'api.' + 'example' + '.com'; fetch('https://' + h + '/x');`, ['api.example.com']],
  [
    'a fallback for a variable',
    `fetch((process.env.API_URL ?? 'https://api.example.com') + '/x');`,
    ['api.example.com'],
  ],
  ['a URL with a base', `fetch(new URL('/v1/x', 'https://api.example.com'));`, ['api.example.com']],
  [
    'a URL that is changed afterwards',
    `const u = new URL('https://api.example.com'); u.searchParams.set('q', q); await fetch(u.toString());`,
    ['api.example.com'],
  ],
  ['a URL object with href', `const u = new URL(path, 'https://api.example.com/'); fetch(u.href);`, []],
  ['a request object', `fetch(new Request('https://api.example.com/x', { method: 'POST' }));`, ['api.example.com']],
  ['an alias', `const f = fetch; f('https://api.example.com');`, ['api.example.com']],
  ['the global object', `globalThis.fetch('https://api.example.com');`, ['api.example.com']],
  ['the global object by a computed name', `globalThis['fe' + 'tch']('https://api.example.com');`, ['api.example.com']],
  ['optional chaining', `globalThis?.fetch?.('https://api.example.com');`, ['api.example.com']],
  ['bind', `const f = fetch.bind(globalThis); f('https://api.example.com');`, ['api.example.com']],
  ['bind with the address', `const f = fetch.bind(null, 'https://api.example.com'); f();`, ['api.example.com']],
  [
    'call and apply',
    `fetch.call(null, 'https://a.example.com'); fetch.apply(null, ['https://b.example.com']);`,
    ['a.example.com', 'b.example.com'],
  ],
  ['Reflect.apply', `Reflect.apply(fetch, null, ['https://api.example.com']);`, ['api.example.com']],
  [
    'a table of addresses',
    `const URLS = { a: 'https://a.example.com', b: 'https://b.example.com' }; fetch(URLS[kind]);`,
    ['a.example.com', 'b.example.com'],
  ],
  [
    'a loop over addresses',
    `for (const u of ['https://a.example.com', 'https://b.example.com']) await fetch(u);`,
    ['a.example.com', 'b.example.com'],
  ],
  [
    'map over addresses',
    `await Promise.all(['https://a.example.com', 'https://b.example.com'].map((u) => fetch(u)));`,
    ['a.example.com', 'b.example.com'],
  ],
  ['map with the function itself', `['https://a.example.com'].map(fetch);`, ['a.example.com']],
  ['an enum', `enum Hosts { Main = 'https://api.example.com' } fetch(Hosts.Main + '/x');`, ['api.example.com']],
  [
    'a class field',
    `class Client { #base = 'https://api.example.com'; get(p: string) { return fetch(this.#base + p); } } new Client().get('/x');`,
    ['api.example.com'],
  ],
  [
    'a constructor argument',
    `class Client { constructor(private base: string) {} get(p: string) { return fetch(\`\${this.base}/\${p}\`); } } new Client('https://api.example.com').get(x);`,
    ['api.example.com'],
  ],
  [
    'an assigned field',
    `class Client { base; constructor(base) { this.base = base; } get() { return fetch(this.base); } } new Client('https://api.example.com').get();`,
    ['api.example.com'],
  ],
  [
    'a parameter called with constants',
    `function get(u: string) { return fetch(u); } get('https://a.example.com'); get('https://b.example.com');`,
    ['a.example.com', 'b.example.com'],
  ],
  [
    'a function that gives the address',
    `const url = (p: string) => 'https://api.example.com' + p; fetch(url(path));`,
    ['api.example.com'],
  ],
  ['base64', `fetch(atob('aHR0cHM6Ly9hcGkuZXhhbXBsZS5jb20='));`, ['api.example.com']],
  [
    'a Buffer',
    `fetch(Buffer.from('68747470733a2f2f6170692e6578616d706c652e636f6d', 'hex').toString());`,
    ['api.example.com'],
  ],
  [
    'character codes',
    `fetch(String.fromCharCode(104, 116, 116, 112, 115, 58, 47, 47, 97, 46, 98, 46, 99, 111, 109));`,
    ['a.b.com'],
  ],
  ['a reversed text', `fetch('moc.elpmaxe.ipa//:sptth'.split('').reverse().join(''));`, ['api.example.com']],
  [
    'node:https with options',
    `import https from 'node:https'; https.request({ hostname: 'api.example.com', path: '/' });`,
    ['api.example.com'],
  ],
  ['node:http get', `import { get } from 'http'; get('http://api.example.com/x', cb);`, ['api.example.com']],
  ['undici', `import { request as r } from 'undici'; await r('https://api.example.com');`, ['api.example.com']],
  [
    'axios with a base',
    `import axios from 'axios'; const c = axios.create({ baseURL: 'https://api.example.com' }); c.get('/x');`,
    ['api.example.com'],
  ],
  [
    'net',
    `import net from 'node:net'; net.connect(443, 'api.example.com'); net.connect({ port: 1, host: 'b.example.com' });`,
    ['api.example.com', 'b.example.com'],
  ],
  ['tls', `import { connect } from 'tls'; connect({ host: 'api.example.com', port: 443 });`, ['api.example.com']],
  ['WebSocket', `new WebSocket('wss://api.example.com/live');`, ['api.example.com']],
  ['XMLHttpRequest', `const x = new XMLHttpRequest(); x.open('GET', 'https://api.example.com');`, ['api.example.com']],
  ['DNS', 'import dns from "node:dns"; dns.lookup(`${secret}.example.com`, cb);', ['*.example.com']],
  [
    'a datagram',
    `import dgram from 'node:dgram'; const s = dgram.createSocket('udp4'); s.send(data, 53, '203.0.113.9');`,
    ['203.0.113.9'],
  ],
  ['Bun', `Bun.fetch('https://api.example.com');`, ['api.example.com']],
  ['a server', `import http from 'node:http'; http.createServer(handler).listen(8080);`, ['<listen>']],
  [
    'curl in a shell',
    `import { exec } from 'child_process'; exec('curl -s https://api.example.com/x | jq .');`,
    ['api.example.com'],
  ],
  [
    'curl without a shell',
    `import { execFile } from 'child_process'; execFile('curl', ['-d', body, 'https://api.example.com/x']);`,
    ['api.example.com'],
  ],
  ['a port and user information', `fetch('https://user:pw@api.example.com:8443/x');`, ['api.example.com']],
  [
    'a name before @ that looks like a host',
    `fetch('https://good.example.com@evil.example.net/x');`,
    ['evil.example.net'],
  ],
  ['a sub-domain that is not known', 'fetch(`https://${region}.api.example.com/x`);', ['*.api.example.com']],
  [
    'a helper file',
    {
      'a.ts': `import { go } from './lib/b.js'; go('https://api.example.com');`,
      'lib/b.ts': `export async function go(u: string) { return fetch(u); }`,
    },
    ['api.example.com'],
  ],
  [
    'a constant from another file',
    {
      'a.ts': `import { BASE } from './config'; fetch(BASE + '/x');`,
      'config.ts': `export const BASE = 'https://api.example.com';`,
    },
    ['api.example.com'],
  ],
  [
    'a re-export',
    {
      'a.ts': `import { BASE } from './index.ts'; fetch(BASE);`,
      'index.ts': `export * from './c.ts';`,
      'c.ts': `export const BASE = 'https://api.example.com';`,
    },
    ['api.example.com'],
  ],
  [
    'a renamed re-export',
    {
      'a.ts': `import { url } from './index.ts'; fetch(url);`,
      'index.ts': `export { BASE as url } from './c.ts';`,
      'c.ts': `const BASE = 'https://api.example.com'; export { BASE };`,
    },
    ['api.example.com'],
  ],
  [
    'a re-exported fetch',
    {
      'a.ts': `import { go } from './b.ts'; go('https://api.example.com');`,
      'b.ts': `export const go = globalThis.fetch;`,
    },
    ['api.example.com'],
  ],
  [
    'JSON',
    {
      'a.ts': `import config from './config.json' with { type: 'json' }; fetch(config.api.base);`,
      'config.json': `{"api":{"base":"https://api.example.com"}}`,
    },
    ['api.example.com'],
  ],
  [
    'CommonJS',
    {
      'a.js': `const { BASE } = require('./c'); fetch(BASE);`,
      'c.js': `module.exports = { BASE: 'https://api.example.com' };`,
    },
    ['api.example.com'],
  ],
  [
    'a namespace import',
    {
      'a.ts': `import * as h from './h.ts'; h.go('https://api.example.com');`,
      'h.ts': `export function go(u) { return fetch(u) }`,
    },
    ['api.example.com'],
  ],
  [
    'an import alias of package.json',
    {
      'a.ts': `import { BASE } from '#config'; fetch(BASE);`,
      'src/c.ts': `export const BASE = 'https://api.example.com';`,
      'package.json': `{"imports":{"#config":"./src/c.ts"}}`,
    },
    ['api.example.com'],
  ],
  [
    'a dynamic import of a helper',
    {
      'a.ts': `const { go } = await import('./b.ts'); go('https://api.example.com');`,
      'b.ts': `export const go = (u) => fetch(u);`,
    },
    ['api.example.com'],
  ],
];

describe('network', () => {
  it.each(NETWORK.filter(([, , hosts]) => hosts.length > 0))('%s', (_name, source, hosts) => {
    expect(observe(source).permissions.network).toEqual(hosts);
    expect(observe(source).permissions.undecided).not.toContain('network');
  });

  it.each([
    ['an argument', `export default { execute: async (args) => fetch(args.url) };`],
    ['an answer', `const { next } = await (await fetch('https://a.example.com')).json(); fetch(next);`],
    ['a scheme alone', 'fetch(`https://${args.host}/x`);'],
    ['the function handed on', `setTimeout(fetch, 10, url);`],
    [
      'an address relative to a base, which may be a whole one',
      `fetch(new URL(args.path, 'https://api.example.com'));`,
    ],
    ['curl with an argument', `import { execFile } from 'node:child_process'; execFile('curl', [args.url]);`],
  ])('says that it cannot decide: %s', (_name, source) => {
    expect(observe(source).permissions.undecided).toContain('network');
  });

  it('names the variable where a host comes from nothing else', () => {
    expect(observe(`fetch(process.env.WEBHOOK_URL);`).permissions.network).toEqual(['$WEBHOOK_URL']);
  });

  it.each([
    ['a local function of the same name', `function fetch(u) { return u; } fetch('https://api.example.com');`],
    [
      'a method of the same name',
      `const cache = new Cache(); cache.fetch('https://api.example.com'); cache.get('https://x.example.com');`,
    ],
    [
      'a parameter of the same name',
      `export const run = (fetch: (u: string) => void) => { fetch('https://api.example.com'); };`,
    ],
    ['a type', `type F = typeof fetch; export type { F };`],
    [
      'a comment and a text',
      `// fetch('https://api.example.com')\nexport const x = "fetch('https://api.example.com')";`,
    ],
    ['data and file URLs', `fetch('data:text/plain,x'); fetch(new URL('./data.json', import.meta.url));`],
  ])('leaves alone: %s', (_name, source) => {
    const { network, undecided } = observe(source).permissions;
    expect(network.filter((host) => host !== '*')).toEqual([]);
    if (_name !== 'data and file URLs') expect(undecided).toEqual([]);
  });
});

describe('files', () => {
  it.each([
    ['named import', `import { readFileSync } from 'node:fs'; readFileSync('/etc/hosts');`, { read: ['/etc/hosts'] }],
    ['a renamed one', `import { readFile as r } from 'fs/promises'; await r('a.txt');`, { read: ['a.txt'] }],
    ['a namespace', `import * as fs from 'fs'; fs.writeFileSync('out/a.txt', x);`, { write: ['out/a.txt'] }],
    ['promises', `import fs from 'node:fs'; fs.promises.appendFile('log.txt', x);`, { write: ['log.txt'] }],
    [
      'destructuring',
      `import fs from 'node:fs'; const { readFile: r } = fs.promises; r('a.txt');`,
      { read: ['a.txt'] },
    ],
    ['require', `const { unlinkSync } = require('fs'); unlinkSync('a.txt');`, { write: ['a.txt'] }],
    ['a dynamic import', `const fs = await import('node:fs'); fs.readFileSync('a.txt');`, { read: ['a.txt'] }],
    ['then', `import('node:fs').then((fs) => fs.readFileSync('a.txt'));`, { read: ['a.txt'] }],
    [
      'a destructured then',
      `import('node:fs').then(({ readFileSync }) => readFileSync('a.txt'));`,
      { read: ['a.txt'] },
    ],
    [
      'createRequire',
      `import { createRequire } from 'node:module'; const r = createRequire(import.meta.url); r('fs').readFileSync('a.txt');`,
      { read: ['a.txt'] },
    ],
    ['getBuiltinModule', `process.getBuiltinModule('fs').readFileSync('a.txt');`, { read: ['a.txt'] }],
    ['a computed member', `import fs from 'fs'; fs['read' + 'FileSync']('a.txt');`, { read: ['a.txt'] }],
    [
      'the home folder',
      `import { homedir } from 'os'; import { join } from 'path'; import { readFileSync } from 'fs'; readFileSync(join(homedir(), '.config', 'x.json'));`,
      { read: ['~/.config/x.json'] },
    ],
    [
      'the home variable',
      'import { readFileSync } from "fs"; readFileSync(`${process.env.HOME}/.x`);',
      { read: ['~/.x'], env: ['HOME'] },
    ],
    [
      'a temporary file',
      `import { mkdtempSync, writeFileSync } from 'fs'; import { tmpdir } from 'os'; import { join } from 'path'; const d = mkdtempSync(join(tmpdir(), 'x-')); writeFileSync(join(d, 'a'), '');`,
      { write: ['<temp>'] },
    ],
    [
      'the working folder',
      `import { readFileSync } from 'fs'; import { resolve } from 'path'; export default { execute: (a, ctx) => readFileSync(resolve(ctx.cwd, 'package.json')) };`,
      { read: ['package.json'] },
    ],
    [
      'an argument',
      `import { readFileSync } from 'fs'; export default { execute: (a) => readFileSync(a.path) };`,
      { read: ['*'], undecided: ['read'] },
    ],
    [
      'a known end',
      `import { readFileSync } from 'fs'; import { join } from 'path'; export default { execute: (a) => readFileSync(join(a.dir, 'x.json')) };`,
      { read: ['*/x.json'] },
    ],
    [
      'streams',
      `import { createReadStream, createWriteStream } from 'fs'; createReadStream('a').pipe(createWriteStream('b'));`,
      { read: ['a'], write: ['b'] },
    ],
    ['a copy', `import { copyFile } from 'fs/promises'; copyFile('a', 'b');`, { read: ['a'], write: ['b'] }],
    [
      'open for writing',
      `import { open } from 'fs/promises'; open('a', 'w'); open('b'); open('c', 'r+');`,
      { read: ['b', 'c'], write: ['a', 'c'] },
    ],
    ['Bun', `await Bun.file('a.txt').text(); await Bun.write('b.txt', 'x');`, { read: ['a.txt'], write: ['b.txt'] }],
    [
      'SQLite',
      `import { Database } from 'bun:sqlite'; new Database('a.db'); new Database('b.db', { readonly: true });`,
      { read: ['a.db', 'b.db'], write: ['a.db'] },
    ],
    [
      'a promisified one',
      `import fs from 'fs'; import { promisify } from 'util'; const r = promisify(fs.readFile); await r('a.txt');`,
      { read: ['a.txt'] },
    ],
    [
      'a file of the package',
      `import { readFileSync } from 'fs'; readFileSync(new URL('./data.txt', import.meta.url));`,
      {},
    ],
    [
      'a file beside the code',
      `import { readFileSync } from 'fs'; import { join } from 'path'; readFileSync(join(import.meta.dirname, 'data.txt')); readFileSync(join(__dirname, 'x'));`,
      {},
    ],
    ['two steps up', `import { readFileSync } from 'fs'; readFileSync('a/b/../../.env');`, { read: ['.env'] }],
    [
      'a helper',
      {
        'a.ts': `import { load } from './b.ts'; load('a.txt');`,
        'b.ts': `import { readFileSync } from 'fs'; export const load = (p) => readFileSync(p, 'utf8');`,
      },
      { read: ['a.txt'] },
    ],
    [
      'a re-exported module',
      { 'a.ts': `import { fs } from './b.ts'; fs.readFileSync('a.txt');`, 'b.ts': `export * as fs from 'node:fs';` },
      { read: ['a.txt'] },
    ],
    [
      'pi’s own tool',
      `import { createReadTool } from '@earendil-works/pi-coding-agent'; createReadTool(process.cwd());`,
      { read: ['*'], undecided: ['read'] },
    ],
  ])('%s', (_name, source, expected) => {
    expect(kinds(source as string | Files)).toEqual(expected);
  });
});

describe('programs', () => {
  it.each([
    ['execFile', `import { execFile } from 'node:child_process'; execFile('git', ['status']);`, { run: ['git'] }],
    ['exec', `import { exec } from 'child_process'; exec('git log --oneline | head -5');`, { run: ['git', 'head'] }],
    [
      'several commands',
      `import { execSync } from 'child_process'; execSync('cd x && FOO=1 npm test; echo done || /usr/bin/env python3 x.py');`,
      { run: ['env', 'npm'] },
    ],
    [
      'a default import',
      `import cp from 'child_process'; cp.spawnSync('/usr/bin/python3', ['x.py']);`,
      { run: ['python3'] },
    ],
    [
      'a promisified one',
      `import { exec } from 'child_process'; import { promisify } from 'util'; const run = promisify(exec); await run('git status');`,
      { run: ['git'] },
    ],
    ['a template', 'import { exec } from "child_process"; exec(`git checkout ${branch}`);', { run: ['git'] }],
    [
      'a list joined',
      `import { exec } from 'child_process'; const a = ['rg', '-n']; a.push(pattern); exec(a.join(' '));`,
      { run: ['rg'] },
    ],
    [
      'by platform',
      `import { spawn } from 'child_process'; spawn(process.platform === 'win32' ? 'npm.cmd' : 'npm', ['test']);`,
      { run: ['npm'] },
    ],
    [
      'this Node',
      `import { fork, spawn } from 'child_process'; spawn(process.execPath, ['x.js']); fork('./x.js');`,
      { run: ['node'] },
    ],
    [
      'an argument',
      `import { spawn } from 'child_process'; export default { execute: (a) => spawn(a.program, a.args) };`,
      { run: ['*'], undecided: ['run'] },
    ],
    ['execa', `import { execa } from 'execa'; await execa('gh', ['pr', 'list']);`, { run: ['gh'] }],
    ['Bun.spawn', `Bun.spawn(['git', 'status']); Bun.spawnSync({ cmd: ['ls'] });`, { run: ['git', 'ls'] }],
    ['Bun.$', 'import { $ } from "bun"; await $`git commit -m ${message}`; await Bun.$`ls`;', { run: ['git', 'ls'] }],
    [
      'pi.exec',
      `export default function (pi) { pi.registerTool({ execute: async () => pi.exec('git', ['status']) }); }`,
      { run: ['git'] },
    ],
    [
      'pi.exec in a helper',
      {
        'a.ts': `import { go } from './b.ts'; export default (pi) => go(pi);`,
        'b.ts': `export function go(api) { return api.exec('git', []); }`,
      },
      { run: ['git'] },
    ],
    [
      'pi.exec in a typed helper',
      `async function go(p: ExtensionAPI) { return p.exec('git', []); } export { go };`,
      { run: ['git'] },
    ],
    ['a name by require', `require('child_' + 'process').execSync('id');`, { run: ['id'] }],
    [
      'the user’s shell or sh',
      `import { spawn } from 'child_process'; spawn(process.env.SHELL || '/bin/sh', ['-c', 'ls']);`,
      { run: ['sh'], env: ['SHELL'] },
    ],
    [
      'the function handed on',
      `import { exec } from 'child_process'; register({ run: 1 }, exec);`,
      { run: ['*'], undecided: ['run'] },
    ],
  ])('%s', (_name, source, expected) => {
    expect(kinds(source as string | Files)).toEqual(expected);
  });

  it.each([
    ['a regular expression’s exec', `const m = /a(b)/.exec(text); PATTERN.exec(text); new RegExp(x).exec(y);`],
    [
      'a database’s exec',
      `import Database from 'better-sqlite3'; const db = new Database(':memory:'); db.exec('create table x (a)');`,
    ],
    [
      'a type',
      `import { type ChildProcess } from 'child_process'; import type { spawn } from 'child_process'; export let p: ChildProcess | ReturnType<typeof spawn>;`,
    ],
  ])('leaves alone: %s', (_name, source) => {
    expect(observe(source).permissions.run).toEqual([]);
  });
});

describe('environment variables', () => {
  it.each([
    ['a member', `const k = process.env.API_KEY;`, ['API_KEY']],
    ['an index', `const k = process.env['API_KEY'];`, ['API_KEY']],
    ['a constant index', `const NAME = 'API_' + 'KEY'; const k = process.env[NAME];`, ['API_KEY']],
    ['destructuring', `const { API_KEY, OTHER: o = 'x' } = process.env;`, ['API_KEY', 'OTHER']],
    ['an alias', `const env = process.env; const k = env.API_KEY;`, ['API_KEY']],
    ['an import', `import { env } from 'node:process'; const k = env.API_KEY;`, ['API_KEY']],
    ['a parameter', `function read(env = process.env) { return env.API_KEY; } read();`, ['API_KEY']],
    [
      'a helper',
      `const need = (name: string) => process.env[name] ?? fail(name); need('A_KEY'); need('B_KEY');`,
      ['A_KEY', 'B_KEY'],
    ],
    ['import.meta.env', `const k = import.meta.env.API_KEY;`, ['API_KEY']],
    ['Bun.env', `const k = Bun.env.API_KEY;`, ['API_KEY']],
    ['the global object', `const k = globalThis.process.env.API_KEY;`, ['API_KEY']],
    ['optional chaining', `const k = process?.env?.API_KEY;`, ['API_KEY']],
    ['a test for it', `if ('API_KEY' in process.env) x();`, ['API_KEY']],
    ['all of it', `send(JSON.stringify(process.env));`, ['*']],
    ['its names', `for (const name of Object.keys(process.env)) x(name);`, ['*']],
    ['a loop', `for (const name in process.env) x(name);`, ['*']],
    ['a copy', `const data = { ...process.env };`, ['*']],
    ['an argument', `export default { execute: (a) => process.env[a.name] };`, ['*']],
  ])('%s', (_name, source, expected) => {
    expect(observe(source).permissions.env).toEqual(expected);
  });

  it.each([
    [
      'the environment of a child',
      `import { spawn } from 'child_process'; spawn('git', [], { env: { ...process.env, LANG: 'C' } }); spawn('git', [], { env: process.env });`,
    ],
    ['a write', `process.env.NODE_ENV = 'test'; delete process.env.X;`],
    ['another env', `const env = { API_KEY: 'x' }; use(env.API_KEY);`],
  ])('leaves alone: %s', (_name, source) => {
    expect(observe(source).permissions.env).toEqual([]);
  });
});

it('names file, line and text of every use', () => {
  const { uses } = observe({ 'lib/a.ts': `\n\nexport const go = () =>\n  fetch('https://api.example.com/x');` });
  expect(uses).toEqual([
    {
      kind: 'network',
      value: 'api.example.com',
      light: false,
      file: 'lib/a.ts',
      line: 4,
      text: `fetch('https://api.example.com/x');`,
    },
  ]);
});
