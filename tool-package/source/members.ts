/** `object.key` for each kind of value; `this`. */
import { exportValue } from './binding-value.ts';
import { memberName } from './calls.ts';
import { memberApi } from './host-api.ts';
import type { Machine } from './machine.ts';
import { child, isFunction, list, type Node, text } from './node.ts';
import {
  type Abstract,
  api,
  derived,
  elementOf,
  type Frame,
  hole,
  isEnvironment,
  isUnfinished,
  knownText,
  NOTHING,
  one,
  textOf,
  UNKNOWN,
  union,
  unionTaints,
  unknown,
  type Value,
} from './value.ts';

/** What `key` of `object` can be. */
export function memberValue(machine: Machine, object: Abstract, key: Abstract, frame: Frame | null): Abstract {
  const keys = keysOf(key);
  const parts = object.values.flatMap((value) =>
    keys.length === 0 ? [unknownMember(value, key)] : keys.map((name) => oneMember(machine, value, name, frame)),
  );
  const merged = union(parts);
  // How long something is says little of what it holds.
  if (keys.length > 0 && keys.every((name) => name === 'length' || name === 'size')) return merged;
  const precise = object.values.every((value) => value.kind === 'object' || value.kind === 'module');
  return precise ? merged : { values: merged.values, taints: unionTaints(merged.taints, object.taints) };
}

/** The keys that are known; empty where one of them is not. */
function keysOf(key: Abstract): string[] {
  const names = key.values.map((value) => {
    if (value.kind === 'literal' && typeof value.value === 'number') return String(value.value);
    return knownText(value);
  });
  return names.every((name) => name !== null) ? names : [];
}

/** A member under a key that is not known: any of a small literal's, else anything. */
function unknownMember(value: Value, key: Abstract): Abstract {
  // One variable of a configured name is not all of them, which a loop over the names is.
  if (value.kind === 'api' && isEnvironment(value.path))
    return unknown([key.taints.includes('env:*') ? 'env:*' : 'env:?']);
  if (value.kind === 'object' && value.entries.size > 0 && value.entries.size <= 16)
    return union([...value.entries.values(), ...(value.open ? [UNKNOWN] : [])]);
  if (value.kind === 'array' && value.items.length > 0) return elementOf(one(value));
  return value.kind === 'api' ? unknown() : one(derived(value));
}

function oneMember(machine: Machine, value: Value, key: string, frame: Frame | null): Abstract {
  // Every way to a function's constructor is a way to `Function`.
  if (key === 'constructor' && value.kind === 'function') return api('global.Function');
  switch (value.kind) {
    case 'api':
      return apiMember(value, key);
    case 'object':
      return value.entries.get(key) ?? (value.open ? UNKNOWN : NOTHING);
    case 'array':
      return arrayMember(value, key);
    case 'module':
      return exportValue(machine, value.file, key);
    case 'class':
      return classMember(machine, value.node, key, 'static', frame) ?? UNKNOWN;
    case 'instance':
      return classMember(machine, value.node, key, 'instance', frame) ?? UNKNOWN;
    case 'text':
      return key === 'length' ? hole('number') : partOfText(value, key);
    case 'function':
      return key === 'prototype' ? api('global.Function.prototype') : UNKNOWN;
    case 'unknown':
      return memberOfUnknown(value, key);
    default:
      return UNKNOWN;
  }
}

/** Names under which the agents hand over the working folder. */
const FOLDERS = new Set(['cwd', 'directory', 'worktree', 'workingDirectory', 'projectRoot']);

function memberOfUnknown(value: Extract<Value, { kind: 'unknown' }>, key: string): Abstract {
  if (key === 'length' || key === 'size') return hole('number');
  if (/^getApiKey/.test(key) || key === 'authStorage') return unknown(['modelkey']);
  if (key === 'sessionManager' || key === 'getSystemPrompt') return unknown(['session']);
  return FOLDERS.has(key) ? hole('cwd') : one(derived(value));
}

/** Parts of a URL keep what is known of it; methods are the prototype's. */
function partOfText(value: Value, key: string): Abstract {
  if (key === 'href' || key === 'origin' || key === 'path') return one(value);
  if (key === 'constructor') return api('global.String');
  return key in String.prototype ? api(`global.String.prototype.${key}`) : UNKNOWN;
}

