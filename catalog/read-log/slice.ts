/** The first or last lines of a file, read in pieces: a log of many gigabytes costs no more than what is shown of it. */
import type { FileHandle } from 'node:fs/promises';

export interface Slice {
  text: string;
  /** Whether the file goes on before (tail) or behind (head) `text`. */
  cut: boolean;
}

export interface SliceLimits {
  lines: number;
  /** Reading stops here even when there was no line end yet. */
  bytes: number;
  signal?: AbortSignal | undefined;
}

const PIECE_BYTES = 64 * 1024;
const NEWLINE = 10;

/** The first `limits.lines` lines. */
export async function readHead(file: FileHandle, size: number, limits: SliceLimits): Promise<Slice> {
  const pieces: Buffer[] = [];
  let read = 0;
  let lines = 0;
  while (read < size && read < limits.bytes && lines < limits.lines) {
    const piece = await readAt(file, read, Math.min(PIECE_BYTES, size - read), limits.signal);
    if (piece.length === 0) break;
    pieces.push(piece);
    read += piece.length;
    lines += countNewlines(piece);
  }
  const bytes = Buffer.concat(pieces);
  const end = endOfLine(bytes, limits.lines);
  return { text: decode(bytes.subarray(0, end), { cutAtEnd: end < size }), cut: end < size };
}

/** The last `limits.lines` lines. */
export async function readTail(file: FileHandle, size: number, limits: SliceLimits): Promise<Slice> {
  const pieces: Buffer[] = [];
  let start = size;
  let lines = 0;
  // One line end more than lines: the last byte of a log is usually a line end itself.
  while (start > 0 && size - start < limits.bytes && lines <= limits.lines) {
    const length = Math.min(PIECE_BYTES, start);
    const piece = await readAt(file, start - length, length, limits.signal);
    if (piece.length < length) throw new Error('The file became shorter while it was read. Try again.');
    pieces.unshift(piece);
    start -= length;
    lines += countNewlines(piece);
  }
  const bytes = Buffer.concat(pieces);
  const from = startOfLastLines(bytes, limits.lines);
  return { text: decode(bytes.subarray(from), { cutAtStart: start + from > 0 }), cut: start + from > 0 };
}

async function readAt(file: FileHandle, position: number, length: number, signal?: AbortSignal): Promise<Buffer> {
  if (signal?.aborted) throw new Error('Reading the log was cancelled.');
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
}

function countNewlines(bytes: Buffer): number {
  let count = 0;
  for (const byte of bytes) if (byte === NEWLINE) count += 1;
  return count;
}

/** The offset behind the `lines`-th line end, or the length when there are fewer. */
function endOfLine(bytes: Buffer, lines: number): number {
  let at = -1;
  for (let line = 0; line < lines; line += 1) {
    at = bytes.indexOf(NEWLINE, at + 1);
    if (at === -1) return bytes.length;
  }
  return at + 1;
}

/** The offset at which the last `lines` lines begin. */
function startOfLastLines(bytes: Buffer, lines: number): number {
  let at = bytes.at(-1) === NEWLINE ? bytes.length - 1 : bytes.length;
  for (let line = 0; line < lines; line += 1) {
    if (at === 0) return 0;
    at = bytes.lastIndexOf(NEWLINE, at - 1);
    if (at === -1) return 0;
  }
  return at + 1;
}

/** As text, without the halves of a character that a cut in the middle of a line leaves. */
function decode(bytes: Buffer, cut: { cutAtStart?: boolean; cutAtEnd?: boolean }): string {
  let from = 0;
  while (cut.cutAtStart && from < 3 && isContinuation(bytes[from])) from += 1;
  const decoder = new TextDecoder('utf-8', { ignoreBOM: false });
  return decoder.decode(bytes.subarray(from), { stream: cut.cutAtEnd === true });
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;
