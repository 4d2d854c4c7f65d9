// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the samples are sources with templates
/** Sources made to overflow, to take for ever, or to confuse: bounded time, never an exception, never silently clean. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyseSources } from '../../../tool-package/source/analyse.ts';
import { PROGRAM_LIMITS, readProgram } from '../../../tool-package/source/program.ts';
import { bracketDepth } from '../../../tool-package/source/scan.ts';
import { readShellCommand } from '../../../tool-package/source/shell-command.ts';
import { checkCode } from '../code/check-code.ts';

const analyse = (files: Record<string, string | Uint8Array>) =>
  analyseSources(new Map(Object.entries(files).map(([path, content]) => [path, Buffer.from(content as string)])));
const timed = <T>(work: () => T): { value: T; milliseconds: number } => {
  // Time of this process, not of a machine that is busy with others.
  const started = process.cpuUsage().user;
  const value = work();
  return { value, milliseconds: (process.cpuUsage().user - started) / 1000 };
};
const SLOW_MACHINE_MS = 6000;

const many = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, i) => make(i)).join('');

describe('deep and long input', () => {
  it.each<[string, string]>([
    ['a sum of 50,000 parts', `fetch('https://a.example.com/' + ${many(50_000, (i) => `'${i}' + `)}'x');`],
    ['a chain of members', `x${'.a'.repeat(20_000)}.fetch();`],
    ['a chain of calls', `x${'.a()'.repeat(5_000)};`],
    [
      'a chain of conditions',
      `x = ${many(3_000, (i) => `a === ${i} ? 'https://h${i}.example.com' : `)}null; fetch(x);`,
    ],
    ['a chain of ors', `fetch(${many(20_000, (i) => `a${i} || `)}'https://a.example.com');`],
    ['else if', `${many(3_000, (i) => `if (a === ${i}) {} else `)}{}`],
    [
      'names that name each other',
      `${many(20_000, (i) => `const a${i} = a${i + 1};\n`)}const a20000 = fetch; a0('https://a.example.com');`,
    ],
    [
      'functions that call each other',
      `${many(3_000, (i) => `function f${i}(x) { return f${i + 1}(x) + f${i + 2}(x); }\n`)}function f3000(x) { return x } function f3001(x) { return x } fetch(f0('https://a.example.com'));`,
    ],
    ['a function that calls itself', `function f(x) { return f(x + f(x)); } fetch(f(f(f('https://a.example.com'))));`],
    ['doubling', `let a = 'x'; ${many(60, () => 'a = a + a;')} fetch(a);`],
    [
      'doubling constants',
      `const a0 = 'xxxxxxxxxxxxxxxx'; ${many(40, (i) => `const a${i + 1} = a${i} + a${i};`)} fetch(a40);`,
    ],
    ['products of alternatives', `const c = x ? 'a' : y ? 'b' : z ? 'c' : 'd'; fetch(${many(40, () => 'c + ')}'');`],
    [
      'maps of maps',
      `const l = [${many(300, (i) => `${i},`)}]; fetch(l.map((a) => l.map((b) => l.map((c) => a + b + c).join('')).join('')).join(''));`,
    ],
    ['a name used everywhere', `let x = 1; ${many(20_000, () => 'x += x; f(x);')}`],
    [
      'a parameter with many callers',
      `function g(u) { return fetch(u); } ${many(5_000, (i) => `g('https://h${i}.example.com');`)}`,
    ],
    [
      'callers of callers',
      `${many(200, (i) => `function p${i}(u) { p${i + 1}(u); p${i + 1}(u + 'x'); }\n`)}function p200(u) { fetch(u); } p0('https://a.example.com');`,
    ],
    ['a destructuring of many levels', `const ${'{ a: '.repeat(450)}x${' }'.repeat(450)} = y; fetch(x);`],
    [
      'an object of many keys',
      `const o = { ${many(20_000, (i) => `k${i}: 'https://h.example.com/${i}',`)} }; fetch(o[k]);`,
    ],
    ['an array of many codes', `fetch(String.fromCharCode(${many(20_000, (i) => `${97 + (i % 26)},`)}97));`],
    [
      'a class of many methods',
      `class A { ${many(3_000, (i) => `m${i}() { return this.m${i + 1}(); }\n`)} } new A().m0();`,
    ],
    ['imports in a circle', `import { b } from './tool.ts'; export { b }; fetch(b);`],
    ['a slow expression', `fetch('${'a'.repeat(4000)}!'.replace(/(a+)+$/, ''));`],
    ['a slow split', `fetch('${'a'.repeat(100_000)}'.split(/a*b/).join(''));`],
    ['a shell command of many quotes', `import { exec } from 'child_process'; exec('${'"`$('.repeat(5_000)}');`],
    ['curl again and again', `import { exec } from 'child_process'; exec('${'curl -o a '.repeat(2_000)}');`],
    ['long lines of blanks', `/*${' '.repeat(500_000)}*/ fetch('https://a.example.com');`],
    ['hidden characters', `const s = '${'\u200b'.repeat(100_000)}';`],
    ['brackets in a text', `const s = '${'[]()!+'.repeat(30_000)}';`],
  ])('%s', (_name, source) => {
    const { value, milliseconds } = timed(() => checkCode(source));
    expect(Array.isArray(value)).toBe(true);
    expect(milliseconds).toBeLessThan(SLOW_MACHINE_MS);
  });

  it('folds a long sum', () => {
    const source = `fetch('https://a.example' + ${many(3_000, () => `'' + `)}'.com/');`;
    expect(analyse({ 'a.ts': source }).uses.map(({ value }) => value)).toEqual(['a.example.com']);
  });

  it.each<[string, string]>([
    [
      'a chain of names',
      `${many(2_000, (i) => `const a${i} = a${i + 1};\n`)}const a2000 = fetch; a0('https://evil.example.com');`,
    ],
    [
      'a chain of functions',
      `${many(400, (i) => `const f${i} = () => f${i + 1}();\n`)}const f400 = () => fetch; f0()('https://evil.example.com');`,
    ],
    [
      'too many alternatives',
      `const f = ${many(40, (i) => `a === ${i} ? x${i} : `)}fetch; f('https://evil.example.com');`,
    ],
    ['too many assignments', `let f; ${many(300, (i) => `f = x${i};`)} f = fetch; f('https://evil.example.com');`],
    [
      'too many callers',
      `function go(f, u) { f(u); } ${many(300, (i) => `go(x${i}, 1);`)} go(fetch, 'https://evil.example.com');`,
    ],
    ['a list that is filled', `const l = []; l.push(fetch); l[0]('https://evil.example.com');`],
    ['a generator', `function* g() { yield fetch; } for (const f of g()) f('https://evil.example.com');`],
    ['a map', `const m = new Map(); m.set('x', fetch); m.get('x')('https://evil.example.com');`],
    ['a callback of a callback', `register(fetch, 'https://evil.example.com');`],
    [
      'an import that nobody is seen to call',
      `import { execFile } from 'child_process'; const box = wrap({ execFile }); box.execFile('curl');`,
    ],
    [
      'a field that is filled by another',
      `const host = {}; fill(host, 'go', fetch); host.go('https://evil.example.com');`,
    ],
    ['an event', `emitter.on('x', fetch); emitter.emit('x', 'https://evil.example.com');`],
  ])('is not silent about a function that is hidden by %s', (_name, source) => {
    const { uses, notAnalysed } = analyse({ 'a.ts': source });
    expect(uses.filter(({ kind }) => kind === 'network' || kind === 'run').length + notAnalysed.length).toBeGreaterThan(
      0,
    );
  });

  it.each([
    ['a test for it', `if (typeof fetch === 'undefined') throw new Error(); if (globalThis.fetch) x();`],
    [
      'an alias that nobody uses',
      `import { exec } from 'child_process'; import { promisify } from 'util'; const run = promisify(exec);`,
    ],
    ['a type', `import { spawn } from 'child_process'; type P = ReturnType<typeof spawn>; export type { P };`],
  ])('says nothing of %s', (_name, source) => {
    expect(analyse({ 'a.ts': source }).uses).toEqual([]);
  });
});

describe('limits', () => {
  it('leaves out what is beyond them, by name', () => {
    const files = new Map(
      Array.from({ length: 5 }, (_, i) => [`f${i}.js`, Buffer.from(`x${i} = 1; // ${'y'.repeat(100)}`)] as const),
    );
    const { notAnalysed, files: read } = readProgram(files, undefined, { ...PROGRAM_LIMITS });
    expect([notAnalysed.length, read.size]).toEqual([0, 5]);
    const big = new Map(
      Array.from({ length: 4 }, (_, i) => [`f${i}.js`, Buffer.from(`// ${'y'.repeat(900_000)}`)] as const),
    );
    expect(readProgram(big).notAnalysed.map(({ file }) => file)).toEqual(['f1.js', 'f2.js', 'f3.js']);
  });

  it.each([
    ['brackets', `${'('.repeat(5000)}${')'.repeat(5000)}`],
    ['templates', '`${'.repeat(3000)],
    ['braces', '{'.repeat(100_000)],
  ])('counts %s', (_name, source) => {
    expect(bracketDepth(source)).toBeGreaterThan(1000);
  });

  it.each([
    ['texts', `'${'('.repeat(5000)}'`],
    ['comments', `/* ${'{'.repeat(5000)} */ // ${'['.repeat(5000)}`],
    ['expressions', `x = /[(]{3}\\/[[(]/.test(y); z = a / b / c; return /((((/`],
    ['templates', `\`${'('.repeat(5000)}\${a}${'['.repeat(5000)}\``],
    ['neighbours', '[]'.repeat(50_000)],
  ])('does not count %s', (_name, source) => {
    expect(bracketDepth(source)).toBeLessThan(20);
  });
});

