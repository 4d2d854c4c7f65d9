/** Columns that text takes on a terminal, and tables that line up with it. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: our own colour codes take no column
const COLOUR = /\u001b\[\d+m/g;
const NO_WIDTH = /\p{M}/u;
/** East Asian wide and full-width blocks, and emoji: two columns. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

/** Number of columns; colour codes and combining marks count nothing, wide characters two. */
export const textWidth = (text: string): number => {
  let width = 0;
  for (const character of text.replace(COLOUR, '')) {
    if (!NO_WIDTH.test(character)) width += WIDE.test(character) ? 2 : 1;
  }
  return width;
};

/** Cuts to `columns`, with `…` as the last one when something was left out. For text without colour codes. */
export const shorten = (text: string, columns: number): string => {
  if (textWidth(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const character of text) {
    const next = textWidth(character);
    if (width + next > columns - 1) break;
    kept += character;
    width += next;
  }
  return `${kept}…`;
};

export const padEnd = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - textWidth(text)));

/** Rows with aligned columns, two blanks between; the last column is not padded. */
export const table = (rows: readonly (readonly string[])[], indent = ''): string => {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, at) => {
      widths[at] = Math.max(widths[at] ?? 0, textWidth(cell));
    });
  return rows
    .map(
      (row) =>
        indent +
        row
          .map((cell, at) => (at === row.length - 1 ? cell : padEnd(cell, widths[at] ?? 0)))
          .join('  ')
          .trimEnd(),
    )
    .join('\n');
};

/** Wraps prose at blanks; a wide character may be broken after. `indent` goes before each line. */
export const wrapText = (text: string, columns: number, indent = ''): string => {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter(Boolean)) {
    if (line !== '' && textWidth(line) + 1 + textWidth(word) > columns) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((one) => indent + one).join('\n');
};
