/** Truncation as pi offers it to extensions: whole lines, 2,000 lines or 50 KB, whichever comes first. */

const DEFAULT_MAX_LINES = 2000;
const DEFAULT_MAX_BYTES = 50 * 1024;
const DEFAULT_LINE_CHARS = 500;

export type TruncationOptions = { maxLines?: number; maxBytes?: number };
export type TruncationResult = {
  content: string;
  truncated: boolean;
  truncatedBy: 'lines' | 'bytes' | null;
  totalLines: number;
  totalBytes: number;
  outputLines: number;
  outputBytes: number;
  lastLinePartial: boolean;
  firstLineExceedsLimit: boolean;
  maxLines: number;
  maxBytes: number;
};

type Kept = { lines: string[]; by: 'lines' | 'bytes'; partial: boolean; tooLong: boolean };

const bytesOf = (text: string) => Buffer.byteLength(text, 'utf8');

/** Lines without the empty one behind a final newline. */
function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (text.endsWith('\n')) lines.pop();
  return lines;
}

function truncate(
  text: string,
  options: TruncationOptions,
  keep: (lines: string[], limits: Required<TruncationOptions>) => Kept,
): TruncationResult {
  const limits = { maxLines: options.maxLines ?? DEFAULT_MAX_LINES, maxBytes: options.maxBytes ?? DEFAULT_MAX_BYTES };
  const lines = linesOf(text);
  const totals = { totalLines: lines.length, totalBytes: bytesOf(text), ...limits };
  if (lines.length <= limits.maxLines && totals.totalBytes <= limits.maxBytes) {
    const whole = {
      content: text,
      truncated: false,
      truncatedBy: null,
      lastLinePartial: false,
      firstLineExceedsLimit: false,
    };
    return { ...whole, ...totals, outputLines: lines.length, outputBytes: totals.totalBytes };
  }
  const kept = keep(lines, limits);
  const content = kept.lines.join('\n');
  return {
    content,
    truncated: true,
    truncatedBy: kept.by,
    ...totals,
    outputLines: kept.lines.length,
    outputBytes: bytesOf(content),
    lastLinePartial: kept.partial,
    firstLineExceedsLimit: kept.tooLong,
  };
}

/** Keeps the beginning; never a part of a line. A first line over the limit gives nothing. */
export function truncateHead(text: string, options: TruncationOptions = {}): TruncationResult {
  return truncate(text, options, (lines, limits) => {
    const kept = takeLines(lines, limits);
    const tooLong = kept.lines.length === 0;
    return { ...kept, partial: false, tooLong };
  });
}

/** Keeps the end; a last line over the limit is cut at its beginning. */
export function truncateTail(text: string, options: TruncationOptions = {}): TruncationResult {
  return truncate(text, options, (lines, limits) => {
    const kept = takeLines(lines.toReversed(), limits);
    const last = lines.at(-1) ?? '';
    if (kept.lines.length === 0)
      return { lines: [endOf(last, limits.maxBytes)], by: 'bytes', partial: true, tooLong: false };
    return { lines: kept.lines.toReversed(), by: kept.by, partial: false, tooLong: false };
  });
}

function takeLines(lines: string[], limits: Required<TruncationOptions>): { lines: string[]; by: 'lines' | 'bytes' } {
  const kept: string[] = [];
  let bytes = 0;
  for (const line of lines.slice(0, limits.maxLines)) {
    bytes += bytesOf(line) + (kept.length > 0 ? 1 : 0);
    if (bytes > limits.maxBytes) return { lines: kept, by: 'bytes' };
    kept.push(line);
  }
  return { lines: kept, by: 'lines' };
}

function endOf(line: string, maxBytes: number): string {
  const bytes = Buffer.from(line, 'utf8');
  let start = Math.max(0, bytes.length - maxBytes);
  // A continuation byte first would be half a character.
  while (start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return bytes.subarray(start).toString('utf8');
}

function truncateLine(line: string, maxChars = DEFAULT_LINE_CHARS): { text: string; wasTruncated: boolean } {
  if (line.length <= maxChars) return { text: line, wasTruncated: false };
  return { text: `${line.slice(0, maxChars)}... [truncated]`, wasTruncated: true };
}

function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes}B`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)}KB` : `${(bytes / (1024 * 1024)).toFixed(1)}MB`;
}

/** All of it, as the host's module exports it. */
export const TRUNCATION: Readonly<Record<string, unknown>> = {
  DEFAULT_MAX_LINES,
  DEFAULT_MAX_BYTES,
  truncateHead,
  truncateTail,
  truncateLine,
  formatSize,
};
