/** How text and queries are cut into words for the index. Both sides go through here, so they cannot disagree. */

/** Scripts that are written without spaces between words: a run is indexed by its characters and by each pair. */
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー々';
const UNSPACED_RUN = new RegExp(`[${UNSPACED}]+`, 'gu');
const COMBINING_MARKS = /[\u0300-\u036f]+/g;
const WORD = /[\p{L}\p{N}]+/gu;
/** `readLog` -> `read Log`, `HTTPServer` -> `HTTP Server`: the parts of a tool's name are words, too. */
const CAMEL = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu;

/** One spelling per word: compatibility forms, case, accents (`ё` is `е`, `é` is `e`). */
export const fold = (text: string): string =>
  text.normalize('NFKD').replace(COMBINING_MARKS, '').normalize('NFKC').toLowerCase();

/** The words of scripts with spaces, ready for FTS5's unicode61. */
export const spacedWords = (text: string): string[] => fold(text).replace(UNSPACED_RUN, ' ').match(WORD) ?? [];

/** A name as it is, and its parts. */
export const nameWords = (name: string): string[] => {
  const whole = spacedWords(name);
  const parts = spacedWords(name.replace(CAMEL, ' '));
  return [...new Set([...whole, ...parts])];
};

/** Runs of scripts without spaces. */
export const unspacedRuns = (text: string): string[] => fold(text).match(UNSPACED_RUN) ?? [];

/** `天气查询` -> 天 天气 气 气查 查 查询 询: FTS5's own tokenizers find no pair inside a run. */
export const unspacedTokens = (text: string): string[] => unspacedRuns(text).flatMap(charactersAndPairs);

/** What a run in a query must match: its only character, or each of its pairs. */
export const queryTokens = (run: string): string[] => {
  const characters = [...run];
  if (characters.length === 1) return characters;
  return characters.slice(0, -1).map((character, index) => character + (characters[index + 1] ?? ''));
};

const charactersAndPairs = (run: string): string[] => {
  const characters = [...run];
  return characters.flatMap((character, index) => {
    const next = characters[index + 1];
    return next === undefined ? [character] : [character, character + next];
  });
};
