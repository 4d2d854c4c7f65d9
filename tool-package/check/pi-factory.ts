/** What an extension does while it is loaded, before any session has begun. */
import type { ApiCall } from '../source/api-calls.ts';
import { child, isCall, isFunction, isMember, list, type Node, text, unwrap, walk } from '../source/node.ts';
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
      if (!RESOURCES.test(call.path) || !immediate.has(ownerOf(call.node)) || isGivenUp(call)) continue;
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

/** A timer with `clearTimeout(timer)` beside it, or `unref()`: a limit for something else, or no hold on the process. */
const isGivenUp = ({ path, node: call }: ApiCall): boolean => {
  if (!/^global\.set(?:Timeout|Interval)$/.test(path)) return false;
  const parent = call.parent;
  const isUnref = parent != null && isMember(parent) && text(child(parent, 'property'), 'name') === 'unref';
  if (isUnref) return true;
  const name = parent?.type === 'VariableDeclarator' ? text(child(parent, 'id'), 'name') : null;
  return name !== null && isLetGo(ownerOf(call), name);
};

const isLetGo = (owner: Node, name: string): boolean => {
  let found = false;
  walk(owner, (node) => {
    found ||= isCall(node) && letsGo(node, name);
    return !found;
  });
  return found;
};

const letsGo = (call: Node, name: string): boolean => {
  const callee = child(call, 'callee');
  if (callee === null) return false;
  if (isMember(callee))
    return text(child(callee, 'property'), 'name') === 'unref' && text(child(callee, 'object'), 'name') === name;
  const isClear = /^clear(?:Timeout|Interval)$/.test(text(callee, 'name') ?? '');
  return isClear && text(list(call, 'arguments')[0] ?? null, 'name') === name;
};

/** What stands this many calls below the factory depends on what the session was. */
const MAX_DEPTH = 2;

/** Top levels of pi's files, their factories, and what those call. */
const listImmediate = (facts: Facts, analysis: Analysis): ReadonlySet<Node> => {
  const files = listReachedFiles(facts, 'pi');
  const tops = [...analysis.program.files.values()].filter(({ path }) => files.has(path)).map(({ program }) => program);
  const entries = facts.inspections.filter(({ agent }) => agent === 'pi').map(({ entry }) => entry);
  const immediate = new Set([...tops, ...entries.flatMap((entry) => factoriesOf(analysis, entry))]);
  let level = [...immediate];
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    level = level.flatMap((root) => calledIn(analysis, root)).filter((called) => !immediate.has(called));
    for (const called of level) immediate.add(called);
  }
  return immediate;
};

/** The functions that a function calls itself, not those in it. */
const calledIn = (analysis: Analysis, root: Node): Node[] => {
  const called: Node[] = [];
  walk(root, (node) => {
    if (node !== root && isFunction(node)) return false;
    if (isCall(node)) called.push(...calledBy(analysis.machine, node));
    return true;
  });
  return called;
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
