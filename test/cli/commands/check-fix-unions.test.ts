import { describe, expect, test } from 'vitest';
import { fixLiteralUnions } from '../../../cli/check/fix-unions.ts';
import { readProgram } from '../../../tool-package/source/program.ts';

const TYPE = `import { Type } from 'typebox';\n`;
const ENUM = `import { StringEnum } from '@earendil-works/pi-ai';\n`;
const AB = `Type.Union([Type.Literal('a'), Type.Literal('b')])`;
const FIXED = `StringEnum(['a', 'b'] as const)`;
const tool = (schema: string, more = '') =>
  `${more}export default (pi) => pi.registerTool({ name: 'x', parameters: Type.Object({ unit: ${schema} }), async execute() {} });\n`;
const fix = (text: string, path = 'index.ts') => fixLiteralUnions(path, Buffer.from(text));

/** Fixed once gives `after`; fixed again gives nothing to do. */
const expectFixed = (before: string, after: string, path = 'index.ts') => {
  const first = fix(before, path);
  expect(first.notFixed).toEqual([]);
  expect(first.text).toBe(after);
  expect(fix(first.text, path)).toMatchObject({ changes: [], notFixed: [] });
};

describe('unions that become StringEnum', () => {
  test.each([
    ['as it is', AB, FIXED],
    ['inside Optional and Array', `Type.Optional(Type.Array(${AB}))`, `Type.Optional(Type.Array(${FIXED}))`],
    [
      'with the same options',
      `Type.Union([Type.Literal("a"), Type.Literal('b')], { description: \`which\`, default: 'a' })`,
      `StringEnum(["a", 'b'] as const, { description: \`which\`, default: 'a' })`,
    ],
    [
      'with comments, lines and commas where they were',
      `Type.Union([\n  // first\n  Type.Literal( 'a', ),\n  Type.Literal('b'), /* last */\n],)`,
      `StringEnum([\n  // first\n  'a',\n  'b', /* last */\n] as const,)`,
    ],
    ['inside a union with something else', `Type.Union([${AB}, Type.Null()])`, `Type.Union([${FIXED}, Type.Null()])`],
    ['with an escape in a literal', AB.replace("'a'", "'\\u{1f600}\\''"), FIXED.replace("'a'", "'\\u{1f600}\\''")],
    ['after text that is wider than its code points', `/* 😀é */ ${AB}`, `/* 😀é */ ${FIXED}`],
  ])('%s', (_, before, after) => {
    expectFixed(TYPE + tool(before), TYPE + ENUM + tool(after));
  });

  test.each([
    [
      'before null',
      `Type.Union([Type.Literal('a'), Type.Literal('b'), Type.Null()])`,
      `Type.Union([StringEnum(['a', 'b'] as const), Type.Null()])`,
    ],
    [
      'behind null, options kept',
      `Type.Union([Type.Null(), Type.Literal('a'), Type.Literal('b')], { title: 'T' })`,
      `Type.Union([Type.Null(), StringEnum(['a', 'b'] as const)], { title: 'T' })`,
    ],
  ])('%s', (_, before, after) => {
    expectFixed(TYPE + tool(before), TYPE + ENUM + tool(after));
  });

  test.each([
    [
      'in a schema of plain JSON',
      `{ description: "which", anyOf: [{ const: "a" }, { type: "string", const: "b" }] }`,
      `{ description: "which", type: "string", enum: ["a", "b"] }`,
    ],
    [
      'with quoted keys',
      `{ 'oneOf': [{ 'const': 'a' }, { 'const': 'b' }], default: 'a' }`,
      `{ type: 'string', enum: ['a', 'b'], default: 'a' }`,
    ],
  ])('%s: no import', (_, before, after) => {
    const plain = (schema: string) => tool(schema).replace('Type.Object({', '({');
    expectFixed(plain(before), plain(after));
  });

  test('two at once, one import', () => {
    expectFixed(TYPE + tool(`${AB}, other: ${AB}`), TYPE + ENUM + tool(`${FIXED}, other: ${FIXED}`));
  });

  test('a constant that only parameters use, also inside a function', () => {
    const constant = (schema: string) => `const unit = ${schema};\ntype Unit = Static<typeof unit>;\n`;
    expectFixed(TYPE + constant(AB) + tool('unit'), TYPE + ENUM + constant(FIXED) + tool('unit'));
    const inside = (schema: string) =>
      `export default (pi) => { const p = Type.Object({ unit: ${schema} }); pi.registerTool({ name: 'x', parameters: p, execute() {} }); };\n`;
    expectFixed(TYPE + inside(AB), TYPE + ENUM + inside(FIXED));
  });

  test.each([
    ['a Type of another name', `import { Type as T } from '@sinclair/typebox';\n`, AB.replaceAll('Type', 'T')],
    ['the default export', `import T from 'typebox';\n`, AB.replaceAll('Type', 'T')],
    ['the namespace', `import * as T from 'typebox';\n`, AB.replaceAll('Type', 'T')],
  ])('%s', (_, imports, union) => {
    const rest = (schema: string) => tool(schema).replaceAll('Type.', 'T.');
    expectFixed(imports + rest(union), imports + ENUM + rest(FIXED));
  });

  test('JavaScript has no `as const`', () => {
    expectFixed(TYPE + tool(AB), TYPE + ENUM + tool(`StringEnum(['a', 'b'])`), 'index.js');
  });

  test('a byte order mark and CRLF stay', () => {
    const crlf = (text: string) => `\uFEFF${text.replaceAll('\n', '\r\n')}`;
    expectFixed(crlf(TYPE + tool(AB)), crlf(TYPE + ENUM + tool(FIXED)));
  });
});

