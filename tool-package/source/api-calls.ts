/** Every call of something of the host in the program, through whatever name it was reached. */

import { argumentsOf } from './arguments.ts';
import { memberName } from './calls.ts';
import { contextsOf } from './contexts.ts';
import type { Machine } from './machine.ts';
import { itemsOf } from './methods.ts';
import { child, isCall, isMember, type Node, unwrap } from './node.ts';
import { eachNode } from './program.ts';
import { GLOBAL_NAME } from './scopes.ts';
import { RAW, SHELL_TAGS, shellTemplate } from './shell-template.ts';
import { type Abstract, elementOf, UNKNOWN, type Value } from './value.ts';

export type ApiCall = {
  /** `node:fs.readFile`; with `new` in front of nothing: see `isNew`. */
  path: string;
  base: Abstract | null;
  args: readonly Abstract[];
  node: Node;
  file: string;
  isNew: boolean;
  /** The function is handed to someone who will call it with arguments that are not known. */
  escaped: boolean;
};

const CALLS = ['CallExpression', 'OptionalCallExpression', 'NewExpression', 'TaggedTemplateExpression'];

/** All of them, in the order of files and places. */
export function findApiCalls(machine: Machine): ApiCall[] {
  const calls: ApiCall[] = [];
  eachNode(machine.program.nodes, CALLS, (node, file) => {
    if (isCall(node)) calls.push(...callsAt(machine, node, file));
    else if (node.type === 'NewExpression') calls.push(...newAt(machine, node, file));
    else calls.push(...taggedAt(machine, node, file));
  });
  return [...calls, ...neverCalled(machine, new Set(calls.map((call) => call.path)))];
}

/**
 * Functions of the host that are mentioned and, as far as was seen, never called: someone else calls them, by a way that
 * was not followed.
 */
function neverCalled(machine: Machine, called: ReadonlySet<string>): ApiCall[] {
  const found = new Map<string, ApiCall>();
  const look = (node: Node, file: string) => {
    if (isOnlyAsked(machine, node)) return;
    for (const value of apisOf(machine.evaluate(node, null))) {
      if (called.has(value.path) || found.has(value.path) || !isHostFunction(value.path)) continue;
      found.set(value.path, { ...make(value, [], node, file), escaped: true });
    }
  };
  eachNode(machine.program.nodes, ['MemberExpression', 'OptionalMemberExpression', GLOBAL_NAME], look);
  for (const binding of new Set(machine.program.bindings.values())) {
    const isImport = binding.definitions.some((definition) => definition.kind === 'import');
    const [mention] = isImport ? binding.references.filter((node) => !isOnlyAsked(machine, node)) : [];
    if (mention) look(mention, binding.file);
  }
  return [...found.values()];
}

/** `typeof fetch`, `if (fetch)`, `fetch && …`, `x === fetch`, and a name that is exported or assigned to. */
function isOnlyAsked(machine: Machine, node: Node): boolean {
  const parent = node.parent;
  if (!parent || isMember(parent) || isDeadAlias(machine, node)) return true;
  if (parent.type === 'UnaryExpression' || parent.type === 'ExportSpecifier') return true;
  if (parent.type === 'IfStatement' || parent.type === 'ConditionalExpression') return parent.test === node;
  if (parent.type === 'BinaryExpression') return true;
  if (parent.type === 'AssignmentExpression') return parent.left === node;
  return parent.type === 'LogicalExpression' && parent.left === node && parent.operator === '&&';
}

/** `const sh = promisify(exec)` that nobody uses. */
function isDeadAlias(machine: Machine, node: Node): boolean {
  let holder = node.parent;
  while (holder && (isCall(holder) || holder.type.startsWith('TS'))) holder = holder.parent;
  const id = holder?.type === 'VariableDeclarator' ? child(holder, 'id') : null;
  return id !== null && machine.program.bindings.get(id)?.references.length === 0;
}

type ApiValue = Extract<Value, { kind: 'api' }>;
const apisOf = (value: Abstract): ApiValue[] => value.values.filter((item) => item.kind === 'api');

function make(value: ApiValue, args: readonly Abstract[], node: Node, file: string): ApiCall {
  const all = [...(value.bound ?? []), ...args];
  return { path: value.path, base: value.base ?? null, args: all, node, file, isNew: false, escaped: false };
}

function callsAt(machine: Machine, node: Node, file: string): ApiCall[] {
  const callee = child(node, 'callee');
  if (!callee || callee.type === 'Super') return [];
  if (callee.type === 'Import')
    return [{ ...make({ kind: 'api', path: 'import' }, argumentsOf(machine, node, null), node, file) }];
  const target = unwrap(callee);
  const args = argumentsOf(machine, node, null);
  const apis = apisOf(machine.evaluate(target, null));
  const direct = apis.flatMap((value) =>
    argumentSets(machine, value, node, args).flatMap((set) => throughReflect(value, set, node, file)),
  );
  return [...direct, ...forwarded(machine, target, args, node, file), ...handedOver(machine, target, args, node, file)];
}

/** Arguments that belong together, where a call is reached in several ways; else all of them at once. */
function argumentSets(
  machine: Machine,
  { path }: ApiValue,
  node: Node,
  args: readonly Abstract[],
): (readonly Abstract[])[] {
  if (!(TOLD_APART.test(path) || SHELL_TAGS.test(path)) || !args.some(isAmbiguous)) return [args];
  const frames = contextsOf(machine, node);
  return frames ? frames.map((frame) => argumentsOf(machine, node, frame)) : [args];
}

