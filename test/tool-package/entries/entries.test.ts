/** Which files an agent loads: pi's package rules, contained in the package. */
import { describe, expect, it } from 'vitest';
import type { PackageJson } from '../../../schemas/package-json.ts';
import type { Problem } from '../../../schemas/problem.ts';
import { resolveEntries } from '../../../tool-package/entries.ts';
import { matchesGlob } from '../../../tool-package/glob.ts';

const PATHS = [
  'package.json',
  'README.md',
  'index.ts',
  'main.js',
  'types.d.ts',
  '.hidden/x.ts',
  'lib/a.ts',
  'lib/b.js',
  'lib/c.mts',
  'lib/types.d.ts',
  'lib/data.json',
  'lib/sub/index.ts',
  'lib/sub/other.ts',
  'lib/plain/x.ts',
  'with-manifest/package.json',
  'with-manifest/index.ts',
  'with-manifest/src/real.ts',
  'only-data/data.json',
  'extensions/one.ts',
  'extensions/two/index.js',
  'tools/math.ts',
  'tools/index.ts',
  'tools/deep/x.ts',
];
const SOURCES = new Map([
  ['with-manifest/package.json', Buffer.from('{"pi":{"extensions":["./src/real.ts","./gone.ts"]}}')],
]);

const piEntries = (extensions: string[] | undefined, more: object = {}): string[] =>
  resolveEntries(
    { name: 'x', version: '1.0.0', pi: extensions === undefined ? {} : { extensions }, ...more } as PackageJson,
    PATHS,
    SOURCES,
  ).pi;
const reason = (packageJson: object): unknown => {
  try {
    resolveEntries({ name: 'x', version: '1.0.0', ...packageJson } as PackageJson, PATHS, SOURCES);
    return 'accepted';
  } catch (error) {
    expect((error as Problem).code).toBe('invalid_package_json');
    return (error as Problem).details.reason;
  }
};

describe('entries of pi', () => {
  it.each<[string, string[], string[]]>([
    ['a file', ['./index.ts'], ['index.ts']],
    ['without ./', ['main.js'], ['main.js']],
    ['in the order given, each once', ['./main.js', './index.ts', 'main.js'], ['main.js', 'index.ts']],
    ['the root', ['.'], ['index.ts']],
    ['a folder with an index', ['./lib/sub'], ['lib/sub/index.ts']],
    ['a folder with a final slash', ['./lib/sub/'], ['lib/sub/index.ts']],
    ['a folder with a manifest: it wins over the index', ['./with-manifest'], ['with-manifest/src/real.ts']],
    ['a folder of files and folders', ['./lib'], ['lib/a.ts', 'lib/b.js', 'lib/sub/index.ts']],
    ['a glob', ['./lib/*.ts'], ['lib/a.ts']],
    ['a deep glob', ['**/*.js'], ['extensions/two/index.js', 'lib/b.js', 'main.js']],
    ['a glob of folders', ['./lib/su?'], ['lib/sub/index.ts']],
    ['alternatives', ['lib/{a,b}.*'], ['lib/a.ts', 'lib/b.js']],
    ['a glob with exclusions', ['lib/*', '!lib/b.js'], ['lib/a.ts', 'lib/plain/x.ts', 'lib/sub/index.ts']],
    ['an exclusion by name', ['lib/*', '!b.*'], ['lib/a.ts', 'lib/plain/x.ts', 'lib/sub/index.ts']],
    ['put back', ['lib/*', '!lib/*.*', '+lib/a.ts'], ['lib/a.ts', 'lib/plain/x.ts', 'lib/sub/index.ts']],
    ['left out exactly', ['lib/*', '-lib/a.ts'], ['lib/b.js', 'lib/plain/x.ts', 'lib/sub/index.ts']],
    ['a hidden file, named', ['./.hidden/x.ts'], ['.hidden/x.ts']],
    ['an ending that pi takes when it is named', ['./lib/c.mts'], ['lib/c.mts']],
  ])('%s', (_name, extensions, expected) => {
    const found = piEntries(extensions);
    expect([...found].sort()).toEqual([...expected].sort());
    if (!_name.includes('folder') && !_name.includes('put back')) expect(found).toEqual(expected);
  });

  it('the conventional folder where the key lists none', () => {
    expect(piEntries(undefined)).toEqual(['extensions/one.ts', 'extensions/two/index.js']);
  });
});

