/**
 * `Type.Union([Type.Literal('a'), Type.Literal('b')])` in the parameters of a tool -> `StringEnum(['a', 'b'] as const)`, by offsets in the
 * author's source. Only where it is certain that nothing else changes; else it is said why not.
 */
import { isMember, lineOf, type Node, walk } from '../../tool-package/source/node.ts';
import { parseSource } from '../../tool-package/source/parse.ts';
import { type Binding, resolveScopes } from '../../tool-package/source/scopes.ts';
import type { FixChange, FixedText, NotFixed } from './fix.ts';
import { type ImportPlan, planImport } from './fix-import.ts';
import { isInParameters } from './tool-parameters.ts';
import { type SourceView, typeMethod } from './type-calls.ts';
import { type Edit, readUnion } from './union-shape.ts';

/** The file with what can be mended mended. `content`: its bytes; what is no source, or has no such union, stays as it is. */
export const fixLiteralUnions = (path: string, content: Uint8Array): FixedText => {
  const parsed = parseSource(path, content);
  const nothing: FixedText = { text: '', changes: [], notFixed: [] };
  if (!('program' in parsed)) return nothing;
  const bindings = new Map<Node, Binding>();
  resolveScopes(path, parsed.program, bindings);
  const view: SourceView = { path, text: parsed.text, program: parsed.program, bindings };
  const { good, notFixed } = sortUnions(view);
  if (good.length === 0) return { ...nothing, notFixed };
  const plan = planImport(view);
  if ('reason' in plan)
    return { ...nothing, notFixed: [...notFixed, ...good.map(({ node }) => refuse(view, node, plan.reason))] };
  return applyTo(view, content, good, plan, notFixed);
};

type GoodUnion = { node: Node; edits(enumName: string): Edit[] };

const refuse = ({ path }: SourceView, node: Node, reason: string): NotFixed => ({
  file: path,
  line: lineOf(node),
  reason,
});

const sortUnions = (view: SourceView): { good: GoodUnion[]; notFixed: NotFixed[] } => {
  const good: GoodUnion[] = [];
  const notFixed: NotFixed[] = [];
  walk(view.program, (node) => {
    if (typeMethod(node, view) !== 'Union') return true;
    const shape = readUnion(node, view);
    if (shape === null) return true;
    const reason = 'reason' in shape ? shape.reason : whyNotHere(node, view);
    if (reason !== null) notFixed.push(refuse(view, node, reason));
    else if ('edits' in shape) good.push({ node, edits: shape.edits });
    return true;
  });
  return { good, notFixed };
};

const whyNotHere = (node: Node, view: SourceView): string | null => {
  if (/^\/\/[#@] sourceMappingURL=/m.test(view.text)) return 'the file is made by a build: change its source';
  if (isMember(node.parent ?? null)) return 'the union itself is used here, not only as a schema';
  return isInParameters(node, view) ? null : 'it is not only part of the parameters of a tool in this file';
};

const splice = (source: string, edits: readonly Edit[]): string =>
  [...edits]
    .sort((left, right) => right.start - left.start)
    .reduce((whole, { start, end, piece }) => whole.slice(0, start) + piece + whole.slice(end), source);

/** The text of a node after edits inside it. */
const editedNode = (view: SourceView, { start, end }: Node, edits: readonly Edit[]): string =>
  splice(
    view.text.slice(start, end),
    edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start })),
  );

const applyTo = (
  view: SourceView,
  content: Uint8Array,
  good: readonly GoodUnion[],
  plan: ImportPlan,
  notFixed: NotFixed[],
): FixedText => {
  const changes = good.map(
    ({ node, edits }): FixChange => ({
      kind: 'literal-union',
      file: view.path,
      line: lineOf(node),
      before: view.text.slice(node.start, node.end),
      after: editedNode(view, node, edits(plan.name)),
    }),
  );
  if (plan.edit !== null)
    changes.push({ kind: 'import', file: view.path, line: plan.line, before: null, after: plan.shown });
  const all = [...good.flatMap(({ edits }) => edits(plan.name)), ...(plan.edit === null ? [] : [plan.edit])];
  const after = splice(view.text, all);
  if (!('program' in parseSource(view.path, Buffer.from(after))))
    return {
      text: '',
      changes: [],
      notFixed: good.map(({ node }) => refuse(view, node, 'the result would not parse')),
    };
  // The decoder takes a byte order mark away; the file keeps it.
  const mark = content[0] === 0xef && content[1] === 0xbb && content[2] === 0xbf ? '\uFEFF' : '';
  return { text: mark + after, changes, notFixed };
};
