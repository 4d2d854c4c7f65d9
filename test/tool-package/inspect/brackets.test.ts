import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nestsTooDeep } from '../../../tool-package/inspect/brackets.ts';

it('counts nesting, not brackets', () => {
  expect(nestsTooDeep('()'.repeat(100_000))).toBe(false);
  expect(nestsTooDeep('('.repeat(1000) + ')'.repeat(1000))).toBe(false);
  expect(nestsTooDeep('('.repeat(1001))).toBe(true);
  expect(nestsTooDeep('([{'.repeat(400))).toBe(true);
});

it('takes linear time for whatever text', () => {
  fc.assert(fc.property(fc.string({ maxLength: 2000 }), (text) => typeof nestsTooDeep(text) === 'boolean'));
  for (const piece of ['/*', '"', "'", '//', '\\', '/', '"\\', '*/', "'\n("]) {
    const started = performance.now();
    nestsTooDeep(piece.repeat(500_000));
    expect(performance.now() - started).toBeLessThan(3000);
  }
});

it('what is quoted or commented hides no nesting behind it', () => {
  const deep = '['.repeat(1001);
  for (const before of ['"(" ', "'it\\'s' ", '// (\n', '/* ( */', '"unclosed\n', 'a / b; ', '`x` ']) {
    expect(nestsTooDeep(before + deep)).toBe(true);
  }
});
