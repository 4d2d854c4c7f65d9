/** What is refused before any parser sees it: 300,000 nested parentheses end esbuild at 1 GB. */

export const MAX_SOURCE_BYTES = 2 * 1024 * 1024;
const MAX_NESTING = 1000;

/**
 * Whether brackets nest deeper than MAX_NESTING, in one pass. Quoted text on one line and comments do not count. A
 * regular expression with a quote in it can hide the rest of its line: then the limits of the process group hold.
 */
export function nestsTooDeep(source: string): boolean {
  let depth = 0;
  for (let at = 0; at < source.length; at++) {
    const char = source.charCodeAt(at);
    if (char === 0x28 || char === 0x5b || char === 0x7b) {
      if (++depth > MAX_NESTING) return true;
    } else if (char === 0x29 || char === 0x5d || char === 0x7d) {
      depth = Math.max(0, depth - 1);
    } else if (char === 0x22 || char === 0x27) {
      at = endOfQuoted(source, at, char);
    } else if (char === 0x2f) {
      at = endOfComment(source, at);
    }
  }
  return false;
}

/** The closing quote, or the end of the line where there is none. */
function endOfQuoted(source: string, start: number, quote: number): number {
  for (let at = start + 1; at < source.length; at++) {
    const char = source.charCodeAt(at);
    if (char === quote || char === 0x0a) return at;
    if (char === 0x5c) at++;
  }
  return source.length;
}

function endOfComment(source: string, start: number): number {
  const next = source.charCodeAt(start + 1);
  if (next !== 0x2f && next !== 0x2a) return start;
  const end = next === 0x2f ? source.indexOf('\n', start) : source.indexOf('*/', start + 2);
  return end < 0 ? source.length : end;
}
