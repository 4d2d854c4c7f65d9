/** Calls of TypeBox in an author's source: by what is imported, not by what it is called. */
import { child, identifierName, type Node } from '../../tool-package/source/node.ts';
import { findModule, type Program } from '../../tool-package/source/program.ts';
import type { Binding } from '../../tool-package/source/scopes.ts';

/** One source file, read. */
export type SourceView = {
  path: string;
  text: string;
  program: Node;
  /** Identifier -> what it means, in all files. */
  bindings: ReadonlyMap<Node, Binding>;
  /** All files of the package. */
  whole: Program;
};

const TYPE_MODULES = /^(?:typebox|@sinclair\/typebox|@(?:earendil-works|mariozechner)\/pi-ai)$/;
/** Modules that hand on what others export. */
const MAX_MODULES = 5;

const isType = (node: Node | null, { bindings, whole }: SourceView): boolean => {
  const binding = node === null ? undefined : bindings.get(node);
  return binding !== undefined && isTypeBinding(binding, whole, MAX_MODULES);
};

const isTypeBinding = ({ definitions, file }: Binding, whole: Program, modules: number): boolean => {
  const [definition, ...others] = definitions;
  if (others.length > 0 || definition?.kind !== 'import') return false;
  return isTypeExport(definition.source, definition.imported, file, whole, modules);
};

/** Whether `name` of that module is TypeBox, also by way of the package's own modules. */
const isTypeExport = (source: string, name: string, from: string, whole: Program, modules: number): boolean => {
  if (TYPE_MODULES.test(source)) return name === 'Type' || (source === 'typebox' && /^(?:default|\*)$/.test(name));
  const file = modules === 0 ? undefined : findModule(whole, from, source);
  const exported = file === undefined ? undefined : whole.exports.get(file);
  if (file === undefined || exported === undefined) return false;
  const named = exported.get(name) ?? [];
  const all = named.length > 0 ? named : (exported.get('*') ?? []);
  return all.some((entry) => {
    if (entry.kind === 'binding') return isTypeBinding(entry.binding, whole, modules - 1);
    const wanted = named.length > 0 && entry.kind === 'from' ? entry.name : name;
    return entry.kind === 'from' && isTypeExport(entry.source, wanted, file, whole, modules - 1);
  });
};

/** `Union` for `Type.Union(…)`; null for any other node. */
export const typeMethod = (node: Node, view: SourceView): string | null => {
  if (node.type !== 'CallExpression') return null;
  const callee = child(node, 'callee');
  if (callee?.type !== 'MemberExpression' || callee.computed === true || !isType(child(callee, 'object'), view))
    return null;
  return identifierName(child(callee, 'property'));
};
