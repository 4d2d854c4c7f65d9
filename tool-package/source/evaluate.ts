/** Evaluates an expression without running anything: constants are folded, aliases followed, the rest is unknown and says from where. */
import { argumentsOf, cookedText } from './arguments.ts';
import { bindingValue } from './binding-value.ts';
import { memberName } from './calls.ts';
import { globalApi } from './host-api.ts';
import { evaluateCall, evaluateNew, invoke } from './invoke.ts';
import { importersOf, MAX_DEPTH, MAX_STEPS, type Machine } from './machine.ts';
import { memberValue, thisValue } from './members.ts';
import { child, list, listWithHoles, type Node, text, unwrap } from './node.ts';
import type { Program } from './program.ts';
import {
  type Abstract,
  api,
  concat,
  deepTaints,
  type Frame,
  hole,
  isUnfinished,
  literal,
  NOTHING,
  one,
  onlyText,
  textValue,
  UNKNOWN,
  union,
  unionTaints,
  unknown,
  type Value,
  withoutItself,
} from './value.ts';

/** A machine over one program; `evaluate` never throws and never runs for longer than its budget. */
export function createMachine(program: Program): Machine {
  const machine: Machine = {
    program,
    steps: 0,
    frameSteps: 0,
    exhausted: false,
    gaveUp: null,
    depth: 0,
    callDepth: 0,
    memo: new Map(),
    active: new Map(),
    bindingMemo: new Map(),
    activeBindings: new Map(),
    asked: 0,
    unfinished: new Map(),
    returns: new Map(),
    calling: new Set(),
    results: new Map(),
    classes: new Map(),
    classMemo: new Map(),
    ownFields: new Map(),
    importers: importersOf(program),
    evaluate: (node, frame) => evaluate(machine, node, frame),
    member: (object, key, frame) => memberValue(machine, object, key, frame),
    invoke: (callee, args, self) => invoke(machine, callee, args, self),
  };
  return machine;
}

const MAX_UNFINISHED = 2;

/** What stays unfinished again and again is taken as it is: unknown. */
function isTooOften(machine: Machine, key: Node): boolean {
  const times = (machine.unfinished.get(key) ?? 0) + 1;
  machine.unfinished.set(key, times);
  return times > MAX_UNFINISHED;
}

/** Counts a step; whether there was one left. */
function takeStep(machine: Machine, node: Node, frame: Frame | null): boolean {
  machine.steps += 1;
  if (frame) machine.frameSteps += 1;
  if (machine.steps > MAX_STEPS) machine.exhausted = true;
  if (machine.depth > MAX_DEPTH) machine.gaveUp ??= node;
  return !machine.exhausted && machine.depth <= MAX_DEPTH;
}

function evaluate(machine: Machine, wrapped: Node, frame: Frame | null): Abstract {
  const node = unwrap(wrapped);
  const memo = frame?.memo ?? machine.memo;
  const active = frame?.active ?? machine.active;
  const known = memo.get(node);
  if (known) return known;
  if (!takeStep(machine, node, frame))
    return node.type === 'StringLiteral' ? textValue(text(node, 'value') ?? '') : UNKNOWN;
  const running = active.get(node);
  if (running !== undefined) return unknown([], `self#${running}`);
  machine.asked += 1;
  const id = machine.asked;
  active.set(node, id);
  machine.depth += 1;
  try {
    const value = withoutItself(EVALUATORS.get(node.type)?.(machine, node, frame) ?? UNKNOWN, id);
    if (machine.depth === 1 || !isUnfinished(value) || isTooOften(machine, node)) memo.set(node, value);
    return value;
  } finally {
    machine.depth -= 1;
    active.delete(node);
  }
}

type Evaluator = (machine: Machine, node: Node, frame: Frame | null) => Abstract;

const EVALUATORS = new Map<string, Evaluator>([
  ['Identifier', identifier],
  ['StringLiteral', (_machine, node) => textValue(text(node, 'value') ?? '')],
  ['NumericLiteral', (_machine, node) => literal(typeof node.value === 'number' ? node.value : Number.NaN)],
  ['BooleanLiteral', (_machine, node) => literal(node.value === true)],
  ['NullLiteral', () => literal(null)],
  ['BigIntLiteral', () => hole('number')],
  ['RegExpLiteral', (_machine, node) => regex(node)],
  ['TemplateLiteral', template],
  ['TaggedTemplateExpression', tagged],
  ['BinaryExpression', binary],
  ['LogicalExpression', logical],
  ['ConditionalExpression', conditional],
  ['AssignmentExpression', (machine, node, frame) => at(machine, node, 'right', frame)],
  ['SequenceExpression', sequence],
  ['UnaryExpression', unary],
  ['UpdateExpression', () => hole('number')],
  ['ObjectExpression', object],
  ['ArrayExpression', array],
  ['ArrowFunctionExpression', functionValue],
  ['FunctionExpression', functionValue],
  ['FunctionDeclaration', functionValue],
  ['ObjectMethod', functionValue],
  ['ClassMethod', functionValue],
  ['ClassExpression', (_machine, node, frame) => one({ kind: 'class', node, frame })],
  ['ClassDeclaration', (_machine, node, frame) => one({ kind: 'class', node, frame })],
  ['MemberExpression', memberExpression],
  ['OptionalMemberExpression', memberExpression],
  ['CallExpression', evaluateCall],
  ['OptionalCallExpression', evaluateCall],
  ['NewExpression', evaluateNew],
  ['MetaProperty', () => api('import.meta')],
  ['ThisExpression', thisValue],
  ['SpreadElement', (machine, node, frame) => at(machine, node, 'argument', frame)],
]);