describe('any input', () => {
  const fragment = fc.constantFrom(
    'fetch',
    '(',
    ')',
    '{',
    '}',
    '[',
    ']',
    '=>',
    'const a',
    '=',
    ';',
    "'x'",
    '`',
    '${',
    'import',
    'from',
    'export',
    'class A',
    'extends',
    'this',
    '.x',
    '?.',
    '...',
    'async',
    'await',
    'function f',
    ',',
    'process.env',
    'new',
    'eval',
    '/',
    '+',
    '&&',
    'require',
    '"https://a.b"',
    'return',
    'super',
    '#p',
    'enum E',
    'declare',
    'type T',
    '<',
    '>',
    ':',
    '__proto__',
    'constructor',
    '\n',
    'constructor()',
    'get x',
    '@d',
  );
  const source = fc.array(fragment, { maxLength: 60 }).map((parts) => parts.join(' '));

  it('never throws, and what does not parse is not analysed', () => {
    fc.assert(
      fc.property(source, (text) => {
        const { program, notAnalysed } = analyse({ 'tool.ts': text });
        expect(program.files.size + notAnalysed.length).toBe(1);
      }),
      { numRuns: 400 },
    );
  });

  it('reads any text as a shell command', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(Array.isArray(readShellCommand([text]).programs)).toBe(true);
      }),
    );
  });

  it('keeps names like __proto__ harmless', () => {
    const text = `const o = { ['__proto__']: 'https://a.example.com', constructor: 'x', hasOwnProperty: 1 }; fetch(o['__proto__']); fetch(o.toString); process.env.__proto__; import fs from 'fs'; fs.constructor('x'); fs.__proto__('y'); export { __proto__ } from './x.ts'; class A { __proto__ = 1; } new A().constructor(1);`;
    expect(() =>
      checkCode({ 'tool.ts': text, 'x.ts': 'export const __proto__ = 1;', 'x.json': '{"__proto__":{"a":1}}' }),
    ).not.toThrow();
  });
});
