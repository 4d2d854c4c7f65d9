/** A tool's definition: what the model is given. Its hash says whether it changed, its tokens what it costs per request. */
import type { Tool } from '../schemas/manifest.ts';
import { canonicalJson } from './canonical.ts';
import { sha256Hex } from './integrity.ts';
import { encodedLength } from './tokenizer.ts';

export type Definition = Pick<Tool, 'name' | 'description' | 'promptSnippet' | 'promptGuidelines' | 'parameters'>;

/** sha256 (hex) over the canonical form of name, description, promptSnippet, promptGuidelines and parameters. */
export const definitionHash = (tool: Definition): string => {
  const { name, description, promptSnippet, promptGuidelines, parameters } = tool;
  return sha256Hex(canonicalJson({ name, description, promptSnippet, promptGuidelines, parameters }));
};

/** Tokens of a tool as it goes into a request: the function definition, and pi's lines in the system prompt. */
export const definitionTokens = (tool: Definition): number => {
  const { name, description, parameters } = tool;
  const prompt = [tool.promptSnippet ?? '', ...tool.promptGuidelines].join('\n');
  return countTokens(JSON.stringify({ name, description, parameters })) + countTokens(prompt);
};

const MAX_COUNTED_LENGTH = 100_000;
/** The tokenizer's merge is quadratic in a run without breaks: 100 kB of one letter would take minutes. */
const PIECE = /\s{1,200}\S{0,200}|\S{1,200}/g;
const LONG_RUN = /\S{201}|\s{201}/;

/** Tokens of a text in o200k_base; beyond 100,000 characters extrapolated. */
export const countTokens = (text: string): number => {
  if (text === '') return 0;
  const counted = text.slice(0, MAX_COUNTED_LENGTH);
  const pieces = LONG_RUN.test(counted) ? (counted.match(PIECE) ?? []) : [counted];
  const tokens = pieces.reduce((sum, piece) => sum + encodedLength(piece), 0);
  return Math.round((tokens * text.length) / counted.length);
};
