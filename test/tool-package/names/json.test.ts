/** Strict JSON, errors of schemas in words, canonical form, hashes. */
import fc from 'fast-check';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../../schemas/problem.ts';
import { canonicalJson } from '../../../tool-package/canonical.ts';
import { countTokens, definitionHash, definitionTokens } from '../../../tool-package/definition.ts';
import { integrityOf, sameIntegrity, sha256Hex, shortIntegrity } from '../../../tool-package/integrity.ts';
import { checkPackageJson } from '../../../tool-package/package-json.ts';
import { parseJson } from '../../../tool-package/parse-json.ts';
import { describeSchemaErrors } from '../../../tool-package/schema-error.ts';
import { showText } from '../../../tool-package/show-text.ts';

const LIMITS = { maxBytes: 100_000, maxDepth: 16 };
const parse = (text: string | Uint8Array): unknown => parseJson(Buffer.from(text as string), LIMITS);
const reason = (text: string | Uint8Array): unknown => {
  try {
    parse(text);
    return 'accepted';
  } catch (error) {
    return error instanceof Problem ? error.details.reason : error;
  }
};

describe('strict JSON', () => {
  it.each<[string, string | Uint8Array, string]>([
    ['two equal keys', '{"name":"a","name":"b"}', 'duplicate-key'],
    ['two equal keys, one escaped', '{"a":1,"\\u0061":2}', 'duplicate-key'],
    ['two equal keys deep inside', '[{"x":{"b":1,"c":[],"b":2}}]', 'duplicate-key'],
    ['the key __proto__', '{"__proto__":{"admin":true}}', 'prototype-key'],
    ['the key __proto__, escaped', '{"__pr\\u006fto__":1}', 'prototype-key'],
    ['a byte-order mark', '\ufeff{}', 'byte-order-mark'],
    ['invalid UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'not-utf-8'],
    ['UTF-16', Buffer.from('{}', 'utf16le'), 'syntax'],
    ['a raw NUL', '{"a":"\u0000"}', 'syntax'],
    ['half a surrogate pair', '"\\ud800"', 'lone-surrogate'],
    ['half a surrogate pair in a key', '{"\\udc00":1}', 'lone-surrogate'],
    ['17 levels', '['.repeat(17) + ']'.repeat(17), 'too-deep'],
    ['40,000 brackets', '['.repeat(40_000), 'too-deep'],
    ['a number beyond a double', '1e999', 'number'],
    ['a negative number beyond a double', '[1,{"a":-1e999}]', 'number'],
    ['a comment', '{} // x', 'syntax'],
    ['a trailing comma', '{"a":1,}', 'syntax'],
    ['nothing', '', 'syntax'],
    ['too many bytes', `"${'x'.repeat(100_000)}"`, 'too-many-bytes'],
  ])('refuses %s', (_name, text, expected) => {
    expect(reason(text)).toBe(expected);
  });

  it.each([
    '{"a":"{\\"a\\":1}","b":"["}',
    '{"a":{"a":1},"b":{"a":1}}',
    '[{"a":1},{"a":2}]',
    '"\\ud83d\\ude00"',
    '{"constructor":1,"toString":2}',
    `${'['.repeat(16)}${']'.repeat(16)}`,
    ' {"a" : [ 1 , "a" , "a" ] } ',
  ])('accepts %s', (text) => {
    expect(parse(text)).toEqual(JSON.parse(text));
  });

  it('says where an error is', () => {
    expect(() => parse('{\n  "a": 1,\n  "b" 2\n}')).toThrow(/line 3, column 7/);
  });

  it('reads whatever JSON.stringify writes', () => {
    const noPrototype = (value: unknown): boolean => !JSON.stringify(value).includes('__proto__');
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }).filter(noPrototype), (value) => {
        expect(parse(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('is linear: 100 kB of quotes and backslashes take no time', () => {
    for (const text of [
      '"\\"'.repeat(30_000),
      `"${'\\"'.repeat(45_000)}`,
      '"'.repeat(99_999),
      '{"a":'.repeat(15),
      '\\'.repeat(99_999),
    ]) {
      const started = performance.now();
      expect(reason(text)).toBe('syntax');
      expect(performance.now() - started).toBeLessThan(200);
    }
  });
});

describe('package.json in words', () => {
  const good = { name: 'weather', version: '1.0.0', pi: { extensions: ['./index.ts'] } };
  const message = async (change: object): Promise<string> => {
    try {
      await checkPackageJson({ ...good, ...change });
      return 'accepted';
    } catch (error) {
      expect((error as Problem).code).toBe('invalid_package_json');
      return (error as Problem).message;
    }
  };
  it.each<[object, RegExp]>([
    [{ version: 1 }, /`version` is `1`, wanted a string/],
    [{ version: undefined }, /`version` is missing/],
    [{ name: 'Weather' }, /`name` is `"Weather"`, wanted a text like/],
    [{ name: 'aux' }, /`name`: `aux` is a reserved name/],
    [{ version: 'v1.0.0' }, /`version`: `v1.0.0` is not a version/],
    [{ pi: { extensions: './a.ts' } }, /`pi.extensions` is `".\/a.ts"`, wanted an array/],
    [{ pi: { extensions: [1] } }, /`pi.extensions\[0\]` is `1`, wanted a string/],
    [{ slopcode: {} }, /`slopcode.tools` is missing/],
    [{ piTools: { permission: {} } }, /`piTools.permission` is not a known key/],
    [{ piTools: { permissions: { network: ['x'], shell: [] } } }, /`piTools.permissions.shell` is not a known key/],
    [{ piTools: { overrides: [{ tool: 'read' }] } }, /`piTools.overrides\[0\].reason` is missing/],
    [{ piTools: { dependencies: { Geo: '^1.0.0' } } }, /`piTools.dependencies`: `Geo` is not a package name/],
    [
      { piTools: { dependencies: { geo: 'latest' } } },
      /`piTools.dependencies\["geo"\]`: `latest` is not a version range/,
    ],
    [{ dependencies: { x: 1 } }, /`dependencies.x` is `1`/],
    [{ keywords: 'a, b' }, /`keywords` is `"a, b"`, wanted an array/],
    [{ description: '\u001b[2J\u202e', keywords: ['\u001b[2J'.repeat(30)] }, /at most 64 characters/],
  ])('%j', async (change, expected) => {
    const text = await message(change);
    expect(text).toMatch(expected);
    expect(text).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  it('leaves unknown keys at the top alone, and is harmless with names of Object.prototype', async () => {
    expect(
      await message({
        prettier: {},
        constructor: 1,
        toString: 'x',
        dependencies: { constructor: '1', hasownproperty: '2' },
      }),
    ).toBe('accepted');
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
  });

  it('joins the branches of a union', () => {
    expect(describeSchemaErrors(Type.Union([Type.Literal('a'), Type.Literal('b'), Type.Null()]), 5)).toEqual([
      { field: '', value: '5', wanted: expect.stringMatching(/"a".* or .*"b".* or null/) },
    ]);
  });
});

describe('hashes', () => {
  it('canonical form sorts keys and writes numbers as RFC 8785 says', () => {
    expect(canonicalJson({ b: [1e21, 0.1, -0], a: { '\u20ac': 1, '\r': 2 } })).toBe(
      '{"a":{"\\r":2,"€":1},"b":[1e+21,0.1,0]}',
    );
    expect(() => canonicalJson(undefined)).toThrow(TypeError);
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'grapheme' }), fc.integer()),
        (value) => canonicalJson(value) === canonicalJson(Object.fromEntries(Object.entries(value).reverse())),
      ),
    );
  });

  it('a definition hash changes with each field and with nothing else', () => {
    const tool = {
      name: 'a',
      description: 'b',
      promptSnippet: null,
      promptGuidelines: [],
      parameters: { type: 'object', properties: {} },
    };
    const hash = definitionHash(tool);
    expect(definitionHash({ ...tool, label: 'x' } as typeof tool)).toBe(hash);
    for (const change of [
      { name: 'b' },
      { description: '' },
      { promptSnippet: '' },
      { promptGuidelines: ['x'] },
      { parameters: {} },
    ]) {
      expect(definitionHash({ ...tool, ...change } as typeof tool)).not.toBe(hash);
    }
    expect(definitionHash({ ...tool, parameters: { properties: {}, type: 'object' } })).toBe(hash);
  });

  it('integrity compares only what is well-formed', () => {
    const integrity = integrityOf(Buffer.from('x'));
    expect(integrity).toBe(
      'sha512-pKvWuO4tF2a2cX/yLQDEHNZ5SBfNDlSGXr1DRMX/ksuJl7pLNcL/Q6gLIGMO+RwRtUn7B8H6HpdAYaVwBP08vQ=='.length ===
        integrity.length
        ? integrity
        : '',
    );
    expect(sameIntegrity(integrity, integrity)).toBe(true);
    expect(sameIntegrity(undefined, undefined)).toBe(false);
    expect(sameIntegrity('', '')).toBe(false);
    expect(sameIntegrity(integrity, integrity.toLowerCase())).toBe(false);
    expect(shortIntegrity(integrity)).toMatch(/^[0-9a-f]{8}$/);
    expect(sha256Hex('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });

  it('counts tokens, in any language, in bounded time', () => {
    expect(countTokens('')).toBe(0);
    expect(countTokens('hello world')).toBe(2);
    expect(countTokens('<|endoftext|>')).toBeGreaterThan(1);
    expect(countTokens('今天天气怎么样')).toBeGreaterThan(2);
    const started = performance.now();
    expect(countTokens('a'.repeat(1_000_000))).toBeGreaterThan(10_000);
    expect(countTokens(' '.repeat(300_000))).toBeGreaterThan(0);
    expect(performance.now() - started).toBeLessThan(8000);
    expect(
      definitionTokens({ name: 'a', description: 'b', promptSnippet: null, promptGuidelines: [], parameters: {} }),
    ).toBeGreaterThan(5);
  });

  it('shows text without what a terminal would obey', () => {
    expect(showText('a\u001b[31m`\u202e\u{e0041}b')).toBe("a\\u{1b}[31m'\\u{202e}\\u{e0041}b");
    expect(showText('x'.repeat(500)).length).toBeLessThan(130);
  });
});
