/** What the analysis follows: each use has its value, however it is reached, and nothing is "undecided" that is not. */
import { describe, expect, it } from 'vitest';
import { observePermissions } from '../../../tool-package/source/permissions.ts';

const HEAD = [
  "import { execFile, spawn } from 'node:child_process';",
  "import fs from 'node:fs';",
  "import { readFile, writeFile, cp } from 'node:fs/promises';",
  "import { join, dirname, basename, resolve } from 'node:path';",
  "import { homedir } from 'node:os';",
].join('\n');

/** The uses of a source, without those that stand in the head. */
function usesOf(source: string): string[] {
  const { uses } = observePermissions(new Map([['tool.ts', Buffer.from(`${HEAD}\n${source}`)]]));
  return [...new Set(uses.map((use) => `${use.kind} ${use.value ?? (use.near ? 'near' : '?')}`))].sort();
}

const tool = (body: string): string => `export default function (pi) {
  pi.registerTool({ name: 't', parameters: {}, async execute(_id, params, signal, _u, ctx) { ${body} } }); }`;

const FORMS: readonly (readonly [string, string, string[]])[] = [
  [
    'a table of commands',
    `const STEPS = [['git', 'status'], ['npm', 'test']];\n${tool('for (const [program, ...args] of STEPS) execFile(program, args);')}`,
    ['run git', 'run npm'],
  ],
  [
    'a table that is gone through by forEach',
    `const STEPS = [{ run: 'git' }, { run: 'hg' }];\n${tool('STEPS.forEach((step) => execFile(step.run, []));')}`,
    ['run git', 'run hg'],
  ],
  [
    'a generator of arguments',
    `function* words(host) { yield '-s'; yield \`https://\${host}/x\`; }\n${tool("pi.exec('curl', [...words('a.example')]);")}`,
    ['network a.example', 'run curl'],
  ],
  [
    'a generator with a loop',
    `function* all() { for (const name of ['git', 'hg']) yield name; }\n${tool('for (const program of all()) execFile(program, []);')}`,
    ['run git', 'run hg'],
  ],
  [
    'a walk that calls itself',
    `async function walk(folder) { for (const entry of await fs.promises.readdir(folder, { withFileTypes: true })) if (entry.isDirectory()) await walk(join(folder, entry.name)); }\n${tool("await walk(join(ctx.cwd, 'src'));")}`,
    ['read src', 'read src/*'],
  ],
  [
    'a list that is filled',
    tool(
      "const to = [join(ctx.cwd, 'a')]; to.push('/srv/b'); for (const one of to) await cp(join(ctx.cwd, 'x'), one);",
    ),
    ['read x', 'write /srv/b', 'write a'],
  ],
  [
    'a function that gives a function',
    `const reader = (source) => (...parts) => source[parts.map((part) => part.toUpperCase()).join('_')];\nconst get = reader(process.env);\n${tool("get('my', 'key'); get('user');")}`,
    ['env MY_KEY', 'env USER'],
  ],
  [
    'methods of an object that is not handed on',
    `const where = { home: (name) => readFile(join(homedir(), name)) };\n${tool("await where.home('.x');")}`,
    ['read ~/.x'],
  ],
  [
    'a field of the class below',
    `class Base { go() { return execFile(this.bin, []); } }\nclass Git extends Base { bin = 'git'; }\n${tool('await new Git().go();')}`,
    ['run git'],
  ],
  [
    'a host that is set later',
    tool("const url = new URL('https://a.example'); url.host = 'b.example'; await fetch(url);"),
    ['network a.example', 'network b.example'],
  ],
  [
    'a bound function and a map',
    `const M = new Map([['a', 'https://a.example']]);\nconst get = send.bind(null, M.get('a'));\nfunction send(base, path) { return fetch(base + path); }\n${tool("await get('/x');")}`,
    ['network a.example'],
  ],
  [
    'a value that is put into itself',
    tool("let folder = join(ctx.cwd, 'a'); folder = folder; await readFile(folder);"),
    ['read a'],
  ],
  [
    'what is made of a value under its own name is not the value',
    tool("let address = { u: 'https://a.example' }; address = address.u; await fetch(address);"),
    ['network ?', 'network localhost'],
  ],
  [
    'arguments that are left out',
    tool("const run = ([program = '']) => execFile(program, []); run(['git']); run([]);"),
    ['run git'],
  ],
  ['null before it is set', tool("let program = null; program = 'git'; spawn(program, []);"), ['run git']],
  ['an empty path', tool("await readFile(params.x ? join(ctx.cwd, 'a') : '');"), ['read a']],
  [
    "Bun's $: what is put in is one word",
    tool("const q = 'MATCH (f:Function)-[:Calls]->(c)'; await Bun.$`apg query ${q}`;"),
    ['run apg'],
  ],
  [
    "Bun's $ behind a tag of one's own",
    `import { $ as shell } from 'bun';\nexport const $ = (parts, ...values) => shell(parts, ...values).quiet();\n${tool('await $`masscan ${params.t} -p 1`;')}`,
    ['run masscan'],
  ],
  [
    'a variable at the head of a path',
    tool("await readFile(join(process.env.VAULT, 'notes', 'a.md'));"),
    ['env VAULT', 'read $VAULT/notes/a.md'],
  ],
  [
    'the 40th of a long list',
    `const ALL = [${Array.from({ length: 40 }, (_, at) => `'p${at}'`).join(', ')}];\n${tool('ALL.forEach((program) => execFile(program, []));')}`,
    ['run ?', ...Array.from({ length: 32 }, (_, at) => `run p${at}`)].sort(),
  ],
  [
    'the folder of a path below the working folder',
    tool(
      'const file = resolve(ctx.cwd, params.path); await fs.promises.mkdir(dirname(file)); await writeFile(file, params.text);',
    ),
    ['write near'],
  ],
];

describe('what is followed', () => {
  it.each(FORMS)('%s', (_label, source, expected) => {
    expect(usesOf(source)).toEqual([...expected].sort());
  });
});
