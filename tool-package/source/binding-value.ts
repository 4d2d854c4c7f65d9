/** What a name can be: the union of all that is assigned to it, and of what callers pass where it is a parameter. */
import { callerArguments } from './callers.ts';
import type { Filling } from './calls.ts';
import { moduleApi } from './host-api.ts';
import { fileOf, type Machine } from './machine.ts';
import { child, list, type Node, text } from './node.ts';
import type { PathStep } from './pattern.ts';
import { findModule } from './program.ts';
import type { Binding, Definition } from './scopes.ts';
import {
  type Abstract,
  api,
  arrayOf,
  concat,
  deepTaints,
  derived,
  elementOf,
  type Frame,
  isUnfinished,
  literal,
  NOTHING,
  one,
  textValue,
  UNKNOWN,
  union,
  unionTaints,
  unknown,
  type Value,
  withoutItself,
} from './value.ts';

/** The value of `binding` as seen inside `frame`. */
export function bindingValue(machine: Machine, binding: Binding, frame: Frame | null): Abstract {
  const known = frame ? undefined : machine.bindingMemo.get(binding);
  if (known) return known;
  const active = machine.activeBindings.get(binding);
  if (active !== undefined && !isGivenBy(frame, binding)) return unknown([], `self#${active}`);
  const isNested = machine.activeBindings.size > 0;
  machine.asked += 1;
  const id = machine.asked;
  machine.activeBindings.set(binding, id);
  try {
    const assigned = withoutItself(assignedValue(machine, binding, frame), id);
    const value = filled(machine, assigned, machine.program.calls.fillings.get(binding) ?? [], frame);
    if (!frame && !(isNested && isUnfinished(value))) machine.bindingMemo.set(binding, value);
    return value;
  } finally {
    if (active === undefined) machine.activeBindings.delete(binding);
    else machine.activeBindings.set(binding, active);
  }
}

/** A parameter whose argument is known in a call that is being followed. */
const isGivenBy = (frame: Frame | null, binding: Binding): boolean => {
  for (let current = frame; current; current = current.parent) {
    const { fn } = current;
    if (binding.definitions.some((definition) => definition.kind === 'param' && definition.fn === fn)) return true;
  }
  return false;
};

const MAX_DEFINITIONS = 1000;

function assignedValue(machine: Machine, binding: Binding, frame: Frame | null): Abstract {
  const plain: Abstract[] = [];
  const appended: Abstract[] = [];
  for (const definition of binding.definitions.slice(0, MAX_DEFINITIONS)) {
    if (definition.kind === 'appended') appended.push(machine.evaluate(definition.node, frame));
    else plain.push(definitionValue(machine, binding, definition, frame));
  }
  const lost = binding.definitions[MAX_DEFINITIONS];
  if (lost && 'node' in lost) machine.gaveUp ??= lost.node;
  const base = plain.length > 0 ? union(plain) : NOTHING;
  return appended.length > 0 ? concat([base, ...appended]) : base;
}

function definitionValue(machine: Machine, binding: Binding, definition: Definition, frame: Frame | null): Abstract {
  switch (definition.kind) {
    case 'value':
      return follow(machine, machine.evaluate(definition.node, frame), definition.path, frame);
    case 'element':
      return follow(machine, loopValue(machine, definition.node, frame), definition.path, frame);
    case 'key':
      return unknown(deepTaints(machine.evaluate(definition.node, frame)));
    case 'param':
      return follow(machine, argumentValue(machine, definition, frame), definition.path, frame);
    case 'function':
      return one({ kind: 'function', node: definition.node, frame, bound: [] });
    case 'class':
      return one({ kind: 'class', node: definition.node, frame });
    case 'enum':
      return enumValue(machine, definition.node);
    case 'import':
      return importedValue(machine, binding.file, definition.source, definition.imported);
    default:
      return UNKNOWN;
  }
}

function loopValue(machine: Machine, node: Node, frame: Frame | null): Abstract {
  for (let current = frame; current; current = current.parent)
    if (current.element?.node === node) return current.element.value;
  return elementOf(machine.evaluate(node, frame));
}

