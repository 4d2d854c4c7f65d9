/** The files that pi-tools keeps: lock file, project file, and writes that are whole or not at all. */
import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeAtomic } from '../../../cli/state/atomic-write.ts';
import { type Lockfile, lockfileText, parseLockfile } from '../../../cli/state/lock-file.ts';
import { editProjectText, parseProjectFile } from '../../../cli/state/project-file.ts';
import { Problem } from '../../../schemas/problem.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pi-tools-files-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const problemOf = (work: () => unknown): Problem => {
  try {
    work();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('it was accepted');
};

const HASH = 'a'.repeat(64);
const INTEGRITY = `sha512-${'A'.repeat(86)}==`;
const lock = (name = 'weather'): Lockfile => ({
  lockfileVersion: 1,
  packages: {
    [name]: {
      version: '1.0.0',
      integrity: INTEGRITY,
      recordDigest: HASH,
      registry: 'embedded',
      wanted: '^1.0.0',
      dependencies: {},
      overrides: ['b', 'a'],
      permissions: { network: ['z', 'a'] },
      targets: {
        'pi/user': {
          folder: `extensions/${name}/1.0.0-aaaaaaaa`,
          tools: ['w'],
          tokens: 12,
          files: { [`extensions/${name}/1.0.0-aaaaaaaa/b.ts`]: HASH, [`extensions/${name}/1.0.0-aaaaaaaa/a.ts`]: HASH },
          generated: { [`extensions/${name}/package.json`]: { sha256: HASH, format: 1 } },
          settings: {},
        },
      },
    },
  },
});

