/** Splits a command line into words as a shell would, and refuses everything that would need a shell. */

const SHELL_CHARACTERS = /[|&;<>()$`\n\r*?[\]]/;
/** These mean something to a shell only where a word begins (HEAD~1 is an ordinary word). */
const SHELL_STARTS = /^[~#]/;

/** The words of `line`; quotes and backslashes are understood. Throws an Error that names the character it refuses. */
export function splitCommandLine(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let rest = line;
  while (rest !== '') {
    const blank = /^[ \t]+/.exec(rest);
    if (blank) {
      if (word !== undefined) words.push(word);
      word = undefined;
      rest = rest.slice(blank[0].length);
      continue;
    }
    const piece = nextPiece(rest, word === undefined);
    word = (word ?? '') + piece.text;
    rest = rest.slice(piece.length);
  }
  if (word !== undefined) words.push(word);
  return words;
}

/** The next quoted or plain piece of a word, and how many characters of the line it takes. */
function nextPiece(rest: string, startsWord: boolean): { text: string; length: number } {
  const single = /^'([^']*)'/.exec(rest);
  if (single) return { text: single[1] ?? '', length: single[0].length };
  const double = /^"((?:[^"\\]|\\.)*)"/s.exec(rest);
  if (double) return { text: insideDouble(double[1] ?? ''), length: double[0].length };
  if (/^['"]/.test(rest)) throw new Error(`A quotation mark (${rest[0]}) is not closed.`);
  const escaped = /^\\([^\n])/.exec(rest);
  if (escaped) return { text: escaped[1] ?? '', length: 2 };
  const plain = /^[^ \t'"\\]+/.exec(rest)?.[0] ?? rest[0] ?? '';
  refuseShell(SHELL_CHARACTERS.exec(plain) ?? (startsWord ? SHELL_STARTS.exec(plain) : null));
  return { text: plain, length: plain.length };
}

function insideDouble(text: string): string {
  const expansion = /(^|[^\\])[$`]/.exec(text);
  if (expansion) throw new Error('$ and ` are not expanded here: use single quotes when you mean the characters.');
  return text.replace(/\\([\\"$`])/g, '$1');
}

function refuseShell(found: RegExpExecArray | null): void {
  if (!found) return;
  throw new Error(
    `${JSON.stringify(found[0])} needs a shell, and there is none: run one plain command at a time, and quote the character when you mean it.`,
  );
}
