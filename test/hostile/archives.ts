/** Packages that are hostile as a whole: many files, deep imports, bombs, and manifests that are a riddle. */
import { gzipSync } from 'node:zlib';
import { entry, type Files, fill, type HostilePackage, hostile, many, packageJson } from './hostile-package.ts';
import { pseudoRandom } from './sources.ts';

const files = (count: number, make: (index: number) => [string, string]): Files =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => make(index)));
const name = (index: number): string => `f${String(index).padStart(4, '0')}`;

/** Imports without an end. */
const IMPORTS: readonly HostilePackage[] = [
  hostile('imports: a ring of 4,990', () => ({
    'index.ts': entry("import './r/f0000.ts';"),
    ...files(4990, (i) => [
      `r/${name(i)}.ts`,
      `import { a as b } from './${name((i + 1) % 4990)}.ts';\nexport const a = () => b;\n`,
    ]),
  })),
  hostile('imports: all of all, 400', () => ({
    'index.ts': entry("import './r/f0000.ts';"),
    ...files(400, (i) => [
      `r/${name(i)}.ts`,
      `${many(400, (j) => `import { a as a${j} } from './${name(j)}.ts';`)}export const a = () => [${many(400, (j) => `a${j},`)}];`,
    ]),
  })),
  hostile('imports: a ring of stars', () => ({
    'index.ts': entry("import * as all from './r/f0000.ts'; all.x;"),
    ...files(3000, (i) => [`r/${name(i)}.ts`, `export * from './${name((i + 1) % 3000)}.ts';export const a${i}=1;\n`]),
  })),
  hostile('imports: stars that double', () => ({
    'index.ts': entry("import { nothing } from './r/f0000.ts'; nothing;"),
    ...files(1200, (i) => [
      `r/${name(i)}.ts`,
      many(2, (j) => `export * from './${name(Math.min(1199, 2 * Math.floor(i / 2) + 2 + j))}.ts';`),
    ]),
  })),
  hostile('imports: large JSON', () => ({
    'index.ts': entry(many(14, (i) => `import j${i} from './j${i}.json' with { type: 'json' }; j${i};`)),
    ...files(14, (i) => [`j${i}.json`, `[${fill('{"a":[1,2,"x"]},', 1_990_000)}0]`]),
  })),
  hostile('imports: every kind', () => ({
    'index.ts': entry(
      `import './a.css'; import w from './a.wasm'; import t from './a.txt' with { type: 'text' }; import d from 'data:text/javascript,export default 1'; import h from 'https://a.example.com/x.js'; import n from './a.node'; import x from './a.json' with { type: 'nonsense' }; import m from './missing.ts'; import f from 'file:///etc/passwd'; import e from '/etc/passwd'; import u from '../../../../etc/passwd'; [w, t, d, h, n, x, m, f, e, u];`,
    ),
    'a.css': fill('@import "./a.css";a{b:c}', 1_900_000),
    'a.wasm': '\0asm',
    'a.txt': 'x'.repeat(1_900_000),
    'a.json': '{}',
    'a.node': 'x',
    'tsconfig.json': '{"compilerOptions":{"paths":{"*":["/etc/*"]}},"extends":"../../../../etc/passwd"}',
  })),
  hostile('imports: 60,000 packages', () => ({ 'index.ts': entry(many(60_000, (i) => `import 'p${i}';`)) })),
  hostile('imports: dynamic', () => ({
    'index.ts': entry(many(30_000, (i) => `import('./x' + ${i} + '.ts').catch(() => {});`)),
  })),
];

/** Many files and many bytes. */
const BULK: readonly HostilePackage[] = [
  hostile('files: 4,990 tiny sources', () =>
    files(4990, (i) => [`s/${name(i)}.ts`, `fetch('https://h${i}.example.com');`]),
  ),
  hostile('files: 32 MiB of sources', () =>
    files(16, (i) => [
      `s/${name(i)}.ts`,
      many(60_000, (j) => `export const a${i}_${j} = [1, 'x'];`).slice(0, 1_990_000),
    ]),
  ),
  hostile('files: 1.5 MiB of dense sources', () =>
    files(150, (i) => [`s/${name(i)}.js`, fill('a(b,c=>c.d);', 10_000)]),
  ),
  hostile('files: long paths', () => files(4900, (i) => [`${`${'d'.repeat(60)}/`.repeat(3)}${name(i)}.md`, 'x'])),
  hostile('files: a README of 5 MiB', () => ({ 'README.md': fill('# [a](b) `c` **d** \n', 5_000_000) })),
  hostile('files: a README of 256 KiB', () => ({ 'README.md': fill('[![', 260_000) })),
  hostile('files: 90 MiB of noise', () => ({
    'a.bin': pseudoRandom(9_000_000),
    'b.bin': pseudoRandom(9_500_000),
    'c.txt': 'x'.repeat(25_000_000),
    'd.txt': 'x'.repeat(25_000_000),
    'e.txt': 'x'.repeat(20_000_000),
  })),
  hostile(
    'files: pins of 1.9 MiB',
    () => ({
      'npm-shrinkwrap.json': `{"packages":{${many(12_000, (i) => `"node_modules/p${i}":{"version":"1.0.0","resolved":"git+ssh://x/${i}","integrity":"sha512-x"},`)}"":{}}}`,
    }),
    { dependencies: { p1: '1.0.0' } },
  ),
  hostile(
    'files: pins that are nested',
    () => ({ 'npm-shrinkwrap.json': `${'{"packages":'.repeat(100_000)}1${'}'.repeat(100_000)}` }),
    { dependencies: { p1: '1.0.0' } },
  ),
];