function at(machine: Machine, node: Node, key: string, frame: Frame | null): Abstract {
  const inner = child(node, key);
  return inner ? machine.evaluate(inner, frame) : NOTHING;
}

function identifier(machine: Machine, node: Node, frame: Frame | null): Abstract {
  const binding = machine.program.bindings.get(node);
  if (binding) return bindingValue(machine, binding, frame);
  const name = text(node, 'name') ?? '';
  if (name === 'undefined') return NOTHING;
  if (name === 'NaN' || name === 'Infinity') return hole('number');
  if (name === '__dirname' || name === '__filename') return hole('package');
  if (name === 'arguments') return unknown([], 'argument');
  return api(globalApi(name));
}

const regex = (node: Node): Abstract =>
  one({ kind: 'regex', source: text(node, 'pattern') ?? '', flags: text(node, 'flags') ?? '' });

function template(machine: Machine, node: Node, frame: Frame | null): Abstract {
  const expressions = list(node, 'expressions');
  const parts = list(node, 'quasis').flatMap((quasi, index) => {
    const expression = expressions[index];
    return [textValue(cookedText(quasi)), ...(expression ? [machine.evaluate(expression, frame)] : [])];
  });
  return concat(parts);
}

function tagged(machine: Machine, node: Node, frame: Frame | null): Abstract {
  const tag = at(machine, node, 'tag', frame);
  const quasi = child(node, 'quasi');
  const value = quasi ? machine.evaluate(quasi, frame) : UNKNOWN;
  if (tag.values.some((item) => item.kind === 'api' && item.path === 'global.String.raw')) return value;
  return tag.values.some((item) => item.kind === 'function')
    ? machine.invoke(tag, argumentsOf(machine, node, frame), null)
    : unknown(value.taints);
}

/** A chain of `+` is as long as its author likes: taken apart without recursion. */
function binary(machine: Machine, node: Node, frame: Frame | null): Abstract {
  if (node.operator !== '+') return arithmetic(machine, node, frame);
  const operands: Node[] = [];
  let current: Node | null = node;
  while (current?.type === 'BinaryExpression' && current.operator === '+') {
    const right = child(current, 'right');
    if (right) operands.push(right);
    const left: Node | null = child(current, 'left');
    current = left ? unwrap(left) : null;
  }
  if (current) operands.push(current);
  const values = operands.reverse().map((operand) => machine.evaluate(operand, frame));
  const sum = numbers(values);
  return sum === null ? concat(values) : literal(sum.reduce((total, value) => total + value, 0));
}

function numbers(values: readonly Abstract[]): number[] | null {
  const found = values.map((value) => {
    const [only] = value.values;
    return value.values.length === 1 && only?.kind === 'literal' && typeof only.value === 'number' ? only.value : null;
  });
  return found.every((value) => value !== null) ? found : null;
}

const ARITHMETIC = new Map<unknown, (left: number, right: number) => number>([
  ['-', (left, right) => left - right],
  ['*', (left, right) => left * right],
  ['/', (left, right) => left / right],
  ['%', (left, right) => left % right],
  ['^', (left, right) => left ^ right],
  ['|', (left, right) => left | right],
  ['&', (left, right) => left & right],
  ['<<', (left, right) => left << right],
  ['>>', (left, right) => left >> right],
]);

function arithmetic(machine: Machine, node: Node, frame: Frame | null): Abstract {
  const compute = ARITHMETIC.get(node.operator);
  if (!compute) return hole('number');
  const [left, right] = numbers([at(machine, node, 'left', frame), at(machine, node, 'right', frame)]) ?? [];
  return left === undefined || right === undefined ? hole('number') : literal(compute(left, right));
}

/** `a || b || c || …` is as long as its author likes, too. */
function logical(machine: Machine, node: Node, frame: Frame | null): Abstract {
  const chain: Node[] = [node];
  for (let left = child(node, 'left'); left; left = child(left, 'left')) {
    left = unwrap(left);
    if (left.type !== 'LogicalExpression') break;
    chain.push(left);
  }
  const innermost = chain.at(-1) ?? node;
  let value = at(machine, innermost, 'left', frame);
  for (const step of chain.reverse()) value = logicalStep(step, value, at(machine, step, 'right', frame));
  return value;
}

function logicalStep(node: Node, left: Abstract, right: Abstract): Abstract {
  if (node.operator === '&&') return union([right, ...left.values.filter(isFalsy).map((value) => one(value))]);
  const kept = left.values.filter((value) => !isFalsy(value));
  return kept.length === 0 ? right : union([{ values: kept, taints: left.taints }, right]);
}

