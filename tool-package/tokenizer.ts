/**
 * How many o200k_base tokens a text has: the table comes from js-tiktoken, the counting is ours. Its encoder decodes all
 * 200,000 tokens first (a second of work and 120 MB in every examination); a map of the undecoded ones takes a tenth.
 */
import { createRequire } from 'node:module';

type Table = { pat_str: string; bpe_ranks: string };
type Tokenizer = { pattern: RegExp; ranks: ReadonlyMap<string, number> };

let tokenizer: Tokenizer | undefined;

/** Made on first use: most commands never count. */
function getTokenizer(): Tokenizer {
  if (tokenizer === undefined) {
    const loaded = createRequire(import.meta.url)('js-tiktoken/ranks/o200k_base') as Table & { default?: Table };
    const table = loaded.default ?? loaded;
    tokenizer = { pattern: new RegExp(table.pat_str, 'gu'), ranks: readRanks(table.bpe_ranks) };
  }
  return tokenizer;
}

/** Base64 of a token's bytes -> rank. A line is `! <rank of the first> <token> <token> …`. */
function readRanks(text: string): Map<string, number> {
  const ranks = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [, first, ...tokens] = line.split(' ');
    let rank = Number(first);
    for (const token of tokens) ranks.set(token, rank++);
  }
  return ranks;
}

/** Special tokens count as the plain text that they are. Quadratic in a run without breaks: callers cut those. */
export function encodedLength(text: string): number {
  const { pattern, ranks } = getTokenizer();
  let count = 0;
  for (const [piece] of text.matchAll(pattern)) {
    const bytes = Buffer.from(piece, 'utf8');
    count += ranks.has(bytes.toString('base64')) ? 1 : mergedLength(bytes, ranks);
  }
  return count;
}

/** Joins the neighbours of the lowest rank until none are left that form a token. */
function mergedLength(bytes: Buffer, ranks: ReadonlyMap<string, number>): number {
  const ends = Array.from(bytes, (_, index) => index + 1);
  const rankAt = (index: number): number => {
    const start = index === 0 ? 0 : (ends[index - 1] ?? 0);
    return ranks.get(bytes.toString('base64', start, ends[index + 1])) ?? Number.POSITIVE_INFINITY;
  };
  const joined = ends.slice(1).map((_, index) => rankAt(index));
  while (joined.length > 0) {
    const lowest = Math.min(...joined);
    if (lowest === Number.POSITIVE_INFINITY) break;
    const at = joined.indexOf(lowest);
    ends.splice(at, 1);
    joined.splice(at, 1);
    if (at < joined.length) joined[at] = rankAt(at);
    if (at > 0) joined[at - 1] = rankAt(at - 1);
  }
  return ends.length;
}
