/** Data that is written to a connection which was opened before: `request.write(data)`, `socket.send(data)`. */

import { argumentsOf } from './arguments.ts';
import { memberName } from './calls.ts';
import type { Machine } from './machine.ts';
import { child, isCall, isMember, type Node, unwrap } from './node.ts';
import { eachNode } from './program.ts';
import { deepTaints, unionTaints } from './value.ts';

export type Send = { node: Node; file: string; taints: readonly string[] };

const METHODS = new Set(['write', 'end', 'send', 'emit']);
const CONNECTIONS = /(?:WebSocket|XMLHttpRequest|EventSource|Socket|npm:ws|socket\.io-client\S*)#/;

/** All such calls with where the data comes from. */
export function findSends(machine: Machine): Send[] {
  const sends: Send[] = [];
  eachNode(machine.program.nodes, ['CallExpression', 'OptionalCallExpression'], (node, file) => {
    const receiver = receiverOf(node);
    if (!receiver) return;
    const value = machine.evaluate(receiver, null);
    const isConnection =
      value.taints.includes('download') ||
      value.values.some((item) => item.kind === 'api' && CONNECTIONS.test(item.path));
    const taints = isConnection ? unionTaints(...argumentsOf(machine, node, null).map((arg) => deepTaints(arg))) : [];
    if (taints.length > 0) sends.push({ node, file, taints });
  });
  return sends;
}

function receiverOf(node: Node): Node | null {
  const callee = isCall(node) ? child(node, 'callee') : null;
  const target = callee ? unwrap(callee) : null;
  if (!target || !isMember(target) || !METHODS.has(memberName(child(target, 'property')) ?? '')) return null;
  return child(target, 'object');
}
