/**
 * Characters that a reader does not see and a model does. Each is looked at with its neighbours: emoji are joined by
 * zero-width joiners, Persian and Hindi need them, the flag of Scotland is made of tag characters.
 */

export type HiddenKind =
  | 'tag characters'
  | 'bidi controls'
  | 'variation selectors'
  | 'zero-width characters'
  | 'invisible fillers'
  | 'terminal escapes';
export type Hidden = {
  readonly kind: HiddenKind;
  readonly codePoint: number /** Offset in the text. */;
  readonly index: number;
};

/** Where one of these may be hidden; a quick look before the slow one. */
const SUSPECT = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const FLAGS = new Set(['gbeng', 'gbsct', 'gbwls']);
/** Scripts whose letters change shape at a zero-width (non-)joiner. */
const JOINING =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Mn}\p{Mc}]/u;
/** Scripts without spaces: a zero-width space says where a word ends. */
const UNSPACED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
const EMOJI = /\p{Emoji}/u;
const PICTURE = /\p{Extended_Pictographic}/u;
const SKIN_TONE = /[\u{1f3fb}-\u{1f3ff}]/u;

/** The first hidden character of each kind, in the order of the text. A byte-order mark at the very start is none. */
export const findHidden = (text: string): Hidden[] => {
  if (!SUSPECT.test(text)) return [];
  const found = new Map<HiddenKind, Hidden>();
  const characters = [...text];
  const mayMark = RIGHT_TO_LEFT.test(text);
  let index = 0;
  for (const [at, character] of characters.entries()) {
    const codePoint = character.codePointAt(0) ?? 0;
    const kind = SUSPECT.test(character) ? kindOf({ characters, at, character, codePoint, mayMark }) : null;
    if (kind !== null && !found.has(kind)) found.set(kind, { kind, codePoint, index });
    index += character.length;
  }
  return [...found.values()];
};

type Place = {
  readonly characters: readonly string[];
  readonly at: number;
  readonly character: string;
  readonly codePoint: number;
  /** The text has right-to-left letters, so direction marks have a use. */
  readonly mayMark: boolean;
};

type Range = {
  readonly from: number;
  readonly to: number;
  readonly kind: HiddenKind | null;
  readonly isFine: (place: Place) => boolean;
};

const never = (): boolean => false;
const range = (from: number, to: number, kind: HiddenKind | null, isFine: Range['isFine'] = never): Range => ({
  from,
  to,
  kind,
  isFine,
});

/** The first range that holds a character decides. Behind them: whatever else Unicode says is not to be shown. */
const listRanges = (): readonly Range[] => [
  range(0x00, 0x1f, 'terminal escapes', isPlainControl),
  range(0x7f, 0x9f, 'terminal escapes'),
  range(0xad, 0xad, 'zero-width characters'),
  range(0x61c, 0x61c, 'zero-width characters', isUsefulZeroWidth),
  // Arabic number signs and their like are format characters that can be seen.
  range(0x600, 0x8e2, null),
  range(0x180b, 0x180f, 'invisible fillers', (place) => /\p{Script=Mongolian}/u.test(before(place))),
  range(0x200b, 0x200f, 'zero-width characters', isUsefulZeroWidth),
  range(0x202a, 0x202e, 'bidi controls'),
  range(0x2060, 0x2064, 'zero-width characters'),
  range(0x2066, 0x2069, 'bidi controls'),
  range(0xfe00, 0xfe0f, 'variation selectors', isEmojiSelector),
  range(0xfeff, 0xfeff, 'zero-width characters', isUsefulZeroWidth),
  range(0x110bd, 0x110cd, null),
  range(0xe0000, 0xe007f, 'tag characters', isFlagTag),
  range(0xe0100, 0xe01ef, 'variation selectors'),
  range(0x00, 0x10ffff, 'invisible fillers'),
];

const kindOf = (place: Place): HiddenKind | null => {
  const found = RANGES.find(({ from, to }) => place.codePoint >= from && place.codePoint <= to);
  return found === undefined || found.isFine(place) ? null : found.kind;
};

const before = ({ characters, at }: Place): string => characters[at - 1] ?? '';
const after = ({ characters, at }: Place): string => characters[at + 1] ?? '';

/** Tab and line breaks. A carriage return alone moves to the start of the line and hides what stood there. */
const isPlainControl = (place: Place): boolean =>
  place.codePoint === 0x09 || place.codePoint === 0x0a || (place.codePoint === 0x0d && after(place) === '\n');

/** Inside black flag + region + end, for the three regions that have an emoji. */
const isFlagTag = ({ characters, at }: Place): boolean => {
  let start = at;
  while (start > 0 && at - start < 7 && characters[start] !== '\u{1f3f4}') start -= 1;
  if (characters[start] !== '\u{1f3f4}') return false;
  const region = characters
    .slice(start + 1, start + 6)
    .map((one) => String.fromCharCode((one.codePointAt(0) ?? 0) - 0xe0000));
  return FLAGS.has(region.join('')) && characters[start + 6] === '\u{e007f}' && at <= start + 6;
};

const isEmojiSelector = (place: Place): boolean =>
  (place.codePoint === 0xfe0e || place.codePoint === 0xfe0f) && EMOJI.test(before(place));

const isUsefulZeroWidth = (place: Place): boolean => {
  const [left, right] = [before(place), after(place)];
  switch (place.codePoint) {
    case 0xfeff:
      return place.at === 0;
    case 0x200b:
      return UNSPACED.test(left) && UNSPACED.test(right);
    case 0x200c:
      return JOINING.test(left) && /\p{L}|\p{M}/u.test(right);
    case 0x200d:
      return isEmojiJoiner(left, right) || JOINING.test(left);
    default:
      return place.mayMark;
  }
};

const isEmojiJoiner = (left: string, right: string): boolean =>
  (PICTURE.test(left) || left === '\ufe0f' || SKIN_TONE.test(left) || left === '\u{e007f}') && PICTURE.test(right);

const RANGES = listRanges();
