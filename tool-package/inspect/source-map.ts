/** From a line of the bundle back to the author's file: the little of source maps that this needs. */

export type SourcePlace = { file: string; line: number };

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

type Segment = { column: number; source: number; line: number };
export type LineMap = { sources: string[]; lines: Segment[][] };

export function readSourceMap(json: string): LineMap {
  const map = JSON.parse(json || '{"sources":[],"mappings":""}') as { sources: string[]; mappings: string };
  let source = 0;
  let line = 0;
  const lines = map.mappings.split(';').map((row) => {
    let column = 0;
    return row
      .split(',')
      .filter(Boolean)
      .map((segment) => {
        const [columnStep = 0, sourceStep = 0, lineStep = 0] = decodeVlq(segment);
        column += columnStep;
        source += sourceStep;
        line += lineStep;
        return { column, source, line };
      });
  });
  return { sources: map.sources.map((name) => name.replace(/^.*?archive:/, '')), lines };
}

function decodeVlq(text: string): number[] {
  const numbers: number[] = [];
  let value = 0;
  let shift = 0;
  for (const char of text) {
    const digit = DIGITS.indexOf(char);
    value += (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    value = 0;
    shift = 0;
  }
  return numbers;
}

/** The first place of a stack that lies in a file of the archive. */
export function findPlace(map: LineMap, stack: string, files: ReadonlySet<string>): SourcePlace | undefined {
  for (const [, row, column] of stack.matchAll(/bundle\.js:(\d+)(?::(\d+))?/g)) {
    const place = placeAt(map, Number(row) - 1, Number(column ?? 1) - 1);
    if (place && files.has(place.file)) return place;
  }
  return undefined;
}

function placeAt(map: LineMap, row: number, column: number): SourcePlace | undefined {
  const segments = map.lines[row] ?? [];
  const segment = segments.findLast((each) => each.column <= column) ?? segments[0];
  const file = segment === undefined ? undefined : map.sources[segment.source];
  return segment === undefined || file === undefined ? undefined : { file, line: segment.line + 1 };
}
