/** Narrower and wider: examples of every keyword, and a random search for a value that gives the comparison the lie. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareSchemas } from '../../../tool-package/diff/compare-schemas.ts';
import { schemaErrors } from '../../../tool-package/run/schema-errors.ts';

const verdict = (from: unknown, to: unknown): string[] =>
  compareSchemas(from, to, 'p').map(
    ({ direction, field, note }) => `${note === null ? direction : 'undecided'} ${field}`,
  );
const object = (properties: Record<string, unknown>, required: string[] = [], more = {}) => ({
  type: 'object',
  properties,
  required,
  ...more,
});
const text = { type: 'string' };
const number = { type: 'number' };
const closed = { additionalProperties: false };

describe('a schema is', () => {
  const wider: [string, unknown, unknown, string][] = [
    ['an optional property more', object({ a: text }), object({ a: text, b: text }), 'p.properties.b'],
    ['a property no longer required', object({ a: text }, ['a']), object({ a: text }), 'p.required'],
    ['an enum value more', { enum: ['a'] }, { enum: ['a', 'b'] }, 'p.enum'],
    ['a const to an enum', { const: 'a' }, { enum: ['a', 'b'] }, 'p.const'],
    ['an enum to a text', { type: 'string', enum: ['a'] }, text, 'p.enum'],
    ['a type more', text, { type: ['string', 'null'] }, 'p.type'],
    ['integers to numbers', { type: 'integer' }, number, 'p.type'],
    ['a lower minimum', { type: 'number', minimum: 5 }, { type: 'number', minimum: 4 }, 'p.minimum'],
    ['no minimum', { type: 'number', minimum: 5 }, number, 'p.minimum'],
    ['a closed bound', { type: 'number', exclusiveMaximum: 5 }, { type: 'number', maximum: 5 }, 'p.maximum'],
    ['a longer text', { type: 'string', maxLength: 5 }, { type: 'string', maxLength: 6 }, 'p.maxLength'],
    ['fewer items needed', { type: 'array', minItems: 2 }, { type: 'array', minItems: 1 }, 'p.minItems'],
    ['items of any type', { type: 'array', items: text }, { type: 'array' }, 'p.items.type'],
    ['repeated items', { type: 'array', uniqueItems: true }, { type: 'array' }, 'p.uniqueItems'],
    ['other properties', object({}, [], closed), object({}), 'p.additionalProperties'],
    ['no pattern', { type: 'string', pattern: '^a' }, text, 'p.pattern'],
    ['no format', { type: 'string', format: 'uri' }, text, 'p.format'],
    ['a coarser step', { type: 'integer', multipleOf: 4 }, { type: 'integer', multipleOf: 2 }, 'p.multipleOf'],
    ['an alternative more', { anyOf: [text, number] }, { anyOf: [text, number, { type: 'null' }] }, 'p.anyOf[2]'],
    ['alternatives for one', text, { anyOf: [text, object({ a: text })] }, 'p.anyOf[1]'],
    [
      'nested',
      object({ a: object({ b: { enum: [1] } }) }),
      object({ a: object({ b: { enum: [1, 2] } }) }),
      'p.properties.a.properties.b.enum',
    ],
    ['no `not`', { type: 'string', not: { const: 'x' } }, text, 'p.not'],
    ['a tagged alternative more', { oneOf: [tagged('a')] }, { oneOf: [tagged('a'), tagged('b')] }, 'p.oneOf[1]'],
    ['through a reference', ref({ enum: ['a'] }), ref({ enum: ['a', 'b'] }), 'p.properties.x.enum'],
    [
      'through `allOf`',
      { allOf: [object({ a: text }), object({ b: text })] },
      { allOf: [object({ a: text }), object({ b: text }), object({ c: text })] },
      'p.properties.c',
    ],
  ];

  it.each(wider)('wider with %s, narrower the other way', (_name, from, to, field) => {
    expect(verdict(from, to)).toEqual([`wider ${field}`]);
    const back = verdict(to, from);
    expect(back).toHaveLength(1);
    expect(back[0]).toMatch(/^narrower /);
  });

  it('both, where something goes and something comes', () => {
    expect(verdict({ enum: ['a', 'b'] }, { enum: ['b', 'c'] })).toEqual(['narrower p.enum', 'wider p.enum']);
    expect(verdict(text, number)).toEqual(['narrower p.type', 'wider p.type']);
    // Calls without it fail; calls with it are new.
    expect(verdict(object({}), object({ a: text }, ['a']))).toEqual(['narrower p.required', 'wider p.properties.a']);
  });

  it('the same, however it is written', () => {
    const same: [unknown, unknown][] = [
      [{ enum: ['a', 'b'] }, { anyOf: [{ const: 'b' }, { const: 'a' }] }],
      [{ type: 'string', enum: ['a', 'b'] }, { enum: ['b', 'a'] }],
      [{ type: ['string', 'null'] }, { anyOf: [{ type: 'null' }, text] }],
      [
        { type: 'integer', exclusiveMinimum: 0 },
        { type: 'integer', minimum: 1 },
      ],
      [{ type: 'boolean' }, { enum: [true, false] }],
      [object({ a: text }), object({ a: { ...text, description: 'x', default: 'y', title: 'z' } })],
      [object({ a: text }), object({ a: text }, [], { additionalProperties: true })],
      [ref({ type: 'string' }), object({ x: text })],
      [{ type: 'array' }, { type: 'array', items: {} }],
      [true, {}],
    ];
    for (const [from, to] of same) {
      expect(verdict(from, to)).toEqual([]);
      expect(verdict(to, from)).toEqual([]);
    }
  });

  it('narrower, and said to be undecided, where nobody can tell', () => {
    const unknown: [unknown, unknown][] = [
      [
        { type: 'string', pattern: '^a' },
        { type: 'string', pattern: '^b' },
      ],
      [
        object({ a: text }, [], { patternProperties: { '^x': text } }),
        object({ a: text, xb: number }, [], { patternProperties: { '^x': text } }),
      ],
      [conditional(1), conditional(2)],
      [
        object({ a: { $ref: '#/nowhere' }, b: { enum: [1] } }),
        object({ a: { $ref: '#/elsewhere', minLength: 2 }, b: { enum: [1] } }),
      ],
      [{ enum: ['abc'] }, { type: 'string', pattern: '(a+)+$' }],
    ];
    for (const [from, to] of unknown) {
      expect(verdict(from, to).some((line) => line.startsWith('undecided'))).toBe(true);
      for (const { direction, note } of compareSchemas(from, to, 'p')) {
        if (note !== null) expect(direction).toBe('narrower');
      }
    }
  });
});

function ref(definition: unknown) {
  return { type: 'object', properties: { x: { $ref: '#/$defs/X' } }, required: [], $defs: { X: definition } };
}
/** As text: an object with `then` looks like a promise to the linter. */
function conditional(value: number) {
  return JSON.parse(`{"if":{"const":${value}},"then":{"type":"string"}}`);
}
function tagged(tag: string) {
  return object({ kind: { const: tag }, value: text }, ['kind']);
}