const TOLD_APART =
  /^(?:global\.fetch|pi\.exec|global\.Bun\.\w+|node:fs(?:\/promises)?\.[a-z]\w*|node:child_process\.\w+|node:https?\.(?:get|request)|npm:(?:undici|axios|got|execa|cross-spawn|tinyexec|nano-spawn)\b.*)$/;

/** More than one thing, or something that is not known, also in a list. */
const isAmbiguous = (arg: Abstract): boolean =>
  arg.values.length > 1 ||
  arg.values.some((value) => {
    if (value.kind === 'unknown') return true;
    if (value.kind === 'text') return value.pieces.some((piece) => typeof piece === 'object');
    return (
      value.kind === 'array' && value.items.some((item) => item.values.length > 1 || item.values[0]?.kind === 'unknown')
    );
  });

function throughReflect(value: ApiValue, args: readonly Abstract[], node: Node, file: string): ApiCall[] {
  if (value.path !== 'global.Reflect.apply' && value.path !== 'global.Reflect.construct')
    return [templateCall(make(value, args, node, file))];
  const items = itemsOf(args[value.path.endsWith('apply') ? 2 : 1]);
  return apisOf(args[0] ?? UNKNOWN).map((inner) => make(inner, items, node, file));
}

/** `fetch.call(null, url)`, `exec.apply(null, [command])`. */
function forwarded(machine: Machine, target: Node, args: readonly Abstract[], node: Node, file: string): ApiCall[] {
  const name = isMember(target) ? memberName(child(target, 'property')) : null;
  const object = child(target, 'object');
  if (!object || (name !== 'call' && name !== 'apply')) return [];
  const rest = name === 'call' ? args.slice(1) : itemsOf(args[1]);
  return apisOf(machine.evaluate(object, null)).map((value) => make(value, rest, node, file));
}

const PASSED_ON =
  /^(?:node:util\.(?:promisify|callbackify|inherits)|global\.(?:Reflect|Object|Promise|console|Boolean)\.?\w*|global\.String)$/;
const ITEM_METHODS = new Set(['map', 'forEach', 'flatMap', 'filter', 'then', 'some', 'every', 'find']);

/** Functions of the host among the arguments: called by whoever gets them. Functions of the program are followed anyway. */
function handedOver(machine: Machine, target: Node, args: readonly Abstract[], node: Node, file: string): ApiCall[] {
  const values = args.flatMap((arg) => apisOf(arg)).filter((value) => isHostFunction(value.path));
  if (values.length === 0) return [];
  const callee = machine.evaluate(target, null).values;
  if (callee.some((value) => value.kind === 'function' || (value.kind === 'api' && PASSED_ON.test(value.path))))
    return [];
  const name = isMember(target) ? memberName(child(target, 'property')) : null;
  if (name === 'bind' || name === 'call' || name === 'apply') return [];
  const object = child(target, 'object');
  const items = object && name !== null && ITEM_METHODS.has(name) ? machine.evaluate(object, null) : null;
  return values.map((value) => {
    const passed = items ? [name === 'then' ? items : elementOf(items)] : [];
    return { ...make(value, passed, node, file), escaped: items === null };
  });
}

const HOST_FUNCTION =
  /^(?:global\.fetch|global\.eval|node:fs(?:\/promises)?\.[a-z]\w*|node:child_process\.\w+|node:https?\.(?:get|request)|npm:(?:undici|axios|got|execa)\b.*)$/;
const isHostFunction = (path: string): boolean => HOST_FUNCTION.test(path) && !/\.(?:constants|existsSync)$/.test(path);

function newAt(machine: Machine, node: Node, file: string): ApiCall[] {
  const callee = child(node, 'callee');
  if (!callee) return [];
  const args = argumentsOf(machine, node, null);
  return apisOf(machine.evaluate(callee, null)).map((value) => ({ ...make(value, args, node, file), isNew: true }));
}

function taggedAt(machine: Machine, node: Node, file: string): ApiCall[] {
  const tag = child(node, 'tag');
  const quasi = child(node, 'quasi');
  if (!tag || !quasi) return [];
  return apisOf(machine.evaluate(tag, null)).map((item) => {
    if (SHELL_TAGS.test(item.path)) return templateCall(make(item, argumentsOf(machine, node, null), node, file));
    return make({ ...item, path: `${item.path}\`\`` }, [machine.evaluate(quasi, null)], node, file);
  });
}

/** `$(parts, ...values)`, as a function that wraps the tag calls it. */
function templateCall(call: ApiCall): ApiCall {
  const [parts, ...values] = call.args;
  const [only] = parts?.values ?? [];
  if (!SHELL_TAGS.test(call.path) || call.isNew) return call;
  if (parts?.values.length !== 1 || only?.kind !== 'array')
    return parts?.values.some((value) => value.kind === 'object')
      ? call
      : { ...call, path: `${call.path}\`\``, args: [parts ?? UNKNOWN] };
  const { text, isRaw } = shellTemplate(only.items, values);
  return { ...call, path: `${call.path}\`\``, args: isRaw ? [text, RAW] : [text] };
}

const MAX_LINE_LENGTH = 200;

/**
 * The text of the line that a node begins on, for a message. Looks a line's length around the node and no further: a
 * line of a megabyte with 40,000 uses would be gone through once for each.
 */
export function sourceLine(source: string, { start }: Node): string {
  const before = source.slice(Math.max(0, start - MAX_LINE_LENGTH - 1), start);
  const after = source.slice(start, start + MAX_LINE_LENGTH + 1);
  const end = after.indexOf('\n');
  const line = before.slice(before.lastIndexOf('\n') + 1) + (end === -1 ? after : after.slice(0, end));
  // Minified code is one line: what is near the place.
  return (line.length > MAX_LINE_LENGTH ? after.slice(0, 120) : line).trim();
}
