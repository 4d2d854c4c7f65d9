/** Source bytes to a syntax tree, or the reason why not. */
import { type ParserPlugin, parse } from '@babel/parser';
import { isNode, type Node } from './node.ts';
import { bracketDepth, MAX_BRACKETS, MAX_FILE_BYTES } from './scan.ts';

export type SourceFile = { path: string; text: string; program: Node };
/** A file that nobody looked into: never the same as a clean one. */
export type NotAnalysed = { file: string; line: number | null; reason: string };

const SOURCE_NAME = /\.(?:[cm]?[jt]s|[jt]sx)$/i;
/** Whether a path is JavaScript or TypeScript by its name. */
export const isSourcePath = (path: string): boolean => SOURCE_NAME.test(path);

const COMMON: ParserPlugin[] = [
  'decorators',
  'decoratorAutoAccessors',
  'explicitResourceManagement',
  'importAttributes',
];

/** The tree of one file; a file that is too large, too deep, binary or unparsable says so instead. Never throws. */
export function parseSource(path: string, bytes: Uint8Array): SourceFile | NotAnalysed {
  const refuse = (reason: string, line: number | null = null): NotAnalysed => ({ file: path, line, reason });
  if (bytes.length > MAX_FILE_BYTES) return refuse(`is larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB`);
  if (bytes.includes(0)) return refuse('is binary');
  let source: string;
  try {
    source = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return refuse('is not UTF-8 text');
  }
  if (bracketDepth(source) > MAX_BRACKETS) return refuse(`is nested deeper than ${MAX_BRACKETS} brackets`);
  return parseText(path, source, refuse);
}

/** Babel's plugins contradict each other (`<T>x` is a cast or an element): the likely set first. */
function pluginSets(path: string): ParserPlugin[][] {
  if (/\.[cm]?ts$/i.test(path))
    return [
      ['typescript', ...COMMON],
      ['typescript', 'jsx', ...COMMON],
    ];
  if (/\.tsx$/i.test(path)) return [['typescript', 'jsx', ...COMMON]];
  return [
    ['jsx', ...COMMON],
    ['typescript', ...COMMON],
  ];
}

function parseText(
  path: string,
  source: string,
  refuse: (reason: string, line?: number | null) => NotAnalysed,
): SourceFile | NotAnalysed {
  let failure: NotAnalysed = refuse('could not be parsed');
  for (const plugins of pluginSets(path)) {
    try {
      const tree: unknown = parse(source, {
        sourceType: 'unambiguous',
        errorRecovery: true,
        attachComment: false,
        allowReturnOutsideFunction: true,
        allowAwaitOutsideFunction: true,
        allowImportExportEverywhere: true,
        allowNewTargetOutsideFunction: true,
        allowSuperOutsideMethod: true,
        allowUndeclaredExports: true,
        plugins,
      }).program;
      if (isNode(tree)) return { path, text: source, program: tree };
    } catch (error) {
      if (error instanceof RangeError) return refuse('is nested too deeply');
      failure = refuse('could not be parsed', lineOfError(error));
    }
  }
  return failure;
}

function lineOfError(error: unknown): number | null {
  const line = (error as { loc?: { line?: unknown } } | null)?.loc?.line;
  return typeof line === 'number' && line >= 1 ? line : null;
}
