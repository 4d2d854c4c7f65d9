/**
 * One tar header block. Six tar parsers disagree on what odd headers mean, so only what all read alike is accepted:
 * POSIX ustar or GNU magic, a right checksum, octal or blank numbers, text that ends at its NUL.
 */
import { refuseArchive } from './refusal.ts';

export const BLOCK_SIZE = 512;

export type TarHeader = {
  readonly type: 'file' | 'folder' | 'pax' | 'long-name';
  /** Prefix and name joined. */
  readonly name: string;
  readonly size: number;
  readonly executable: boolean;
};

const TYPES = new Map<number, TarHeader['type']>([
  [0x00, 'file'],
  [0x30, 'file'],
  [0x35, 'folder'],
  [0x78, 'pax'],
  [0x4c, 'long-name'],
]);

const OWNER_EXECUTE = 0o100;

/** Reads one non-zero block; throws Problem `invalid_archive`. */
export const parseHeader = (block: Buffer): TarHeader => {
  checkChecksum(block);
  const format = formatOf(block);
  const type = TYPES.get(block[156] ?? -1);
  if (type === undefined) {
    throw refuseArchive(
      'entry-type',
      `it has an entry of type \`${typeName(block[156] ?? 0)}\`; only files and folders may be in it`,
    );
  }
  const mode = octal(block, 100, 8, 'mode');
  for (const [offset, length, what] of NUMBERS) octal(block, offset, length, what);
  if (text(block, 157, 100, 'link name') !== '') throw refuseArchive('link', 'an entry has a link target');
  text(block, 265, 32, 'user name');
  text(block, 297, 32, 'group name');
  // In GNU's format the prefix field holds other things; in both, data that one parser sees and another does not.
  if (!isZero(block.subarray(format === 'gnu' ? 345 : 500, 512)))
    throw refuseArchive('header-padding', 'a header has data where none belongs');
  const prefix = format === 'gnu' ? '' : text(block, 345, 155, 'prefix');
  const name = text(block, 0, 100, 'name');
  return {
    type,
    name: prefix === '' ? name : `${prefix}/${name}`,
    size: octal(block, 124, 12, 'size'),
    executable: (mode & OWNER_EXECUTE) !== 0,
  };
};

const NUMBERS: readonly (readonly [number, number, string])[] = [
  [108, 8, 'uid'],
  [116, 8, 'gid'],
  [136, 12, 'mtime'],
  [329, 8, 'device number'],
  [337, 8, 'device number'],
];

const typeName = (type: number): string =>
  type > 0x20 && type < 0x7f && type !== 0x60 ? String.fromCharCode(type) : `0x${type.toString(16)}`;

const checkChecksum = (block: Buffer): void => {
  let sum = 8 * 0x20;
  for (let at = 0; at < BLOCK_SIZE; at += 1) if (at < 148 || at >= 156) sum += block[at] ?? 0;
  if (octal(block, 148, 8, 'checksum') !== sum) throw refuseArchive('checksum', 'a header’s checksum is wrong');
};

const formatOf = (block: Buffer): 'ustar' | 'gnu' => {
  const magic = block.toString('latin1', 257, 265);
  if (magic === 'ustar\0' + '00') return 'ustar';
  if (magic === 'ustar  \0') return 'gnu';
  throw refuseArchive('magic', 'a header is neither ustar nor GNU');
};

/** A blank field is 0. Base-256 (the high bit) can say negative and 2^63, and parsers loop or crash on it. */
const octal = (block: Buffer, offset: number, length: number, what: string): number => {
  const field = block.toString('latin1', offset, offset + length);
  const match = /^ *([0-7]*)[\0 ]*$/.exec(field);
  if (match === null) throw refuseArchive('number', `a header’s ${what} is not an octal number`);
  return match[1] === '' ? 0 : Number.parseInt(match[1] ?? '0', 8);
};

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** UTF-8 bytes as text, or Problem. */
export const decodeText = (bytes: Buffer, what: string): string => {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw refuseArchive('not-utf-8', `a ${what} is not UTF-8`, { cause });
  }
};

const text = (block: Buffer, offset: number, length: number, what: string): string => {
  const field = block.subarray(offset, offset + length);
  const end = field.indexOf(0);
  if (end !== -1 && !isZero(field.subarray(end)))
    throw refuseArchive('field-nul', `a header’s ${what} goes on after its end`);
  return decodeText(end === -1 ? field : field.subarray(0, end), what);
};

const ZERO = Buffer.alloc(BLOCK_SIZE);

/** Whether all bytes are zero. */
export const isZero = (bytes: Buffer): boolean => {
  for (let at = 0; at < bytes.length; at += BLOCK_SIZE) {
    const part = bytes.subarray(at, at + BLOCK_SIZE);
    if (part.compare(ZERO, 0, part.length) !== 0) return false;
  }
  return true;
};
