/** Parses the sources of a package for whoever reads them without running them: pack's import check, and the rules. */
import { type ParserPlugin, parse } from '@babel/parser';

/** A node of the syntax tree, as far as our readers need to know it. */
export type Node = {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
};

export type ParsedSource = {
  readonly path: string;
  readonly text: string;
  readonly program: Node;
  /** Line of an offset, from 1. */
  lineAt(offset: number): number;
};

/** Why a file has no tree. */
export type NotParsed = {
  readonly path: string;
  readonly reason: 'too-large' | 'too-deep' | 'not-utf-8' | 'syntax';
  readonly line: number | null;
};

export const MAX_SOURCE_BYTES = 2 * 1024 * 1024;
export const MAX_SOURCE_DEPTH = 1000;

const SOURCE_PATH = /\.[cm]?[jt]sx?$/;

/** Whether a path is a JavaScript or TypeScript source, declarations excluded. */
export const isSourcePath = (path: string): boolean => SOURCE_PATH.test(path) && !/\.d\.[cm]?ts$/.test(path);

/** The tree, or why there is none. Never throws, whatever the bytes are. */
export const parseSource = (path: string, bytes: Uint8Array): ParsedSource | NotParsed => {
  const refuse = (reason: NotParsed['reason'], line: number | null = null): NotParsed => ({ path, reason, line });
  if (bytes.byteLength > MAX_SOURCE_BYTES) return refuse('too-large');
  const text = decode(bytes);
  if (text === null) return refuse('not-utf-8');
  // A parser recurses; nesting that is deeper than anyone writes is an attack on it.
  if (isTooDeep(text)) return refuse('too-deep');
  try {
    const file = parse(text, {
      sourceType: 'unambiguous',
      allowReturnOutsideFunction: true,
      allowAwaitOutsideFunction: true,
      allowUndeclaredExports: true,
      errorRecovery: true,
      plugins: pluginsOf(path),
    });
    return { path, text, program: file.program as unknown as Node, lineAt: lineFinder(text) };
  } catch (error) {
    return refuse('syntax', lineOfError(error));
  }
};

export const isParsed = (source: ParsedSource | NotParsed): source is ParsedSource => 'program' in source;

const decode = (bytes: Uint8Array): string | null => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
};

const isTooDeep = (text: string): boolean => {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x28 || code === 0x5b || code === 0x7b) depth += 1;
    else if ((code === 0x29 || code === 0x5d || code === 0x7d) && depth > 0) depth -= 1;
    if (depth > MAX_SOURCE_DEPTH) return true;
  }
  return false;
};

const pluginsOf = (path: string): ParserPlugin[] => {
  const isTypeScript = /\.[cm]?tsx?$/.test(path);
  const hasJsx = /x$/.test(path) || !isTypeScript;
  return [...(isTypeScript ? (['typescript'] as const) : []), ...(hasJsx ? (['jsx'] as const) : []), 'decorators'];
};

const lineOfError = (error: unknown): number | null => {
  const line = (error as { loc?: { line?: unknown } } | null)?.loc?.line;
  return typeof line === 'number' ? line : null;
};

/** Line starts are found once; a lookup is a binary search. */
const lineFinder = (text: string): ((offset: number) => number) => {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
};
