/** Every way that an archive has been known to fool a reader: refused, fast, with a reason. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../../schemas/problem.ts';
import { DEFAULT_LIMITS } from '../../../tool-package/archive/limits.ts';
import { readArchive } from '../../../tool-package/archive/read.ts';
import {
  archiveOf,
  hostileArchive,
  PACKAGE_JSON_TEXT,
  paxRecord,
  rawArchive,
  TAR_END,
  tarEntry,
  tarHeader,
  tarLongName,
  tarPackageJson,
  tarPadded,
  tarPax,
} from '../../support/archive.ts';

const refusal = async (bytes: Uint8Array): Promise<string> => {
  const started = performance.now();
  try {
    await readArchive(bytes);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    expect(performance.now() - started).toBeLessThan(2000);
    // Nothing that the archive holds reaches a terminal raw.
    expect(`${error.message}${error.hint}`).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    return `${error.code} ${String(error.details.reason)}`;
  }
  return 'accepted';
};

const file = (name: string, body = 'x'): Buffer => tarEntry({ name }, body);
const one = (fields: Parameters<typeof tarHeader>[0], body = 'x'): Buffer => hostileArchive(tarEntry(fields, body));

const nested = tarEntry({ name: 'package/hidden.js' }, 'hidden');

const ROWS: Record<string, Record<string, [Uint8Array, string]>> = {
  'A1 links': {
    'a symbolic link': [one({ type: '2', linkname: 'index.ts' }, ''), 'entry-type'],
    'a hard link': [one({ type: '1', linkname: 'package/package.json' }, ''), 'entry-type'],
    'a link with an absolute target': [one({ type: '2', linkname: '/etc/passwd' }, ''), 'entry-type'],
    'a file with a link target': [one({ linkname: '../x' }), 'link'],
    'a folder, a link of that name, a file through it': [
      hostileArchive(
        tarEntry({ name: 'package/a/', type: '5' }),
        tarEntry({ name: 'package/a', type: '2', linkname: '/tmp' }),
        file('package/a/x'),
      ),
      'entry-type',
    ],
  },
  'A2 paths that leave': {
    absolute: [hostileArchive(file('/x')), 'outside-root'],
    'up and out': [hostileArchive(file('package/../../x')), 'path-dots'],
    'up in the middle': [hostileArchive(file('package/a/../b')), 'path-dots'],
    'drive-relative': [hostileArchive(file('C:../x')), 'outside-root'],
    'drive inside': [hostileArchive(file('package/C:evil')), 'path-character'],
    'device path': [hostileArchive(file('\\\\?\\x')), 'outside-root'],
    backslash: [hostileArchive(file('package\\..\\x')), 'outside-root'],
    'backslash inside': [hostileArchive(file('package/..\\x')), 'path-character'],
    'dots in the prefix': [one({ name: 'x', prefix: 'package/..' }), 'path-dots'],
    'dots in a PAX path': [hostileArchive(tarPax({ path: 'package/../x' }), file('package/ok')), 'path-dots'],
    'dots in a long name': [hostileArchive(tarLongName('package/../x'), file('package/ok')), 'path-dots'],
  },
  'A3 collisions': {
    case: [archiveOf({ 'package.json': PACKAGE_JSON_TEXT, 'Index.js': '', 'index.js': '' }), 'collision'],
    'NFC and NFD': [archiveOf({ 'package.json': PACKAGE_JSON_TEXT, '\u00e9.js': '', 'e\u0301.js': '' }), 'collision'],
    'ss and \u00df': [archiveOf({ 'package.json': PACKAGE_JSON_TEXT, 'ss.js': '', '\u00df.js': '' }), 'collision'],
    'a ligature': [archiveOf({ 'package.json': PACKAGE_JSON_TEXT, 'ffi.js': '', '\ufb03.js': '' }), 'collision'],
    'full width': [archiveOf({ 'package.json': PACKAGE_JSON_TEXT, 'a.js': '', '\uff41.js': '' }), 'collision'],
    'a file where a folder is': [hostileArchive(file('package/a/x'), file('package/a')), 'collision'],
    'a folder where a file is': [hostileArchive(file('package/a'), file('package/a/x')), 'collision|duplicate'],
    'the same in other case': [hostileArchive(file('package/A'), file('package/a/x')), 'collision'],
    'two folders in two cases': [hostileArchive(file('package/Lib/x'), file('package/lib/y')), 'collision'],
    'README.md and readme.md': [hostileArchive(file('package/README.md'), file('package/readme.md')), 'collision'],
  },
  'A4 duplicates': {
    'two package.json': [hostileArchive(tarPackageJson()), 'duplicate'],
    'two equal files': [hostileArchive(file('package/a'), file('package/a')), 'duplicate'],
    'two equal folders': [
      hostileArchive(tarEntry({ name: 'package/a/', type: '5' }), tarEntry({ name: 'package/a', type: '5' })),
      'collision|duplicate',
    ],
  },
  'A6 types': Object.fromEntries(
    ['1', '2', '3', '4', '6', '7', 'S', 'Z', 'g', 'V', 'M', 'D', 'A', 'N', 'K', 'X', '\u007f'].map((type) => [
      `type ${type}`,
      [one({ type }, ''), 'entry-type'],
    ]),
  ),
  'A7 smuggling': {
    'a PAX size that differs': [
      hostileArchive(tarPax({ size: '0' }), tarEntry({ name: 'package/a' }, nested)),
      'pax-size',
    ],
    'a PAX size over a nested archive': [
      hostileArchive(tarPax({ size: '2048' }), tarEntry({ name: 'package/a', size: 0 }), nested),
      'pax-size',
    ],
    'PAX, long name, file': [
      hostileArchive(tarPax({ size: '2048' }), tarLongName('package/b'), file('package/a')),
      'meta-twice',
    ],
    'long name, PAX, file': [
      hostileArchive(tarLongName('package/b'), tarPax({ path: 'package/c' }), file('package/a')),
      'meta-twice',
    ],
    'two PAX headers': [
      hostileArchive(tarPax({ path: 'package/b' }), tarPax({ mtime: '1' }), file('package/a')),
      'meta-twice',
    ],
    'a PAX header and no file': [hostileArchive(tarPax({ path: 'package/b' })), 'checksum|magic'],
    'a global PAX header': [
      hostileArchive(tarPax({ path: 'package/evil.js' }, { type: 'g' }), file('package/ok.js')),
      'entry-type',
    ],
    'a PAX length that is too large': [
      hostileArchive(tarPax('99 path=package/evil.js\n'), file('package/ok.js')),
      'pax-record',
    ],
    'a PAX length that is too small': [
      hostileArchive(tarPax('9 path=package/evil.js\n'), file('package/ok.js')),
      'pax-record',
    ],
    'a PAX length with a sign': [
      hostileArchive(tarPax('+24 path=package/evil.js\n'), file('package/ok.js')),
      'pax-record',
    ],
    'a PAX record without a key': [hostileArchive(tarPax('5 =x\n'), file('package/ok.js')), 'pax-record'],
    'a PAX record without an end': [
      hostileArchive(tarPax('22 path=package/evil.j'), file('package/ok.js')),
      'pax-record',
    ],
    'a PAX key twice': [
      hostileArchive(tarPax(paxRecord('path', 'package/a') + paxRecord('path', 'package/b')), file('package/ok')),
      'pax-duplicate',
    ],
    'a PAX link path': [hostileArchive(tarPax({ linkpath: '/etc/passwd' }), file('package/ok')), 'pax-key'],
    'a sparse file in PAX': [hostileArchive(tarPax({ 'GNU.sparse.name': 'package/x' }), file('package/ok')), 'pax-key'],
    'a PAX charset': [
      hostileArchive(tarPax({ hdrcharset: 'ISO-IR 10646 2000 UTF-8' }), file('package/ok')),
      'pax-value',
    ],
    'data between entries': [
      hostileArchive(tarHeader({ name: 'package/a', size: 1 }), Buffer.alloc(512, 'x')),
      'padding',
    ],
  },
  'A8 values': {
    'a negative base-256 size': [one({ size: Buffer.alloc(12, 0xff) }), 'number'],
    'a huge base-256 size': [
      one({ size: Buffer.from([0x80, 0, 0, 0, 0x7f, 255, 255, 255, 255, 255, 255, 255]) }),
      'number',
    ],
    'a size that is no number': [one({ size: '0x10' }), 'number'],
    'a size with a minus': [one({ size: '-1' }), 'number'],
    'a mode that is no number': [one({ mode: 'rwxr-xr' }), 'number'],
    'digits after a NUL in a number': [one({ size: '1\0' + '7' }), 'number'],
    'NUL in a PAX path': [hostileArchive(tarPax({ path: 'package/x.js\0.txt' }), file('package/ok')), 'pax-value'],
    'line break in a PAX path': [hostileArchive(tarPax({ path: 'package/x\n.txt' }), file('package/ok')), 'pax-value'],
    'a numeric PAX path': [hostileArchive(tarPax({ path: '12345' }), file('package/ok')), 'outside-root'],
    'an empty PAX path': [hostileArchive(tarPax({ path: '' }), file('package/ok')), 'pax-value'],
    'NUL in a long name': [hostileArchive(tarLongName('', 'package/x\0y\0'), file('package/ok')), 'long-name'],
    'an empty long name': [hostileArchive(tarLongName('', '\0'), file('package/ok')), 'long-name'],
    'a name that goes on after its NUL': [one({ name: 'package/x.js\0.txt' }), 'field-nul'],
    'a name that is not UTF-8': [one({ name: Buffer.from([...Buffer.from('package/'), 0xff, 0xfe]) }), 'not-utf-8'],
    'a name with an over-long form': [
      one({ name: Buffer.from([...Buffer.from('package/'), 0xc0, 0xaf]) }),
      'not-utf-8',
    ],
    'a name with an escape sequence': [one({ name: 'package/\u001b[2Ja' }), 'path-invisible'],
    'a name with a line break': [one({ name: 'package/a\nb' }), 'path-invisible'],
    'a name with a bidi override': [one({ name: 'package/a\u202exs.ts' }), 'path-invisible'],
    'a name with a zero-width space': [one({ name: 'package/a\u200b.ts' }), 'path-invisible'],
    'a name with a tag character': [one({ name: 'package/a\u{e0041}.ts' }), 'path-invisible'],
    'a wrong checksum': [one({ checksum: '000000\0 ' }), 'checksum'],
    'a checksum that is no number': [one({ checksum: 'xxxxxxxx' }), 'checksum|number'],
    'a header without magic': [one({ magic: '' }), 'magic'],
    'a header with data at its end': [one({ patch: [{ offset: 505, bytes: 'x' }] }), 'header-padding'],
    'a GNU header with a prefix': [one({ magic: 'ustar  \0', prefix: 'package' }), 'header-padding'],
    'a folder with a size': [
      hostileArchive(tarEntry({ name: 'package/a/', type: '5', size: 512 }, 'x'), tarPadded('')),
      'folder-size',
    ],
    'a file whose name ends with a slash': [one({ name: 'package/a/' }), 'path-empty-segment'],
  },
  'A10 the end': {
    'an entry after two zero blocks': [
      rawArchive(tarPackageJson(), TAR_END, file('package/late.js'), TAR_END),
      'after-end',
    ],
    'an entry after one zero block': [
      rawArchive(tarPackageJson(), Buffer.alloc(512), file('package/late.js'), TAR_END),
      'after-end',
    ],
    'no end': [rawArchive(tarPackageJson()), 'truncated'],
    'one zero block': [rawArchive(tarPackageJson(), Buffer.alloc(512)), 'truncated'],
    'not a whole block': [rawArchive(tarPackageJson(), TAR_END, Buffer.alloc(100)), 'after-end'],
    'a file cut off': [
      rawArchive(tarPackageJson(), tarHeader({ name: 'package/a', size: 2000 }), Buffer.alloc(512)),
      'truncated',
    ],
    'a header cut off': [rawArchive(tarPackageJson(), tarHeader({ name: 'package/a' }).subarray(0, 300)), 'truncated'],
    'bytes behind the gzip member': [Buffer.concat([hostileArchive(), Buffer.from('x')]), 'gzip-trailing'],
    'zeros behind the gzip member': [Buffer.concat([hostileArchive(), Buffer.alloc(512)]), 'gzip-trailing'],
    'zeros and a second member': [
      Buffer.concat([hostileArchive(), Buffer.alloc(8), hostileArchive()]),
      'gzip-trailing',
    ],
    'a second member': [Buffer.concat([hostileArchive(), hostileArchive()]), 'gzip-trailing'],
    'an empty second member': [Buffer.concat([hostileArchive(), gzipSync('')]), 'gzip-trailing'],
    'two members that join to one archive': [
      Buffer.concat([gzipSync(tarPackageJson()), gzipSync(TAR_END)]),
      'gzip-trailing',
    ],
    'gzip cut off': [hostileArchive().subarray(0, -20), 'gzip-data'],
    'gzip trailer cut off': [hostileArchive().subarray(0, -4), 'gzip-data'],
    'a wrong gzip checksum': [flip(hostileArchive(), -8), 'gzip-checksum'],
    'a wrong gzip length': [flip(hostileArchive(), -1), 'gzip-checksum'],
    'gzip with extra fields': [flip(hostileArchive(), 3, 4), 'gzip-header'],
    'gzip with reserved flags': [flip(hostileArchive(), 3, 0x80), 'gzip-header'],
    'no gzip': [Buffer.from('PK\u0003\u0004 this is a zip file'), 'not-gzip'],
    nothing: [Buffer.alloc(0), 'not-gzip'],
    'an HTML page': [Buffer.from('<!doctype html><title>Not found</title>'), 'not-gzip'],
  },
  'A11 the top folder': {
    './ in front': [hostileArchive(file('./package/a')), 'outside-root'],
    'two slashes': [hostileArchive(file('package//a')), 'path-empty-segment'],
    'a dot in the middle': [hostileArchive(file('package/./a')), 'path-dots'],
    'a second top folder': [hostileArchive(file('other/package.json', PACKAGE_JSON_TEXT)), 'outside-root'],
    'other case': [hostileArchive(file('Package/a')), 'outside-root'],
    'a file at the top': [hostileArchive(file('a')), 'outside-root'],
    'a folder at the top': [hostileArchive(tarEntry({ name: 'other/', type: '5' })), 'outside-root'],
    'the root as a file': [hostileArchive(file('package')), 'outside-root'],
    'no package.json': [rawArchive(file('package/a'), TAR_END), 'no-package-json'],
    'nothing in it': [rawArchive(TAR_END), 'no-package-json'],
  },
  'A13 names that are not names everywhere': Object.fromEntries(
    [
      ['aux.js', 'path-device'],
      ['nul', 'path-device'],
      ['CON', 'path-device'],
      ['com1.txt', 'path-device'],
      ['LPT9', 'path-device'],
      ['com\u00b9', 'path-device'],
      ['aux .txt', 'path-device'],
      ['sub/prn.ts', 'path-device'],
      ['a.', 'path-trailing'],
      ['a ', 'path-trailing'],
      ['a./b', 'path-trailing'],
      [' a', 'path-leading'],
      ['a:b', 'path-character'],
      ['a*b', 'path-character'],
      ['a?b', 'path-character'],
      ['a|b', 'path-character'],
      ['a"b', 'path-character'],
      ['a\u00a0b', 'path-invisible'],
      ['a\u3164b', 'path-invisible'],
      ['a\ufe0fb', 'path-invisible'],
      ['a\ue000b', 'path-invisible'],
    ].map(([name = '', reason = '']) => [JSON.stringify(name), [hostileArchive(file(`package/${name}`)), reason]]),
  ),
  'C1 names that act': {
    'bundled dependencies': [hostileArchive(file('package/node_modules/x/index.js')), 'path-special'],
    'bundled deeper': [hostileArchive(file('package/lib/Node_Modules/x/index.js')), 'path-special'],
    'a repository': [hostileArchive(file('package/.git/config')), 'path-special'],
    'npm configuration': [hostileArchive(file('package/.npmrc')), 'path-special'],
  },
};

function flip(bytes: Buffer, at: number, mask = 0x01): Buffer {
  const index = at < 0 ? bytes.length + at : at;
  bytes[index] = (bytes[index] ?? 0) ^ mask;
  return bytes;
}

for (const [group, rows] of Object.entries(ROWS)) {
  describe(group, () => {
    it.each(Object.entries(rows))('refuses: %s', async (_name, [bytes, reason]) => {
      expect(await refusal(bytes)).toMatch(new RegExp(`^invalid_archive (?:${reason})$`));
    });
  });
}

describe('A5 modes', () => {
  it.each([
    [0o6755, true],
    [0o777, true],
    [0o000, false],
    [0o100, true],
    [0o666, false],
    [0o011, false],
  ])('mode %o is read as executable: %s', async (mode, executable) => {
    const archive = await readArchive(one({ name: 'package/a', mode }));
    expect(archive.files.find(({ path }) => path === 'a')?.executable).toBe(executable);
  });
});

describe('A9 sizes', () => {
  const reads = (bytes: Uint8Array, limits: Partial<typeof DEFAULT_LIMITS>) =>
    readArchive(bytes, { limits: { ...DEFAULT_LIMITS, ...limits } }).then(
      () => 'accepted',
      (error) => `${error.code} ${error.details.reason}`,
    );
  const many = (count: number) =>
    hostileArchive(...Array.from({ length: count }, (_, index) => file(`package/${index}`, '')));

  it.each<[string, Uint8Array, Partial<typeof DEFAULT_LIMITS>, string]>([
    ['the archive itself', Buffer.alloc(2000), { archiveBytes: 1999 }, 'archive-too-large'],
    ['one file', hostileArchive(file('package/a', 'x'.repeat(1001))), { fileBytes: 1000 }, 'file-too-large'],
    [
      'all files',
      hostileArchive(file('package/a', 'x'.repeat(600)), file('package/b', 'x'.repeat(600))),
      { unpackedBytes: 1000 },
      'unpacked-too-large',
    ],
    ['files', many(10), { entries: 10 }, 'too-many-entries'],
    [
      'a PAX header',
      hostileArchive(tarPax({ path: `package/${'x'.repeat(70_000)}` }), file('package/a')),
      {},
      'meta-too-large',
    ],
    [
      'a long name',
      hostileArchive(tarLongName(`package/${'x'.repeat(70_000)}`), file('package/a')),
      {},
      'meta-too-large',
    ],
    [
      'a path',
      hostileArchive(tarPax({ path: `package/${'x/'.repeat(100)}y` }), file('package/a')),
      {},
      'path-too-long',
    ],
    [
      'a segment',
      hostileArchive(tarPax({ path: `package/${'x'.repeat(101)}` }), file('package/a')),
      {},
      'segment-too-long',
    ],
    ['folders', hostileArchive(file(`package/${'x/'.repeat(16)}y`)), {}, 'path-too-deep'],
    [
      'package.json',
      hostileArchive().length > 0
        ? rawArchive(tarPackageJson(`{"x":"${'x'.repeat(70_000)}"}`), TAR_END)
        : Buffer.alloc(0),
      {},
      'package-json-too-large',
    ],
  ])('refuses too much of: %s', async (_name, bytes, limits, reason) => {
    expect(await reads(bytes, limits)).toBe(`too_large ${reason}`);
  });

  it('accepts exactly the limits', async () => {
    const path = `${`${'x'.repeat(99)}/`}${'y'.repeat(100)}`;
    expect(
      await reads(hostileArchive(tarPax({ path: `package/${path}` }), file('package/a', 'x'.repeat(1000))), {
        fileBytes: 1000,
        entries: 2,
      }),
    ).toBe('accepted');
    expect(await reads(many(9), { entries: 10 })).toBe('accepted');
  });

  it('stops a bomb within its limits of time and memory', async () => {
    const zeros = gzipSync(
      Buffer.concat([
        tarPackageJson(),
        tarHeader({ name: 'package/a', size: 2 ** 30 }),
        Buffer.alloc(400 * 1024 * 1024),
      ]),
      { level: 9 },
    );
    const before = process.memoryUsage().rss;
    expect(await reads(zeros, { fileBytes: 2 ** 31, unpackedBytes: 100 * 1024 * 1024 })).toBe(
      'too_large unpacked-too-large',
    );
    const header = rawArchive(tarPackageJson(), tarHeader({ name: 'package/a', size: 2 ** 30 }));
    expect(await reads(header, {})).toBe('too_large file-too-large');
    expect(process.memoryUsage().rss - before).toBeLessThan(250 * 1024 * 1024);
  }, 20_000);

  it('stops endless zeros after the end', async () => {
    const padded = gzipSync(Buffer.concat([tarPackageJson(), Buffer.alloc(200 * 1024 * 1024)]));
    expect(await reads(padded, {})).toBe('too_large unpacked-too-large');
  }, 20_000);

  it('refuses an archive that arrives in pieces as soon as it is too long', async () => {
    let given = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        given += 1;
        yield Buffer.alloc(1024 * 1024);
      }
    }
    await expect(readArchive(endless())).rejects.toMatchObject({ code: 'too_large' });
    expect(given).toBe(21);
  });
});
