/** Text that someone else wrote, for a message: a terminal, a log and a reader must see what is there and nothing else. */

const MAX_LENGTH = 120;
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Escapes control, bidi, zero-width and other invisible characters, makes a backquote (our messages quote with it) an apostrophe, cuts what is long. */
export const showText = (text: string, maxLength: number = MAX_LENGTH): string => {
  const short = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  return short
    .replaceAll('`', "'")
    .replace(UNSAFE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
};
