/** What a result is made of: the expressions that its text can come from, through names, calls and callbacks. */
import { child, isCall, isFunction, isMember, type Node, text, walk } from '../source/node.ts';
import type { Binding, Definition } from '../source/scopes.ts';
import type { Analysis } from '../source/types.ts';
import { calledBy, listReturned } from './execute-functions.ts';

const MAX_ORIGINS = 400;
/** The host's own tools shorten what they give. */
const HOST_TOOL = /^create(?:Read|Bash|PowerShell|Edit|Write|Grep|Find|Ls)Tool(?:Definition)?$/;
const MEASURE = /^(?:length|size|byteLength|status|code|exitCode)$/;

/**
 * `start` and all that it can be made of, as far as the calls `ends`. What such a call is given (an address, a path),
 * what a condition asks, and how long something is, are no part of a text.
 */
export function listOrigins(analysis: Analysis, start: Node, ends: ReadonlySet<Node>): ReadonlySet<Node> {
  const origins = new Set([start]);
  for (const origin of origins) {
    if (origins.size > MAX_ORIGINS) break;
    walk(origin, (node) => {
      if (isAsked(node) || isHostTool(node) || ends.has(node)) return false;
      for (const found of originsOf(analysis, node)) origins.add(found);
      return true;
    });
  }
  return origins;
}

/** Whether what `node` gives can end in one of `origins`. */
export function isPartOf(node: Node, origins: ReadonlySet<Node>): boolean {
  for (let at: Node | null | undefined = node; at; at = at.parent) {
    if (isAsked(at) || isHostTool(at)) return false;
    if (origins.has(at)) return true;
  }
  return false;
}

function originsOf(analysis: Analysis, node: Node): Node[] {
  if (isCall(node)) return calledBy(analysis.machine, node).flatMap(listReturned);
  const binding = node.type === 'Identifier' && !isMeasured(node) ? analysis.program.bindings.get(node) : undefined;
  if (binding === undefined) return [];
  return [...binding.definitions.flatMap(nodesOf), ...filledInto(analysis, binding)];
}

function nodesOf(definition: Definition): Node[] {
  switch (definition.kind) {
    case 'value':
      return isFunction(definition.node) ? listReturned(definition.node) : [definition.node];
    case 'element':
    case 'key':
    case 'appended':
      return [definition.node];
    case 'function':
      return listReturned(definition.node);
    case 'param':
      return callAround(definition.fn);
    default:
      return [];
  }
}

/** `stream.on('data', (chunk) => …)`: the chunk comes from what is called. */
function callAround(fn: Node): Node[] {
  const call = fn.parent;
  return call && isCall(call) && child(call, 'callee') !== fn ? [call] : [];
}

/** `lines.push(text)`, `result.text = text`. */
const filledInto = (analysis: Analysis, binding: Binding): Node[] =>
  (analysis.program.calls.fillings.get(binding) ?? []).flatMap(({ values }) => values);

const isAsked = (node: Node): boolean =>
  node.parent?.type === 'ConditionalExpression' && child(node.parent, 'test') === node;

/** `text.length`: a number, however long the text is. */
const isMeasured = (node: Node): boolean =>
  node.parent != null && isMember(node.parent) && MEASURE.test(text(child(node.parent, 'property'), 'name') ?? '');

function isHostTool(node: Node): boolean {
  if (!isCall(node)) return false;
  const callee = child(node, 'callee');
  const name = callee !== null && isMember(callee) ? child(callee, 'property') : callee;
  return HOST_TOOL.test(text(name, 'name') ?? '');
}