describe('entries of SlopCode and opencode', () => {
  it('a folder means the files in it; there is no index', () => {
    const entries = resolveEntries(
      {
        name: 'x',
        version: '1.0.0',
        slopcode: { tools: ['./tools'] },
        opencode: { tools: ['./tools/math.ts'] },
      } as PackageJson,
      PATHS,
    );
    expect(entries).toEqual({ pi: [], slopcode: ['tools/index.ts', 'tools/math.ts'], opencode: ['tools/math.ts'] });
  });
});

describe('refused', () => {
  it.each<[string, object, string]>([
    ['up', { pi: { extensions: ['../x.ts'] } }, 'leaves'],
    ['up in the middle', { pi: { extensions: ['./lib/../../x.ts'] } }, 'leaves'],
    ['up in a glob', { pi: { extensions: ['../*.ts'] } }, 'leaves'],
    ['absolute', { pi: { extensions: ['/etc/x.ts'] } }, 'absolute'],
    ['home', { pi: { extensions: ['~/x.ts'] } }, 'absolute'],
    ['a drive', { pi: { extensions: ['C:/x.ts'] } }, 'absolute'],
    ['a URL', { pi: { extensions: ['file:///x.ts'] } }, 'absolute'],
    ['npm', { pi: { extensions: ['npm:x'] } }, 'absolute'],
    ['a backslash', { pi: { extensions: ['lib\\a.ts'] } }, 'backslash'],
    ['missing', { pi: { extensions: ['./gone.ts'] } }, 'missing'],
    ['other case', { pi: { extensions: ['./Index.ts'] } }, 'missing'],
    ['a folder without an entry', { pi: { extensions: ['./only-data'] } }, 'missing'],
    ['a glob that matches nothing', { pi: { extensions: ['./gone/*.ts'] } }, 'missing'],
    ['no source', { pi: { extensions: ['./README.md'] } }, 'not-a-source'],
    ['a declaration', { pi: { extensions: ['./types.d.ts'] } }, 'not-a-source'],
    ['two slashes', { pi: { extensions: ['lib//a.ts'] } }, 'not-plain'],
    ['a dot in the middle', { pi: { extensions: ['lib/./a.ts'] } }, 'not-plain'],
    ['brackets', { pi: { extensions: ['lib/[ab].*'] } }, 'glob'],
    ['SlopCode up', { slopcode: { tools: ['../x.ts'] } }, 'leaves'],
    ['opencode missing', { opencode: { tools: ['x.ts'] } }, 'missing'],
    ['no agent', {}, 'no-entries'],
    ['empty lists', { slopcode: { tools: [] } }, 'no-entries'],
    ['everything excluded', { pi: { extensions: ['./index.ts', '!index.ts'] } }, 'no-entries'],
  ])('%s', (_name, packageJson, expected) => {
    expect(reason(packageJson)).toBe(expected);
  });
});

describe('globs', () => {
  it.each<[string, string, boolean]>([
    ['a.ts', '*.ts', true],
    ['a/b.ts', '*.ts', false],
    ['a/b.ts', '**', true],
    ['a/b/c.ts', 'a/**/c.ts', true],
    ['a/c.ts', 'a/**/c.ts', true],
    ['ab.ts', 'a?.ts', true],
    ['a.ts', 'a?.ts', false],
    ['a+b.ts', 'a+*.ts', true],
    ['a.ts', 'a', false],
    ['(a)', '(*)', true],
  ])('%s %s %s', (path, pattern, expected) => {
    expect(matchesGlob(path, pattern)).toBe(expected);
  });

  it('no pattern hangs', () => {
    const started = performance.now();
    expect(matchesGlob('a'.repeat(200), `${'a*'.repeat(99)}b`)).toBe(false);
    expect(matchesGlob('a/'.repeat(100), `${'**/'.repeat(60)}b`)).toBe(false);
    expect(matchesGlob('x', '{a,b}'.repeat(40))).toBe(false);
    expect(performance.now() - started).toBeLessThan(200);
  });
});
