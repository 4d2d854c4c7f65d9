/** "Did you mean": the nearest of known words. */

const MAX_LENGTH = 64;

/** Edits (insert, delete, replace, swap of neighbours) between two words. */
export const editDistance = (a: string, b: string): number => {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (beforeLast[j - 2] ?? 0) + 1);
      row.push(best);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
};

/** Up to three of `known` that `word` was probably meant to be, nearest first; none where nothing is near. */
export const suggest = (word: string, known: Iterable<string>): string[] => {
  if (word.length > MAX_LENGTH) return [];
  const limit = word.length <= 3 ? 1 : word.length <= 6 ? 2 : 3;
  return [...new Set(known)]
    .map((name) => ({ name, distance: name.startsWith(word) && word.length > 2 ? 1 : editDistance(word, name) }))
    .filter(({ name, distance }) => distance <= limit && distance < Math.max(name.length, word.length))
    .sort((a, b) => a.distance - b.distance || a.name.localeCompare(b.name, 'en'))
    .slice(0, 3)
    .map(({ name }) => name);
};

/** "did you mean `a`?" or "did you mean `a` or `b`?"; undefined where there is nothing to suggest. */
export const didYouMean = (names: readonly string[]): string | undefined =>
  names.length === 0 ? undefined : `did you mean ${names.map((name) => `\`${name}\``).join(' or ')}?`;
