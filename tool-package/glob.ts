/** Globs over paths of an archive: `*`, `?`, `**` and `{a,b}`. Matched without regular expressions, so no pattern can hang. */

const MAX_ALTERNATIVES = 64;

/** Whether an entry of `package.json` is a glob, by pi's rule. */
export const isGlob = (entry: string): boolean => entry.includes('*') || entry.includes('?');

/** Whether `path` (segments joined by `/`) matches. `*` and `?` stay in one segment, `**` is any number of them. */
export const matchesGlob = (path: string, pattern: string): boolean => {
  const segments = path.split('/');
  return expandBraces(pattern).some((one) => matchesSegments(segments, one.split('/')));
};

/** `a/{b,c}.ts` -> `a/b.ts`, `a/c.ts`; not nested, and no more than 64. */
const expandBraces = (pattern: string): string[] => {
  let done = [pattern];
  for (let round = 0; round < 8; round += 1) {
    const next = done.flatMap((one) => {
      const match = /\{([^{}]*)\}/.exec(one);
      if (match === null) return [one];
      const [before, after] = [one.slice(0, match.index), one.slice(match.index + match[0].length)];
      return (match[1] ?? '').split(',').map((choice) => `${before}${choice}${after}`);
    });
    if (next.length > MAX_ALTERNATIVES || next.length === done.length) return next.slice(0, MAX_ALTERNATIVES);
    done = next;
  }
  return done;
};

/** Dynamic programming over segments: `reach[i]` says whether the pattern so far can have eaten `i` segments. */
const matchesSegments = (segments: readonly string[], pattern: readonly string[]): boolean => {
  let reach = segments.map(() => false).concat(false);
  reach[0] = true;
  for (const part of pattern) {
    const next = reach.map(() => false);
    for (let at = 0; at <= segments.length; at += 1) {
      if (part === '**') next[at] = reach[at] === true || (at > 0 && next[at - 1] === true);
      else if (at > 0 && reach[at - 1] === true) next[at] = matchesSegment(segments[at - 1] ?? '', part);
    }
    reach = next;
  }
  return reach[segments.length] === true;
};

/** The two-pointer wildcard match: on a mismatch, the last `*` eats one more character. */
const matchesSegment = (text: string, pattern: string): boolean => {
  let [at, in_, star, mark] = [0, 0, -1, 0];
  while (at < text.length) {
    if (pattern[in_] === '*') {
      star = in_;
      mark = at;
      in_ += 1;
    } else if (pattern[in_] === '?' || pattern[in_] === text[at]) {
      at += 1;
      in_ += 1;
    } else if (star !== -1) {
      mark += 1;
      at = mark;
      in_ = star + 1;
    } else return false;
  }
  return /^\**$/.test(pattern.slice(in_));
};
