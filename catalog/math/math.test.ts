import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { callSlopcodeTool, loadSlopcodeTools } from '../../tool-package/run/index.ts';
import { add, multiply } from './decimal.ts';

test('two exports are two tools, and each answers with text', async () => {
  const tools = await loadSlopcodeTools(join(import.meta.dirname, 'tools', 'math.ts'));
  expect([...tools.keys()].sort()).toEqual(['math_add', 'math_multiply']);
  await expect(callSlopcodeTool(tools, 'math_add', { a: 2, b: 3 })).resolves.toBe('5');
  await expect(callSlopcodeTool(tools, 'math_multiply', { a: 2, b: 3 })).resolves.toBe('6');
  await expect(callSlopcodeTool(tools, 'math_add', { a: '2', b: 3 })).rejects.toThrow('2 is not a finite number.');
});

test.each([
  [0.1, 0.2, '0.3', '0.02'],
  [1.1, -1.1, '0', '-1.21'],
  [-0.05, 0.01, '-0.04', '-0.0005'],
  [123456789, 987654321, '1111111110', '121932631112635269'],
  [1e21, 1, '1000000000000000000001', '1000000000000000000000'],
  [1e-7, 2, '2.0000001', '0.0000002'],
  [-0, 0, '0', '0'],
  [2.5, 2, '4.5', '5'],
])('%d and %d', (a, b, sum, product) => {
  expect([add(a, b), multiply(a, b)]).toEqual([sum, product]);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY])('%d is refused', (value) => {
  expect(() => add(1, value)).toThrow('is not a finite number');
});

test('whole numbers give what BigInt gives (property)', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.maxSafeInteger(), (a, b) => {
      expect(add(a, b)).toBe((BigInt(a) + BigInt(b)).toString());
      expect(multiply(a, b)).toBe((BigInt(a) * BigInt(b)).toString());
    }),
  );
});

test('decimals are close to what floating point gives, and the order does not matter (property)', () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 });
  fc.assert(
    fc.property(number, number, (a, b) => {
      expect(Number(add(a, b))).toBeCloseTo(a + b, 6);
      expect(add(a, b)).toBe(add(b, a));
      expect(multiply(a, b)).toBe(multiply(b, a));
    }),
  );
});
