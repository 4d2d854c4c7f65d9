/** What no agent can load is told from what only fails in the sandbox. */
import { describe, expect, it } from 'vitest';
import type { Files } from './inspect-files.ts';
import { inspectFiles } from './inspect-files.ts';

const FACTORY = 'export default function (pi) {}\n';
const problemOf = async (files: Files | string, agent: 'pi' | 'slopcode' = 'pi') =>
  (await inspectFiles(typeof files === 'string' ? { 'index.ts': files } : files, undefined, agent)).problem;

describe('a file that does not parse', () => {
  it.each([
    ['an open brace', '\nexport default function(pi){', 2, /end of file/],
    ['a stray token', `${FACTORY}const x = ;\n`, 2, /Unexpected ";"/],
    ['two constants of one name', `${FACTORY}const x = 1;\nconst x = 2;`, 3, /already been declared/],
    ['await outside of async', `${FACTORY}function f() {\n  await 1;\n}`, 3, /await/],
    ['a line after a shebang and a byte-order mark', '\ufeff#!/usr/bin/env node\nconst = 1;', 2, /Expected identifier/],
  ])('is `syntax`: %s', async (_case, source, line, said) => {
    const problem = await problemOf(source);
    expect(problem).toMatchObject({ kind: 'syntax', file: 'index.ts', line });
    expect(problem?.message).toMatch(said);
    expect(await problemOf(source, 'slopcode')).toEqual(problem);
  });

  it.each([
    ['an import', "import './lib/a.ts';"],
    ['an export from', "export * from './lib/a.ts';"],
  ])('counts where the entry loads it through %s', async (_case, line) => {
    const files = { 'index.ts': `${line}\n${FACTORY}`, 'lib/a.ts': "import '../b.js';\n", 'b.js': '\nlet a = (;\n' };
    expect(await problemOf(files)).toMatchObject({ kind: 'syntax', file: 'b.js', line: 2 });
  });

  it.each([
    ['an import that a call makes', "export default () => { globalThis.f = () => import('./bad.ts'); };"],
    ['a require that may be caught', `try { require('./bad.ts'); } catch {}\n${FACTORY}`],
    ['a type', `import type { A } from './bad.ts';\n${FACTORY}let a: A | undefined;`],
    ['nothing', FACTORY],
  ])('is not certain to be loaded through %s', async (_case, source) => {
    expect((await problemOf({ 'index.ts': source, 'bad.ts': 'let = (' }))?.kind).not.toBe('syntax');
  });

  it.each([
    ['an import that is missing', `import './gone.ts';\n${FACTORY}`],
    ['an export that is missing', `import { nope } from './lib.ts';\nnope;\n${FACTORY}`],
    ['a constant that is assigned to in a call', `const a = 1;\nfunction f() { a = 2; }\n${FACTORY}`],
    ['decorators of parameters', `const X = () => () => {};\nclass A { constructor(@X() x) {} }\n${FACTORY}`],
    ['JSON that is none', `import x from './data.json';\nx;\n${FACTORY}`],
    ['too many brackets', `const x = ${'['.repeat(1500)}${']'.repeat(1500)};\n${FACTORY}`],
    ['TypeScript', `enum A { X }\nlet a = <any>1 satisfies unknown;\nabstract class B { declare x: A }\n${FACTORY}`],
  ])('is something else than %s', async (_case, source) => {
    const problem = await problemOf({ 'index.ts': source, 'lib.ts': 'export const a = 1;', 'data.json': '{"a":' });
    expect(problem?.kind).not.toBe('syntax');
  });
});

describe('an entry that throws', () => {
  it.each([
    ['at the top level', `${FACTORY}throw new Error('no');`, 2],
    ['at the top level, after a condition', `if (process.env.A) process.exit(0);\n${FACTORY}throw 'no';`, 3],
    ['in its factory', "export default async (pi) => {\n  pi.on('x', () => {});\n  throw new Error('no');\n};", 3],
    ['in a factory that is exported by name', "function f() {\n  throw new Error('no');\n}\nexport default f;", 2],
  ])('whatever the machine, %s', async (_case, source, line) => {
    expect(await problemOf(source)).toEqual({ kind: 'throws', message: 'no', file: 'index.ts', line });
  });

  it('counts in a file that is loaded with it', async () => {
    const files = { 'index.ts': `import './lib.ts';\n${FACTORY}`, 'lib.ts': "\nthrow new Error('no');" };
    expect(await problemOf(files)).toMatchObject({ kind: 'throws', file: 'lib.ts', line: 2 });
  });

  it.each([
    ['a variable is missing', `if (!process.env.KEY) throw new Error('no');\n${FACTORY}`],
    [
      'what an inert value is',
      `import fs from 'node:fs';\nif (fs.readFileSync('x') !== 1) throw new Error('no');\n${FACTORY}`,
    ],
    ['a call of its own', `const check = () => { throw new Error('no'); };\ncheck();\n${FACTORY}`],
    ['a factory that may have returned', "export default () => { if (process.env.A) return; throw new Error('no'); };"],
    ['a file that it asks for later', "export default () => import('./lib.ts');"],
  ])('maybe on this machine only: %s', async (_case, source) => {
    const problem = await problemOf({ 'index.ts': source, 'lib.ts': "throw new Error('no');" });
    expect(problem).toMatchObject({ kind: 'load-failed', message: 'no' });
  });

  it('is no factory in a SlopCode tool file', async () => {
    expect(await problemOf("export default () => { throw new Error('no'); };", 'slopcode')).toBeNull();
  });
});
