/** Rules for what a pi tool does when it is called, as far as the source shows it. */
import type { ApiCall } from '../source/api-calls.ts';
import {
  child,
  identifierName,
  isCall,
  isFunction,
  isMember,
  list,
  type Node,
  text,
  unwrap,
  walk,
} from '../source/node.ts';
import { parametersOf } from '../source/scopes.ts';
import type { Analysis } from '../source/types.ts';
import { analysisOf, foundAt, oncePerLine } from './code-facts.ts';
import { isPartOf, listOrigins } from './content-sources.ts';
import {
  type ExecuteFunction,
  hostCallsIn,
  listExecuteFunctions,
  listResults,
  listReturned,
  propertyOf,
} from './execute-functions.ts';
import type { Facts, Found, Rule } from './types.ts';

const piExecutes = (facts: Facts): readonly ExecuteFunction[] =>
  listExecuteFunctions(facts).filter(({ host }) => host === 'pi');

const found = (
  analysis: Analysis,
  execute: ExecuteFunction,
  node: Node,
  message: string,
  file = execute.file,
): Found => ({
  ...foundAt(analysis, { node, file }, message),
  agent: 'pi',
  tool: execute.tool,
});

/** A rule that looks at each `execute` by itself. */
const forEachExecute = (look: (execute: ExecuteFunction, analysis: Analysis) => Iterable<Found>): Rule['find'] =>
  function* find(facts) {
    const analysis = analysisOf(facts);
    yield* oncePerLine(piExecutes(facts).flatMap((execute) => [...look(execute, analysis)]));
  };

const errorFlag: Rule = {
  id: 'pi/error-flag',
  level: 'warn',
  what: 'a result with `isError` instead of a thrown error',
  why: 'what is thrown is an error for the model in every version of pi; whether a returned flag counts depends on the version',
  fix: '`throw new Error("what went wrong, and what to do")`',
  find: forEachExecute(function* (execute, analysis) {
    const flagged = [...execute.reached].flatMap((fn) => listResults(analysis, fn).filter(hasErrorFlag));
    const [first, ...others] = new Set(flagged);
    if (first === undefined) return;
    const message = `\`execute\` returns an error flag${others.length > 0 ? `, in ${others.length + 1} places` : ''}`;
    yield found(analysis, execute, first, message, fileOf(analysis, first));
  }),
};

const hasErrorFlag = (node: Node): boolean => {
  const flag = node.type === 'ObjectExpression' ? propertyOf(node, 'isError') : undefined;
  return flag != null && !(flag.type === 'BooleanLiteral' && flag.value === false);
};

const fileOf = (analysis: Analysis, node: Node): string => {
  let root = node;
  while (root.parent) root = root.parent;
  for (const file of analysis.program.files.values()) if (file.program === root) return file.path;
  return '';
};

const resultShape: Rule = {
  id: 'pi/result-shape',
  level: 'warn',
  what: 'a literal result without a `content` list of `{type, text}`',
  why: 'the model gets "(no tool output)", or the call ends in an error',
  fix: '`return { content: [{ type: "text", text }], details: {} }`',
  find: forEachExecute(function* (execute, analysis) {
    for (const node of listResults(analysis, execute.node)) {
      const wrong = wrongResult(node);
      if (wrong !== null) yield found(analysis, execute, node, `\`execute\` returns ${wrong}`, fileOf(analysis, node));
    }
  }),
};

const wrongResult = (node: Node): string | null => {
  if (isTextual(node)) return 'a text';
  if (/^(?:Numeric|Boolean|Null|BigInt)Literal$/.test(node.type)) return 'no object';
  if (/^(?:Return|Block)Statement$/.test(node.type) || identifierName(node) === 'undefined') return 'nothing';
  if (node.type === 'ArrayExpression') return 'a list';
  if (node.type !== 'ObjectExpression') return null;
  const content = propertyOf(node, 'content');
  if (content === undefined) return 'an object without `content`';
  return content === null ? null : wrongContent(unwrap(content));
};

