/** What a file exports under which name: ESM and the usual forms of CommonJS. */
import { child, identifierName, isMember, list, type Node, text, unwrap, walk } from './node.ts';
import type { SourceFile } from './parse.ts';
import type { Binding } from './scopes.ts';

export type ExportEntry =
  | { kind: 'binding'; binding: Binding }
  | { kind: 'value'; node: Node }
  /** `name` of another module; `*` is its namespace. */
  | { kind: 'from'; source: string; name: string };

/** Name -> entries; the name `*` holds the modules that are exported whole. */
export function exportsOf(
  file: SourceFile,
  bindings: ReadonlyMap<Node, Binding>,
  assignments: readonly Node[],
): Map<string, ExportEntry[]> {
  const entries = new Map<string, ExportEntry[]>();
  const add = (name: string, entry: ExportEntry) => entries.set(name, [...(entries.get(name) ?? []), entry]);
  for (const statement of list(file.program, 'body')) addStatement(statement, bindings, add);
  for (const node of assignments) addCommonJs(node, bindings, add);
  return entries;
}

type Add = (name: string, entry: ExportEntry) => void;
type Bindings = ReadonlyMap<Node, Binding>;

function addStatement(statement: Node, bindings: Bindings, add: Add): void {
  const source = text(child(statement, 'source'), 'value');
  if (statement.exportKind === 'type') return;
  if (statement.type === 'ExportAllDeclaration' && source !== null) add('*', { kind: 'from', source, name: '*' });
  else if (statement.type === 'ExportDefaultDeclaration')
    addValue('default', child(statement, 'declaration'), bindings, add);
  else if (statement.type === 'TSExportAssignment') addValue('default', child(statement, 'expression'), bindings, add);
  else if (statement.type === 'ExportNamedDeclaration') addNamed(statement, source, bindings, add);
}

function addValue(name: string, node: Node | null, bindings: Bindings, add: Add): void {
  if (!node) return;
  const id = node.type.endsWith('Declaration') ? child(node, 'id') : node;
  const binding = id && bindings.get(id);
  add(name, binding ? { kind: 'binding', binding } : { kind: 'value', node });
}

function addNamed(statement: Node, source: string | null, bindings: Bindings, add: Add): void {
  for (const specifier of list(statement, 'specifiers')) {
    const local = child(specifier, 'local');
    const exported = nameOf(child(specifier, 'exported'));
    if (exported === null || specifier.exportKind === 'type') continue;
    if (specifier.type === 'ExportNamespaceSpecifier' && source !== null)
      add(exported, { kind: 'from', source, name: '*' });
    else if (source !== null) add(exported, { kind: 'from', source, name: nameOf(local) ?? exported });
    else if (local) addValue(exported, local, bindings, add);
  }
  const declaration = child(statement, 'declaration');
  if (declaration) addDeclaration(declaration, bindings, add);
}

const nameOf = (node: Node | null): string | null => text(node, 'name') ?? text(node, 'value');

function addDeclaration(declaration: Node, bindings: Bindings, add: Add): void {
  const id = child(declaration, 'id');
  const name = identifierName(id);
  if (name !== null) addValue(name, id, bindings, add);
  for (const declarator of list(declaration, 'declarations')) {
    const pattern = child(declarator, 'id');
    if (!pattern) continue;
    walk(pattern, (node) => {
      const binding = bindings.get(node);
      const declared = identifierName(node);
      if (binding && declared !== null) add(declared, { kind: 'binding', binding });
      return true;
    });
  }
}

/** `module.exports = x`, `module.exports.a = x`, `exports.a = x`. */
function addCommonJs(node: Node, bindings: Bindings, add: Add): void {
  const left = child(node, 'left');
  const right = child(node, 'right');
  if (!left || !right || !isMember(left)) return;
  const target = child(left, 'object');
  const name = nameOf(child(left, 'property'));
  if (!target || name === null) return;
  if (identifierName(target) === 'module' && name === 'exports') {
    addValue('default', unwrap(right), bindings, add);
    add('module.exports', { kind: 'value', node: right });
  } else if (identifierName(target) === 'exports' || isModuleExports(target))
    addValue(name, unwrap(right), bindings, add);
}

const isModuleExports = (node: Node): boolean =>
  isMember(node) &&
  identifierName(child(node, 'object')) === 'module' &&
  text(child(node, 'property'), 'name') === 'exports';
