/** What a source imports, in any of the ways a module can, as far as it is written as a literal. */
import { dirname, join, normalize } from 'node:path/posix';
import { child, identifierName, isMember, lineOf, list, type Node, text, unwrap, walk } from './node.ts';
import type { SourceFile } from './parse.ts';

export type SourceImport = { readonly specifier: string; readonly line: number };

/** Static, re-exporting, dynamic, `require` and `import x = require` imports with a literal specifier. Types are not imports. */
export const listImports = (source: SourceFile): SourceImport[] => {
  const found: SourceImport[] = [];
  walk(source.program, (node) => {
    const specifier = specifierOf(node);
    if (specifier !== null) found.push({ specifier, line: lineOf(node) });
    return undefined;
  });
  return found;
};

const specifierOf = (node: Node): string | null => {
  switch (node.type) {
    case 'ImportDeclaration':
      return text(node, 'importKind') === 'type' ? null : literal(child(node, 'source'));
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
      return text(node, 'exportKind') === 'type' ? null : literal(child(node, 'source'));
    case 'ImportExpression':
      return literal(child(node, 'source'));
    case 'TSExternalModuleReference':
      return literal(child(node, 'expression'));
    case 'CallExpression':
      return isImportCall(child(node, 'callee')) ? literal(list(node, 'arguments')[0] ?? null) : null;
    default:
      return null;
  }
};

/** `import(…)`, `require(…)`, `require.resolve(…)`. */
const isImportCall = (callee: Node | null): boolean => {
  if (callee === null) return false;
  if (callee.type === 'Import' || identifierName(callee) === 'require') return true;
  const isRequireMember = isMember(callee) && identifierName(child(callee, 'object')) === 'require';
  return isRequireMember && identifierName(child(callee, 'property')) === 'resolve';
};

const literal = (wrapped: Node | null): string | null => {
  if (wrapped === null) return null;
  const node = unwrap(wrapped);
  if (node.type === 'StringLiteral') return text(node, 'value');
  const quasis = list(node, 'quasis');
  if (node.type !== 'TemplateLiteral' || quasis.length !== 1) return null;
  const value = quasis[0]?.value as { cooked?: unknown } | undefined;
  return typeof value?.cooked === 'string' ? value.cooked : null;
};

/** `./x`, `../x`, `.`, `..`: a file of the package, not a package. */
export const isRelative = (specifier: string): boolean => /^\.{1,2}(?:\/|$)/.test(specifier);

const ENDINGS = ['', '.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json'];
/** TypeScript's habit: `./x.js` in a source means `./x.ts` beside it. */
const WRITTEN_AS = new Map([
  ['.js', ['.ts', '.tsx']],
  ['.jsx', ['.tsx']],
  ['.mjs', ['.mts']],
  ['.cjs', ['.cts']],
]);

/** The file of the package that `specifier` in the file `from` means, as pi and esbuild find it; undefined when there is none. */
export const findImported = (from: string, specifier: string, has: (path: string) => boolean): string | undefined => {
  const base = normalize(join(dirname(from), specifier.replace(/[?#].*$/, ''))).replace(/\/$/, '');
  if (base === '..' || base.startsWith('../')) return undefined;
  const ending = /\.[cm]?jsx?$/.exec(base)?.[0] ?? '';
  const stem = base.slice(0, base.length - ending.length);
  const candidates = [
    ...ENDINGS.map((one) => base + one),
    ...(WRITTEN_AS.get(ending) ?? []).map((one) => stem + one),
    ...ENDINGS.slice(1).map((one) => join(base, `index${one}`)),
    join(base, 'package.json'),
  ];
  return candidates.find(has);
};