function follow(machine: Machine, value: Abstract, path: readonly PathStep[], frame: Frame | null): Abstract {
  let current = value;
  for (const step of path) current = followStep(machine, current, step, frame);
  return current;
}

function followStep(machine: Machine, value: Abstract, step: PathStep, frame: Frame | null): Abstract {
  if (typeof step === 'string') return machine.member(value, textValue(step), frame);
  if (typeof step === 'number') return machine.member(value, literal(step), frame);
  if ('computed' in step) return machine.member(value, machine.evaluate(step.computed, frame), frame);
  if (step.rest === 'object') return value;
  const from = step.rest;
  const rests = value.values.map(
    (option): Value => (option.kind === 'array' ? { ...option, items: option.items.slice(from) } : derived(option)),
  );
  return { values: rests, taints: value.taints };
}

function argumentValue(
  machine: Machine,
  definition: Extract<Definition, { kind: 'param' }>,
  frame: Frame | null,
): Abstract {
  for (let current = frame; current; current = current.parent) {
    if (current.fn !== definition.fn) continue;
    if (definition.rest) return arrayOf(current.args.slice(definition.index));
    return current.args[definition.index] ?? NOTHING;
  }
  return callerArguments(machine, definition.fn, definition.index, definition.rest);
}

function enumValue(machine: Machine, node: Node): Abstract {
  const body = child(node, 'body');
  const members = list(node, 'members').length > 0 ? list(node, 'members') : body ? list(body, 'members') : [];
  const entries = new Map<string, Abstract>();
  members.forEach((member, index) => {
    const id = child(member, 'id');
    const name = text(id, 'name') ?? text(id, 'value');
    const initializer = child(member, 'initializer');
    if (name !== null) entries.set(name, initializer ? machine.evaluate(initializer, null) : literal(index));
  });
  return one({ kind: 'object', entries, open: false });
}

/** The export `name` of what `source` means in `file`. */
function importedValue(machine: Machine, file: string, source: string, name: string): Abstract {
  const target = findModule(machine.program, file, source);
  if (target === undefined) {
    const whole = api(moduleApi(source));
    return name === '*' ? whole : machine.member(whole, textValue(name), null);
  }
  if (machine.program.json.has(target)) {
    const value = jsonValue(machine.program.json.get(target));
    return name === '*' || name === 'default' ? value : machine.member(value, textValue(name), null);
  }
  const namespace = one({ kind: 'module', file: target });
  return name === '*' ? namespace : exportValue(machine, target, name);
}

/** The value of an export of a file of the package; through `export *` too. */
export function exportValue(machine: Machine, file: string, name: string, depth = 0): Abstract {
  const exports = machine.program.exports.get(file);
  const entries = exports?.get(name) ?? [];
  const parts = entries.map((entry): Abstract => {
    if (entry.kind === 'binding') return bindingValue(machine, entry.binding, null);
    if (entry.kind === 'value') return machine.evaluate(entry.node, null);
    return importedValue(machine, file, entry.source, entry.name);
  });
  if (parts.length > 0) return union(parts);
  const stars = depth > 10 ? [] : (exports?.get('*') ?? []);
  for (const star of stars) {
    if (star.kind !== 'from') continue;
    const target = findModule(machine.program, file, star.source);
    if (target !== undefined && !hasExport(machine, target, name)) continue;
    return target === undefined
      ? importedValue(machine, file, star.source, name)
      : exportValue(machine, target, name, depth + 1);
  }
  return defaultMember(machine, file, name);
}

function hasExport(machine: Machine, file: string, name: string, depth = 0): boolean {
  const exports = machine.program.exports.get(file);
  if (exports?.has(name)) return true;
  if (depth > 10) return false;
  return (exports?.get('*') ?? []).some((star) => {
    const target = star.kind === 'from' ? findModule(machine.program, file, star.source) : undefined;
    return target !== undefined && hasExport(machine, target, name, depth + 1);
  });
}

/** A name imported from CommonJS is a member of `module.exports`. */
function defaultMember(machine: Machine, file: string, name: string): Abstract {
  const [whole] = machine.program.exports.get(file)?.get('module.exports') ?? [];
  if (whole?.kind !== 'value' || name === 'default') return UNKNOWN;
  return machine.member(machine.evaluate(whole.node, null), textValue(name), null);
}

