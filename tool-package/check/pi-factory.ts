/** What an extension does while it is loaded, before any session has begun. */
import { isCall, isFunction, type Node, unwrap, walk } from '../source/node.ts';
import type { Analysis } from '../source/types.ts';
import { analysisOf, foundAt } from './code-facts.ts';
import { calledBy, listReachedFiles } from './execute-functions.ts';
import type { Facts, Rule } from './types.ts';

const RESOURCES =
  /^(?:global\.(?:setInterval|setTimeout|WebSocket|EventSource|Worker)|node:child_process\.\w+|pi\.exec|node:(?:net|http|https|tls|dgram|http2)\.(?:createServer|createSecureServer|createConnection|connect|createSocket)|node:worker_threads\.Worker|node:fs\.(?:watch|watchFile)|npm:(?:ws|chokidar)\b.*)$/;

export const resourceInFactory: Rule = {
  id: 'pi/resource-in-factory',
  level: 'warn',
  what: 'a timer, process or socket that is started when the extension is loaded',
  why: 'the factory runs at every load, also for `pi --help`, and what it opens keeps the process alive',
  fix: 'start it in `pi.on("session_start", …)`, and stop it in `session_shutdown`',
  *find(facts) {
    const analysis = analysisOf(facts);
    const immediate = listImmediate(facts, analysis);
    for (const call of analysis.calls) {
      if (!RESOURCES.test(call.path) || !immediate.has(ownerOf(call.node))) continue;
      yield { ...foundAt(analysis, call, 'started while the extension is loaded'), agent: 'pi' };
    }
  },
};

/** The function that a node runs in, or its file's top level; a callback written in place belongs to itself. */
const ownerOf = (node: Node): Node => {
  let at = node;
  while (at.parent && (at === node || !isFunction(at))) at = at.parent;
  return at;
};

/** Top levels of pi's files, their factories, and what those call. */
const listImmediate = (facts: Facts, analysis: Analysis): ReadonlySet<Node> => {
  const files = listReachedFiles(facts, 'pi');
  const tops = [...analysis.program.files.values()].filter(({ path }) => files.has(path)).map(({ program }) => program);
  const entries = facts.inspections.filter(({ agent }) => agent === 'pi').map(({ entry }) => entry);
  const immediate = new Set([...tops, ...entries.flatMap((entry) => factoriesOf(analysis, entry))]);
  for (const root of immediate) {
    walk(root, (node) => {
      if (node !== root && isFunction(node)) return false;
      if (isCall(node)) for (const called of calledBy(analysis.machine, node)) immediate.add(called);
      return true;
    });
  }
  return immediate;
};

const factoriesOf = (analysis: Analysis, entry: string): Node[] =>
  (analysis.program.exports.get(entry)?.get('default') ?? []).flatMap((one) => {
    if (one.kind === 'value') return [one.node];
    const node = one.kind === 'binding' ? functionOf(one.binding.definitions) : null;
    return node === null ? [] : [node];
  });

const functionOf = (definitions: readonly { kind: string; node?: Node }[]): Node | null => {
  for (const { kind, node } of definitions) {
    if (node === undefined) continue;
    const value = unwrap(node);
    if (kind === 'function' || (kind === 'value' && isFunction(value))) return value;
  }
  return null;
};
