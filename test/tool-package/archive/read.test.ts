/** What the strict reader accepts, and that it agrees with another parser on it. */
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { list } from 'tar';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Problem } from '../../../schemas/problem.ts';
import { makeArchive } from '../../../tool-package/archive/pack.ts';
import { readArchive } from '../../../tool-package/archive/read.ts';
import { unpackArchive } from '../../../tool-package/archive/unpack.ts';
import {
  archiveOf,
  hostileArchive,
  PACKAGE_JSON_TEXT,
  piPackage,
  tarEntry,
  tarLongName,
  tarPax,
} from '../../support/archive.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archive-test-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const pathsOf = async (bytes: Uint8Array): Promise<string[]> =>
  (await readArchive(bytes)).files.map(({ path }) => path);

/** Names and sizes as node-tar sees them. */
const listWithTar = async (bytes: Buffer): Promise<string[]> => {
  const file = join(folder, 'other.tgz');
  await writeFile(file, bytes);
  const seen: string[] = [];
  await list({
    file,
    strict: true,
    onReadEntry: (entry) => entry.type !== 'Directory' && seen.push(`${entry.path.slice(8)} ${entry.size}`),
  });
  return seen.sort();
};

describe('accepted forms', () => {
  it.each<[string, Buffer, string[]]>([
    [
      'folders with and without a slash',
      hostileArchive(
        tarEntry({ name: 'package', type: '5' }),
        tarEntry({ name: 'package/a/', type: '5' }),
        tarEntry({ name: 'package/b', type: '5' }),
        tarEntry({ name: 'package/a/x' }, 'x'),
      ),
      ['a/x', 'package.json'],
    ],
    [
      'NUL as the type of a file',
      hostileArchive(tarEntry({ name: 'package/a', type: '\0' }, 'x')),
      ['a', 'package.json'],
    ],
    ['GNU headers', hostileArchive(tarEntry({ name: 'package/a', magic: 'ustar  \0' }, 'x')), ['a', 'package.json']],
    [
      'a GNU long name',
      hostileArchive(tarLongName('package/天气/a'), tarEntry({ name: 'package/cut' }, 'x')),
      ['package.json', '天气/a'],
    ],
    [
      'PAX with times and size',
      hostileArchive(
        tarPax({ path: 'package/é/a', mtime: '1.5', atime: '-1', ctime: '0', size: '1', hdrcharset: 'BINARY' }),
        tarEntry({ name: 'package/cut' }, 'x'),
      ),
      ['package.json', 'é/a'],
    ],
    [
      'blank numbers',
      hostileArchive(tarEntry({ name: 'package/a', uid: '', gid: '       \0', mtime: '' }, 'x')),
      ['a', 'package.json'],
    ],
    ['a prefix', hostileArchive(tarEntry({ name: 'a', prefix: 'package/lib' }, 'x')), ['lib/a', 'package.json']],
    [
      'zeros after the end',
      gzipSync(Buffer.concat([gunzipSync(hostileArchive()), Buffer.alloc(10240)])),
      ['package.json'],
    ],
  ])('%s', async (_name, bytes, expected) => {
    expect(await pathsOf(bytes)).toEqual(expected);
    expect((await listWithTar(bytes)).map((line) => line.split(' ')[0])).toEqual(expected);
  });

  it('takes a gzip header with a file name', async () => {
    const plain = hostileArchive();
    const header = Buffer.from(plain.subarray(0, 10));
    header[3] = 8;
    expect(await pathsOf(Buffer.concat([header, Buffer.from('weather.tar\0'), plain.subarray(10)]))).toEqual([
      'package.json',
    ]);
  });

  it('reads the same from pieces of any size', async () => {
    const bytes = piPackage('weather');
    const whole = await readArchive(bytes);
    for (const size of [1, 7, 512, 4096]) {
      async function* pieces(): AsyncGenerator<Uint8Array> {
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
      }
      expect(await readArchive(pieces())).toEqual(whole);
    }
  });

  it('keeps the bytes that the caller asks for, and still hashes the others', async () => {
    const bytes = archiveOf({ 'package.json': PACKAGE_JSON_TEXT, 'a.ts': 'a', 'b.bin': 'b' });
    const all = await readArchive(bytes);
    const some = await readArchive(bytes, { keep: (path) => path.endsWith('.ts') });
    expect(some.files.map((file) => file.bytes?.toString() ?? null)).toEqual(['a', null, null]);
    expect(some.files.map(({ sha256 }) => sha256)).toEqual(all.files.map(({ sha256 }) => sha256));
    expect(some.packageJson.name).toBe('hostile');
  });
});