describe('the lock file', () => {
  it('has one text, whatever the order it was made in, and reads back', () => {
    const text = lockfileText(lock());
    expect(lockfileText(parseLockfile(text, 'x'))).toBe(text);
    expect(text.endsWith('}\n')).toBe(true);
    expect(text.indexOf('/a.ts')).toBeLessThan(text.indexOf('/b.ts'));
    expect(text).toContain('"overrides": [\n        "a",\n        "b"\n      ]');
  });

  const broken: [string, (text: string) => string, RegExp][] = [
    ['half a file', (text) => text.slice(0, 40), /not JSON \(line \d+, column \d+\)/],
    ['a merge conflict', (text) => text.replace('\n', '\n<<<<<<< HEAD\n'), /merge conflict \(line 2/],
    ['nothing', () => '', /line 1/],
    ['null', () => 'null', /top level/],
    ['another version', (text) => text.replace('"lockfileVersion": 1', '"lockfileVersion": 2'), /lockfileVersion/],
    ['a key too many', (text) => text.replace('"version"', '"x": 1, "version"'), /packages\.weather\.x/],
    ['a bad hash', (text) => text.replace(HASH, 'zz'), /packages\.weather/],
    ['a bad name', (text) => text.replace('"weather"', '"../x"'), /package name/],
    ['a path upwards', (text) => text.replaceAll('extensions/weather/1.0.0', '../../1.0.0'), /inside the root/],
    ['an absolute path', (text) => text.replaceAll('extensions/weather/1.0.0', '/etc'), /inside the root/],
    ['a backslash', (text) => text.replaceAll('extensions/weather/1.0.0', 'a\\\\b'), /inside the root/],
    ['another folder', (text) => text.replaceAll('extensions/weather/1.0.0', 'src/1.0.0'), /directly in/],
    ['a stray file', (text) => text.replace('1.0.0-aaaaaaaa/b.ts', '9.9.9/b.ts'), /a path in/],
    ['a stray generated file', (text) => text.replace('extensions/weather/package.json', 'settings.json'), /generates/],
  ];

  it.each(broken)('%s is an error with its place', (_, change, message) => {
    const problem = problemOf(() => parseLockfile(change(lockfileText(lock())), '/x/pi-tools.lock.json'));
    expect(problem).toMatchObject({ code: 'state_invalid', exitCode: 1 });
    expect(problem.message).toContain('/x/pi-tools.lock.json');
    expect(problem.message).toMatch(message);
  });

  it('any cut or flipped byte is refused or means the same', () => {
    const text = lockfileText(lock());
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.string({ minLength: 1, maxLength: 3 }), (at, piece) => {
        const changed = text.slice(0, at) + piece + text.slice(at + 1);
        try {
          parseLockfile(changed, 'x');
        } catch (error) {
          expect(error).toBeInstanceOf(Problem);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('the project file', () => {
  it.each([
    ['{}', '{\n  "agents": ["pi"],\n  "tools": {"geo":"^1"}\n}'],
    [
      '{\n\t"registry": "https://x.example"\n}\n',
      '{\n\t"registry": "https://x.example",\n\t"agents": [\n\t\t"pi"\n\t],\n\t"tools": {\n\t\t"geo": "^1"\n\t}\n}\n',
    ],
    [
      '{"agents": ["slopcode"], "tools": {"a": "1.0.0"}}',
      '{"agents": ["slopcode"], "tools": {"a": "1.0.0", "geo": "^1"}}',
    ],
  ])('%j is appended to', (text, wanted) => {
    const next = editProjectText(text, 'x', { tools: new Map([['geo', '^1']]), agents: ['pi'] });
    expect(JSON.parse(next)).toEqual(JSON.parse(wanted));
    if (!text.startsWith('{}')) expect(next).toBe(wanted);
    const back = editProjectText(next, 'x', { tools: new Map([['geo', null]]), agents: [] });
    expect(parseProjectFile(back, 'x').tools).toEqual(parseProjectFile(text, 'x').tools ?? {});
  });

  it('a changed wish changes one value', () => {
    const text = '{ "tools": { "geo" : "^1", "x": "2.0.0" } }';
    expect(editProjectText(text, 'x', { tools: new Map([['geo', '^2']]), agents: [] })).toBe(text.replace('^1', '^2'));
  });

  it.each([
    ['{"tools": {"geo": 1}}', 19],
    ['{"tools": []}', 11],
    ['{"agents": ["vim"]}', 12],
    ['{"tools": {"Geo": "1"}}', 12],
    ['{"registry": 1}', 14],
    ['{"tools": {}', 13],
  ])('%s is an error with its place', (text, column) => {
    expect(problemOf(() => parseProjectFile(text, '/x'))).toMatchObject({
      code: 'state_invalid',
      details: { line: 1, column },
    });
  });
});

describe('an atomic write', () => {
  it('keeps link and mode, and leaves nothing beside', () => {
    const real = join(folder, 'real');
    writeFileSync(real, 'old');
    chmodSync(real, 0o640);
    symlinkSync('real', join(folder, 'link'));
    writeAtomic(join(folder, 'link'), 'new', { id: 'x' });
    expect(readFileSync(real, 'utf8')).toBe('new');
    expect(lstatSync(join(folder, 'link')).isSymbolicLink()).toBe(true);
    expect(statSync(real).mode & 0o777).toBe(0o640);
    expect(readdirSync(folder).sort()).toEqual(['link', 'real']);
  });

  it('writes through a link that leads nowhere yet', () => {
    symlinkSync('later', join(folder, 'link'));
    writeAtomic(join(folder, 'link'), 'new', { id: 'x' });
    expect(readFileSync(join(folder, 'later'), 'utf8')).toBe('new');
  });

  it('names path and cause when it cannot', () => {
    const problem = problemOf(() => writeAtomic(join(folder, 'none', 'x'), 'new', { id: 'x' }));
    expect(problem).toMatchObject({ code: 'file_system', exitCode: 1, details: { cause: 'ENOENT' } });
    symlinkSync('loop', join(folder, 'loop'));
    expect(problemOf(() => writeAtomic(join(folder, 'loop'), 'x', { id: 'x' })).message).toContain(
      'links lead in a circle',
    );
  });
});
