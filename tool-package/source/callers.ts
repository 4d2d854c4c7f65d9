/** What callers pass: the value of a parameter when no single call is being followed. */
import { argumentsOf } from './arguments.ts';
import { type CallSite, memberName } from './calls.ts';
import type { Machine } from './machine.ts';
import {
  child,
  identifierName,
  isCall,
  isFunction,
  isInside,
  isMember,
  list,
  type Node,
  text,
  unwrap,
} from './node.ts';
import { parametersOf } from './scopes.ts';
import {
  type Abstract,
  ARGUMENT,
  api,
  arrayOf,
  elementOf,
  type Frame,
  hole,
  identityOf,
  NOTHING,
  piecesOf,
  UNKNOWN,
  union,
  unionTaints,
  unknown,
  type Value,
} from './value.ts';

const MAX_SITES = 3000;

/** The parameter `index` of `fn`: pi's API, the item that a callback gets, or the union over the calls in the program. */
export function callerArguments(machine: Machine, fn: Node, index: number, rest: boolean): Abstract {
  if (isExtensionApi(fn, index)) return api('pi');
  const declared = primitiveType(fn, index);
  if (declared) return declared;
  const callback = callbackArgument(machine, fn, index);
  if (callback) return callback;
  const sites = callSitesOf(machine, fn);
  if (sites.list.length === 0) return ARGUMENT;
  const all = sites.list.slice(0, MAX_SITES);
  const own = all.filter((site) => isInside(site.node, fn));
  const values = all
    .filter((site) => !own.includes(site))
    .map((site) => siteArgument(machine, site, index, rest, null));
  const open = sites.escapes || sites.list.length > MAX_SITES || values.length === 0;
  const base = union(open ? [...values, ARGUMENT] : values);
  return own.length === 0 ? base : union([base, ...recursiveArguments(machine, { fn, index, rest }, own, all)]);
}

type Parameter = { fn: Node; index: number; rest: boolean };

/**
 * What a function passes to itself, one step deep: `walk(join(folder, name))` is below `folder` however often it is
 * done. What is no continuation of what it was may become anything.
 */
function recursiveArguments(
  machine: Machine,
  { fn, index, rest }: Parameter,
  own: readonly CallSite[],
  all: readonly CallSite[],
): Abstract[] {
  const outer = all.filter((site) => !own.includes(site));
  const args = parametersOf(fn).map((_param, at) =>
    outer.length === 0 ? ARGUMENT : union(outer.map((site) => siteArgument(machine, site, at, false, null))),
  );
  const frame: Frame = { fn, args, self: null, parent: null, memo: new Map(), active: new Map() };
  const first = args[index] ?? ARGUMENT;
  return own.slice(0, 20).map((site) => {
    const next = siteArgument(machine, site, index, rest, frame);
    return next.values.every((value) => continues(value, first)) ? next : union([next, ARGUMENT]);
  });
}

/** Whether `value` is one of `from`, or a text that begins with one of them and ends in something that is not known. */
function continues(value: Value, from: Abstract): boolean {
  if (value.kind !== 'text') return from.values.some((option) => identityOf(option) === identityOf(value));
  const pieces = value.pieces;
  return from.values.some((option) => {
    if (identityOf(option) === identityOf(value)) return true;
    const [start] = piecesOf(option);
    const [own] = pieces;
    const same =
      typeof start === 'string'
        ? typeof own === 'string' && own.startsWith(start)
        : own === start || (typeof own === 'object' && start !== undefined && own.hole === start.hole);
    return same && typeof pieces.at(-1) === 'object';
  });
}

/** pi calls an extension's default export with its API; helper functions often declare it by type. */
function isExtensionApi(fn: Node, index: number): boolean {
  const param = parametersOf(fn)[index];
  const annotation = param ? child(param, 'typeAnnotation') : null;
  const type = annotation ? child(annotation, 'typeAnnotation') : null;
  const name = type ? identifierName(child(type, 'typeName')) : null;
  if (name === 'ExtensionAPI') return true;
  return index === 0 && fn.parent?.type === 'ExportDefaultDeclaration' && fn.type !== 'ClassDeclaration';
}

/** `pid: number`: whatever is passed, a number cannot change what a command or an address means. */
function primitiveType(fn: Node, index: number): Abstract | null {
  const param = parametersOf(fn)[index];
  const id = param?.type === 'AssignmentPattern' ? child(param, 'left') : param;
  const annotation = id ? child(id, 'typeAnnotation') : null;
  const type = annotation ? child(annotation, 'typeAnnotation')?.type : undefined;
  return type === 'TSNumberKeyword' || type === 'TSBooleanKeyword' ? hole('number') : null;
}

