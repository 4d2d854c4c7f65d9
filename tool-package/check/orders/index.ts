/** Finds sentences that give the model orders which are not a tool's to give, in any language. */
import { featuresOf } from './features.ts';
import { scoreOf } from './model.ts';
import type { OrderKind } from './order-pattern.ts';
import { findAddressedPhrasing, listPhrasings } from './phrases.ts';
import { scriptOf } from './script.ts';
import { listSentences, plainText, type Sentence, windowsOf } from './sentences.ts';
import { THRESHOLDS } from './weights.ts';

/** What a sentence of a kind does, for the message; `other`: none of the kinds that have a known phrasing. */
export const ORDER_TEXT: Readonly<Record<OrderKind | 'other', string>> = {
  override: 'puts itself above the user’s or the system’s instructions',
  'other-tools': 'gives orders about other tools, or the order of their use',
  secrecy: 'asks to keep something from the user',
  confirmation: 'suppresses confirmations',
  credentials: 'asks for credentials',
  conversation: 'asks for the conversation or the system prompt',
  reviewer: 'is aimed at a reviewer or scanner',
  other: 'reads like an order to the model that is not a tool’s to give',
};

export type Order = {
  readonly kind: OrderKind | 'other';
  /** Offset in the text. */
  readonly index: number;
  readonly sentence: string;
};

/** The orders in a text that the model reads; a sentence that is one is told of once, not again with its neighbour. */
export const findOrders = (text: string): Order[] => {
  const orders: Order[] = [];
  let end = -1;
  for (const window of windowsOf(text)) {
    const order = window.index > end ? judge(window) : undefined;
    if (order === undefined) continue;
    orders.push(order);
    end = window.last;
  }
  return orders;
};

const judge = ({ index, text }: Sentence): Order | undefined => {
  const plain = plainText(text);
  const phrasings = listPhrasings(plain);
  return scoreOf(featuresOf(plain, phrasings)) > THRESHOLDS[scriptOf(plain)]
    ? { kind: phrasings[0] ?? 'other', index, sentence: text.trim() }
    : undefined;
};

/** Log odds: half of what a text must have that the model is sure to read, since a known phrasing is there already. */
const FILE_THRESHOLD = 0.5;

/**
 * The orders in a file that a model reads only by chance (README, comments, texts in code): only those that turn to a model
 * or a reviewer in a known phrasing. Programs speak of passwords, prompts and messages all the time.
 */
export const findAddressedOrders = (text: string): Order[] => {
  const orders: Order[] = [];
  for (const { index, text: sentence } of listSentences(text)) {
    const plain = plainText(sentence);
    const kind = findAddressedPhrasing(plain);
    if (kind !== undefined && scoreOf(featuresOf(plain, [kind])) > FILE_THRESHOLD)
      orders.push({ kind, index, sentence: sentence.trim() });
  }
  return orders;
};
