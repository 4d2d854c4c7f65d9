/** Calls: functions of the program are followed, those of the host are modelled, all others pass on where their arguments came from. */
import { apiCall, constructApi } from './api-models.ts';
import { argumentsOf } from './arguments.ts';
import { loadedModule } from './binding-value.ts';
import { memberName } from './calls.ts';
import { returnsOf, yieldedBy } from './function-results.ts';
import { MAX_CALL_DEPTH, MAX_FRAME_STEPS, type Machine } from './machine.ts';
import { callMethod } from './methods.ts';
import { child, isMember, type Node, unwrap } from './node.ts';
import {
  type Abstract,
  deepTaints,
  type Frame,
  hole,
  identityOf,
  NOTHING,
  one,
  onlyText,
  UNKNOWN,
  union,
  unionTaints,
  unknown,
  type Value,
} from './value.ts';

export function evaluateCall(machine: Machine, node: Node, frame: Frame | null): Abstract {
  const callee = child(node, 'callee');
  if (!callee || callee.type === 'Super') return UNKNOWN;
  const args = argumentsOf(machine, node, frame);
  if (callee.type === 'Import') return loadedModule(machine, node, args[0]);
  const target = unwrap(callee);
  const value = machine.evaluate(target, frame);
  if (isQuoting(target) && onlyText(args[0]) === null && !onlyWraps(machine, value, args))
    return hole('quoted', unionTaints(...args.map((arg) => deepTaints(arg))));
  if (loadsModule(value)) return loadedModule(machine, node, args[0]);
  if (!isMember(target)) return machine.invoke(value, args, null);
  const object = child(target, 'object');
  const self = object ? machine.evaluate(object, frame) : UNKNOWN;
  const property = child(target, 'property');
  const key =
    target.computed === true
      ? onlyText(property ? machine.evaluate(property, frame) : undefined)
      : memberName(property);
  const modelled = key === null ? null : callMethod(machine, self, key, args);
  return modelled ?? machine.invoke(value, args, self);
}

/** By its name: what it does with the text cannot be told. */
const QUOTING =
  /^(?:shell|sh|bash|cmd|posix|single|arg)?_?(?:quote|escape)_?(?:shell|sh|bash|cmd|posix)?_?(?:args?|argument|word|string|path)?$/i;
const isQuoting = (target: Node): boolean =>
  QUOTING.test(memberName(isMember(target) ? child(target, 'property') : target) ?? '');

/** A function of the author's own that is called `quote` and puts what it gets between two quotes, as it is. */
function onlyWraps(machine: Machine, callee: Abstract, args: readonly Abstract[]): boolean {
  if (!callee.values.every((value) => value.kind === 'function')) return false;
  const { values } = machine.invoke(callee, args, null);
  return values.every(
    (value) =>
      value.kind === 'text' &&
      value.pieces.some(
        (piece) => typeof piece === 'object' && (piece.hole === 'argument' || piece.hole === 'unknown'),
      ) &&
      !value.pieces.some((piece) => typeof piece === 'object' && piece.hole === 'quoted'),
  );
}

const LOADERS = new Set(['global.require', 'global.process.getBuiltinModule', 'global.module.require']);
const loadsModule = (callee: Abstract): boolean =>
  callee.values.some((value) => value.kind === 'api' && LOADERS.has(value.path));

/** What calling each alternative of `callee` gives. */
export function invoke(machine: Machine, callee: Abstract, args: readonly Abstract[], self: Abstract | null): Abstract {
  const parts = callee.values.map((value) =>
    value.kind === 'unknown' ? passOn(args, callee, self) : invokeValue(machine, value, args, self),
  );
  return union(parts.length > 0 ? parts : [passOn(args, callee, self)]);
}

const passOn = (args: readonly Abstract[], ...others: (Abstract | null)[]): Abstract =>
  unknown(unionTaints(...args.map((arg) => deepTaints(arg)), ...others.map((other) => other?.taints ?? [])));

function invokeValue(machine: Machine, value: Value, args: readonly Abstract[], self: Abstract | null): Abstract {
  if (value.kind === 'function') return callFunction(machine, value, [...value.bound, ...args], self);
  if (value.kind === 'api') {
    const all = [...(value.bound ?? []), ...args];
    return apiCall(machine, value, all) ?? passOn(all, self);
  }
  return passOn(args, self);
}

function callFunction(
  machine: Machine,
  value: Extract<Value, { kind: 'function' }>,
  args: readonly Abstract[],
  self: Abstract | null,
): Abstract {
  const { node } = value;
  if (machine.frameSteps > MAX_FRAME_STEPS || machine.callDepth >= MAX_CALL_DEPTH || machine.calling.has(node))
    return passOn(args);
  const key = value.frame === null && selfFor(node, self) === null ? keyOfArguments(args) : null;
  const results = machine.results.get(node) ?? new Map<string, Abstract>();
  const known = key === null ? undefined : results.get(key);
  if (known) return known;
  const frame: Frame = {
    fn: node,
    args,
    self: selfFor(node, self),
    parent: value.frame,
    memo: new Map(),
    active: new Map(),
  };
  machine.calling.add(node);
  machine.callDepth += 1;
  try {
    const result = resultOf(machine, node, frame);
    if (key !== null) machine.results.set(node, results.set(key, result));
    return result;
  } finally {
    machine.callDepth -= 1;
    machine.calling.delete(node);
  }
}

function resultOf(machine: Machine, fn: Node, frame: Frame): Abstract {
  if (fn.generator === true) return yieldedBy(machine, fn, frame);
  const returned = returnsOf(machine, fn).map((expression) => machine.evaluate(expression, frame));
  return returned.length > 0 ? union(returned) : NOTHING;
}

const MAX_KEY_LENGTH = 2000;

/** One text for plain arguments; null where one of them is more than that. */
function keyOfArguments(args: readonly Abstract[]): string | null {
  let key = '';
  for (const arg of args) {
    for (const value of arg.values) {
      const name = identityOf(value);
      if (typeof name !== 'string') return null;
      key += `${name}\u0001`;
    }
    key += `${arg.taints.join()}\u0002`;
    if (key.length > MAX_KEY_LENGTH) return null;
  }
  return key;
}

/** An arrow function keeps the `this` of where it stands. */
const selfFor = (fn: Node, self: Abstract | null): Abstract | null =>
  fn.type === 'ArrowFunctionExpression' ? null : self;

export function evaluateNew(machine: Machine, node: Node, frame: Frame | null): Abstract {
  const callee = child(node, 'callee');
  const args = argumentsOf(machine, node, frame);
  if (!callee) return UNKNOWN;
  const target = machine.evaluate(callee, frame);
  const parts = target.values.map((value): Abstract => {
    if (value.kind === 'class') return instanceOf(machine, value.node, args);
    if (value.kind === 'api') return constructApi(machine, value.path, args);
    return passOn(args);
  });
  return union(parts.length > 0 ? parts : [passOn(args)]);
}

/** An instance; one of a subclass of something of the host is that too. */
function instanceOf(machine: Machine, node: Node, args: readonly Abstract[]): Abstract {
  const parent = child(node, 'superClass');
  const taints = unionTaints(...args.map((arg) => deepTaints(arg)));
  const inherited = parent ? machine.evaluate(parent, null).values.filter((value) => value.kind === 'api') : [];
  const own = one({ kind: 'instance', node }, taints);
  return inherited.length === 0
    ? own
    : union([own, ...inherited.map((value) => one({ kind: 'api', path: `${value.path}#` }, taints))]);
}
