/** Texts that a source puts together or decodes from constants: what they say does not stand in it. */
import { memberName } from '../source/calls.ts';
import { child, isCall, isMember, list, type Node, unwrap } from '../source/node.ts';
import { eachNode } from '../source/program.ts';
import type { Analysis } from '../source/types.ts';
import { onlyText } from '../source/value.ts';

type ConstantText = { node: Node; file: string; text: string; isDecoded: boolean };

const MAKERS = new Set([
  'join',
  'concat',
  'toString',
  'replace',
  'replaceAll',
  'decode',
  'fromCharCode',
  'fromCodePoint',
]);
const DECODERS = new Set(['atob', 'unescape', 'decodeURIComponent', 'String']);
const MAX_LENGTH = 5000;
const MAX_NODES = 20_000;
/** Leaves most of the work that an analysis may do to the analysis. */
const MAX_STEPS = 900_000;

const made = new WeakMap<Analysis, readonly ConstantText[]>();

/** All of them, the outermost expression of each, within limits. */
export function constantTexts(analysis: Analysis): readonly ConstantText[] {
  const known = made.get(analysis);
  if (known) return known;
  const texts: ConstantText[] = [];
  let looked = 0;
  const templates = new Set<Node>();
  eachNode(analysis.program.nodes, ['BinaryExpression', 'CallExpression', 'TemplateElement'], (one, file) => {
    const node = one.type === 'TemplateElement' ? one.parent : one;
    if (!node || templates.has(node)) return;
    if (one.type === 'TemplateElement') templates.add(node);
    if (!isMade(node) || looked > MAX_NODES || analysis.machine.steps > MAX_STEPS) return;
    looked += 1;
    const value = analysis.machine.evaluate(node, null);
    const text = onlyText(value);
    if (text !== null && text.length >= 4 && text.length <= MAX_LENGTH)
      texts.push({ node, file, text, isDecoded: value.taints.includes('decoded') });
  });
  made.set(analysis, texts);
  return texts;
}

function isMade(node: Node): boolean {
  if (node.type === 'BinaryExpression') return node.operator === '+' && node.parent?.type !== 'BinaryExpression';
  if (node.type === 'TemplateLiteral') return list(node, 'expressions').length > 0;
  const callee = isCall(node) ? child(node, 'callee') : null;
  if (!callee) return false;
  const target = unwrap(callee);
  const isMethod = isMember(target);
  const name = memberName(isMethod ? child(target, 'property') : target) ?? '';
  if (isMethod && MAKERS.has(name)) return true;
  // A function of the author's own that is given a constant: `dec('…')`, `dec([1, 2, 3])`.
  const [first] = list(node, 'arguments');
  return DECODERS.has(name) || (!isMethod && (first?.type === 'StringLiteral' || first?.type === 'ArrayExpression'));
}
