/** Turns what somebody typed into an FTS5 expression. Nothing of it can be read as FTS5's syntax: see `quote`. */
import type { Connection } from './connection.ts';
import { isOneTypoFromPrefix } from './edit-distance.ts';
import { fold, queryTokens, spacedWords, unspacedRuns } from './search-text.ts';

const MAX_WORDS = 16;
const MAX_WORD_LENGTH = 64;
const MAX_ALTERNATIVES = 32;
/** Each costs a walk over the index's vocabulary. */
const MAX_UNKNOWN_WORDS = 3;
/** Shorter words have too many neighbours: `read` is one letter from `head`, `road`, `real` … */
const MIN_TYPO_LENGTH = 4;
/** Cyrillic endings change with case and number: погода, погоду, погоды, погодой. */
const CYRILLIC = /^\p{Script=Cyrillic}+$/u;

export type SearchQuery = {
  /** Null when nothing was asked: everything, by name. */
  readonly match: string | null;
  /** The query as a package's name and as a tool's name would spell it. */
  readonly asPackage: string;
  readonly asTool: string;
};

/** The query for `text`; `connection` gives the index's vocabulary for typos. */
export const readQuery = (connection: Connection, text: string): SearchQuery => {
  const words = spacedWords(text)
    .map((word) => word.slice(0, MAX_WORD_LENGTH))
    .slice(0, MAX_WORDS);
  const runs = unspacedRuns(text)
    .map((run) => run.slice(0, MAX_WORD_LENGTH))
    .slice(0, MAX_WORDS);
  const terms = [
    ...matchWords(connection, words),
    ...runs.flatMap((run) => queryTokens(run).map((token) => `{unspaced unspaced_readme} : ${quote(token)}`)),
  ];
  const asTyped = fold(text).trim().replace(/\s+/g, ' ');
  return {
    match: terms.length > 0 ? terms.join(' AND ') : asTyped === '' ? null : NOTHING,
    asPackage: asTyped.replace(/[ _]/g, '-'),
    asTool: asTyped.replace(/[ -]/g, '_'),
  };
};

/** Words hold letters and digits only, so the quotes cannot be left. */
const quote = (word: string): string => `"${word.replaceAll('"', '')}"`;

/** Punctuation only: asked for something, but nothing that could be found. */
const NOTHING = '"" AND ""';

type Word = { readonly prefixes: readonly string[]; readonly isKnown: boolean };

const readWord = (connection: Connection, word: string): Word => {
  const isInflected = CYRILLIC.test(word) && word.length >= 5;
  const prefixes = isInflected ? [word, word.slice(0, word.length >= 7 ? -2 : -1)] : [word];
  return { prefixes, isKnown: prefixes.some((prefix) => hasPrefix(connection, prefix)) };
};

const matchWords = (connection: Connection, words: readonly string[]): string[] => {
  const read = words.map((word) => ({ word, ...readWord(connection, word) }));
  const unknown = read.filter(({ isKnown }) => !isKnown);
  if (unknown.length > MAX_UNKNOWN_WORDS) return [NOTHING];
  return read.map(({ word, prefixes, isKnown }) => {
    const alternatives = isKnown ? prefixes : [...prefixes, ...findTypos(connection, word)];
    return `(${alternatives.map((prefix) => `${quote(prefix)}*`).join(' OR ')})`;
  });
};

const hasPrefix = (connection: Connection, prefix: string): boolean => {
  const first = connection.prepare('select term from search_words where term >= ? limit 1').pluck().get(prefix);
  return typeof first === 'string' && first.startsWith(prefix);
};

/**
 * Words of the index that would begin with `word` but for one typo. SQLite narrows them down: a typo leaves one half of
 * the word as it is, in its place or one letter beside it. (A swap in the middle leaves the first half but its last letter.)
 */
const findTypos = (connection: Connection, word: string): string[] => {
  const letters = [...word];
  if (letters.length < MIN_TYPO_LENGTH) return [];
  const half = letters.length >> 1;
  const start = letters.slice(0, half - 1).join('');
  const end = letters.slice(half).join('');
  const rows = connection
    .prepare(
      `select term from search_terms where term >= @start and term < @start || char(1114111)
       union
       select term from search_terms
       where substr(term, @half + 1, length(@end)) = @end
          or substr(term, @half + 2, length(@end)) = @end
          or substr(term, @half, length(@end)) = @end`,
    )
    .pluck()
    .iterate({ start, end, half });
  const found: string[] = [];
  for (const term of rows as IterableIterator<string>) {
    if (isOneTypoFromPrefix(word, term)) found.push(term);
    if (found.length >= MAX_ALTERNATIVES) break;
  }
  return found;
};