const wrongContent = (content: Node): string | null => {
  if (isTextual(content)) return 'a text as `content`';
  if (content.type === 'ObjectExpression') return 'an object as `content`';
  if (content.type !== 'ArrayExpression') return null;
  const isWrong = list(content, 'elements').some(
    (element) =>
      isTextual(element) || (element.type === 'ObjectExpression' && propertyOf(element, 'type') === undefined),
  );
  return isWrong ? 'a `content` whose elements are not `{type, text}`' : null;
};

const TEXT_CALLS = new Set(['String', 'JSON.stringify']);
const TEXT_METHODS = new Set([
  'join',
  'toString',
  'trim',
  'toUpperCase',
  'toLowerCase',
  'toFixed',
  'padStart',
  'padEnd',
  'repeat',
]);

const sidesOf = (node: Node): Node[] => [child(node, 'left'), child(node, 'right')].filter((side) => side !== null);

/** Whether an expression is a text, whatever its parts are. */
export const isTextual = (wrapped: Node): boolean => {
  const node = unwrap(wrapped);
  if (node.type === 'StringLiteral' || node.type === 'TemplateLiteral') return true;
  if (node.type === 'BinaryExpression') return node.operator === '+' && sidesOf(node).some(isTextual);
  if (!isCall(node)) return false;
  const callee = child(node, 'callee');
  if (callee === null) return false;
  const method = isMember(callee) ? text(child(callee, 'property'), 'name') : null;
  return (
    TEXT_CALLS.has(identifierName(callee) ?? `${identifierName(child(callee, 'object'))}.${method}`) ||
    (method !== null && TEXT_METHODS.has(method))
  );
};

const FETCHES =
  /^(?:global\.(?:fetch|WebSocket|EventSource)|node:https?\.(?:get|request)|npm:(?:undici|axios|got|node-fetch|ky)\b.*)$/;
const RUNS =
  /^(?:node:child_process\.(?:exec|execFile|spawn|fork|execSync|execFileSync|spawnSync)|pi\.exec|npm:execa\b.*|global\.Bun\.(?:spawn|spawnSync|\$``))$/;
const READS = /^node:fs(?:\/promises)?\.(?:readFile|readFileSync|createReadStream|open|openSync)$/;
const WRITES = /^node:fs(?:\/promises)?\.(?:writeFile|writeFileSync|appendFile|appendFileSync|createWriteStream)$/;

const unboundedOutput: Rule = {
  id: 'pi/unbounded-output',
  level: 'warn',
  what: 'a tool that reads files, runs commands or fetches text, and never shortens what it returns',
  why: 'pi sends whatever it gets: 5 MiB went to the model whole',
  fix: 'use `truncateHead` or `truncateTail` of `@earendil-works/pi-coding-agent` (50 KB, 2,000 lines), and say what was cut',
  find: forEachExecute(function* (execute, analysis) {
    if (isBounded(execute)) return;
    const calls = hostCallsIn(analysis, execute.reached).filter(
      ({ path }) => READS.test(path) || RUNS.test(path) || FETCHES.test(path),
    );
    const sources = calls.filter((call) => !FETCHES.test(call.path) || isTextOfFetch(call));
    if (sources.length === 0) return;
    const contents = listReturned(execute.node).flatMap(contentOf);
    const ends = new Set(calls.map(({ node }) => node));
    const origins = new Set(contents.flatMap((content) => [...listOrigins(analysis, content, ends)]));
    const source = sources.find((call) => isPartOf(call.node, origins));
    if (source !== undefined) yield found(analysis, execute, source.node, 'the output is returned whole', source.file);
  }),
};

/** What of a result the model reads; `details` are for the user. */
const contentOf = (result: Node): Node[] => {
  const content = result.type === 'ObjectExpression' ? propertyOf(result, 'content') : result;
  return content === undefined ? [] : [content ?? result];
};

