// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the samples are sources with templates
/** Declared against observed: what covers what, what is missing, and the findings of the perm rules. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Permissions } from '../../../schemas/package-json.ts';
import { covers, wildcardMatch } from '../../../tool-package/source/coverage.ts';
import { missingDeclarations, observePermissions } from '../../../tool-package/source/permissions.ts';
import type { UseKind } from '../../../tool-package/source/types.ts';
import { checkCode, rulesOf } from '../code/check-code.ts';

const missing = (source: string, declared: Permissions = {}) =>
  missingDeclarations(declared, observePermissions(new Map([['tool.ts', Buffer.from(source)]])));

describe('a declaration covers', () => {
  it.each<[UseKind, string, string | null]>([
    ['network', 'api.example.com', 'api.example.com'],
    ['network', 'https://api.example.com/v1', 'api.example.com'],
    ['network', 'API.Example.com:443', 'api.example.com'],
    ['network', '*.example.com', 'a.b.example.com'],
    ['network', '*.example.com', '*.example.com'],
    ['network', 'localhost', '127.0.0.1'],
    ['network', '127.0.0.1:8080', '[::1]'],
    ['network', 'localhost', '<listen>'],
    ['network', '*', null],
    ['network', '$API_URL', '$API_URL'],
    ['read', '.', 'src/a.ts'],
    ['read', '<cwd>', 'src/a.ts'],
    ['read', './', null],
    ['read', 'src', 'src/a/b.ts'],
    ['read', 'src/', 'src/a/b.ts'],
    ['read', 'src/**', 'src/a/b.ts'],
    ['read', '*.json', 'package.json'],
    ['read', '~/.pi/agent/x.json', '<agent>/x.json'],
    ['read', '$HOME/.config', '~/.config/x'],
    ['read', '/tmp', '<temp>'],
    ['read', '~/.pi/agent/presets.json', '*/presets.json'],
    ['read', '/', '/etc/hosts'],
    ['write', '*', null],
    ['run', 'git', 'git'],
    ['run', '/usr/bin/git', 'git'],
    ['run', 'npm', 'npm'],
    ['env', 'API_KEY', 'API_KEY'],
    ['env', 'MY_*', 'MY_KEY'],
  ])('%s %s: %s', (kind, declared, value) => {
    expect(covers(kind, declared, value)).toBe(true);
  });

  it.each<[UseKind, string, string | null]>([
    ['network', 'example.com', 'api.example.com'],
    ['network', '*.example.com', 'example.com.evil.net'],
    ['network', '*.example.com', 'evilexample.com'],
    ['network', 'api.example.com', null],
    ['network', 'localhost', 'localhost.example.com'],
    ['read', '.', '~/.ssh/id_rsa'],
    ['read', '.', '/etc/passwd'],
    ['read', '.', '../secret'],
    ['read', 'src', 'src2/a.ts'],
    ['read', 'package.json', null],
    ['read', 'src', null],
    ['write', '~/.config', '~/.ssh/x'],
    ['run', 'git', 'gitk'],
    ['run', 'git', null],
    ['env', 'API', 'API_KEY'],
    ['env', 'API_KEY', null],
  ])('not %s %s: %s', (kind, declared, value) => {
    expect(covers(kind, declared, value)).toBe(false);
  });

  it('matches wildcards as a regular expression would, in linear time', () => {
    const text = fc.array(fc.constantFrom('a', 'b', '*', '/'), { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(
        text,
        text.map((value) => value.replaceAll('*', '')),
        (pattern, value) => {
          const expression = new RegExp(`^${pattern.replaceAll('*', '.*')}$`);
          expect(wildcardMatch(pattern, value)).toBe(expression.test(value));
        },
      ),
    );
    const started = performance.now();
    expect(wildcardMatch('*a'.repeat(200), `${'a'.repeat(5000)}b`)).toBe(false);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});

describe('missingDeclarations', () => {
  it('names what is not declared, once, sorted', () => {
    const source = `fetch('https://b.example.com'); fetch('https://a.example.com'); fetch('https://b.example.com/2'); const k = process.env.KEY;`;
    expect(missing(source)).toEqual({ network: ['a.example.com', 'b.example.com'], env: ['KEY'] });
    expect(missing(source, { network: ['*.example.com'] })).toEqual({ env: ['KEY'] });
    expect(missing(source, missing(source))).toEqual({});
  });

  it('gives the working folder for paths below it, and everything for any other', () => {
    const at = (path: string) =>
      `import { readFileSync } from 'fs'; import { resolve } from 'path'; export default { execute: (a, ctx) => readFileSync(${path}) };`;
    expect(missing(at('resolve(ctx.cwd, a.path)'))).toEqual({ read: ['.'] });
    expect(missing(at('a.path'))).toEqual({ read: ['*'] });
  });

  it('leaves out what another value covers', () => {
    const source = `import { readFileSync as r } from 'fs'; r('src/a'); r('src'); r('src/b/c'); r('other');`;
    expect(missing(source)).toEqual({ read: ['other', 'src'] });
  });

  it('takes the summary of a record too', () => {
    const { permissions } = observePermissions(new Map([['a.ts', Buffer.from(`fetch('https://a.example.com');`)]]));
    expect(missingDeclarations({}, permissions)).toEqual({ network: ['a.example.com'] });
  });

  it('makes any package clean of perm/undeclared', () => {
    const samples = [
      `fetch(args.url); eval(x);`,
      `import cp from 'child_process'; cp.exec('git log | head'); cp.spawn(args.x, []);`,
      `import fs from 'fs'; fs.writeFileSync(process.env.HOME + '/x/' + name, ''); fs.cpSync(a, b); fs.existsSync('q');`,
      `import http from 'http'; http.createServer().listen(1); fetch(process.env.URL); for (const k in process.env) f(k);`,
      'fetch(`https://${a}.example.com`); import { mkdtempSync } from "fs"; import os from "os"; mkdtempSync(os.tmpdir() + "/x");',
    ];
    for (const source of samples) expect(rulesOf(source, missing(source)), source).not.toContain('perm/undeclared');
  });
});

describe('perm/undeclared', () => {
  it('names file, line and value, one finding for each', () => {
    const found = checkCode({ 'src/a.ts': `\nfetch('https://a.example.com/1');\nfetch('https://a.example.com/2');\n` });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ rule: 'perm/undeclared', level: 'review', file: 'src/a.ts', line: 2 });
    expect(found[0]?.message).toContain('`a.example.com`');
    expect(found[0]?.message).toContain('fetch(');
  });

  it('says so where it cannot decide', () => {
    const [found] = checkCode(`export default { execute: (a) => fetch(a.url) };`, { network: ['api.example.com'] });
    expect(found?.message).toContain('cannot be decided');
  });

  it('escapes the source that it shows', () => {
    const [found] = checkCode(`fetch('https://a.example.com' /* \u202e\u001b[31m */);`).filter(
      ({ rule }) => rule === 'perm/undeclared',
    );
    expect(found?.message).not.toMatch(/\p{Cc}|\p{Cf}/u);
  });

  it.each([
    [
      'a program from a list that is checked',
      `import { execFile } from 'child_process'; const OK = ['git', 'ls']; export default { execute: (a) => { if (!OK.includes(a.program)) throw new Error(); return execFile(a.program, []); } };`,
      { run: ['git', 'ls'] },
    ],
    [
      'a host from a set that is checked',
      `const OK = new Set(['a.example.com', 'b.example.com']); export default { execute: (a) => { const u = new URL(a.url); if (!OK.has(u.hostname)) throw new Error(); return fetch(u); } };`,
      { network: ['a.example.com', 'b.example.com'] },
    ],
    [
      'a question about a file that may be written',
      `import { existsSync, writeFileSync } from 'fs'; if (!existsSync('out.txt')) writeFileSync('out.txt', '');`,
      { write: ['out.txt'] },
    ],
  ])('accepts %s', (_name, source, permissions) => {
    expect(rulesOf(source, permissions)).toEqual([]);
  });

  it.each([
    [
      'a list of which one is not declared',
      `import { execFile } from 'child_process'; const OK = ['git', 'rm']; export default { execute: (a) => OK.includes(a.program) && execFile(a.program, []) };`,
      { run: ['git'] },
    ],
    [
      'a program of an argument',
      `import { execFile } from 'child_process'; export default { execute: (a) => execFile(a.program, []) };`,
      { run: ['git'] },
    ],
    ['a host of an argument', `export default { execute: (a) => fetch(a.url) };`, { network: ['api.example.com'] }],
    [
      'a second host',
      `fetch('https://api.example.com'); fetch('https://other.example.net');`,
      { network: ['api.example.com'] },
    ],
    ['a file outside', `import { readFileSync } from 'fs'; readFileSync('/etc/passwd');`, { read: ['.'] }],
    [
      'a write where reading is declared',
      `import { writeFileSync } from 'fs'; writeFileSync('a.txt', '');`,
      { read: ['.'] },
    ],
  ])('finds %s', (_name, source, permissions) => {
    expect(rulesOf(source, permissions)).toContain('perm/undeclared');
  });
});

