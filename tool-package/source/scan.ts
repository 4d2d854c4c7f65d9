/** What is looked at before a parser sees a file: parsers are recursive, and 300,000 brackets end the process of some. */

export const MAX_FILE_BYTES = 2 * 1024 * 1024;
export const MAX_BRACKETS = 1000;

const BEFORE_REGEX = /[(,=:[!&|?{};+\-*%~^<>]/;
const WORD_BEFORE_REGEX =
  /(?:^|[^\w$])(?:return|typeof|case|in|of|do|else|void|delete|throw|await|yield|new|instanceof)$/;

/** Text with its place; each step takes at least one character, so a scan is linear. */
type Scan = { source: string; at: number; depth: number; deepest: number; templates: number[]; last: string };

/** The deepest nesting of brackets in `source`, with strings, templates, comments and (nearly always) regular expressions left out. */
export function bracketDepth(source: string): number {
  const scan: Scan = { source, at: 0, depth: 0, deepest: 0, templates: [], last: '' };
  while (scan.at < source.length && scan.deepest <= MAX_BRACKETS) step(scan);
  return scan.deepest;
}

function step(scan: Scan): void {
  const character = scan.source[scan.at] ?? '';
  if (character === '"' || character === "'") skipString(scan, character);
  else if (character === '`') skipTemplate(scan);
  else if (character === '/') skipSlash(scan);
  else takeSign(scan, character);
}

function takeSign(scan: Scan, character: string): void {
  scan.at += 1;
  if (character === '(' || character === '[' || character === '{') open(scan);
  else if (character === ')' || character === ']') scan.depth -= 1;
  else if (character === '}') closeBrace(scan);
  if (character > ' ') scan.last = character;
}

function open(scan: Scan): void {
  scan.depth += 1;
  scan.deepest = Math.max(scan.deepest, scan.depth);
}

function closeBrace(scan: Scan): void {
  scan.depth -= 1;
  if (scan.templates.at(-1) !== scan.depth) return;
  scan.templates.pop();
  scan.at -= 1;
  skipTemplate(scan);
}

/** Behind the closing quote, or at the end of the line where there is none. */
function skipString(scan: Scan, quote: string): void {
  let at = scan.at + 1;
  for (; at < scan.source.length; at += 1) {
    const character = scan.source[at];
    if (character === '\\') at += 1;
    else if (character === quote || character === '\n') break;
  }
  scan.at = at + 1;
  scan.last = quote;
}

/** From a backquote, or from the brace that ends a hole, to the end of the template or its next hole. */
function skipTemplate(scan: Scan): void {
  let at = scan.at + 1;
  for (; at < scan.source.length; at += 1) {
    const character = scan.source[at];
    if (character === '\\') at += 1;
    else if (character === '`') break;
    else if (character === '$' && scan.source[at + 1] === '{') {
      scan.templates.push(scan.depth);
      open(scan);
      scan.at = at + 2;
      scan.last = '{';
      return;
    }
  }
  scan.at = at + 1;
  scan.last = '`';
}

function skipSlash(scan: Scan): void {
  const next = scan.source[scan.at + 1];
  if (next === '/') skipTo(scan, '\n');
  else if (next === '*') skipTo(scan, '*/');
  else if (regexCanStart(scan)) skipRegex(scan);
  else {
    scan.at += 1;
    scan.last = '/';
  }
}

function skipTo(scan: Scan, end: string): void {
  const found = scan.source.indexOf(end, scan.at + 2);
  scan.at = found === -1 ? scan.source.length : found + end.length;
}

function regexCanStart(scan: Scan): boolean {
  if (scan.last === '' || BEFORE_REGEX.test(scan.last)) return true;
  return WORD_BEFORE_REGEX.test(scan.source.slice(Math.max(0, scan.at - 12), scan.at).trimEnd());
}

function skipRegex(scan: Scan): void {
  let inClass = false;
  let at = scan.at + 1;
  for (; at < scan.source.length; at += 1) {
    const character = scan.source[at];
    if (character === '\\') at += 1;
    else if (character === '[') inClass = true;
    else if (character === ']') inClass = false;
    else if (character === '\n' || (character === '/' && !inClass)) break;
  }
  scan.at = at + 1;
  scan.last = '/';
}
