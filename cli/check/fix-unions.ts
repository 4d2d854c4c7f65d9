/**
 * `Type.Union([Type.Literal('a'), Type.Literal('b')])` in the parameters of a tool -> `StringEnum(['a', 'b'] as const)`, by offsets in the
 * author's source. Only where it is certain that nothing else changes; else it is said why not.
 */
import { isMember, lineOf, type Node, walk } from '../../tool-package/source/node.ts';
import { parseSource } from '../../tool-package/source/parse.ts';
import { type Program, readProgram } from '../../tool-package/source/program.ts';
import type { FixChange, FixedText, NotFixed } from './fix.ts';
import { type ImportPlan, planImport } from './fix-import.ts';
import { readJsonUnion } from './json-union.ts';
import { isInParameters } from './tool-parameters.ts';
import { type SourceView, typeMethod } from './type-calls.ts';
import { type Edit, readUnion } from './union-shape.ts';

/** A file of the package with what can be mended mended. `content`: its bytes; what has no such union stays as it is. */
export const fixLiteralUnions = (
  path: string,
  content: Uint8Array,
  whole: Program = readProgram(new Map([[path, content]])),
): FixedText => {
  const file = whole.files.get(path);
  const nothing: FixedText = { text: '', changes: [], notFixed: [] };
  if (file === undefined) return nothing;
  const view: SourceView = { path, text: file.text, program: file.program, bindings: whole.bindings, whole };
  const { good, notFixed } = sortUnions(view);
  const plan = good.some(({ needsImport }) => needsImport) ? planImport(view) : NO_IMPORT;
  if ('reason' in plan) {
    const refused = good.filter(({ needsImport }) => needsImport).map(({ node }) => refuse(view, node, plan.reason));
    const rest = good.filter(({ needsImport }) => !needsImport);
    return applyTo(view, content, rest, NO_IMPORT, [...notFixed, ...refused]);
  }
  return applyTo(view, content, good, plan, notFixed);
};

const NO_IMPORT: ImportPlan = { name: '', edit: null, line: 1, shown: '' };

type GoodUnion = { node: Node; needsImport: boolean; edits(enumName: string): Edit[] };

const refuse = ({ path }: SourceView, node: Node, reason: string): NotFixed => ({
  file: path,
  line: lineOf(node),
  reason: `this union of literals stays: ${reason}`,
});

type Found = { edits(enumName: string): Edit[]; needsImport: boolean } | { reason: string } | null;

/** A union, however it is written. */
const readAny = (node: Node, view: SourceView): Found => {
  if (node.type === 'ObjectProperty') {
    const union = readJsonUnion(node, view.text);
    return union !== null && 'edits' in union ? { edits: () => union.edits, needsImport: false } : union;
  }
  if (typeMethod(node, view) !== 'Union') return null;
  const union = readUnion(node, view);
  return union !== null && 'edits' in union ? { edits: union.edits, needsImport: true } : union;
};

const sortUnions = (view: SourceView): { good: GoodUnion[]; notFixed: NotFixed[] } => {
  const good: GoodUnion[] = [];
  const notFixed: NotFixed[] = [];
  walk(view.program, (node) => {
    const found = readAny(node, view);
    if (found === null) return true;
    const reason = 'reason' in found ? found.reason : whyNotHere(node, view);
    if (reason !== null) notFixed.push(refuse(view, node, reason));
    else if ('edits' in found) good.push({ node, ...found });
    return true;
  });
  return { good, notFixed };
};

const whyNotHere = (node: Node, view: SourceView): string | null => {
  if (/^\/\/[#@] sourceMappingURL=/m.test(view.text)) return 'the file is made by a build: change its source';
  if (isMember(node.parent ?? null)) return 'the union itself is used here, not only as a schema';
  return isInParameters(node, view) ? null : 'it is not only part of the parameters of a tool';
};

const splice = (source: string, edits: readonly Edit[]): string =>
  [...edits]
    .map((edit, at) => ({ ...edit, at }))
    // Two at the same place come in the order in which they were given.
    .sort((left, right) => right.start - left.start || right.at - left.at)
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
  if (good.length === 0) return { text: '', changes: [], notFixed };
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
      notFixed: [...notFixed, ...good.map(({ node }) => refuse(view, node, 'the result would not parse'))],
    };
  // The decoder takes a byte order mark away; the file keeps it.
  const mark = content[0] === 0xef && content[1] === 0xbb && content[2] === 0xbf ? '\uFEFF' : '';
  return { text: mark + after, changes, notFixed };
};
