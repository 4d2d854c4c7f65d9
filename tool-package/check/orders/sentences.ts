/** Splits a text that a model reads into sentences, and makes them comparable. */

export type Sentence = {
  /** Offset in the text. */
  readonly index: number;
  readonly text: string;
};

/** Longer ones are looked at in pieces, each with half of the piece before, so that an order across a cut is whole in one. */
const MAX_LENGTH = 600;
const SENTENCE = /[^.!?。！？\n]+(?:[.!?](?=[^\s.!?。！？])[^.!?。！？\n]*)*/g;

/** All sentences in order, those of two letters left out. */
export function* listSentences(text: string): Generator<Sentence, void, undefined> {
  for (const match of text.matchAll(SENTENCE)) {
    for (let at = 0; at < match[0].length; at += MAX_LENGTH) {
      const piece = match[0].slice(Math.max(0, at - MAX_LENGTH / 2), at + MAX_LENGTH);
      if (piece.trim().length > 3) yield { index: match.index, text: piece };
    }
  }
}

/** One or two sentences; `last` is the offset of the last one. */
export type Window = Sentence & { readonly last: number };

/** Every sentence, and every two that follow one another, since an order can be said in two; those that end first, first. */
export function* windowsOf(text: string): Generator<Window, void, undefined> {
  let before: Sentence | undefined;
  for (const sentence of listSentences(text)) {
    yield { ...sentence, last: sentence.index };
    if (before !== undefined)
      yield { index: before.index, last: sentence.index, text: `${before.text}. ${sentence.text}` };
    before = sentence;
  }
}

/** Lower case, one kind of blank, quote and width, nothing invisible; letters that stand apart are joined. */
export const plainText = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g, '')
    .replace(/[’‘`´]/g, "'")
    .replace(/\s+/g, ' ')
    .replace(/\b(?:[a-z] ){4,}[a-z]\b/g, (letters) => letters.replaceAll(' ', ''))
    .trim();
