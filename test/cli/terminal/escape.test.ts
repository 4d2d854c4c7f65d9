import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeInJson, escapeLines, escapeProse, escapeText } from '../../../cli/terminal/escape.ts';

// Written on its own, not copied from the code: control characters, bidi controls, zero-width and tag characters.
const DANGEROUS = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

const remote = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom(
      '\u001b[31m',
      '\u001b]8;;http://x\u0007',
      '\u0007',
      '\r',
      '\n',
      '\t',
      '\u202e',
      '\u2066',
      '\u200b',
      '\u{e0041}',
      '\u009b',
      'a',
      '天',
      '😀',
      '\ud800',
    ),
  }),
);

describe('remote text', () => {
  test('never holds a character that acts on the terminal or hides from the reader', () => {
    fc.assert(
      fc.property(remote, (text) => {
        expect(escapeText(text)).not.toMatch(DANGEROUS);
        expect(escapeProse(text)).not.toMatch(DANGEROUS);
        expect(escapeLines(text).replaceAll('\n', '')).not.toMatch(DANGEROUS);
      }),
    );
  });

  test('JSON keeps its value and holds none of them raw', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'binary' }), remote), (value) => {
        const json = escapeInJson(JSON.stringify(value, null, 2));
        expect(json.replaceAll('\n', '')).not.toMatch(DANGEROUS);
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test.each(['plain text', 'Wetter für Köln', '天气 погода', 'emoji 😀 👍', 'é', 'ไทย'])(
    '%s stays as it is',
    (text) => {
      expect(escapeText(text)).toBe(text);
      expect(escapeProse(text)).toBe(text);
    },
  );

  test('shows what was there', () => {
    expect(escapeText('a\u001b[31mb\u202ec\nd')).toBe('a\\u001b[31mb\\u202ec\\nd');
    expect(escapeProse('two\n  lines\tand\r\nmore ')).toBe('two lines and more');
    expect(escapeLines('a\r\nb\u0007')).toBe('a\nb\\u0007');
  });
});