function siteArgument(machine: Machine, site: CallSite, index: number, rest: boolean, frame: Frame | null): Abstract {
  const isPlain = !site.spread && site.node.type !== 'TaggedTemplateExpression';
  const nodes = isPlain ? list(site.node, 'arguments').slice(site.skip) : [];
  // One of many arguments need not wait for the others.
  if (isPlain && !rest && !nodes.slice(0, index + 1).some((node) => node.type === 'SpreadElement')) {
    const node = nodes[index];
    if (node) return machine.evaluate(node, frame);
    return site.partial ? ARGUMENT : NOTHING;
  }
  const args = siteArguments(machine, site, frame);
  const missing = args.length <= index && args.some((arg) => arg.values.some((value) => value.kind === 'unknown'));
  if (missing) return unknown(unionTaints(...args.map((arg) => arg.taints)));
  return rest ? arrayOf(args.slice(index)) : (args[index] ?? NOTHING);
}

const FROM_RECEIVER = new Set(['then', 'finally']);
const FROM_ITEMS = new Set(['map', 'forEach', 'filter', 'find', 'flatMap', 'some', 'every', 'findLast', 'findIndex']);

/** The parameter of a function that is itself an argument: `promise.then(fn)`, `list.map(fn)`, or an immediate call. */
function callbackArgument(machine: Machine, fn: Node, index: number): Abstract | null {
  const call = fn.parent;
  if (!call || !isCall(call)) return null;
  const callee = child(call, 'callee');
  if (!callee) return null;
  if (unwrap(callee) === fn) {
    const node = list(call, 'arguments')[index];
    return node ? machine.evaluate(node, null) : UNKNOWN;
  }
  const target = unwrap(callee);
  const given = givenToCallback(machine, call, target, fn, index);
  if (given) return given;
  if (!isMember(target)) return null;
  const object = child(target, 'object');
  const name = text(child(target, 'property'), 'name') ?? '';
  if (!object || index > 0) return null;
  if (FROM_RECEIVER.has(name)) return machine.evaluate(object, null);
  if (!FROM_ITEMS.has(name)) return null;
  const receiver = machine.evaluate(object, null);
  const isKnown = receiver.values.some((value) => value.kind === 'array' && value.items.length > 0);
  return isKnown ? elementOf(receiver) : { ...ARGUMENT, taints: receiver.taints };
}

/** What a function of the host, or an event of something that came from one, hands to a callback: content from where it read. */
function givenToCallback(machine: Machine, call: Node, target: Node, fn: Node, index: number): Abstract | null {
  const others = list(call, 'arguments').filter((argument) => argument !== fn);
  const callee = machine.evaluate(target, null);
  if (callee.values.some((value) => value.kind === 'api' && value.path === 'pi.on')) return eventOf(index);
  if (callee.values.some((value) => value.kind === 'api' && /^(?:node|global|npm|bun):?/.test(value.path))) {
    const args = others.map((node) => machine.evaluate(node, null));
    const { taints } = machine.invoke(callee, args, null);
    return taints.length > 0 ? { ...UNKNOWN, taints } : null;
  }
  const object = isMember(target) ? child(target, 'object') : null;
  const name = object ? text(child(target, 'property'), 'name') : null;
  if (!object || (name !== 'on' && name !== 'once' && name !== 'addEventListener')) return null;
  const { taints } = machine.evaluate(object, null);
  return taints.length > 0 ? { ...UNKNOWN, taints } : null;
}

/** What is said in the session, and what other tools give, in the events of pi; the rest of an event is about it. */
const SAID = [
  'content',
  'details',
  'text',
  'prompt',
  'systemPrompt',
  'messages',
  'message',
  'payload',
  'toolResults',
  'preparation',
  'branchEntries',
  'compactionEntry',
];
const EVENT: Abstract = {
  values: [{ kind: 'object', entries: new Map(SAID.map((name) => [name, unknown(['session'])])), open: true }],
  taints: [],
};
const eventOf = (index: number): Abstract | null => (index === 0 ? EVENT : null);

/** All arguments of a call, as seen in `frame`. */
export function siteArguments(machine: Machine, site: CallSite, frame: Frame | null): Abstract[] {
  const all = argumentsOf(machine, site.node, frame);
  if (!site.spread) return site.partial ? [...all.slice(site.skip), ARGUMENT] : all.slice(site.skip);
  // `f.apply(this, list)`
  const items = all[1];
  const [only] = items?.values ?? [];
  if (items?.values.length === 1 && only?.kind === 'array') return [...only.items];
  return [unknown(items?.taints ?? [])];
}

type Sites = { list: CallSite[]; escapes: boolean };

/** The calls of `fn` in the program; `escapes`: others may call it too. */
export function callSitesOf(machine: Machine, fn: Node): Sites {
  const member = memberOfOwner(fn);
  if (member !== null)
    return { list: machine.program.calls.byMember.get(member) ?? [], escapes: escapesWithObject(machine, fn) };
  const maker = makerOf(fn);
  if (maker) return sitesOfMade(machine, maker);
  const owner = fn.type === 'ClassMethod' && fn.kind === 'constructor' ? classOf(fn) : fn;
  const id = owner ? nameNode(owner) : null;
  const binding = id ? machine.program.bindings.get(id) : undefined;
  if (!binding) return { list: [], escapes: true };
  const all = [binding, ...(machine.importers.get(binding) ?? [])];
  const calls = all.flatMap((item) => machine.program.calls.byBinding.get(item) ?? []);
  const namespaced = namespaceCalls(machine, binding.name, binding.file);
  const escapes = all.some((item) => item.references.some((node) => isEscape(node)));
  return { list: [...calls, ...namespaced], escapes };
}

