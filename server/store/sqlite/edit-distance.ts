/** "One typo": one letter wrong, missing, too many, or two neighbours swapped. */

/** True when `word` becomes a prefix of `term` (or the whole of it) by at most one typo. */
export const isOneTypoFromPrefix = (word: string, term: string): boolean => {
  const wordLetters = [...word];
  const termLetters = [...term];
  const same = commonPrefix(wordLetters, termLetters);
  const rest = wordLetters.slice(same);
  const other = termLetters.slice(same);
  if (rest.length === 0) return true;
  const swapped = [rest[1], rest[0], ...rest.slice(2)];
  return (
    startsWith(other.slice(1), rest.slice(1)) || // wrong letter
    startsWith(other.slice(1), rest) || // missing letter
    startsWith(other, rest.slice(1)) || // letter too many
    (rest.length > 1 && startsWith(other, swapped))
  );
};

const commonPrefix = (left: readonly string[], right: readonly string[]): number => {
  const limit = Math.min(left.length, right.length);
  let length = 0;
  while (length < limit && left[length] === right[length]) length++;
  return length;
};

const startsWith = (letters: readonly (string | undefined)[], prefix: readonly (string | undefined)[]): boolean =>
  prefix.length <= letters.length && prefix.every((letter, index) => letter === letters[index]);
