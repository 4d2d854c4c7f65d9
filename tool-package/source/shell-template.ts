/** The command of a tag that quotes what is put in (`Bun.$`, zx, execa): each value is one word, whatever is in it. */
import {
  type Abstract,
  concat,
  one,
  type Piece,
  piecesOf,
  textOf,
  textValue,
  unionTaints,
  type Value,
} from './value.ts';

/** `Bun.$`, zx, dax and execa. */
export const SHELL_TAGS = /^(?:global\.Bun\.\$|npm:(?:zx|execa|bun)\.\$|npm:dax(?:-sh)?)$/;

/** The text of the command: what is put in is in quotes. `isRaw`: some of it is not, because the author said so. */
export function shellTemplate(
  texts: readonly Abstract[],
  values: readonly Abstract[],
): { text: Abstract; isRaw: boolean } {
  const parts = texts.flatMap((text, index) => {
    const value = values[index];
    return value ? [text, quoted(value)] : [text];
  });
  return {
    text: concat(parts),
    isRaw: values.some((value) => value.values.some((option) => rawOf(option) !== undefined)),
  };
}

const rawOf = (value: Value): Abstract | undefined => (value.kind === 'object' ? value.entries.get('raw') : undefined);

function quoted(abstract: Abstract): Abstract {
  const parts = abstract.values.map((value): Abstract => {
    const raw = rawOf(value);
    if (raw) return raw;
    if (value.kind !== 'array') return one(quotedText(piecesOf(value)));
    return concat(value.items.flatMap((item, index) => [...(index > 0 ? [textValue(' ')] : []), quoted(item)]));
  });
  return {
    values: parts.flatMap((part) => part.values).slice(0, 32),
    taints: unionTaints(abstract.taints, ...parts.map((part) => part.taints)),
  };
}

/** A flag or a name needs no quotes: the text stays as it is read. */
const PLAIN = /^[\w./:@%+=-]*$/;

function quotedText(pieces: readonly Piece[]): Value {
  if (pieces.every((piece) => typeof piece !== 'string' || PLAIN.test(piece))) return textOf(...pieces);
  const escaped = pieces.map((piece) => (typeof piece === 'string' ? piece.replaceAll("'", "'\\''") : piece));
  return textOf("'", ...escaped, "'");
}

/** Stands behind the command of a template into which something was put as it is. */
export const RAW: Abstract = one({ kind: 'literal', value: true });
