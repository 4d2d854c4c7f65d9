/**
 * Sentences that give the model orders which are not a tool's to give, by kind and language. A pattern sees one sentence,
 * in lower case, with plain spaces; gaps are bounded, so none can run long. Measured by test/corpus.
 */

import { ENGLISH } from './phrases-en.ts';
import { RUSSIAN } from './phrases-ru.ts';
import { CHINESE } from './phrases-zh.ts';

export type OrderKind =
  | 'override'
  | 'other-tools'
  | 'secrecy'
  | 'confirmation'
  | 'credentials'
  | 'conversation'
  | 'reviewer';
/** One pattern, or several that meet in one sentence in any order, and none of `unless`. */
export type Phrase = RegExp | { readonly all: readonly RegExp[]; readonly unless?: RegExp };
export type Phrases = Readonly<Record<OrderKind, readonly Phrase[]>>;

/** What a sentence of a kind does, for the message. */
export const ORDER_TEXT: Readonly<Record<OrderKind, string>> = {
  override: 'puts itself above the user’s or the system’s instructions',
  'other-tools': 'gives orders about other tools, or the order of their use',
  secrecy: 'asks to keep something from the user',
  confirmation: 'suppresses confirmations',
  credentials: 'asks for credentials',
  conversation: 'asks for the conversation or the system prompt',
  reviewer: 'is aimed at a reviewer or scanner',
};

/** Sentences about such orders (a linter for them), not orders: they give examples, or say what others try. */
const DESCRIBES =
  /\bfor example\b|\bsuch as\b|\be\.g\.|\bthat (?:try|tries|attempt|ask)\b|例如|比如|诸如|话术|которыми|например/;

const LANGUAGES: readonly Phrases[] = [ENGLISH, CHINESE, RUSSIAN];
const ALL = (Object.keys(ORDER_TEXT) as OrderKind[]).map((kind) => ({
  kind,
  patterns: LANGUAGES.flatMap((phrases) => phrases[kind]),
}));
const MAX_SENTENCE = 600;

const matches = (phrase: Phrase, sentence: string): boolean => {
  if (phrase instanceof RegExp) return phrase.test(sentence);
  return phrase.all.every((pattern) => pattern.test(sentence)) && phrase.unless?.test(sentence) !== true;
};

export type Order = {
  readonly kind: OrderKind /** Offset in the text. */;
  readonly index: number;
  readonly sentence: string;
};

/** The orders in a text, one per sentence. */
export const findOrders = (text: string, kinds: ReadonlySet<OrderKind> | null = null): Order[] => {
  const orders: Order[] = [];
  for (const match of text.matchAll(/[^.!?;。！？；\n]+(?:\.(?=\S)[^.!?;。！？；\n]*)*/g)) {
    const sentence = match[0].slice(0, MAX_SENTENCE);
    const plain = sentence.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();
    if (plain.length < 4 || DESCRIBES.test(plain)) continue;
    const found = ALL.find(
      ({ kind, patterns }) =>
        (kinds === null || kinds.has(kind)) && patterns.some((pattern) => matches(pattern, plain)),
    );
    if (found !== undefined) orders.push({ kind: found.kind, index: match.index, sentence: sentence.trim() });
  }
  return orders;
};