/** Manifests within 64 KiB. */
const MANIFESTS: readonly HostilePackage[] = [
  hostile('manifest: braces', () => ({}), { pi: { extensions: [`./${'{a,b}'.repeat(38)}.ts`, './index.ts'] } }),
  hostile('manifest: stars', () => files(2000, (i) => [`${'a'.repeat(90)}${name(i)}.ts`, '']), {
    pi: { extensions: [...Array.from({ length: 99 }, () => `./${'*a'.repeat(90)}*`), './index.ts'] },
  }),
  hostile('manifest: overrides of the entries', () => files(4900, (i) => [`s/${name(i)}.ts`, '']), {
    pi: {
      extensions: [
        './index.ts',
        './s/*.ts',
        ...Array.from({ length: 98 }, (_, i) => `!${'**/'.repeat(40)}*${i}*/**/*x*`),
      ],
    },
  }),
  hostile(
    'manifest: 5,000 permissions',
    () => ({ 'lib/a.ts': many(5000, (i) => `fetch('https://h${i}.b.example.com/');`) }),
    { piTools: { permissions: { network: Array.from({ length: 100 }, (_, i) => `h${i}.example.com`) } } },
  ),
  hostile(
    'manifest: stars in permissions',
    () => ({
      'lib/a.ts': many(3000, (i) => `import fs${i} from 'fs'; fs${i}.readFileSync('${'a'.repeat(300)}${i}');`),
    }),
    { piTools: { permissions: { read: Array.from({ length: 100 }, () => `${'*a'.repeat(120)}b`) } } },
  ),
  hostile('manifest: dependencies', () => ({}), {
    piTools: {
      dependencies: Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`a${i}`, '^1.0.0 || ^2.0.0'])),
    },
  }),
  hostile('manifest: keywords', () => ({}), { keywords: Array.from({ length: 50 }, (_, i) => `${i}`.padEnd(64, 'k')) }),
];

const refused = (
  id: string,
  code: NonNullable<HostilePackage['refused']>,
  make: (name: string) => Uint8Array,
): HostilePackage => ({ id: `archive: ${id}`, refused: code, make });

const BLOCK = 512;
/** A ustar header; only what the reader asks for. */
function header(path: string, size: number): Buffer {
  const block = Buffer.alloc(BLOCK);
  block.write(path, 0, 100);
  block.write('0000644\0', 100);
  block.write('0000000\0', 108);
  block.write('0000000\0', 116);
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  block.write('00000000000\0', 136);
  block.write('        ', 148);
  block.write('0', 156);
  block.write('ustar\0' + '00', 257);
  block.write(
    `${block
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  );
  return block;
}
const file = (path: string, bytes: Uint8Array): Buffer =>
  Buffer.concat([header(path, bytes.length), bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)]);
const manifest = (packageName: string): Buffer => file('package/package.json', Buffer.from(packageJson(packageName)));
const tgz = (...parts: Uint8Array[]): Uint8Array => gzipSync(Buffer.concat(parts), { level: 9 });
const END = Buffer.alloc(2 * BLOCK);

/** Refused by the archive reader. */
const BOMBS: readonly HostilePackage[] = [
  refused('a gzip bomb', 'too_large', (packageName) =>
    tgz(manifest(packageName), header('package/a.txt', 20_000_000), Buffer.alloc(400_000_000)),
  ),
  refused('zeros behind the end', 'too_large', (packageName) =>
    tgz(manifest(packageName), END, Buffer.alloc(200_000_000)),
  ),
  refused('a million entries', 'too_large', (packageName) => {
    const one = header('package/a', 0);
    return tgz(
      manifest(packageName),
      Buffer.concat(Array.from({ length: 6000 }, (_, i) => header(`package/a${i}`, 0))),
      Buffer.concat(Array<Buffer>(200_000).fill(one)),
      END,
    );
  }),
  refused('a manifest of 1 MiB', 'too_large', (packageName) =>
    tgz(
      file(
        'package/package.json',
        Buffer.from(packageJson(packageName, { x: Array.from({ length: 100_000 }, (_, i) => `k${i}`) })),
      ),
      END,
    ),
  ),
  refused('a nested manifest', 'invalid_package_json', () =>
    tgz(file('package/package.json', Buffer.from(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`)), END),
  ),
  refused('a manifest of brackets', 'invalid_package_json', () =>
    tgz(file('package/package.json', Buffer.from('['.repeat(60_000))), END),
  ),
  refused('a manifest of numbers', 'invalid_package_json', (packageName) =>
    tgz(file('package/package.json', Buffer.from(packageJson(packageName).replace('"MIT"', '9'.repeat(60_000)))), END),
  ),
  refused('a long version', 'invalid_package_json', (packageName) =>
    tgz(
      file('package/package.json', Buffer.from(packageJson(packageName, { version: `1.0.0-${'1.'.repeat(30_000)}1` }))),
      END,
    ),
  ),
  refused('a long range', 'invalid_package_json', (packageName) =>
    tgz(
      file(
        'package/package.json',
        Buffer.from(packageJson(packageName, { piTools: { dependencies: { a: `${'>1 '.repeat(20_000)}` } } })),
      ),
      END,
    ),
  ),
  refused('a cut one', 'invalid_archive', (packageName) =>
    tgz(manifest(packageName), file('package/index.ts', Buffer.from(pseudoRandom(2_000_000))), END).subarray(
      0,
      1_500_000,
    ),
  ),
  refused('noise', 'invalid_archive', () => pseudoRandom(19_000_000)),
  refused('more than 20 MiB', 'too_large', () => pseudoRandom(21 * 1024 * 1024)),
];

export const ARCHIVE_KINDS: readonly HostilePackage[] = [...IMPORTS, ...BULK, ...MANIFESTS, ...BOMBS];