describe('hostile schemas', () => {
  it('that refer to themselves end', () => {
    const list = (more: object) => object({ next: { anyOf: [{ $ref: '#' }, { type: 'null' }] }, ...more });
    expect(verdict(list({}), list({ value: text }))).toEqual(['wider p.properties.value']);
    expect(verdict({ $ref: '#' }, { $ref: '#/x' }).length).toBeLessThan(3);
    const a = { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' };
    expect(verdict(a, { ...a, type: 'object' }).length).toBeGreaterThan(0);
    expect(verdict({ $ref: '#/%E0%A4%A' }, text).length).toBeGreaterThan(0);
  });

  it('take a moment, not for ever, and then count as narrower', () => {
    const bush = (depth: number, leaf: number): unknown =>
      depth === 0
        ? { enum: [leaf] }
        : { anyOf: Array.from({ length: 5 }, (_, at) => object({ [`k${at}`]: bush(depth - 1, leaf + at) })) };
    const started = performance.now();
    const deltas = compareSchemas(bush(6, 0), bush(6, 1), 'p');
    expect(performance.now() - started).toBeLessThan(5000);
    expect(deltas.some(({ note }) => note !== null)).toBe(true);
    const wide = (count: number) => ({ oneOf: Array.from({ length: count }, (_, at) => tagged(`t${at}`)) });
    expect(compareSchemas(wide(2000), wide(2001), 'p').length).toBeGreaterThan(0);
    const deep = (leaf: unknown): unknown => Array.from({ length: 3000 }).reduce((inner) => object({ a: inner }), leaf);
    expect(compareSchemas(deep(text), deep(number), 'p').length).toBeGreaterThan(0);
  });

  it('with names that every object has are like any other', () => {
    const evil = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}}',
    );
    expect(verdict(object({}), evil)).toEqual(['wider p.properties.__proto__', 'wider p.properties.constructor']);
  });

  it('never have their patterns run', () => {
    const slow = { type: 'string', pattern: '^(a+)+$' };
    const started = performance.now();
    compareSchemas({ enum: [`${'a'.repeat(60)}!`] }, slow, 'p');
    compareSchemas(slow, { enum: [`${'a'.repeat(60)}!`] }, 'p');
    expect(performance.now() - started).toBeLessThan(500);
  });
});

