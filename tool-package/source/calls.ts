/** Who is called where: what a parameter can be is what its callers pass. */
import { child, identifierName, isMember, list, type Node, text, unwrap } from './node.ts';
import type { Binding } from './scopes.ts';

/** One call. `skip`: leading arguments that are no parameters (`f.call(this, …)`); `spread`: the arguments are the items of the first. */
/** `partial`: more arguments follow later (`f.bind(this, first)`). */
export type CallSite = { node: Node; skip: number; spread: boolean; partial?: boolean };
/** Assignments and calls that put something into what a name holds: `x.a = value`, `x.push(value)`. */
export type Filling = { key: string | null; values: Node[] };

export type CallIndex = {
  byBinding: ReadonlyMap<Binding, CallSite[]>;
  /** By the name of the called member: `x.name(…)`. */
  byMember: ReadonlyMap<string, CallSite[]>;
  fillings: ReadonlyMap<Binding, Filling[]>;
  /** `this.name = value` by name. */
  ownFields: ReadonlyMap<string, Node[]>;
};

type Building = {
  bindings: ReadonlyMap<Node, Binding>;
  byBinding: Map<Binding, CallSite[]>;
  byMember: Map<string, CallSite[]>;
  fillings: Map<Binding, Filling[]>;
  ownFields: Map<string, Node[]>;
};

export function buildCalls(
  nodes: ReadonlyMap<string, ReadonlyMap<string, readonly Node[]>>,
  bindings: ReadonlyMap<Node, Binding>,
): CallIndex {
  const building: Building = {
    bindings,
    byBinding: new Map(),
    byMember: new Map(),
    fillings: new Map(),
    ownFields: new Map(),
  };
  for (const byType of nodes.values()) {
    for (const type of ['CallExpression', 'OptionalCallExpression', 'NewExpression'])
      for (const node of byType.get(type) ?? []) addCall(building, node);
    for (const node of byType.get('TaggedTemplateExpression') ?? []) addTemplate(building, node);
    for (const node of byType.get('AssignmentExpression') ?? []) addAssignment(building, node);
  }
  return building;
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}

const FORWARDING = new Map([
  ['call', { skip: 1, spread: false }],
  ['bind', { skip: 1, spread: false, partial: true }],
  ['apply', { skip: 1, spread: true }],
]);
const FILLING = new Set(['push', 'unshift', 'append', 'set', 'add', 'concat', 'write', 'update', 'assign']);

function addCall(building: Building, node: Node): void {
  const callee = child(node, 'callee');
  if (!callee) return;
  const direct = unwrap(callee);
  const binding = building.bindings.get(direct);
  if (binding) push(building.byBinding, binding, { node, skip: 0, spread: false });
  if (binding || !isMember(direct)) return;
  const property = child(direct, 'property');
  const name = direct.computed === true ? text(property, 'value') : memberName(property);
  const object = child(direct, 'object');
  if (name === null || !object) return;
  const forwarding = FORWARDING.get(name);
  const { root, nested } = rootOf(object);
  const target = building.bindings.get(root);
  if (forwarding && target && !nested) push(building.byBinding, target, { node, ...forwarding });
  if (target && FILLING.has(name)) push(building.fillings, target, filling(name, node, nested));
  if (name === 'assign') addObjectAssign(building, object, node);
  push(building.byMember, name, { node, skip: 0, spread: false });
}

/** A tag is a function that is called with the parts of the template. */
function addTemplate(building: Building, node: Node): void {
  const tag = child(node, 'tag');
  const binding = tag ? building.bindings.get(unwrap(tag)) : undefined;
  if (binding) push(building.byBinding, binding, { node, skip: 0, spread: false });
}

/** `set(key, value)` and `append(key, value)` name what they fill. */
function filling(name: string, node: Node, nested: boolean): Filling {
  const all = list(node, 'arguments');
  // Of a map the key is no content.
  const values = name === 'set' && all.length > 1 ? all.slice(-1) : all;
  const named = !nested && (name === 'set' || name === 'append') && all.length > 1;
  return { key: named ? text(all[0] ?? null, 'value') : null, values };
}

function addObjectAssign(building: Building, object: Node, node: Node): void {
  const [target, ...values] = list(node, 'arguments');
  const binding = target && building.bindings.get(target);
  if (identifierName(object) === 'Object' && binding) push(building.fillings, binding, { key: null, values });
}

/** The name of a property, private ones with `#`. */
export function memberName(property: Node | null): string | null {
  if (property?.type === 'PrivateName') return `#${identifierName(child(property, 'id')) ?? ''}`;
  return text(property, 'name');
}

function addAssignment(building: Building, node: Node): void {
  const left = child(node, 'left');
  const right = child(node, 'right');
  if (!left || !right || !isMember(left)) return;
  const property = child(left, 'property');
  const key = left.computed === true ? text(property, 'value') : memberName(property);
  const object = child(left, 'object');
  if (!object) return;
  if (object.type === 'ThisExpression' && key !== null) push(building.ownFields, key, right);
  const { root, nested } = rootOf(object);
  const binding = building.bindings.get(root);
  if (binding) push(building.fillings, binding, { key: nested ? null : key, values: [right] });
}

/** `a` in `a.b.c`. */
function rootOf(object: Node): { root: Node; nested: boolean } {
  let root = unwrap(object);
  let nested = false;
  while (isMember(root)) {
    const next = child(root, 'object');
    if (!next) break;
    root = unwrap(next);
    nested = true;
  }
  return { root, nested };
}