function arrayMember(value: Extract<Value, { kind: 'array' }>, key: string): Abstract {
  if (key === 'length') return hole('number');
  if (key === 'constructor') return api('global.Array');
  if (key in Array.prototype) return api(`global.Array.prototype.${key}`);
  const item = /^\d+$/.test(key) ? value.items[Number(key)] : undefined;
  return item ?? (value.open ? UNKNOWN : NOTHING);
}

function apiMember(value: Extract<Value, { kind: 'api' }>, key: string): Abstract {
  if (isEnvironment(value.path)) return one(textOf({ hole: `$${key}` }), [`env:${key}`]);
  const special = API_MEMBERS.get(`${value.path}.${key}`);
  if (special) return special;
  const path = memberApi(value.path, key);
  return value.base ? one({ kind: 'api', path, base: value.base }) : api(path);
}

const API_MEMBERS = new Map<string, Abstract>([
  ['import.meta.url', hole('package')],
  ['import.meta.dirname', hole('package')],
  ['import.meta.dir', hole('package')],
  ['import.meta.filename', hole('package')],
  ['import.meta.path', hole('package')],
  ['global.process.execPath', one(textOf('node'))],
  ['global.process.platform', hole('unknown')],
  ['global.process.argv', unknown([], 'argument')],
  ['node:path.sep', one(textOf('/'))],
  ['node:path.delimiter', one(textOf(':'))],
  ['node:os.EOL', one(textOf('\n'))],
  ['npm:@earendil-works/pi-coding-agent.CONFIG_DIR_NAME', one(textOf('.pi'))],
  ['npm:@mariozechner/pi-coding-agent.CONFIG_DIR_NAME', one(textOf('.pi'))],
]);

type Place = 'static' | 'instance';

/** A field or method of a class; worked out once where no call is being followed. */
function classMember(
  machine: Machine,
  node: Node,
  key: string,
  place: Place,
  frame: Frame | null,
): Abstract | undefined {
  if (frame) return findClassMember(machine, node, key, place, frame);
  const memo = machine.classMemo.get(node) ?? new Map<string, Abstract | undefined>();
  machine.classMemo.set(node, memo);
  const name = `${place} ${key}`;
  if (memo.has(name)) return memo.get(name);
  const found = findClassMember(machine, node, key, place, null);
  if (machine.depth <= 1 || found === undefined || !isUnfinished(found)) memo.set(name, found);
  return found;
}

/** Through the parents of a class too; undefined where there is none. */
function findClassMember(
  machine: Machine,
  node: Node,
  key: string,
  place: Place,
  frame: Frame | null,
  depth = 0,
): Abstract | undefined {
  const found = (membersOf(machine, node).get(`${place} ${key}`) ?? []).map((member) =>
    memberDefinition(machine, member, frame),
  );
  const own = place === 'instance' ? ownFields(machine, node, key) : [];
  const params = place === 'instance' ? parameterProperty(machine, node, key) : [];
  const all = [...found.filter((value) => value !== null), ...own, ...params];
  if (all.length > 0) return union(all);
  const parent = child(node, 'superClass');
  if (depth > 5) return undefined;
  for (const value of parent ? machine.evaluate(parent, frame).values : []) {
    if (value.kind === 'class') return findClassMember(machine, value.node, key, place, value.frame, depth + 1);
  }
  // `this.url` in a base class is what the classes below it say.
  return depth === 0 && place === 'instance' ? memberBelow(machine, node, key, frame) : undefined;
}

function memberBelow(machine: Machine, node: Node, key: string, frame: Frame | null): Abstract | undefined {
  const found = (subclassesOf(machine).get(node) ?? []).slice(0, 20).flatMap((below) => {
    const members = (membersOf(machine, below).get(`instance ${key}`) ?? []).map((member) =>
      memberDefinition(machine, member, frame),
    );
    return [
      ...members.filter((value) => value !== null),
      ...ownFields(machine, below, key),
      ...parameterProperty(machine, below, key),
    ];
  });
  return found.length > 0 ? union(found) : undefined;
}

