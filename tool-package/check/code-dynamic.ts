/** `code/dynamic`: code that is not in the package, or not readable in it. */

import type { ApiCall } from '../source/api-calls.ts';
import { argumentsOf } from '../source/arguments.ts';
import { memberName } from '../source/calls.ts';
import { child, isCall, isMember, type Node, text, unwrap } from '../source/node.ts';
import { eachNode } from '../source/program.ts';
import { startOf } from '../source/run-uses.ts';
import { programName } from '../source/shell-command.ts';
import type { Analysis } from '../source/types.ts';
import { type Abstract, deepTaints, knownText, onlyText, type Value } from '../source/value.ts';
import { analysisOf, foundAt, oncePerLine } from './code-facts.ts';
import type { Found, Rule } from './types.ts';

const EVALUATES =
  /^(?:global\.(?:eval|Function)$|node:vm\.(?:Script|runIn\w+|compileFunction|SourceTextModule|createScript|runInNewContext)$|node:module\.(?:_load|_compile|register|registerHooks|runMain)|global\.process\.(?:binding|_linkedBinding|dlopen)$|npm:(?:vm2|isolated-vm|require-from-string|eval|node-eval|ses)\b|node:inspector\.)/;
const TIMERS = /^global\.(?:setTimeout|setInterval|setImmediate)$/;
const LOADS = new Set(['import', 'global.require']);

/** Why a call runs code that cannot be read in the package, or null. */
export function dynamicReason(call: ApiCall): string | null {
  const [first] = call.args;
  if (EVALUATES.test(call.path)) return `runs text as code (${call.path.replace(/^global\.|^node:/, '')})`;
  if (TIMERS.test(call.path) && first?.values.some((value) => value.kind === 'text'))
    return 'runs text as code in a timer';
  if (LOADS.has(call.path)) return loadReason(first);
  if (call.path === 'node:worker_threads.Worker' || call.path === 'global.Worker') return workerReason(call);
  return interpreterReason(call);
}

function loadReason(specifier: Abstract | undefined): string | null {
  if (!specifier) return null;
  if (specifier.taints.includes('decoded')) return 'loads a module whose name is encoded';
  const values = specifier.values.filter((value) => !isModulePath(value));
  if (values.length > 0) return 'loads a module whose name cannot be decided from the code';
  return specifier.values.some((value) => /^data:/i.test(knownText(value) ?? ''))
    ? 'loads code from a data: URL'
    : null;
}

/** A constant, or a file beside the package's own whose place alone is computed. */
function isModulePath(value: Value): boolean {
  if (value.kind === 'literal') return value.value === undefined || value.value === null;
  if (value.kind !== 'text') return false;
  const [start, rest] = value.pieces;
  if (typeof start === 'string') return value.pieces.length === 1;
  return start?.hole === 'package' && value.pieces.length === 2 && typeof rest === 'string';
}

function workerReason(call: ApiCall): string | null {
  const evaluates = call.args[1]?.values.some(
    (value) =>
      value.kind === 'object' &&
      value.entries.get('eval')?.values.some((item) => item.kind === 'literal' && item.value === true),
  );
  if (evaluates) return 'runs text as code in a worker';
  return call.args[0]?.values.some((value) => /^(?:data|blob):/i.test(textStart(value)))
    ? 'runs a data: URL as code'
    : null;
}

const textStart = (value: Value): string => {
  const [start] = value.kind === 'text' ? value.pieces : [];
  return typeof start === 'string' ? start : '';
};

const INTERPRETERS = new Map<string, RegExp>([
  ['node', /^(?:-e|-p|--eval|--print|-pe)$/],
  ['bun', /^(?:-e|--eval)$/],
  ['deno', /^eval$/],
  ['python', /^-c$/],
  ['python3', /^-c$/],
  ['perl', /^-e$/],
  ['ruby', /^-e$/],
  ['php', /^-r$/],
]);

/** `node -e TEXT` where TEXT is not a constant. */
function interpreterReason(call: ApiCall): string | null {
  const start = startOf(call);
  if (!start || start.form === 'shell') return null;
  for (const value of start.command) {
    const program = programName(knownText(value) ?? '');
    const flag = INTERPRETERS.get(program);
    const at = flag ? start.args.findIndex((arg) => flag.test(onlyText(arg) ?? '')) : -1;
    const code = at === -1 ? undefined : start.args[at + 1];
    if (code?.values.some((item) => knownText(item) === null)) return `runs text as code with ${program}`;
    if (code && deepTaints(code).includes('decoded')) return `decodes text and runs it with ${program}`;
  }
  return null;
}

/** `(() => {}).constructor('…')`, `module._compile(…)`: ways to `Function` and the loader that name neither. */
function hiddenEvaluations(analysis: Analysis): Found[] {
  const found: Found[] = [];
  eachNode(analysis.program.nodes, ['CallExpression', 'OptionalCallExpression', 'NewExpression'], (node, file) => {
    const message = hiddenReason(analysis, node);
    if (message !== null) found.push(foundAt(analysis, { node, file }, message));
  });
  return found;
}

function hiddenReason(analysis: Analysis, node: Node): string | null {
  if (!isCall(node) && node.type !== 'NewExpression') return null;
  const callee = child(node, 'callee');
  const target = callee ? unwrap(callee) : null;
  if (!target || !isMember(target)) return null;
  const property = child(target, 'property');
  const name =
    target.computed === true && property
      ? property.type === 'NumericLiteral'
        ? null
        : onlyText(analysis.machine.evaluate(property, null))
      : memberName(property);
  if (name === '_compile' || name === '_load') return 'gives text to the module loader as code';
  if (name !== 'constructor') return null;
  const object = child(target, 'object');
  const [first] = argumentsOf(analysis.machine, node, null);
  if (!object || !first || object.type === 'Super') return null;
  return isFunctionConstructor(analysis, object, first) ? 'runs text as code through `constructor`' : null;
}

function isFunctionConstructor(analysis: Analysis, object: Node, first: Abstract): boolean {
  const inner = unwrap(object);
  const chained = isMember(inner) && memberName(child(inner, 'property')) === 'constructor';
  const prototype =
    isCall(inner) && text(child(child(inner, 'callee') ?? inner, 'property'), 'name') === 'getPrototypeOf';
  const ofFunction = analysis.machine
    .evaluate(inner, null)
    .values.some((value) => value.kind === 'function' || (value.kind === 'api' && !value.path.endsWith('#')));
  const givesText = first.values.some(
    (value) => value.kind === 'text' || value.kind === 'unknown' || value.kind === 'api',
  );
  return givesText && (chained || prototype || ofFunction);
}

export const dynamic: Rule = {
  id: 'code/dynamic',
  level: 'review',
  what: '`eval`, `Function`, `vm`, a module whose name is not constant, text that is decoded and run',
  why: 'what runs cannot be read in the package, so nobody can have checked it',
  fix: 'import what you need by a constant name; parse data with `JSON.parse`, never by running it',
  *find(facts) {
    const analysis = analysisOf(facts);
    const all = analysis.calls.flatMap((call): Found[] => {
      const reason = dynamicReason(call);
      return reason === null ? [] : [foundAt(analysis, call, reason)];
    });
    yield* oncePerLine([...all, ...hiddenEvaluations(analysis)]);
  },
};
