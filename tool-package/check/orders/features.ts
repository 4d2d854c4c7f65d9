/**
 * What a sentence is judged by: its words and short runs of words, what they stand for and in which order, and the known
 * phrasings that it matches. Each is a number of 18 bits; two that share one are rare enough not to matter.
 */

import { listConcepts } from './concepts.ts';
import type { OrderKind } from './order-pattern.ts';

const BITS = 18;
export const FEATURE_COUNT = 1 << BITS;

export type Features = {
  readonly ids: readonly number[];
  /** As long as `ids`. */
  readonly values: readonly number[];
};

const CJK_CHARACTER = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u;
const TOKEN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|\p{L}[\p{L}\p{M}'\p{N}_]*|\p{N}+|[~/$<>[\]{}:"!?]/gu;
/** A long sentence is cut where it is split; this is for what remains without blanks. */
const MAX_TOKENS = 400;

/** How much the words, the concepts and the known phrasings weigh, whatever their number. */
const WEIGHT = { words: 1, concepts: 0.5, phrasing: 0.3 } as const;

/** `plain` is a sentence after `plainText`; `phrasings` the kinds of known phrasings in it. */
export const featuresOf = (plain: string, phrasings: readonly OrderKind[]): Features => {
  const sentence = plain.replaceAll('ё', 'е');
  const groups = [
    { names: wordFeatures(sentence), weight: WEIGHT.words },
    { names: conceptFeatures(sentence), weight: WEIGHT.concepts },
  ];
  const ids: number[] = [];
  const values: number[] = [];
  for (const { names, weight } of groups) {
    const distinct = new Set([...names].map(numberOf));
    for (const id of distinct) {
      ids.push(id);
      values.push(weight / Math.sqrt(distinct.size));
    }
  }
  for (const kind of phrasings) {
    ids.push(numberOf(`r${kind}`));
    values.push(WEIGHT.phrasing);
  }
  return { ids, values };
};

/** FNV-1a over the UTF-16 units, mixed once more, since only some bits are kept. */
const numberOf = (name: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 12)) & (FEATURE_COUNT - 1);
};

const tokensOf = (sentence: string): string[] =>
  (sentence.match(TOKEN) ?? []).slice(0, MAX_TOKENS).map((token) => (/^\p{N}/u.test(token) ? '#' : token));

/** Close enough to a stem for endings not to matter. */
const stemOf = (word: string): string => {
  if (/[\u0400-\u04ff]/.test(word)) return word.slice(0, 5);
  return word.length > 6 ? word.slice(0, 6) : word.replace(/(?:'s|s|ed|ing)$/, '') || word;
};

function* wordFeatures(sentence: string): Generator<string, void, undefined> {
  const words = tokensOf(sentence);
  const stems = ['^', ...words.map(stemOf), '$'];
  for (const [at, stem] of stems.entries()) {
    yield `1${stem}`;
    const word = words[at - 1];
    if (word !== undefined && word !== stem) yield `w${word}`;
    const [second, third, fourth] = [stems[at + 1], stems[at + 2], stems[at + 3]];
    if (second === undefined) continue;
    yield `2${stem} ${second}`;
    if (third === undefined) continue;
    yield `3${stem} ${second} ${third}`;
    yield `s${stem} ${third}`;
    if (fourth === undefined) continue;
    yield `s${stem} ${fourth}`;
    if (CJK_CHARACTER.test(stem)) yield `4${stem} ${second} ${third} ${fourth}`;
  }
}

const FAR = 8;
const NEAR = 2;

function* conceptFeatures(sentence: string): Generator<string, void, undefined> {
  const list = listConcepts(sentence).slice(0, MAX_TOKENS);
  for (const [at, first] of list.entries()) {
    for (const concept of first) yield `c${concept}`;
    for (let step = 0; step <= FAR && at + step < list.length; step += 1) {
      yield* pairs(first, list[at + step] ?? [], step);
    }
  }
}

function* pairs(first: readonly string[], second: readonly string[], step: number): Generator<string, void, undefined> {
  for (const one of first) {
    for (const other of second) {
      if (step === 0 && one >= other) continue;
      yield `p${one}>${other}`;
      if (step <= NEAR) yield `n${one}>${other}`;
    }
  }
}