/** `fetch(…)` whose body is taken as text; a field of a JSON answer is short. */
const isTextOfFetch = (call: ApiCall): boolean => {
  let root = call.node;
  while (root.parent && !isFunction(root.parent)) root = root.parent;
  return some(root, (node) => isMember(node) && text(child(node, 'property'), 'name') === 'text');
};

const SHORTENS = /^(?:slice|substring|substr|subarray|truncate\w*|shorten\w*|cut\w*|clip\w*|limit\w*|head|tail)$/i;

const isBounded = (execute: ExecuteFunction): boolean =>
  [...execute.reached].some((fn) => some(fn, (node) => isCall(node) && SHORTENS.test(calleeName(node) ?? '')));

/** `slice` of `text.slice(0, 10)`, `truncate` of `truncate(text)`. */
const calleeName = (call: Node): string | null => {
  const callee = child(call, 'callee');
  return callee !== null && isMember(callee) ? text(child(callee, 'property'), 'name') : identifierName(callee);
};

/** Whether anything in a tree is so. */
const some = (root: Node, is: (node: Node) => boolean): boolean => {
  let found = false;
  walk(root, (node) => {
    found ||= is(node);
    return !found;
  });
  return found;
};

const unqueuedWrite: Rule = {
  id: 'pi/unqueued-write',
  level: 'warn',
  what: 'a tool that writes files without `withFileMutationQueue`',
  why: 'pi runs tools side by side: its edit and this tool may write the same file at once, and one change is lost',
  fix: '`await withFileMutationQueue(path, async () => { … })` around reading and writing',
  find: forEachExecute(function* (execute, analysis) {
    const calls = hostCallsIn(analysis, execute.reached);
    if (calls.some(({ path }) => path.endsWith('.withFileMutationQueue'))) return;
    for (const call of calls) {
      if (WRITES.test(call.path) && !isTemporary(call))
        yield found(analysis, execute, call.node, 'a file is written outside the queue', call.file);
    }
  }),
};

/** Below the folder for temporary files, where pi edits nothing. */
const isTemporary = (call: ApiCall): boolean =>
  call.args[0]?.values.some(
    (value) =>
      value.kind === 'text' && value.pieces.some((piece) => typeof piece === 'object' && piece.hole === 'temp'),
  ) === true;

const ignoresSignal: Rule = {
  id: 'pi/ignores-signal',
  level: 'warn',
  what: 'a tool that fetches or runs something and never uses `signal`',
  why: 'the user presses Escape and nothing happens',
  fix: 'hand the third argument of `execute` on: `fetch(url, { signal })`, `pi.exec(command, args, { signal })`',
  find: forEachExecute(function* (execute, analysis) {
    if (usesSignal(execute.node, analysis)) return;
    const slow = hostCallsIn(analysis, execute.reached).find((call) => FETCHES.test(call.path) || RUNS.test(call.path));
    if (slow !== undefined)
      yield found(analysis, execute, slow.node, '`signal` is not used, so this cannot be cancelled', slow.file);
  }),
};

const SIGNAL_INDEX = 2;

const usesSignal = (fn: Node, analysis: Analysis): boolean => {
  const parameters = parametersOf(fn);
  if (parameters.some((parameter) => parameter.type === 'RestElement')) return true;
  const isUsed = some(
    fn,
    (node) =>
      identifierName(node) === 'arguments' || (isMember(node) && text(child(node, 'property'), 'name') === 'signal'),
  );
  const parameter = parameters[SIGNAL_INDEX];
  if (isUsed || parameter === undefined) return isUsed;
  const name = parameter.type === 'AssignmentPattern' ? child(parameter, 'left') : parameter;
  return name !== null && (analysis.program.bindings.get(name)?.references.length ?? 0) > 0;
};

export const PI_BEHAVIOUR_RULES: readonly Rule[] = [
  errorFlag,
  resultShape,
  unboundedOutput,
  unqueuedWrite,
  ignoresSignal,
];