/** Whether a method of an object literal can be called by others: the object is handed on, and not only asked for members. */
function escapesWithObject(machine: Machine, fn: Node): boolean {
  const property = fn.type === 'ObjectMethod' ? fn : fn.parent;
  if (property?.type !== 'ObjectMethod' && property?.type !== 'ObjectProperty') return false;
  let holder = property.parent?.parent;
  while (holder?.type.startsWith('TS')) holder = holder.parent;
  const id = holder?.type === 'VariableDeclarator' ? child(holder, 'id') : null;
  const binding = id ? machine.program.bindings.get(id) : undefined;
  if (!binding) return true;
  const all = [binding, ...(machine.importers.get(binding) ?? [])];
  return all.some((item) =>
    item.references.some((node) => {
      const parent = node.parent;
      return !(parent && isMember(parent) && parent.object === node) && isEscape(node);
    }),
  );
}

/** The function that gives `fn`: `const make = (a) => (b) => …`. */
function makerOf(fn: Node): Node | null {
  const parent = fn.parent;
  if (parent?.type === 'ArrowFunctionExpression' && parent.body === fn) return parent;
  if (parent?.type !== 'ReturnStatement') return null;
  let outer = parent.parent;
  while (outer && !isFunction(outer)) outer = outer.parent;
  return outer ?? null;
}

/** The calls of what `maker` gives: `make(a)(b)`, `const f = make(a); f(b)`. */
function sitesOfMade(machine: Machine, maker: Node): Sites {
  const id = nameNode(maker);
  const binding = id ? machine.program.bindings.get(id) : undefined;
  if (!binding) return { list: [], escapes: true };
  const makers = callSitesOf(machine, maker);
  const found = makers.list.map((site): Sites => {
    const parent = site.node.parent;
    if (parent && isCall(parent) && parent.callee === site.node)
      return { list: [{ node: parent, skip: 0, spread: false }], escapes: false };
    const name = parent?.type === 'VariableDeclarator' ? child(parent, 'id') : null;
    const made = name ? machine.program.bindings.get(name) : undefined;
    if (!made) return { list: [], escapes: true };
    const all = [made, ...(machine.importers.get(made) ?? [])];
    return {
      list: all.flatMap((item) => machine.program.calls.byBinding.get(item) ?? []),
      escapes: all.some((item) => item.references.some((node) => isEscape(node))),
    };
  });
  return { list: found.flatMap((one) => one.list), escapes: makers.escapes || found.some((one) => one.escapes) };
}

const classOf = (method: Node): Node | null => method.parent?.parent ?? null;

/** The name under which a method is called, or null for functions that have a name of their own. */
function memberOfOwner(fn: Node): string | null {
  if (fn.type === 'ClassMethod' && fn.kind === 'constructor') return null;
  if (fn.type === 'ObjectMethod' || fn.type === 'ClassMethod' || fn.type === 'ClassPrivateMethod')
    return memberName(child(fn, 'key'));
  const parent = fn.parent;
  if (parent?.type === 'ObjectProperty' || parent?.type === 'ClassProperty') return memberName(child(parent, 'key'));
  return null;
}

/** The identifier that names a function or class: its own, or the variable that it is put into. */
function nameNode(fn: Node): Node | null {
  const id = child(fn, 'id');
  if (id && fn.type.endsWith('Declaration')) return id;
  let parent = fn.parent;
  while (parent?.type.startsWith('TS')) parent = parent.parent;
  if (parent?.type === 'VariableDeclarator') return child(parent, 'id');
  return id;
}

/** `helpers.get(…)` where `helpers` is an import of the whole file. */
function namespaceCalls(machine: Machine, name: string, file: string): CallSite[] {
  const sites = machine.program.calls.byMember.get(name) ?? [];
  return sites.filter((site) => {
    const callee = child(site.node, 'callee');
    const object = callee ? child(unwrap(callee), 'object') : null;
    if (!object || !machine.program.bindings.has(unwrap(object))) return false;
    return machine.evaluate(object, null).values.some((value) => value.kind === 'module' && value.file === file);
  });
}

/** A mention of a function that is neither a call of it nor an export. */
function isEscape(node: Node): boolean {
  const parent = node.parent;
  if (!parent) return false;
  if ((isCall(parent) || parent.type === 'NewExpression') && parent.callee === node) return false;
  if (parent.type === 'TaggedTemplateExpression' && parent.tag === node) return false;
  if (parent.type === 'ExportSpecifier' || parent.type === 'ExportDefaultDeclaration') return false;
  if (isMember(parent) && parent.object === node) return false;
  return !(parent.type === 'AssignmentExpression' && parent.left === node);
}
