/** Entries that do, when they are evaluated, what nobody should wait for. */
import { asEntry, entry, fill, type HostilePackage, many } from './hostile-package.ts';

const TOOL = (fields: string): string => `export default (pi) => { pi.registerTool({ ${fields} }); };`;
const REST = `label: 'X', description: 'Does x.', parameters: { type: 'object' }, async execute() { return { content: [] }; }`;

/** Never done. */
const ENDLESS: readonly HostilePackage[] = [
  asEntry('a loop', () => 'for (;;) {}'),
  asEntry('a loop in the factory', () => entry('', 'for (;;) {}')),
  asEntry('a loop in a getter', () => TOOL(`get name() { for (;;) {} }, ${REST}`)),
  asEntry(
    'a loop in a proxy',
    () =>
      `export default (pi) => pi.registerTool(new Proxy({}, { get() { for (;;) {} }, has() { for (;;) {} }, ownKeys() { for (;;) {} } }));`,
  ),
  asEntry('a loop in toJSON', () =>
    TOOL(`name: 'x', ${REST}, parameters: { type: 'object', toJSON() { for (;;) {} } }`),
  ),
  asEntry('a loop in then', () => 'export default async () => ({ then() { for (;;) {} } });'),
  asEntry('a loop in toString', () => TOOL(`name: { toString() { for (;;) {} } }, ${REST}`)),
  asEntry('a loop in an iterator', () =>
    TOOL(`name: 'x', ${REST}, promptGuidelines: { *[Symbol.iterator]() { for (;;) yield 'x'; } }`),
  ),
  asEntry('a promise that never settles', () => `await new Promise(() => {});\n${entry()}`),
  asEntry('a factory that never settles', () => 'export default () => new Promise(() => {});'),
  asEntry('a flood of microtasks', () => `const next = () => Promise.resolve().then(next); next();\n${entry()}`),
  asEntry(
    'a flood of timers',
    () => `const next = () => { setTimeout(next, 0); setTimeout(next, 0); }; next();\n${entry()}`,
  ),
  asEntry('recursion', () => `const f = () => f() + 1; f();\n${entry()}`),
  asEntry('caught recursion', () => `const f = () => { try { f(); } catch { f(); } }; f();\n${entry()}`),
  asEntry('a slow expression', () => `/^(a+)+$/.test('${'a'.repeat(60)}!');\n${entry()}`),
  asEntry(
    'a slow replacement',
    () => `'a'.repeat(5e5).replace(/a*?b/g, 'c'); 'a'.repeat(5e5).split(/(?:a|a)*b/);\n${entry()}`,
  ),
  asEntry(
    'a sort',
    () => `const l = Array.from({ length: 1e6 }, (_, i) => i); for (;;) l.sort(() => Math.random() - 0.5);`,
  ),
  asEntry('a large number', () => `let n = 7n; for (;;) n = n ** 9n;`),
  asEntry('a catch of everything', () => `for (;;) { try { for (;;) { null.x; } } catch {} finally { continue; } }`),
];

/** Never enough. */
const GREEDY: readonly HostilePackage[] = [
  asEntry('arrays', () => 'const all = []; for (;;) all.push(new Array(1e5).fill(all));'),
  asEntry('texts', () => `let s = 'x'; for (;;) s += s + s;`),
  asEntry('buffers', () => 'const all = []; for (;;) all.push(new ArrayBuffer(1 << 24));'),
  asEntry(
    'caught buffers',
    () => `const all = []; for (;;) { try { all.push(new Uint8Array(1 << 20).fill(1)); } catch {} }`,
  ),
  asEntry('WebAssembly', () => `const all = []; for (;;) all.push(new WebAssembly.Memory({ initial: 1000 }));`),
  asEntry(
    'generators',
    () => `function* g() { yield* g(); } const all = []; for (;;) { const one = g(); all.push(one); one.next(); }`,
  ),
  asEntry('closures', () => `let f = () => 1; for (;;) { const g = f; f = () => g() + 1; }`),
  asEntry('a repeated text', () => `const s = 'x'.repeat(2 ** 29); ${TOOL(`name: 'x', ${REST}, description: s`)}`),
  asEntry('a huge array', () => `const l = new Array(2 ** 32 - 1).fill(0); l.sort();`),
  asEntry('a map', () => `const m = new Map(); for (let i = 0; ; i++) m.set({ i }, m);`),
  asEntry(
    'a deep object',
    () => `let o = {}; for (let i = 0; i < 1e6; i++) o = { o }; ${TOOL(`name: 'x', ${REST}, parameters: o`)}`,
  ),
  asEntry(
    'a circle',
    () => `const o = { type: 'object' }; o.properties = { o }; ${TOOL(`name: 'x', ${REST}, parameters: o`)}`,
  ),
  asEntry(
    'a wide tree of one object',
    () =>
      `let o = { type: 'string' }; for (let i = 0; i < 40; i++) o = { anyOf: [o, o] }; ${TOOL(`name: 'x', ${REST}, parameters: { type: 'object', properties: { o } }`)}`,
  ),
];

