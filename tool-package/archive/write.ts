/** Writes archives: the same files give the same bytes, whatever their times, owners, modes or order were. */
import { gzipSync } from 'node:zlib';
import { BLOCK_SIZE } from './header.ts';

export type FileToPack = { readonly path: string; readonly bytes: Uint8Array; readonly executable?: boolean };

/** npm's own fixed date (1985-10-26): 1970 is refused by some file systems and zip tools. */
const MTIME_SECONDS = 499_162_500;
const NAME_LENGTH = 100;
const PREFIX_LENGTH = 155;

/** Takes files with paths inside the package, gives a `.tgz`: sorted, ustar, PAX `path` only where a path does not fit. */
export const makeArchive = (files: readonly FileToPack[]): Buffer => {
  const sorted = [...files].sort((left, right) => (left.path < right.path ? -1 : 1));
  const blocks = sorted.flatMap(fileBlocks);
  const archive = gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK_SIZE)]), { level: 9 });
  // zlib writes the operating system here; 255 is "unknown".
  archive[9] = 255;
  return archive;
};

const fileBlocks = (file: FileToPack): Buffer[] => {
  const name = Buffer.from(`package/${file.path}`);
  const mode = file.executable === true ? 0o755 : 0o644;
  const body = [...padded(Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.byteLength))];
  const split = splitName(name);
  if (split !== null) return [header({ ...split, mode, size: file.bytes.byteLength, type: '0' }), ...body];
  const record = paxRecord('path', name);
  const empty = Buffer.alloc(0);
  return [
    header({ prefix: empty, name: Buffer.from('PaxHeader'), mode: 0o644, size: record.length, type: 'x' }),
    ...padded(record),
    header({ prefix: empty, name: cutName(name), mode, size: file.bytes.byteLength, type: '0' }),
    ...body,
  ];
};

const padded = (bytes: Buffer): Buffer[] => {
  const padding = (BLOCK_SIZE - (bytes.length % BLOCK_SIZE)) % BLOCK_SIZE;
  return padding === 0 ? [bytes] : [bytes, Buffer.alloc(padding)];
};

/** Name and prefix as ustar splits them, at the last slash that leaves the name short enough; null where none does. */
const splitName = (path: Buffer): { prefix: Buffer; name: Buffer } | null => {
  if (path.length <= NAME_LENGTH) return { prefix: Buffer.alloc(0), name: path };
  const slash = path.indexOf(0x2f, path.length - NAME_LENGTH - 1);
  if (slash < 1 || slash > PREFIX_LENGTH || slash === path.length - 1) return null;
  return { prefix: path.subarray(0, slash), name: path.subarray(slash + 1) };
};

/** What an old parser sees instead of the PAX path: its beginning, not cut inside a character. */
const cutName = (path: Buffer): Buffer => {
  let end = NAME_LENGTH;
  while (((path[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return path.subarray(0, end);
};

/** The length counts itself: it grows until it fits. */
const paxRecord = (key: string, value: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(` ${key}=`), value, Buffer.from('\n')]);
  let length = body.length;
  while (String(length).length + body.length !== length) length = String(length).length + body.length;
  return Buffer.concat([Buffer.from(String(length)), body]);
};

type Header = {
  readonly prefix: Buffer;
  readonly name: Buffer;
  readonly mode: number;
  readonly size: number;
  readonly type: '0' | 'x';
};

const header = ({ prefix, name, mode, size, type }: Header): Buffer => {
  const block = Buffer.alloc(BLOCK_SIZE);
  const octal = (value: number, offset: number, length: number): void => {
    block.write(`${value.toString(8).padStart(length - 1, '0')}\0`, offset, 'latin1');
  };
  name.copy(block, 0);
  octal(mode, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(MTIME_SECONDS, 136, 12);
  block.write('        ', 148, 'latin1');
  block.write(type, 156, 'latin1');
  block.write('ustar\x0000', 257, 'latin1');
  octal(0, 329, 8);
  octal(0, 337, 8);
  prefix.copy(block, 345);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
};
