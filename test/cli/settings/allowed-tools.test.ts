import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addNames,
  createList,
  emptyRecord,
  PI_BUILT_INS,
  removeNames,
  viewSettings,
} from '../../../cli/agents/allowed-tools.ts';
import { Problem } from '../../../schemas/problem.ts';

const FILE = '/home/x/settings.json';

const failure = (text: string): Problem => {
  try {
    viewSettings(text, FILE);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error(`${JSON.stringify(text)} was accepted`);
};

describe('what does not parse', () => {
  it.each([
    ['a trailing comma in the object', '{\n  "a": 1,\n}', 2, 9],
    ['a trailing comma in the list', '{"allowedTools": ["a",]}', 1, 22],
    ['a line comment', '{\n  // why\n  "a": 1\n}', 2, 3],
    ['a block comment', '{ /* x */ }', 1, 3],
    ['0 bytes', '', 1, 1],
    ['white space', ' \n\t\n', 1, 1],
    ['only a byte order mark', '\uFEFF', 1, 1],
    ['a list', '[]', 1, 1],
    ['null', 'null', 1, 1],
    ['a string', '"x"', 1, 1],
    ['no value', '{"a":}', 1, 6],
    ['text behind the end', '{} x', 1, 4],
    ['half a file', '{"allowedTools": ["re', 1, 19],
    ['allowedTools as a string', '{\n "allowedTools": "read"\n}', 2, 18],
    ['allowedTools as null', '{"allowedTools": null}', 1, 18],
    ['a number in the list', '{"allowedTools": ["a", 1]}', 1, 24],
    ['a list in the list', '{"allowedTools": [["a"]]}', 1, 19],
    ['the key twice', '{"allowedTools": [],\n"allowedTools": []}', 2, 1],
    ['the key twice, once escaped', '{"allowedTools": [], "allowed\\u0054ools": []}', 1, 22],
    ['single quotes', "{'a': 1}", 1, 2],
    ['a control character in a string', '{"a": "x\ty"}', 1, 7],
    ['a mark and a fault behind it', '\uFEFF{"a" 1}', 1, 6],
    ['brackets without end', '['.repeat(200_000), 1, 1],
  ])('%s', (_, text, line, column) => {
    const problem = failure(text);
    expect(problem.code).toBe('settings_invalid');
    expect(problem.exitCode).toBe(1);
    expect(problem.details).toMatchObject({ file: FILE, line });
    expect(problem.message).toContain(FILE);
    if (column !== 1) expect(problem.details.column).toBe(column);
  });
});

/** Adds and takes back, and gives the text in between. */
function roundTrip(text: string, names: readonly string[]): string {
  const added = addNames(text, FILE, names, emptyRecord());
  const removed = removeNames(added.text ?? '', FILE, added.added, added.record);
  expect(removed.text).toBe(text);
  expect(removed.record.added).toEqual([]);
  return added.text ?? '';
}

describe('appending and taking back', () => {
  it.each([
    ['one line', '{"allowedTools": ["read", "bash"]}', '{"allowedTools": ["read", "bash", "w"]}'],
    ['minified', '{"allowedTools":["read"]}', '{"allowedTools":["read","w"]}'],
    ['one element on one line', '{ "allowedTools": ["read"] }', '{ "allowedTools": ["read", "w"] }'],
    [
      'two spaces',
      '{\n  "allowedTools": [\n    "read"\n  ]\n}\n',
      '{\n  "allowedTools": [\n    "read",\n    "w"\n  ]\n}\n',
    ],
    [
      'tabs',
      '{\n\t"allowedTools": [\n\t\t"a",\n\t\t"b"\n\t]\n}',
      '{\n\t"allowedTools": [\n\t\t"a",\n\t\t"b",\n\t\t"w"\n\t]\n}',
    ],
    [
      'CRLF',
      '{\r\n  "allowedTools": [\r\n    "a"\r\n  ]\r\n}\r\n',
      '{\r\n  "allowedTools": [\r\n    "a",\r\n    "w"\r\n  ]\r\n}\r\n',
    ],
    ['a byte order mark', '\uFEFF{"allowedTools": ["a"]}', '\uFEFF{"allowedTools": ["a", "w"]}'],
    ['a list with a comma first', '{"allowedTools": ["a"\n  , "b"]}', '{"allowedTools": ["a"\n  , "b"\n  , "w"]}'],
    ['an empty list', '{"allowedTools": []}', '{"allowedTools": ["w"]}'],
    ['an empty list with a blank', '{"allowedTools": [ ]}', '{"allowedTools": [ "w"]}'],
    [
      'other keys around',
      '{"z": 1e3, "allowedTools": ["a"], "é": "\\u00e9", "n": 12345678901234567890}',
      '{"z": 1e3, "allowedTools": ["a", "w"], "é": "\\u00e9", "n": 12345678901234567890}',
    ],
    [
      'nested lists of the same name',
      '{"x": {"allowedTools": []}, "allowedTools": ["a"]}',
      '{"x": {"allowedTools": []}, "allowedTools": ["a", "w"]}',
    ],
    ['duplicates of the user', '{"allowedTools": ["a", "a"]}', '{"allowedTools": ["a", "a", "w"]}'],
  ])('%s', (_, text, wanted) => {
    expect(roundTrip(text, ['w'])).toBe(wanted);
  });

  it('takes several names out in any order', () => {
    const text = '{\n  "allowedTools": [\n  ]\n}';
    const { text: added, record } = addNames(text, FILE, ['a', 'b', 'c'], emptyRecord());
    for (const order of [
      ['a', 'b', 'c'],
      ['c', 'b', 'a'],
      ['b', 'c', 'a'],
      ['b', 'a', 'c'],
    ]) {
      let now = added ?? '';
      let state = record;
      for (const name of order) {
        const edit = removeNames(now, FILE, [name], state);
        now = edit.text ?? '';
        state = edit.record;
        expect(() => JSON.parse(now)).not.toThrow();
      }
      expect(now).toBe(text);
    }
  });

  it('leaves a name alone that is there already', () => {
    const edit = addNames('{"allowedTools": ["w"]}', FILE, ['w'], emptyRecord());
    expect(edit.text).toBe('{"allowedTools": ["w"]}');
    expect(edit.record.added).toEqual([]);
  });

  it('finds its names after pi has written the file anew', () => {
    const { text, record } = addNames('{ "allowedTools":["a"] }', FILE, ['w'], emptyRecord());
    const rewritten = JSON.stringify(JSON.parse(text ?? ''), null, 2);
    const edit = removeNames(rewritten, FILE, ['w'], record);
    expect(edit.text).toBe('{\n  "allowedTools": [\n    "a"\n  ]\n}');
  });

  it('writes names so that they are strings and nothing else', () => {
    const { text } = addNames('{"allowedTools": ["a"]}', FILE, ['x"], "evil": ["'], emptyRecord());
    expect(JSON.parse(text ?? '')).toEqual({ allowedTools: ['a', 'x"], "evil": ["'] });
  });
});

describe('a list that pi-tools makes', () => {
  const install = ['weather'];

  it('goes with the last tool, and so does its file', () => {
    const { text, record } = createList(null, FILE, [], install);
    expect(JSON.parse(text ?? '').allowedTools).toEqual([...PI_BUILT_INS, 'weather']);
    expect(removeNames(text ?? '', FILE, install, record).text).toBeNull();
  });

  it.each([
    '{}',
    '{ }',
    '{\n}\n',
    '{"a": 1}',
    '{\n\t"a": {\n\t\t"b": []\n\t}\n}\n',
    '\uFEFF{\r\n  "a": 1\r\n}\r\n',
    '{"a":1}',
  ])('leaves %j as it was', (before) => {
    const { text, record } = createList(before, FILE, [], install);
    expect(JSON.parse((text ?? '').replace('\uFEFF', '')).allowedTools).toContain('weather');
    expect(removeNames(text ?? '', FILE, install, record).text).toBe(before);
  });

  it('stays when the user changed it', () => {
    const { text, record } = createList('{}', FILE, [], install);
    const changed = addNames(text ?? '', FILE, ['mine'], emptyRecord()).text ?? '';
    const after = removeNames(changed, FILE, install, record).text ?? '';
    expect(JSON.parse(after).allowedTools).toEqual([...PI_BUILT_INS, 'mine']);
  });

  it('stays as a file when something else is in it by then', () => {
    const { text, record } = createList(null, FILE, [], install);
    const withTheme = JSON.stringify({ ...JSON.parse(text ?? ''), theme: 'dark' }, null, 2);
    const after = removeNames(withTheme, FILE, install, record).text;
    expect(after).toBe('{\n  "theme": "dark"\n}');
  });
});

const space = fc.constantFrom('', ' ', '\n', '\n  ', '\t', '\r\n    ');
const name = fc.oneof(
  fc.stringMatching(/^[a-z][a-z0-9_-]{0,8}$/),
  fc.string({ maxLength: 6 }),
  fc.constantFrom('__proto__', 'é', '天气'),
);
const scalar = fc.oneof(
  fc.constantFrom(
    '1',
    '-0',
    '1e3',
    'true',
    'null',
    '"\\u0041"',
    '[]',
    '{}',
    '{"allowedTools": [1, null]}',
    '12345678901234567890',
  ),
);

/** A JSON text of any layout with one allowedTools list and keys around it. */
const settingsText = fc
  .record({
    mark: fc.constantFrom('', '\uFEFF'),
    names: fc.array(name, { maxLength: 5 }),
    before: fc.array(fc.tuple(name, scalar), { maxLength: 3 }),
    after: fc.array(fc.tuple(name, scalar), { maxLength: 3 }),
    spaces: fc.array(space, { minLength: 40, maxLength: 40 }),
    end: fc.constantFrom('', '\n', '\r\n'),
  })
  .map(({ mark, names, before, after, spaces, end }) => {
    let at = 0;
    const s = (): string => spaces[at++ % spaces.length] ?? '';
    const list =
      names.length === 0 ? `[${s()}]` : `[${names.map((one) => `${s()}${JSON.stringify(one)}${s()}`).join(',')}]`;
    const other = (pairs: [string, string][]): string[] =>
      pairs
        .filter(([key]) => key !== 'allowedTools')
        .map(([key, value]) => `${s()}${JSON.stringify(key)}${s()}:${s()}${value}${s()}`);
    const keys = [...other(before), `${s()}"allowedTools"${s()}:${s()}${list}${s()}`, ...other(after)];
    return `${mark}{${keys.join(',')}}${end}`;
  });

const wanted = fc.uniqueArray(name, { minLength: 1, maxLength: 4 });

describe('any layout', () => {
  it('install and remove give the same bytes again', () => {
    fc.assert(
      fc.property(settingsText, wanted, (text, names) => {
        const added = addNames(text, FILE, names, emptyRecord());
        const removed = removeNames(added.text ?? '', FILE, added.added, added.record);
        expect(removed.text).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });

  it('an install changes nothing but the list', () => {
    fc.assert(
      fc.property(settingsText, wanted, (text, names) => {
        const after = addNames(text, FILE, names, emptyRecord()).text ?? '';
        const parse = (json: string): Record<string, unknown> => JSON.parse(json.replace(/^\uFEFF/, ''));
        const { allowedTools: old, ...rest } = parse(text);
        const { allowedTools: now, ...left } = parse(after);
        const missing = names.filter((one) => !(old as string[]).includes(one));
        expect(left).toEqual(rest);
        expect(now).toEqual([...(old as string[]), ...missing]);
        expect(after.length - text.length).toBeGreaterThanOrEqual(missing.length);
        // The text before and behind the insertion is the old one.
        let same = 0;
        while (same < text.length && text[same] === after[same]) same += 1;
        expect(after.endsWith(text.slice(same))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('two installs, removed in any order, leave nothing', () => {
    fc.assert(
      fc.property(settingsText, wanted, wanted, fc.boolean(), (text, first, second, swap) => {
        const one = addNames(text, FILE, first, emptyRecord());
        const two = addNames(one.text ?? '', FILE, second, one.record);
        const [a, b] = swap ? [two.added, one.added] : [one.added, two.added];
        const half = removeNames(two.text ?? '', FILE, a, two.record);
        expect(() => viewSettings(half.text ?? '', FILE)).not.toThrow();
        expect(removeNames(half.text ?? '', FILE, b, half.record).text).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });

  it('a new list in any object is taken back exactly', () => {
    const withoutList = settingsText.map((text) => text.replaceAll('"allowedTools"', '"otherTools"'));
    fc.assert(
      fc.property(withoutList, wanted, (text, names) => {
        const made = createList(text, FILE, [], names);
        const after = removeNames(made.text ?? '', FILE, made.record.added, made.record);
        expect(after.text).toBe(made.record.added.length > 0 ? text : after.text);
      }),
      { numRuns: 1000 },
    );
  });
});
