/** The argument check against TypeBox's own, on schemas and values that nobody thought of. */
import fc from 'fast-check';
import { type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import { expect, it } from 'vitest';
import { checkArguments } from '../../../tool-package/run/arguments.ts';
import { coerce } from '../../../tool-package/run/coerce.ts';
import { schemaErrors } from '../../../tool-package/run/schema-errors.ts';

const leaf: fc.Arbitrary<TSchema> = fc.oneof(
  fc.constant(Type.String()),
  fc.nat(4).map((minLength) => Type.String({ minLength, maxLength: minLength + 2 })),
  fc.integer({ min: -3, max: 3 }).map((minimum) => Type.Number({ minimum })),
  fc.constant(Type.Integer({ exclusiveMaximum: 5 })),
  fc.constant(Type.Boolean()),
  fc.constant(Type.Null()),
  fc.constantFrom('a', 1, true).map((value) => Type.Literal(value)),
  fc.constant(Type.Unsafe({ type: 'string', enum: ['a', 'b'] })),
);
const { schema } = fc.letrec<{ schema: TSchema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    tie('schema').map((items) => Type.Array(items, { maxItems: 3 })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((all) => Type.Union(all)),
    fc
      .record({ a: tie('schema'), b: tie('schema').map((each) => Type.Optional(each)), c: leaf }, { requiredKeys: [] })
      .chain((properties) =>
        fc
          .boolean()
          .map((additionalProperties) => Type.Object(properties as Record<string, TSchema>, { additionalProperties })),
      ),
  ),
}));
const value = fc.oneof(
  fc.constantFrom('a', 'b', '', '42', 'true', 0, 1, 2.5, -7, true, false, null),
  fc.jsonValue({ maxDepth: 3 }),
  fc.record(
    { a: fc.jsonValue({ maxDepth: 1 }), b: fc.jsonValue({ maxDepth: 1 }), c: fc.constantFrom('a', 1, true, null) },
    { requiredKeys: [] },
  ),
);

it('finds an error exactly where TypeBox does', () => {
  fc.assert(
    fc.property(schema, value, (each, any) => {
      expect(schemaErrors(each, any).length === 0).toBe(Value.Check(each, any));
    }),
    { numRuns: 2000 },
  );
});

it('leaves what fits as it is', () => {
  fc.assert(
    fc.property(schema, value, (each, any) => {
      fc.pre(Value.Check(each, any) && !JSON.stringify(any).includes('null'));
      expect(coerce(each, any)).toEqual(any);
    }),
    { numRuns: 1000 },
  );
});

it('gives what fits, or an error with the tool’s name; the caller’s arguments stay as they were', () => {
  fc.assert(
    fc.property(schema, value, (each, any) => {
      const before = JSON.stringify(any);
      try {
        expect(Value.Check(each, checkArguments('t', each, any))).toBe(true);
      } catch (error) {
        expect((error as Error).message).toMatch(/^Validation failed for tool "t":\n {2}- /);
      }
      expect(JSON.stringify(any)).toBe(before);
    }),
    { numRuns: 1000 },
  );
});

it('keys like __proto__ are keys', () => {
  const hostile = JSON.parse('{"__proto__":{"polluted":true},"constructor":1}');
  const open = { type: 'object', properties: { constructor: { type: 'number' } } };
  const result = checkArguments('t', open, hostile) as object;
  expect(Object.hasOwn(result, '__proto__')).toBe(true);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  expect(() => checkArguments('t', { ...open, additionalProperties: false }, hostile)).toThrow(
    /__proto__: unknown field/,
  );
});
