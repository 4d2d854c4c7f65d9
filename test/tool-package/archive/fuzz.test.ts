/** Random tar structures: refused with a Problem, or read exactly as another parser reads them. Never a crash, never a hang. */
import { Buffer } from 'node:buffer';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { Parser } from 'tar';
import { expect, it } from 'vitest';
import { Problem } from '../../../schemas/problem.ts';
import { type ArchiveFile, readArchive } from '../../../tool-package/archive/read.ts';
import { TAR_END, tarEntry, tarHeader, tarLongName, tarPackageJson, tarPax } from '../../support/archive.ts';

/** Files as node-tar sees them, contents included; any warning of it fails. */
const readWithTar = (tar: Buffer): Promise<string[]> =>
  new Promise((done, failed) => {
    const seen: string[] = [];
    const parser = new Parser({ strict: true });
    parser.on('entry', (entry) => {
      const parts: Buffer[] = [];
      entry.on('data', (part: Buffer) => parts.push(part));
      entry.on(
        'end',
        () => entry.type !== 'Directory' && seen.push(`${entry.path} ${Buffer.concat(parts).toString('hex')}`),
      );
    });
    parser.on('end', () => done(seen.sort()));
    parser.on('error', failed);
    parser.end(tar);
  });

const name = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'package/a',
      'package/b/c',
      'package/b',
      'package/天气',
      'package/é',
      'package',
      'package/',
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'package/../x',
      '/etc/passwd',
      'package//x',
      './package/a',
      'package/A',
      'package/aux',
      'package/x\n',
      'other/x',
      '',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 120 }) },
);
const number = fc.oneof(
  { weight: 8, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.nat(4096) },
  { weight: 1, arbitrary: fc.string({ maxLength: 12 }) },
);
const entry = fc
  .record({
    name,
    body: fc.string({ maxLength: 600 }),
    type: fc.oneof(
      { weight: 10, arbitrary: fc.constantFrom('0', '\0', '5') },
      { weight: 1, arbitrary: fc.constantFrom('1', '2', 'x', 'L', 'g', 'K', 'S', 'Z', '7') },
    ),
    magic: fc.oneof(
      { weight: 10, arbitrary: fc.constantFrom(undefined, 'ustar  \0') },
      { weight: 1, arbitrary: fc.string({ maxLength: 8 }) },
    ),
    prefix: fc.oneof(
      { weight: 9, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constantFrom('package', 'package/b', '..') },
    ),
    size: number,
    mode: number,
    mtime: number,
  })
  .map(({ body, ...fields }) => {
    const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
    return tarEntry(given, fields.type === '5' ? '' : body);
  });
const meta = fc.oneof(
  { weight: 3, arbitrary: name.map((path) => tarPax({ path })) },
  { weight: 2, arbitrary: name.map((path) => tarLongName(path)) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('size', 'mtime', 'linkpath', 'uid', 'hdrcharset'), fc.string({ maxLength: 10 }))
      .map(([key, value]) => tarPax({ [key]: value })),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 80 }).map((text) => tarPax(text)) },
);
const noise = fc.oneof(
  fc.constant(Buffer.alloc(512)),
  fc.uint8Array({ minLength: 512, maxLength: 512 }).map((bytes) => Buffer.from(bytes)),
  fc.constant(tarHeader({ size: 1024 })),
);
const parts = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: entry },
    { weight: 4, arbitrary: fc.tuple(meta, entry).map((pair) => Buffer.concat(pair)) },
    { weight: 1, arbitrary: meta },
    { weight: 1, arbitrary: noise },
  ),
  { maxLength: 4 },
);

it('random structures', async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(parts, async (some) => {
      const tar = Buffer.concat([tarPackageJson(), ...some, TAR_END]);
      const result = await readArchive(gzipSync(tar, { level: 1 })).catch((error) => error);
      if (result instanceof Problem) return;
      accepted += 1;
      const ours = (result.files as ArchiveFile[]).map(
        ({ path, bytes }) => `package/${path} ${bytes?.toString('hex')}`,
      );
      expect(ours.sort()).toEqual(await readWithTar(tar));
    }),
    { numRuns: 3000 },
  );
  // The property says nothing when everything is refused.
  expect(accepted).toBeGreaterThan(100);
}, 60_000);

it('random bytes in a gzip member', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 3000 }), async (bytes) => {
      expect(await readArchive(gzipSync(bytes)).catch((error) => error)).toBeInstanceOf(Problem);
      expect(await readArchive(bytes).catch((error) => error)).toBeInstanceOf(Problem);
    }),
    { numRuns: 500 },
  );
});
