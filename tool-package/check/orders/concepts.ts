/**
 * What the words of an order stand for, whatever the language: somebody is told (`tell`) or not (`not` `tell`) of
 * something. Pairs of concepts carry what is learned from one wording, or one language, over to another.
 */
import { EAST_ASIAN } from './words-east-asia.ts';
import { ENGLISH } from './words-en.ts';
import { EUROPEAN } from './words-europe.ts';
import { RUSSIAN } from './words-ru.ts';
import { CHINESE } from './words-zh.ts';

export const CONCEPTS = [
  'user',
  'model',
  'instruction',
  'earlier',
  'override',
  'precedence',
  'system',
  'tool',
  'other',
  'instead',
  'not',
  'stop',
  'must',
  'when',
  'call',
  'tell',
  'hide',
  'ask',
  'granted',
  'warn',
  'directly',
  'danger',
  'credential',
  'conversation',
  'systemPrompt',
  'include',
  'content',
  'reviewer',
  'safe',
  'verdict',
  'file',
  'read',
  'request',
  'otherwise',
  'pretext',
  'every',
  'self',
  'condition',
  'pretend',
  'claim',
] as const;
export type Concept = (typeof CONCEPTS)[number];

/** Words parted by blanks, in lower case without `ё`. `x*` is every word that begins with x, `a_b` the words a and b together. */
export type ConceptWords = Readonly<Partial<Record<Concept, string>>>;

type Entry = { readonly concept: Concept; readonly word: string };

const CJK = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;
const WORD = /[~./]*[\p{L}\p{N}_][\p{L}\p{M}\p{N}_'.-]*/gu;

const ENTRIES: readonly Entry[] = [ENGLISH, CHINESE, RUSSIAN, EUROPEAN, EAST_ASIAN].flatMap((words) =>
  CONCEPTS.flatMap((concept) => (words[concept] ?? '').split(' ').map((word) => ({ concept, word }))).filter(
    ({ word }) => word !== '',
  ),
);

/** By the first character, the longest first. */
const IN_CJK = new Map<string, Entry[]>();
const WHOLE = new Map<string, Concept[]>();
const PREFIXES = new Map<string, Entry[]>();
const PHRASES = new Map<string, { readonly concept: Concept; readonly words: readonly string[] }[]>();

const KEY_LENGTH = 2;
const addTo = <T>(map: Map<string, T[]>, key: string, value: T): void => {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
};

for (const { concept, word } of ENTRIES) {
  const words = word.split('_');
  if (CJK.test(word)) addTo(IN_CJK, word.charAt(0), { concept, word: word.replaceAll('_', ' ') });
  else if (words.length > 1) addTo(PHRASES, (words[0] ?? '').slice(0, KEY_LENGTH), { concept, words });
  else if (word.endsWith('*')) addTo(PREFIXES, word.slice(0, KEY_LENGTH), { concept, word: word.slice(0, -1) });
  else addTo(WHOLE, word, concept);
}

for (const list of IN_CJK.values()) list.sort((a, b) => b.word.length - a.word.length);

/** The concepts of a sentence (`plainText`) in order; what one word stands for is together. */
export const listConcepts = (plain: string): Concept[][] => {
  const found: { index: number; concepts: Set<Concept> }[] = [];
  const words = [...plain.matchAll(WORD)].map((match) => ({
    index: match.index,
    text: match[0].replace(/[.']+$/, ''),
  }));
  words.forEach(({ index, text }, at) => {
    if (CJK.test(text)) return;
    const concepts = conceptsOf(text, (step) => words[at + step]?.text);
    if (concepts.size > 0) found.push({ index, concepts });
  });
  if (CJK.test(plain)) found.push(...listCjk(plain));
  return found.sort((a, b) => a.index - b.index).map(({ concepts }) => [...concepts]);
};

const matches = (pattern: string, word: string | undefined): boolean =>
  word !== undefined && (pattern.endsWith('*') ? word.startsWith(pattern.slice(0, -1)) : pattern === word);

const conceptsOf = (word: string, after: (step: number) => string | undefined): Set<Concept> => {
  const key = word.slice(0, KEY_LENGTH);
  const concepts = new Set(WHOLE.get(word));
  for (const { concept, word: prefix } of PREFIXES.get(key) ?? []) if (word.startsWith(prefix)) concepts.add(concept);
  if (word.endsWith("n't")) concepts.add('not');
  for (const { concept, words } of PHRASES.get(key) ?? []) {
    if (words.every((one, step) => matches(one, step === 0 ? word : after(step)))) concepts.add(concept);
  }
  return concepts;
};

/** Without blanks between words, the longest word that fits begins at each place. */
const listCjk = (plain: string): { index: number; concepts: Set<Concept> }[] => {
  const found: { index: number; concepts: Set<Concept> }[] = [];
  for (let at = 0; at < plain.length; ) {
    const [first, ...others] = (IN_CJK.get(plain.charAt(at)) ?? []).filter(({ word }) => plain.startsWith(word, at));
    if (first !== undefined) {
      const same = others.filter(({ word }) => word === first.word);
      found.push({ index: at, concepts: new Set([first, ...same].map(({ concept }) => concept)) });
    }
    at += first?.word.length ?? 1;
  }
  return found;
};