/** Closed objects only: of open ones we do not claim what JSON Schema says (see the comment of the module). */
const scalar = fc.constantFrom<unknown>('a', 'b', 'ab', 0, 1, 2, 1.5, -1, true, false, null);
const leaf = fc.oneof(
  fc.record({ enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 3 }) }),
  fc.record({ const: scalar }),
  fc.record({ type: fc.constantFrom('string', 'number', 'integer', 'boolean', 'null') }),
  fc.record({
    type: fc.uniqueArray(fc.constantFrom('string', 'integer', 'number', 'null'), { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ type: fc.constant('string'), minLength: fc.nat(2), maxLength: fc.nat(3) }, { requiredKeys: ['type'] }),
  fc.record(
    {
      type: fc.constantFrom('integer', 'number'),
      minimum: fc.integer({ min: -1, max: 2 }),
      exclusiveMinimum: fc.integer({ min: -1, max: 2 }),
      maximum: fc.integer({ min: 0, max: 2 }),
      multipleOf: fc.constantFrom(0.5, 1, 2),
    },
    { requiredKeys: ['type'] },
  ),
  fc.constantFrom<unknown>({}, true, false),
);
const schema = fc.letrec<{ any: unknown; object: unknown }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    tie('object'),
    fc.record({ anyOf: fc.array(tie('any'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ oneOf: fc.array(tie('any'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ allOf: fc.array(tie('any'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ not: leaf }),
    fc.record({ type: fc.constant('array'), items: tie('any'), maxItems: fc.nat(2) }, { requiredKeys: ['type'] }),
  ),
  object: fc.record({
    type: fc.constant('object'),
    properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('any'), { maxKeys: 2 }),
    required: fc.uniqueArray(fc.constantFrom('a', 'b'), { maxLength: 2 }),
    additionalProperties: fc.constant(false),
  }),
})).any;
const inner = fc.oneof(scalar, fc.array(scalar, { maxLength: 2 }));
const values = fc.array(fc.oneof(inner, fc.dictionary(fc.constantFrom('a', 'b', 'c'), inner, { maxKeys: 2 })), {
  minLength: 30,
  maxLength: 60,
});

describe('for any two schemas', () => {
  const runs = { numRuns: 1500 };

  it('no call that fitted is refused unless it says narrower, none is new unless it says wider or undecided', () => {
    fc.assert(
      fc.property(schema, schema, values, (from, to, tried) => {
        const deltas = compareSchemas(from, to, 'p');
        const says = (direction: string) =>
          deltas.some((delta) => delta.direction === direction || delta.note !== null);
        for (const value of tried) {
          const [before, after] = [schemaErrors(from, value).length === 0, schemaErrors(to, value).length === 0];
          if (before && !after && !says('narrower'))
            throw new Error(`not narrower, but refuses ${JSON.stringify(value)}`);
          if (!before && after && !says('wider')) throw new Error(`not wider, but accepts ${JSON.stringify(value)}`);
        }
      }),
      runs,
    );
  });

  it('the other way round narrower and wider swap', () => {
    fc.assert(
      fc.property(schema, schema, (from, to) => {
        const count = (deltas: ReturnType<typeof compareSchemas>) => ({
          narrower: deltas.filter((one) => one.direction === 'narrower' && one.note === null).length,
          wider: deltas.filter((one) => one.direction === 'wider').length,
          undecided: deltas.filter((one) => one.note !== null).length,
        });
        const there = count(compareSchemas(from, to, 'p'));
        const back = count(compareSchemas(to, from, 'p'));
        expect({ narrower: back.wider, wider: back.narrower, undecided: back.undecided }).toEqual(there);
      }),
      runs,
    );
  });

  it('a schema and itself are the same, also after a change of its texts', () => {
    fc.assert(
      fc.property(schema, (one) => {
        expect(compareSchemas(one, structuredClone(one), 'p')).toEqual([]);
        if (typeof one === 'object' && one !== null)
          expect(compareSchemas(one, { ...one, title: 't' }, 'p')).toEqual([]);
      }),
      runs,
    );
  });
});
