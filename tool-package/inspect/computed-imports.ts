/** `import(path)` where only the running code can tell the path: a folder of tools that is looked through at load. */
import path from 'node:path';
import { child, isCall, list, type Node, text, walk } from '../source/node.ts';
import { isSourcePath, parseSource } from '../source/parse.ts';
import type { InspectionInput } from './types.ts';

/** A loader of tools has a folder of them, not a whole program. */
const MAX_IMPORTABLE = 200;
const LOOKS_COMPUTED = /\bimport\s*\((?!\s*(?:'[^']*'|"[^"]*")\s*[,)])/;
const NOT_IMPORTED = /\.d\.[cm]?ts$|[.-](?:test|spec)\.[cm]?[jt]sx?$|(?:^|\/)(?:tests?|__tests__|node_modules)\//;

/** The scripts and JSON files that such an import can mean; none where there are too many. */
export function listImportable(input: InspectionInput): string[] {
  const files = input.paths.filter(
    (file) =>
      input.sources.has(file) &&
      (isSourcePath(file) || path.posix.extname(file) === '.json') &&
      !NOT_IMPORTED.test(file),
  );
  return files.length > MAX_IMPORTABLE ? [] : files;
}

/** The source with `load(path)` in the place of `import(path)`; line by line the same, and equal where there is none. */
export function withComputedImports(source: string, file: string, load: string): string {
  if (!LOOKS_COMPUTED.test(source)) return source;
  const parsed = parseSource(file, Buffer.from(source));
  if (!('program' in parsed)) return source;
  let changed = '';
  let at = 0;
  for (const node of listComputed(parsed.program)) {
    changed += source.slice(at, node.start as number) + load;
    at = node.end as number;
  }
  return changed + source.slice(at);
}

/** The words `import` of such calls, in the order of the text. */
function listComputed(program: Node): Node[] {
  const found: Node[] = [];
  walk(program, (node) => {
    const callee = isCall(node) ? child(node, 'callee') : null;
    if (callee?.type === 'Import' && !isLiteral(list(node, 'arguments')[0])) found.push(callee);
    return true;
  });
  return found.sort((one, other) => (one.start as number) - (other.start as number));
}

const isLiteral = (node: Node | undefined): boolean =>
  node !== undefined &&
  (text(node, 'value') !== null || (node.type === 'TemplateLiteral' && list(node, 'expressions').length === 0));