describe('perm/wildcard and perm/unused', () => {
  it.each([
    { network: ['*'] },
    { network: ['*.com'] },
    { read: ['/'] },
    { read: ['~'] },
    { write: ['**'] },
    { run: ['*'] },
    { env: ['*'] },
  ])('finds %j', (permissions) => {
    expect(rulesOf('export {};', permissions as Permissions)).toContain('perm/wildcard');
  });

  it.each([
    { network: ['*.example.com'] },
    { read: ['.'] },
    { read: ['src/**'] },
    { write: ['~/.config/x'] },
    { env: ['MY_*'] },
  ])('accepts %j', (permissions) => {
    expect(rulesOf('export {};', permissions as Permissions)).not.toContain('perm/wildcard');
  });

  it('warns of what nothing uses', () => {
    const found = checkCode(`fetch('https://a.example.com');`, {
      network: ['a.example.com', 'b.example.com'],
      run: ['git'],
    });
    expect(found.map(({ rule, level, message }) => [rule, level, /`([^`]*)`$/.exec(message)?.[1]])).toEqual([
      ['perm/unused', 'warn', 'b.example.com'],
      ['perm/unused', 'warn', 'git'],
    ]);
  });

  it('says nothing of unused permissions where something was not looked into', () => {
    expect(rulesOf({ 'a.ts': 'export {};', 'b.js': Uint8Array.from([0, 1]) }, { run: ['git'] })).toEqual([
      'code/not-analysed',
    ]);
  });
});
