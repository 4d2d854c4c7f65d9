/**
 * Marks: a text that is made from an inert value carries characters of a private-use range, digit by digit, so that
 * any slice of it can still be told from the author's own text.
 */

const OPEN = '\uf5ae';
const CLOSE = '\uf5af';
const DIGIT_BASE = 0xf5a0;
const ANY_MARK = /[\uf5a0-\uf5af]/;
const WHOLE_MARK = /\uf5ae([\uf5a0-\uf5a9]+)\uf5af/;

const labels: string[] = [];

/** The text that stands for a value which came from `label`. */
export function markFor(label: string): string {
  let id = labels.indexOf(label);
  if (id < 0) id = labels.push(label) - 1;
  const digits = [...String(id)].map((digit) => String.fromCharCode(DIGIT_BASE + Number(digit)));
  return OPEN + digits.join('') + CLOSE;
}

/** Where a marked text came from; undefined for a text of the author's own. */
export function findMark(text: string): string | undefined {
  if (!ANY_MARK.test(text)) return undefined;
  const digits = WHOLE_MARK.exec(text)?.[1];
  if (digits === undefined) return 'an import';
  const id = Number([...digits].map((digit) => digit.charCodeAt(0) - DIGIT_BASE).join(''));
  return labels[id] ?? 'an import';
}
