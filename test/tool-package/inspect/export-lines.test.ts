/** Where findings about a tool file point. */
import { describe, expect, it } from 'vitest';
import { exportLines } from '../../../tool-package/inspect/export-lines.ts';

const linesOf = (...source: string[]) => Object.fromEntries(exportLines(source.join('\n')));

describe('the line of an export', () => {
  it('declared where it is exported', () => {
    expect(linesOf('', 'export const a = 1;', '  export async function b() {}', 'export default {', '};')).toEqual({
      a: 2,
      b: 3,
      default: 4,
    });
  });

  it('listed at the end: where it is declared', () => {
    const source = [
      'const a = tool({',
      '});',
      'function b() {}',
      'const c = 1;',
      'export {',
      '  a,',
      '  b as d,',
      '};',
    ];
    expect(linesOf(...source, 'export default c;')).toEqual({ a: 1, d: 3, default: 4 });
  });

  it('handed on from another file: the line of the list', () => {
    expect(linesOf('const a = 1;', "export { default, a as b } from './x.ts';", 'export { a as default2 };')).toEqual({
      default: 2,
      b: 2,
      default2: 1,
    });
  });

  it('CommonJS, as compilers write it', () => {
    const source = [
      'exports.a = exports.b = void 0;',
      'const plugin = require("x");',
      'exports.a = plugin.tool({',
      '});',
    ];
    expect(linesOf(...source, 'exports.default = a;')).toEqual({ a: 3, default: 5 });
  });

  it('hostile text takes no time', () => {
    const start = performance.now();
    exportLines('export {'.repeat(200_000));
    expect(performance.now() - start).toBeLessThan(5000);
  });
});