/** A value of a JSON file. */
function jsonValue(value: unknown, depth = 0): Abstract {
  if (typeof value === 'string') return textValue(value);
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return literal(value);
  if (typeof value !== 'object' || depth > 20) return UNKNOWN;
  if (Array.isArray(value)) return arrayOf(value.slice(0, 1000).map((item) => jsonValue(item, depth + 1)));
  const entries = new Map(Object.entries(value).map(([key, item]) => [key, jsonValue(item, depth + 1)] as const));
  return one({ kind: 'object', entries, open: false });
}

/** `value` with what the program later puts into it. */
function filled(machine: Machine, value: Abstract, fillings: readonly Filling[], frame: Frame | null): Abstract {
  if (fillings.length === 0 || value.values.some(isOfHost)) return value;
  const added = fillings.slice(0, MAX_FILLINGS).map(({ key, values }): Added => {
    const parts = values.map((node) => (node.type === 'SpreadElement' ? argumentOf(node) : node));
    const evaluated = parts.map((node) => machine.evaluate(node, frame));
    const items = evaluated.flatMap((one, at) => (values[at]?.type === 'SpreadElement' ? [elementOf(one)] : [one]));
    return { key, value: union(evaluated), items };
  });
  const taints = unionTaints(value.taints, ...added.map((item) => deepTaints(item.value)));
  const moved = value.values.some((option) => option.kind === 'text') ? addressesSet(added) : [];
  return union([{ values: value.values.map((option) => fillOption(option, added)), taints }, ...moved]);
}

/** An instance (`new Headers()`) is filled as a list is; a module is not. */
const isOfHost = (value: Value): boolean =>
  value.kind === 'module' || (value.kind === 'api' && !value.path.endsWith('#'));

const argumentOf = (spread: Node): Node => child(spread, 'argument') ?? spread;

/** `url.host = …`: the address goes elsewhere from then on. */
function addressesSet(added: readonly Added[]): Abstract[] {
  return added.flatMap(({ key, value }): Abstract[] => {
    if (key === 'href') return [value];
    return key === 'host' || key === 'hostname' ? [concat([textValue('https://'), value, textValue('/')])] : [];
  });
}

type Added = { key: string | null; value: Abstract; items: readonly Abstract[] };
const MAX_FILLINGS = 60;

/** What is pushed into a list is in it; how often and where is not known. */
function grownArray(option: Extract<Value, { kind: 'array' }>, added: readonly Added[]): Value {
  const items = [...option.items, ...added.flatMap((one) => one.items)];
  const grown = (!option.open || option.grown === true) && added.length < MAX_FILLINGS;
  return { kind: 'array', items: items.slice(0, 3000), open: true, grown };
}

function fillOption(option: Value, added: readonly Added[]): Value {
  if (option.kind === 'array') return grownArray(option, added);
  if (option.kind !== 'object') return option;
  const entries = new Map(option.entries);
  for (const { key, value } of added) {
    if (key === null) continue;
    const known = entries.get(key);
    entries.set(key, known ? union([known, value]) : value);
  }
  return { ...option, entries, open: option.open || added.some((item) => item.key === null) };
}

/** The module that a call of `import(…)` or `require(…)` in `node` gives. */
export function loadedModule(machine: Machine, node: Node, specifier: Abstract | undefined): Abstract {
  const file = fileOf(machine, node);
  const parts = (specifier?.values ?? []).map((value): Abstract => {
    const name = value.kind === 'text' ? specifierOf(value) : null;
    return name === null ? unknown(specifier?.taints ?? []) : importedValue(machine, file, name, '*');
  });
  return parts.length > 0 ? union(parts) : UNKNOWN;
}

/** A path below the package counts as a relative one. */
function specifierOf(value: Extract<Value, { kind: 'text' }>): string | null {
  const [first, second] = value.pieces;
  if (value.pieces.length === 1 && typeof first === 'string') return first;
  const inPackage = typeof first === 'object' && first.hole === 'package' && value.pieces.length === 2;
  return inPackage && typeof second === 'string' ? `.${second}` : null;
}
