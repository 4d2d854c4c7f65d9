/** Pulls exact amounts out of a stream of chunks, so that a parser reads like a list of steps. */
import { refuseArchive, refuseSize } from './refusal.ts';

export type ByteSource = {
  /** Exactly `length` bytes; Problem `invalid_archive` where the stream ends before. Only for small lengths. */
  take(length: number): Promise<Buffer>;
  /** `length` bytes in pieces of whatever size. */
  stream(length: number): AsyncGenerator<Buffer, void, undefined>;
  /** The next piece of what is left; undefined at the end. */
  rest(): Promise<Buffer | undefined>;
};

/** Wraps chunks; more than `maxBytes` in all is Problem `too_large`, before the surplus is kept. */
export const createByteSource = (chunks: AsyncGenerator<Buffer, void, undefined>, maxBytes: number): ByteSource => {
  let current: Buffer = Buffer.alloc(0);
  let total = 0;

  const fill = async (): Promise<boolean> => {
    while (current.length === 0) {
      const next = await chunks.next();
      if (next.done === true) return false;
      total += next.value.length;
      if (total > maxBytes) throw refuseSize('unpacked-too-large', 'it unpacks to too many bytes', maxBytes);
      current = next.value;
    }
    return true;
  };

  async function* stream(length: number): AsyncGenerator<Buffer, void, undefined> {
    let left = length;
    while (left > 0) {
      if (!(await fill())) throw refuseArchive('truncated', 'it ends in the middle of an entry');
      const part = current.subarray(0, left);
      current = current.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }

  const take = async (length: number): Promise<Buffer> => {
    if (current.length >= length) {
      const part = current.subarray(0, length);
      current = current.subarray(length);
      return part;
    }
    const parts: Buffer[] = [];
    for await (const part of stream(length)) parts.push(part);
    return Buffer.concat(parts);
  };

  const rest = async (): Promise<Buffer | undefined> => {
    if (!(await fill())) return undefined;
    const part = current;
    current = Buffer.alloc(0);
    return part;
  };

  return { take, stream, rest };
};