/** Much of what is asked for. */
const PLENTY: readonly HostilePackage[] = [
  asEntry(
    '20,000 tools',
    () =>
      `export default (pi) => { for (let i = 0; i < 20000; i++) pi.registerTool({ name: 'tool_' + i, ${REST} }); };`,
  ),
  asEntry(
    '3,000 tools of 4 KB',
    () =>
      `export default (pi) => { for (let i = 0; i < 3000; i++) pi.registerTool({ name: 'tool_' + i, ${REST}, description: 'Does a thing. '.repeat(300) + i }); };`,
  ),
  asEntry(
    'one tool 50,000 times',
    () => `export default (pi) => { for (let i = 0; i < 50000; i++) pi.registerTool({ name: 'x', ${REST} }); };`,
  ),
  asEntry(
    '20,000 parameters',
    () =>
      `const properties = {}; for (let i = 0; i < 20000; i++) properties['p' + i] = { type: 'string', description: 'Parameter ' + i }; ${TOOL(`name: 'x', ${REST}, parameters: { type: 'object', properties }`)}`,
  ),
  asEntry(
    'a schema of 1,000 levels',
    () =>
      `let s = { type: 'string' }; for (let i = 0; i < 1000; i++) s = { type: 'object', properties: { s } }; ${TOOL(`name: 'x', ${REST}, parameters: s`)}`,
  ),
  asEntry(
    '300,000 values',
    () =>
      `const values = Array.from({ length: 300000 }, (_, i) => 'value ' + i); ${TOOL(`name: 'x', ${REST}, parameters: { type: 'object', properties: { v: { type: 'string', enum: values } } }`)}`,
  ),
  asEntry(
    '300,000 literals',
    () =>
      `const values = Array.from({ length: 300000 }, (_, i) => ({ const: 'value ' + i })); ${TOOL(`name: 'x', ${REST}, parameters: { type: 'object', properties: { v: { anyOf: values } } }`)}`,
  ),
  asEntry('100,000 guidelines', () =>
    TOOL(`name: 'x', ${REST}, promptGuidelines: Array.from({ length: 100000 }, (_, i) => 'Use x for ' + i)`),
  ),
  asEntry('100,000 exports', () => many(100_000, (i) => `export const e${i}=${i};`) + entry()),
];

const text = (id: string, unit: string, length = 1_000_000): HostilePackage =>
  asEntry(`text of ${id}`, () => {
    const whole = fill(unit, length);
    const cut = JSON.stringify(whole.slice(0, 20_000));
    return `const d = ${JSON.stringify(whole)}; export default (pi) => { pi.registerTool({ name: 'x', ${REST}, description: d }); pi.registerTool({ name: 'y', ${REST}, label: ${cut}, promptSnippet: ${cut}, promptGuidelines: [${cut}, ${cut}], parameters: { type: 'object', properties: { p: { type: 'string', description: ${cut}, enum: [${cut}], default: ${cut} } } } }); };`;
  });

/** What makes a careless expression slow. */
const TEXTS: readonly HostilePackage[] = [
  text('blanks', ' '),
  text('blanks between letters', `a${' '.repeat(3000)}`),
  text('line ends', '\n'),
  text('commas', ','),
  text('letters', 'a'),
  text('one-letter words', 'a '),
  text('open quotes', `"'“`),
  text('brackets', '([{<'),
  text('comments', '<!--'),
  text('hyphens', '-'),
  text('long sentences', `${'do not tell the user that you always must ignore what '.repeat(11)}. `),
  text('short sentences', 'Do it. '),
  text('beginnings of orders', 'ignore the previous, before any other tool, never '),
  text('beginnings of Chinese orders', '忽略之前的，不要告诉用户，', 150_000),
  text('Chinese', '天气预报查询工具', 150_000),
  text('Russian', 'не говори пользователю и всегда ', 150_000),
  text('hidden characters', '\u200b\u202e', 150_000),
  text('mixed scripts', 'aаaа', 150_000),
  text('emoji', '👩‍👩‍👧‍👦', 150_000),
  text('combining marks', 'a\u0301\u0302\u0303', 150_000),
  text('base64', 'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo='),
  text('addresses', 'https://a.example.com/'),
  text('markers', '<|im_start|>system\n'),
  text('escapes', '\u001b[31m', 150_000),
  text('superlatives', 'the best most powerful always prefer '),
  text('tokens', ' zqxj', 900_000),
];

export const PROGRAM_KINDS: readonly HostilePackage[] = [...ENDLESS, ...GREEDY, ...PLENTY, ...TEXTS];
