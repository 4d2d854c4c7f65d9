import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { didYouMean, editDistance, suggest } from '../../../cli/suggest.ts';
import { formatAge, formatBytes, plural } from '../../../cli/terminal/units.ts';
import { padEnd, shorten, table, textWidth, wrapText } from '../../../cli/terminal/width.ts';

describe('width', () => {
  test.each([
    ['abc', 3],
    ['天气', 4],
    ['é', 1],
    ['e\u0301', 1],
    ['😀', 2],
    ['ｗｉｄｅ', 8],
    ['한글', 4],
    ['\u001b[1mbold\u001b[22m', 4],
    ['погода', 6],
  ])('%s', (text, width) => expect(textWidth(text)).toBe(width));

  test('padding and cutting give exactly the columns, wide characters or not', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '天', '😀', 'é', ' ') });
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 30 }), (one, columns) => {
        const cut = shorten(one, columns);
        expect(textWidth(cut)).toBeLessThanOrEqual(columns);
        if (textWidth(one) <= columns) expect(cut).toBe(one);
        else expect(cut.endsWith('…')).toBe(true);
        expect(textWidth(padEnd(cut, columns))).toBe(columns);
      }),
    );
  });

  test('columns line up', () => {
    const text = table([
      ['weather', '1.0.0', 'a'],
      ['天气', '10.20.30', 'b'],
      ['x', '', ''],
    ]);
    const [first = '', second = '', third = ''] = text.split('\n');
    expect(textWidth(first.slice(0, first.indexOf('1.0.0')))).toBe(textWidth(second.slice(0, second.indexOf('10.20'))));
    expect(third).toBe('x');
  });

  test('wrapping keeps every word and the width', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '天'), minLength: 1, maxLength: 8 })),
        (words) => {
          const wrapped = wrapText(words.join(' '), 20, '  ');
          expect(wrapped.split(/\s+/).filter(Boolean)).toEqual(words);
          for (const line of wrapped.split('\n')) expect(textWidth(line)).toBeLessThanOrEqual(22);
        },
      ),
    );
  });
});

describe('units', () => {
  test.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [9949, '9.9 kB'],
    [12_345, '12 kB'],
    [999_499, '999 kB'],
    [999_500, '1.0 MB'],
    [20_971_520, '21 MB'],
  ])('%d bytes', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

  const now = new Date('2026-11-30T12:00:00Z');
  test.each([
    ['2026-11-30T11:59:30Z', 'just now'],
    ['2026-11-30T11:59:00Z', '1 minute ago'],
    ['2026-11-30T10:00:00Z', '2 hours ago'],
    ['2026-11-27T12:00:00Z', '3 days ago'],
    ['2026-09-30T12:00:00Z', '2 months ago'],
    ['2023-11-30T12:00:00Z', '3 years ago'],
    ['2030-01-01T00:00:00Z', '2030-01-01'],
    ['no time', 'at an unknown time'],
    ['\u001b[31m', 'at an unknown time'],
  ])('%s', (time, text) => expect(formatAge(time, now)).toBe(text));

  test('plural', () =>
    expect([plural(1, 'file'), plural(2, 'file'), plural(0, 'entry', 'entries')]).toEqual([
      '1 file',
      '2 files',
      '0 entries',
    ]));
});

describe('did you mean', () => {
  test('distance is a metric with neighbours swapped in one step', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 });
    fc.assert(
      fc.property(word, word, (a, b) => {
        const distance = editDistance(a, b);
        expect(distance).toBe(editDistance(b, a));
        expect(distance === 0).toBe(a === b);
        expect(distance).toBeGreaterThanOrEqual(Math.abs(a.length - b.length));
        expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length));
      }),
    );
    expect(editDistance('waether', 'weather')).toBe(1);
  });

  test.each([
    ['wether', ['weather']],
    ['waether', ['weather']],
    ['weather-tool', []],
    ['wea', ['weather']],
    ['zzz', []],
    ['x'.repeat(1000), []],
  ])('%s', (word, names) => expect(suggest(word, ['weather', 'todo', 'math'])).toEqual(names));

  test('as text', () => {
    expect(didYouMean([])).toBeUndefined();
    expect(didYouMean(['a', 'b'])).toBe('did you mean `a` or `b`?');
  });
});