describe('properties', () => {
  const segment = fc
    .stringMatching(/^[a-zA-Z0-9_天气é-]{1,12}$/)
    .filter((text) => !/^(?:con|prn|aux|nul|com\d|lpt\d|node_modules)$/i.test(text));
  const path = fc.array(segment, { minLength: 1, maxLength: 5 }).map((segments) => segments.join('/'));
  const tree = fc
    .uniqueArray(fc.record({ path, bytes: fc.uint8Array({ maxLength: 2000 }), executable: fc.boolean() }), {
      maxLength: 12,
      selector: (file) => file.path,
    })
    .filter((files) => {
      const folded = files.map((file) => file.path.normalize('NFKC').toLowerCase());
      const parts = folded.flatMap((one) => one.split('/').map((_, index, all) => all.slice(0, index + 1).join('/')));
      return (
        new Set(folded).size === folded.length &&
        !folded.some((one) => parts.some((other) => other.startsWith(`${one}/`))) &&
        !folded.includes('package.json') &&
        caseIsOne(files.map((file) => file.path))
      );
    });

  it('what is packed is what is read, by us and by another parser', async () => {
    await fc.assert(
      fc.asyncProperty(tree, async (files) => {
        const all = [...files, { path: 'package.json', bytes: Buffer.from(PACKAGE_JSON_TEXT), executable: false }];
        const bytes = makeArchive(all);
        const archive = await readArchive(bytes);
        const expected = [...all].sort((left, right) => (left.path < right.path ? -1 : 1));
        expect(
          archive.files.map((file) => ({
            path: file.path,
            bytes: file.bytes?.toString('hex'),
            executable: file.executable,
          })),
        ).toEqual(
          expected.map((file) => ({
            path: file.path,
            bytes: Buffer.from(file.bytes).toString('hex'),
            executable: file.executable,
          })),
        );
        expect(await listWithTar(bytes)).toEqual(expected.map((file) => `${file.path} ${file.bytes.length}`).sort());
      }),
      { numRuns: 60 },
    );
  });

  it('the order of the files does not matter', async () => {
    await fc.assert(
      fc.asyncProperty(tree, fc.infiniteStream(fc.nat()), async (files, random) => {
        const shuffled = [...files]
          .map((file) => ({ file, key: random.next().value as number }))
          .sort((left, right) => left.key - right.key);
        expect(makeArchive(shuffled.map(({ file }) => file)).equals(makeArchive(files))).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it('a changed byte inside the tar is refused, or changes nothing but contents, modes and times', async () => {
    const tar = gunzipSync(
      archiveOf({ 'package.json': PACKAGE_JSON_TEXT, 'index.ts': 'export {};', 'lib/天气.txt': 'x'.repeat(600) }),
    );
    const original = (await readArchive(gzipSync(tar))).files.map(({ path, size }) => `${path} ${size}`);
    await fc.assert(
      fc.asyncProperty(fc.nat(tar.length - 1), fc.integer({ min: 1, max: 255 }), async (at, mask) => {
        const changed = Buffer.from(tar);
        changed[at] = (changed[at] ?? 0) ^ mask;
        const result = await readArchive(gzipSync(changed, { level: 1 })).catch((error) => error);
        if (result instanceof Problem) return;
        expect(result.files.map(({ path, size }: { path: string; size: number }) => `${path} ${size}`)).toEqual(
          original,
        );
        expect(await listWithTar(gzipSync(changed, { level: 1 }))).toEqual([...original].sort());
      }),
      { numRuns: 1500 },
    );
  }, 30_000);

  it('random damage to the compressed bytes never gets through', async () => {
    const bytes = piPackage('weather');
    await fc.assert(
      fc.asyncProperty(
        fc.nat(bytes.length - 1),
        fc.integer({ min: 1, max: 255 }),
        fc.boolean(),
        async (at, mask, cut) => {
          const changed = cut ? bytes.subarray(0, at) : Buffer.from(bytes);
          if (!cut) changed[at] = (changed[at] ?? 0) ^ mask;
          const result = await readArchive(changed).catch((error) => error);
          // Only bytes of the gzip header that carry no content (time, system, level) can change.
          if (!(result instanceof Problem)) expect(at).toBeLessThan(10);
        },
      ),
      { numRuns: 500 },
    );
  }, 30_000);
});

function caseIsOne(paths: string[]): boolean {
  const prefixes = paths.flatMap((path) => path.split('/').map((_, index, all) => all.slice(0, index + 1).join('/')));
  const unique = new Set(prefixes);
  return new Set([...unique].map((one) => one.normalize('NFKC').toLowerCase())).size === unique.size;
}

describe('unpacking', () => {
  it('writes exactly the files, with normal modes, into a new folder', async () => {
    const archive = await readArchive(
      archiveOf({ 'package.json': PACKAGE_JSON_TEXT, 'run.sh': '#!/bin/sh\n', 'a/b/天气.txt': 'sun' }, ['run.sh']),
    );
    const target = join(folder, 'out');
    await unpackArchive(archive, target);
    expect((await readdir(target, { recursive: true })).sort()).toEqual([
      'a',
      'a/b',
      'a/b/天气.txt',
      'package.json',
      'run.sh',
    ]);
    expect(await readFile(join(target, 'a/b/天气.txt'), 'utf8')).toBe('sun');
    expect((await stat(join(target, 'run.sh'))).mode & 0o7777).toBe(0o755);
    expect((await stat(join(target, 'package.json'))).mode & 0o7777).toBe(0o644);
  });

  it('never writes into what is there', async () => {
    const archive = await readArchive(piPackage('weather'));
    await expect(unpackArchive(archive, folder)).rejects.toMatchObject({ code: 'file_system' });
    expect(await readdir(folder)).toEqual([]);
  });
});
