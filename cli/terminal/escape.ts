/** Text that came from a registry or an archive never reaches a terminal raw. Pure: may be imported anywhere. */

/**
 * What a terminal or a reader could be fooled with: control characters (ESC sequences move the cursor, set the
 * clipboard, answer back), bidi controls (Trojan Source), zero-width and tag characters, lone surrogates.
 * A zero-width joiner or variation selector also makes emoji; showing `\u200d` there is the smaller evil.
 */
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each is meant by itself
  /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb]|[\u{e0000}-\u{e0fff}]|\p{Cs}/gu;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const spell = (character: string): string => {
  const point = character.codePointAt(0) ?? 0;
  return (
    SHORT[character] ?? (point > 0xffff ? `\\u{${point.toString(16)}}` : `\\u${point.toString(16).padStart(4, '0')}`)
  );
};

/** One line of remote text: every unsafe character is written as an escape; line breaks too. */
export const escapeText = (remote: string): string => remote.replace(UNSAFE, spell);

/** Remote text over several lines (a README): line feeds and tabs stay, a CRLF becomes a line feed. */
export const escapeLines = (remote: string): string =>
  remote
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.split('\t').map(escapeText).join('    '))
    .join('\n');

/** Remote text in one line of readable prose: line breaks and runs of blanks become one blank, the rest is escaped. */
export const escapeProse = (remote: string): string => escapeText(remote.replace(/\s+/g, ' ').trim());

/** The same characters inside a JSON text (where control characters below U+0020 are escaped already) as `\uXXXX`. */
export const escapeInJson = (json: string): string =>
  json.replace(UNSAFE, (character) => (character === '\n' ? character : utf16Escapes(character)));

const utf16Escapes = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
