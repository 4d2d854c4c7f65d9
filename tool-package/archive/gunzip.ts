/**
 * Exactly one gzip member and nothing behind it. Node's own gunzip joins adjacent members and ignores what follows a NUL,
 * so an archive could show one content to it and another to the next reader: header, trailer and end are checked here.
 */
import { crc32, createInflateRaw } from 'node:zlib';
import { refuseArchive } from './refusal.ts';

const TRAILER_LENGTH = 8;
const FLAG_TEXT = 1;
const FLAG_NAME = 8;
const MAX_NAME_LENGTH = 255;
const CHUNK_SIZE = 64 * 1024;

/** Takes a whole `.tgz`, gives its content in chunks. Throws Problem `invalid_archive`; the caller limits what it reads. */
export async function* gunzipOne(bytes: Buffer): AsyncGenerator<Buffer, void, undefined> {
  const start = headerLength(bytes);
  const inflate = createInflateRaw({ chunkSize: CHUNK_SIZE });
  let checksum = 0;
  let length = 0;
  try {
    // One write: zlib takes what it needs per step and gives as much as is read, so memory stays at one chunk.
    inflate.end(bytes.subarray(start));
    for await (const chunk of inflate as AsyncIterable<Buffer>) {
      checksum = crc32(chunk, checksum);
      length = (length + chunk.length) % 2 ** 32;
      yield chunk;
    }
  } catch (error) {
    throw isZlibError(error)
      ? refuseArchive('gzip-data', 'its gzip data is damaged or cut off', { cause: error })
      : error;
  } finally {
    inflate.destroy();
  }
  checkTrailer(bytes.subarray(start + inflate.bytesWritten), checksum, length);
}

const isZlibError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^Z_/.test(String(error.code));

const headerLength = (bytes: Buffer): number => {
  if (bytes.length < 10 + TRAILER_LENGTH || bytes[0] !== 0x1f || bytes[1] !== 0x8b || bytes[2] !== 8) {
    throw refuseArchive('not-gzip', 'it is not a gzip file', {
      hint: 'an archive is a `.tgz`, as `pi-tools pack` or `npm pack` makes it',
    });
  }
  const flags = bytes[3] ?? 0;
  if ((flags & ~(FLAG_TEXT | FLAG_NAME)) !== 0) throw refuseArchive('gzip-header', 'its gzip header has extra fields');
  if ((flags & FLAG_NAME) === 0) return 10;
  const end = bytes.indexOf(0, 10);
  if (end === -1 || end - 10 > MAX_NAME_LENGTH)
    throw refuseArchive('gzip-header', 'its gzip header has a name without an end');
  return end + 1;
};

const checkTrailer = (rest: Buffer, checksum: number, length: number): void => {
  if (rest.length < TRAILER_LENGTH) throw refuseArchive('gzip-data', 'its gzip data is cut off');
  if (rest.length > TRAILER_LENGTH) throw refuseArchive('gzip-trailing', 'there are bytes behind its gzip data');
  if (rest.readUInt32LE(0) !== checksum || rest.readUInt32LE(4) !== length) {
    throw refuseArchive('gzip-checksum', 'its gzip checksum is wrong');
  }
};
