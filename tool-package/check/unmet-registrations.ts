/** Calls of `registerTool` that an inspection has not met: behind a command, a server's answer, a setting. */
import type { EntryInspection } from '../inspect/types.ts';
import { child, isCall, isMember, lineOf, type Node, text, walk } from '../source/node.ts';
import type { Facts } from './types.ts';

type Place = { readonly file: string; readonly line: number };

/** The first such call in what a pi entry loads; undefined where the entry has tools, or no such call. */
export function findUnmetRegistration(facts: Facts, inspection: EntryInspection): Place | undefined {
  const { agent, problem, tools, entry, imports } = inspection;
  if (agent !== 'pi' || problem !== null || tools.length > 0) return undefined;
  const loaded = new Set([entry, ...imports.flatMap(({ target }) => target ?? [])]);
  for (const source of facts.listParsed()) {
    const call = loaded.has(source.path) ? findRegistration(source.program) : undefined;
    if (call !== undefined) return { file: source.path, line: lineOf(call) };
  }
  return undefined;
}

function findRegistration(program: Node): Node | undefined {
  let found: Node | undefined;
  walk(program, (node) => {
    if (found === undefined && isCall(node) && registers(node)) found = node;
    return found === undefined;
  });
  return found;
}

function registers(call: Node): boolean {
  const callee = child(call, 'callee');
  return callee !== null && isMember(callee) && text(child(callee, 'property'), 'name') === 'registerTool';
}
