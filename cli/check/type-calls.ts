/** Calls of TypeBox in an author's source: by what is imported, not by what it is called. */
import { child, identifierName, type Node } from '../../tool-package/source/node.ts';
import type { Binding } from '../../tool-package/source/scopes.ts';

/** One source file, read. */
export type SourceView = {
  path: string;
  text: string;
  program: Node;
  /** Identifier -> what it means. */
  bindings: ReadonlyMap<Node, Binding>;
};

const TYPE_MODULES = /^(?:typebox|@sinclair\/typebox|@(?:earendil-works|mariozechner)\/pi-ai)$/;

const isType = (node: Node | null, { bindings }: SourceView): boolean => {
  const [definition, ...others] = (node === null ? undefined : bindings.get(node))?.definitions ?? [];
  if (others.length > 0 || definition?.kind !== 'import') return false;
  const { source, imported } = definition;
  return (
    TYPE_MODULES.test(source) && (imported === 'Type' || (source === 'typebox' && /^(?:default|\*)$/.test(imported)))
  );
};

/** `Union` for `Type.Union(…)`; null for any other node. */
export const typeMethod = (node: Node, view: SourceView): string | null => {
  if (node.type !== 'CallExpression') return null;
  const callee = child(node, 'callee');
  if (callee?.type !== 'MemberExpression' || callee.computed === true || !isType(child(callee, 'object'), view))
    return null;
  return identifierName(child(callee, 'property'));
};
