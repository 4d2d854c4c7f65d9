/** The import of `StringEnum`, as the file writes its imports. */
import { child, identifierName, lineOf, list, type Node, text, walk } from '../../tool-package/source/node.ts';
import type { SourceView } from './type-calls.ts';
import type { Edit } from './union-shape.ts';

export type ImportPlan = {
  /** What the file calls it. */
  name: string;
  /** Null: it is imported already. */
  edit: Edit | null;
  line: number;
  /** For people. */
  shown: string;
};

const NAME = 'StringEnum';
const PI_AI = /^@(?:earendil-works|mariozechner)\/pi-ai$/;

const sourceOf = (node: Node): string => text(child(node, 'source'), 'value') ?? '';

/** Where the import goes, or why it cannot. */
export const planImport = (view: SourceView): ImportPlan | { reason: string } => {
  const imports = list(view.program, 'body').filter(({ type }) => type === 'ImportDeclaration');
  const values = imports.filter((node) => node.importKind !== 'type' && node.importKind !== 'typeof');
  const fromPi = values.filter((node) => PI_AI.test(sourceOf(node)));
  for (const specifier of fromPi.flatMap((node) => list(node, 'specifiers'))) {
    if (specifier.importKind === 'type' || importedName(specifier) !== NAME) continue;
    const name = identifierName(child(specifier, 'local')) ?? NAME;
    return { name, edit: null, line: lineOf(specifier), shown: '' };
  }
  if (isUsed(view, NAME)) return { reason: `the file has another \`${NAME}\`` };
  for (const declaration of fromPi) {
    const last = list(declaration, 'specifiers').at(-1);
    if (last?.type !== 'ImportSpecifier') continue;
    const edit = { start: last.end, end: last.end, piece: `, ${NAME}` };
    return { name: NAME, edit, line: lineOf(last), shown: `import { ${NAME} } from '${sourceOf(declaration)}'` };
  }
  return newImport(view, imports);
};

const importedName = (specifier: Node): string | null => {
  const imported = child(specifier, 'imported');
  return identifierName(imported) ?? text(imported, 'value');
};

const isUsed = ({ program }: SourceView, name: string): boolean => {
  let used = false;
  walk(program, (node) => {
    if (identifierName(node) === name) used = true;
    return !used;
  });
  return used;
};

/** A line of its own behind the last import, with the file's quotes, semicolons and line ends. */
const newImport = (view: SourceView, imports: readonly Node[]): ImportPlan | { reason: string } => {
  const last = imports.at(-1);
  if (last === undefined) return { reason: 'the file has no imports to put another one beside' };
  const scope = imports.some((node) => sourceOf(node).startsWith('@mariozechner/'))
    ? '@mariozechner'
    : '@earendil-works';
  const written = view.text.slice(last.start, last.end);
  const quote = /["']/.exec(written)?.[0] ?? "'";
  const statement = `import { ${NAME} } from ${quote}${scope}/pi-ai${quote}${written.endsWith(';') ? ';' : ''}`;
  const newLine = view.text.includes('\r\n') ? '\r\n' : '\n';
  const rest = /^[ \t]*(?:\/\/[^\r\n]*)?(?=\r?\n|$)/.exec(view.text.slice(last.end))?.[0];
  // Something else on the same line: without a semicolon of its own the statement would run into it.
  if (rest === undefined) return { reason: 'there is more than an import on the line of the last import' };
  const at = last.end + rest.length;
  return {
    name: NAME,
    edit: { start: at, end: at, piece: `${newLine}${statement}` },
    line: lineOf(last) + written.split('\n').length,
    shown: statement,
  };
};