const isFalsy = (value: Value): boolean =>
  (value.kind === 'literal' && !value.value) || (value.kind === 'text' && value.pieces.length === 0);

function conditional(machine: Machine, node: Node, frame: Frame | null): Abstract {
  const options: Abstract[] = [];
  let current = node;
  for (;;) {
    options.push(at(machine, current, 'consequent', frame));
    const alternate = child(current, 'alternate');
    if (!alternate) break;
    current = unwrap(alternate);
    if (current.type === 'ConditionalExpression') continue;
    options.push(machine.evaluate(current, frame));
    break;
  }
  return union(options);
}

function sequence(machine: Machine, node: Node, frame: Frame | null): Abstract {
  const last = list(node, 'expressions').at(-1);
  return last ? machine.evaluate(last, frame) : UNKNOWN;
}

function unary(machine: Machine, node: Node, frame: Frame | null): Abstract {
  if (node.operator === 'void') return NOTHING;
  if (node.operator === '-') {
    const [value] = numbers([at(machine, node, 'argument', frame)]) ?? [];
    return value === undefined ? hole('number') : literal(-value);
  }
  if (node.operator === '!') return negated(machine, node, frame);
  return node.operator === '+' ? hole('number') : UNKNOWN;
}

/** `!0` and `!1` are how minified code writes true and false. */
function negated(machine: Machine, node: Node, frame: Frame | null): Abstract {
  const { values } = at(machine, node, 'argument', frame);
  const [only] = values;
  return values.length === 1 && only?.kind === 'literal' ? literal(!only.value) : hole('number');
}

function functionValue(_machine: Machine, node: Node, frame: Frame | null): Abstract {
  return one({ kind: 'function', node, frame, bound: [] });
}

const MAX_ITEMS = 3000;

function array(machine: Machine, node: Node, frame: Frame | null): Abstract {
  const items: Abstract[] = [];
  let open = false;
  const taints: (readonly string[])[] = [];
  for (const element of listWithHoles(node, 'elements').slice(0, MAX_ITEMS)) {
    if (element?.type !== 'SpreadElement') {
      items.push(element ? machine.evaluate(element, frame) : NOTHING);
      continue;
    }
    const spread = machine.evaluate(element, frame);
    const [only] = spread.values;
    taints.push(deepTaints(spread));
    if (spread.values.length === 1 && only?.kind === 'array') items.push(...only.items);
    else if (items.length === 0 && only?.kind === 'unknown') items.push({ ...spread, values: [only] });
    open ||= !(spread.values.length === 1 && only?.kind === 'array' && !only.open);
  }
  open ||= listWithHoles(node, 'elements').length > MAX_ITEMS;
  return one({ kind: 'array', items, open }, unionTaints(...taints, ...items.map((item) => item.taints)));
}

function object(machine: Machine, node: Node, frame: Frame | null): Abstract {
  const building: Building = { entries: new Map(), open: false, taints: [] };
  for (const property of list(node, 'properties')) {
    if (property.type === 'SpreadElement') addSpread(building, machine.evaluate(property, frame));
    else addProperty(machine, building, property, frame);
  }
  const { entries, open, taints } = building;
  return one({ kind: 'object', entries, open }, unionTaints(...taints));
}

type Building = { entries: Map<string, Abstract>; open: boolean; taints: (readonly string[])[] };

function addSpread(building: Building, spread: Abstract): void {
  building.taints.push(deepTaints(spread));
  for (const value of spread.values) {
    if (value.kind !== 'object') building.open = true;
    else for (const [key, item] of value.entries) building.entries.set(key, item);
    if (value.kind === 'object' && value.open) building.open = true;
  }
}

function addProperty(machine: Machine, building: Building, property: Node, frame: Frame | null): void {
  const key = propertyKey(machine, property, frame);
  const value = property.type === 'ObjectMethod' ? property : child(property, 'value');
  if (!value) return;
  const evaluated = isGetter(property)
    ? machine.invoke(one({ kind: 'function', node: property, frame, bound: [] }), [], null)
    : machine.evaluate(value, frame);
  building.taints.push(evaluated.taints);
  if (key === null) building.open = true;
  else building.entries.set(key, evaluated);
}

const isGetter = (property: Node): boolean => property.type === 'ObjectMethod' && property.kind === 'get';

/** The name of a property of a literal, or null where it is not known. */
export function propertyKey(machine: Machine, property: Node, frame: Frame | null): string | null {
  const key = child(property, 'key');
  if (!key) return null;
  if (property.computed === true) return onlyText(machine.evaluate(key, frame));
  const value = key.value;
  return memberName(key) ?? text(key, 'value') ?? (typeof value === 'number' ? String(value) : null);
}

/** The key of a member expression as a value. */
function memberExpression(machine: Machine, node: Node, frame: Frame | null): Abstract {
  const target = child(node, 'object');
  const property = child(node, 'property');
  if (!target || !property) return UNKNOWN;
  const key = node.computed === true ? machine.evaluate(property, frame) : textValue(memberName(property) ?? '');
  return machine.member(machine.evaluate(target, frame), key, frame);
}
