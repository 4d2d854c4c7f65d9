/** Replacing text, without any file: plain values in, plain values out. */

/**
 * `current` with its only occurrence of `oldText` replaced by `newText`, letter for letter.
 * Throws when `oldText` is missing or occurs more than once. In a file with Windows line ends, both texts get them too.
 */
export function replaceOnce(current: string, oldText: string, newText: string): { next: string; line: number } {
  const [wanted, replacement] = usesCrLf(current) ? [withCrLf(oldText), withCrLf(newText)] : [oldText, newText];
  const at = current.indexOf(wanted);
  if (at === -1)
    throw new Error('oldText does not occur in the file. It must match letter for letter, with white space.');
  const again = current.indexOf(wanted, at + 1);
  if (again !== -1) {
    const lines = `lines ${lineOf(current, at)} and ${lineOf(current, again)}`;
    throw new Error(`oldText occurs more than once (${lines}). Add the text around it until it is unique.`);
  }
  if (wanted === replacement) throw new Error('oldText and newText are the same: there is nothing to change.');
  // Not String.replace: it would read `$&` and `$1` in the new text as patterns.
  return { next: current.slice(0, at) + replacement + current.slice(at + wanted.length), line: lineOf(current, at) };
}

const usesCrLf = (text: string): boolean => /\r\n/.test(text) && !/(^|[^\r])\n/.test(text);
const withCrLf = (text: string): string => text.replace(/\r?\n/g, '\r\n');
const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;