describe('the import', () => {
  const PI = '@earendil-works/pi-ai';
  test.each([
    ['is there', `import { StringEnum } from '${PI}';\n`, `import { StringEnum } from '${PI}';\n`, 'StringEnum'],
    [
      'has another name',
      `import { StringEnum as S } from '${PI}';\n`,
      `import { StringEnum as S } from '${PI}';\n`,
      'S',
    ],
    ['joins its neighbours', `import { x } from '${PI}';\n`, `import { x, StringEnum } from '${PI}';\n`, 'StringEnum'],
    [
      'is no type',
      `import type { x } from '${PI}';\n`,
      `import type { x } from '${PI}';\nimport { StringEnum } from '${PI}';\n`,
      'StringEnum',
    ],
    [
      'is of the family that the file uses, in its style',
      `import { x } from "@mariozechner/pi-tui" // why\n`,
      `import { x } from "@mariozechner/pi-tui" // why\nimport { StringEnum } from "@mariozechner/pi-ai"\n`,
      'StringEnum',
    ],
  ])('%s', (_, before, after, name) => {
    expectFixed(TYPE + before + tool(AB), TYPE + after + tool(FIXED.replace('StringEnum', name)));
  });
});

describe('unions that are left alone, with the reason', () => {
  const union = (members: string, more = '') => `Type.Union([${members}]${more})`;
  const two = `Type.Literal('a'), Type.Literal('b')`;
  test.each([
    ['numbers', union('Type.Literal(1), Type.Literal(2)'), /strings/],
    ['mixed', union(`${two}, Type.Number()`), /not all of its members/],
    ['the same twice', union(`${two}, Type.Literal('a')`), /twice/],
    ['a spread', union(`...more, ${two}`), /written out/],
    ['a list of another place', 'Type.Union(names.map((name) => Type.Literal(name)))', /written out/],
    ['a variable', union(`Type.Literal(A), Type.Literal('b')`), /written out/],
    ['options of a literal', union(`Type.Literal('a', { title: 'A' }), Type.Literal('b')`), /options of its own/],
    ['options that StringEnum drops', union(two, ", { title: 'T' }"), /drops/],
    ['an empty default', union(two, ", { default: '' }"), /empty `default`/],
    ['options from elsewhere', union(two, ', options'), /options are not/],
    ['a spread in the options', union(two, ', { ...options }'), /drops/],
    ['a comment inside a literal', union(`Type.Literal(/* why */ 'a'), Type.Literal('b')`), /comment/],
    ['type arguments', `Type.Union<Names>([${two}])`, /type arguments/],
    ['a key of a record', `Type.Record(${AB}, Type.String())`, /not only part/],
    ['something of the union', `Type.Array(${AB}.anyOf[0])`, /itself is used/],
    ['a function of the author', `wrap(${AB})`, /not only part/],
    ['null between the literals', union(`Type.Literal('a'), Type.Null(), Type.Literal('b')`), /side by side/],
    ['numbers as JSON', '{ anyOf: [{ const: 1 }, { const: 2 }] }', /strings/],
    [
      'JSON that says more of a member',
      `{ anyOf: [{ const: 'a', title: 'A' }, { const: 'b' }] }`,
      /more than its value/,
    ],
    ['JSON with a type beside it', `{ type: 'string', anyOf: [{ const: 'a' }, { const: 'b' }] }`, /beside it/],
    ['JSON with a spread beside it', `{ ...more, anyOf: [{ const: 'a' }, { const: 'b' }] }`, /beside it/],
  ])('%s', (_, schema, reason) => {
    const fixed = fix(TYPE + tool(schema));
    expect(fixed.changes).toEqual([]);
    expect(fixed.notFixed).toEqual([{ file: 'index.ts', line: 2, reason: expect.stringMatching(reason) }]);
  });

  test.each([
    ['used by nobody', `export const other = ${AB};\nconst unit = Type.String();\n`],
    ['looked into', `const unit = ${AB};\nconst names = unit.anyOf.map(String);\n`],
    ['not constant', `let unit = ${AB};\n`],
    ['checked against', `const unit = ${AB};\nValue.Check(unit, 'a');\n`],
  ])('a schema that is %s', (_, more) => {
    expect(fix(TYPE + tool('unit', more))).toMatchObject({ changes: [], notFixed: [{ line: 2 }] });
  });

  describe('exported', () => {
    const UNITS = `${TYPE}export const unit = ${AB};\n`;
    const USER = `import { unit } from './units.ts';\n${TYPE}${tool('unit')}`;
    const among = (files: Record<string, string>) => {
      const sources = new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]));
      return fixLiteralUnions('units.ts', Buffer.from(files['units.ts'] ?? ''), readProgram(sources));
    };

    test.each([
      ['to parameters alone', { 'index.ts': USER }],
      ['to nobody, and used here', { 'units.ts': `${UNITS}${tool('unit')}` }],
      [
        'below',
        {
          'units.ts': `${TYPE}const unit = ${AB};\nexport { unit as u };\n`,
          'index.ts': USER.replace('{ unit }', '{ u as unit }'),
        },
      ],
    ])('%s', (_, files: Record<string, string>) => {
      expect(among({ 'units.ts': UNITS, ...files })).toMatchObject({ changes: [{}, {}], notFixed: [] });
    });

    test.each([
      ['looked into elsewhere', { 'other.ts': `import { unit } from './units.ts';\nconsole.log(unit.anyOf);\n` }],
      ['handed on', { 'other.ts': `export * from './units.ts';\n` }],
      ['handed on by name', { 'other.ts': `export { unit } from './units';\n` }],
      ['taken whole', { 'other.ts': `import * as units from './units.js';\nconsole.log(units);\n` }],
      ['taken while running', { 'other.ts': `const units = await import('./units.ts');\n` }],
      ['required', { 'other.js': `const { unit } = require('./units.ts');\n` }],
    ])('%s', (_, files: Record<string, string>) => {
      expect(among({ 'units.ts': UNITS, 'index.ts': USER, ...files })).toMatchObject({
        changes: [],
        notFixed: [{ line: 2 }],
      });
    });
  });

  test('outside of a tool', () => {
    expect(fix(`${TYPE}const config = ${AB};\nread(config);\n`)).toMatchObject({
      changes: [],
      notFixed: [{ line: 2 }],
    });
  });

  test('another StringEnum', () => {
    const fixed = fix(TYPE + tool(AB, 'const StringEnum = () => {};\n'));
    expect(fixed).toMatchObject({ changes: [], notFixed: [{ reason: expect.stringContaining('StringEnum') }] });
  });

  test('the output of a compiler', () => {
    const fixed = fix(`${TYPE + tool(AB)}//# sourceMappingURL=index.js.map\n`, 'index.js');
    expect(fixed).toMatchObject({ changes: [], notFixed: [{ reason: expect.stringContaining('build') }] });
  });

  test.each([
    ['a Type of its own', `const Type = { Union: () => {}, Literal: () => {} };\n${tool(AB)}`],
    ['a Type that hides the import', `${TYPE}{ const Type = mine; ${tool(AB).replace('export default', 'f =')} }`],
    ['no union of literals', TYPE + tool('Type.Union([Type.String(), Type.Literal("a")])')],
    ['what does not parse', `${TYPE}${AB} (((`],
  ])('%s is no business of ours', (_, text) => {
    expect(fix(text)).toMatchObject({ changes: [], notFixed: [] });
  });
});
