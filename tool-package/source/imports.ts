/** What a source imports, in any of the ways a module can, as far as it is written as a literal. */
import { dirname, join, normalize } from 'node:path/posix';
import type { Node, ParsedSource } from './parse.ts';
import { isNode, walkTree } from './walk.ts';

export type SourceImport = { readonly specifier: string; readonly line: number };

/** Static, re-exporting, dynamic, `require` and `import x = require` imports with a literal specifier. Types are not imports. */
export const listImports = (source: ParsedSource): SourceImport[] => {
  const found: SourceImport[] = [];
  for (const { node } of walkTree(source.program)) {
    const specifier = specifierOf(node);
    if (specifier !== null) found.push({ specifier, line: source.lineAt(node.start) });
  }
  return found;
};

const specifierOf = (node: Node): string | null => {
  switch (node.type) {
    case 'ImportDeclaration':
      return node.importKind === 'type' ? null : literal(node.source);
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
      return node.exportKind === 'type' ? null : literal(node.source);
    case 'ImportExpression':
      return literal(node.source);
    case 'TSExternalModuleReference':
      return literal(node.expression);
    case 'CallExpression':
      return isImportCall(node.callee) ? literal((node.arguments as unknown[])[0]) : null;
    default:
      return null;
  }
};

const isImportCall = (callee: unknown): boolean => {
  if (!isNode(callee)) return false;
  if (callee.type === 'Import') return true;
  if (callee.type === 'Identifier') return callee.name === 'require';
  const { object, property } = callee as Node & { object?: unknown; property?: unknown };
  return isNode(object) && object.name === 'require' && isNode(property) && property.name === 'resolve';
};

const literal = (node: unknown): string | null => {
  if (!isNode(node)) return null;
  if (node.type === 'StringLiteral') return String(node.value);
  const quasis = node.quasis as { value: { cooked?: string } }[] | undefined;
  return node.type === 'TemplateLiteral' && quasis?.length === 1 ? (quasis[0]?.value.cooked ?? null) : null;
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