/** Class -> the classes of the program that name it as their parent. */
function subclassesOf(machine: Machine): ReadonlyMap<Node, readonly Node[]> {
  if (machine.subclasses) return machine.subclasses;
  const found = new Map<Node, Node[]>();
  machine.subclasses = found;
  const classes = [...new Set(machine.program.bindings.values())].flatMap(({ definitions }) =>
    definitions.flatMap((definition) => (definition.kind === 'class' ? [definition.node] : [])),
  );
  for (const below of classes) {
    const parent = child(below, 'superClass');
    for (const value of parent ? machine.evaluate(parent, null).values : [])
      if (value.kind === 'class') found.set(value.node, [...(found.get(value.node) ?? []), below]);
  }
  return found;
}

/** The members of a class under `static name` and `instance name`, and the constructor. */
function membersOf(machine: Machine, node: Node): ReadonlyMap<string, readonly Node[]> {
  const known = machine.classes.get(node);
  if (known) return known;
  const byName = new Map<string, Node[]>();
  const body = child(node, 'body');
  for (const member of body ? list(body, 'body') : []) {
    const place = member.static === true ? 'static' : 'instance';
    const name = member.kind === 'constructor' ? 'constructor' : `${place} ${memberName(child(member, 'key')) ?? ''}`;
    byName.set(name, [...(byName.get(name) ?? []), member]);
  }
  machine.classes.set(node, byName);
  return byName;
}

function memberDefinition(machine: Machine, member: Node, frame: Frame | null): Abstract | null {
  if (isFunction(member)) {
    const value = one({ kind: 'function', node: member, frame: null, bound: [] });
    return member.kind === 'get' ? machine.invoke(value, [], null) : value;
  }
  const value = child(member, 'value');
  return value ? machine.evaluate(value, frame) : null;
}

/** `this.key = …` inside the class. */
function ownFields(machine: Machine, node: Node, key: string): Abstract[] {
  const known = machine.ownFields.get(key);
  const byOwner = known ?? fieldsByOwner(machine.program.calls.ownFields.get(key) ?? []);
  if (!known) machine.ownFields.set(key, byOwner);
  return (byOwner.get(node) ?? []).map((value) => machine.evaluate(value, null));
}

function fieldsByOwner(values: readonly Node[]): Map<Node, Node[]> {
  const byOwner = new Map<Node, Node[]>();
  for (const value of values) {
    const owner = enclosingOwner(value);
    if (owner) byOwner.set(owner, [...(byOwner.get(owner) ?? []), value].slice(0, 200));
  }
  return byOwner;
}

/** `constructor(private readonly key: string)` */
function parameterProperty(machine: Machine, node: Node, key: string): Abstract[] {
  const maker = membersOf(machine, node).get('constructor')?.[0];
  return (maker ? list(maker, 'params') : []).flatMap((param) => {
    const inner = param.type === 'TSParameterProperty' ? child(param, 'parameter') : null;
    const id = inner?.type === 'AssignmentPattern' ? child(inner, 'left') : inner;
    return id && text(id, 'name') === key ? [machine.evaluate(id, null)] : [];
  });
}

/** The class or object literal that `this` means at `node`, or null. */
function enclosingOwner(node: Node): Node | null {
  let current: Node | null | undefined = node.parent;
  while (current) {
    if (current.type === 'ClassBody') return current.parent ?? null;
    if (current.type === 'ObjectMethod' || isObjectFunction(current)) return objectOf(current);
    if (current.type === 'FunctionDeclaration' || current.type === 'FunctionExpression') return null;
    current = current.parent;
  }
  return null;
}

const isObjectFunction = (node: Node): boolean =>
  node.type === 'FunctionExpression' && node.parent?.type === 'ObjectProperty';
const objectOf = (node: Node): Node | null => {
  const parent = node.type === 'ObjectMethod' ? node.parent : node.parent?.parent;
  return parent?.type === 'ObjectExpression' ? parent : null;
};

/** `(function () { return this })()`: outside strict mode the global object. */
function isSloppyGlobal(node: Node): boolean {
  let current: Node | null | undefined = node.parent;
  while (current && (!isFunction(current) || current.type === 'ArrowFunctionExpression')) current = current.parent;
  return current?.type === 'FunctionExpression' && current.parent?.callee === current;
}

export function thisValue(machine: Machine, node: Node, frame: Frame | null): Abstract {
  if (frame?.self) return frame.self;
  const owner = enclosingOwner(node);
  if (!owner) return isSloppyGlobal(node) ? api('global') : UNKNOWN;
  return owner.type === 'ObjectExpression' ? machine.evaluate(owner, null) : one({ kind: 'instance', node: owner });
}
