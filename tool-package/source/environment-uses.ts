/** Environment variables that are read. */
import { memberName } from './calls.ts';
import { propertyKey } from './evaluate.ts';
import type { Machine } from './machine.ts';
import { child, identifierName, isCall, isMember, list, type Node, unwrap } from './node.ts';
import { eachNode } from './program.ts';
import { type Abstract, isEnvironment, knownText } from './value.ts';

/** One read: `name` null where it is not known, or where all of the environment is taken. */
export type EnvironmentUse = { name: string | null; node: Node; file: string };

const READERS = [
  'MemberExpression',
  'OptionalMemberExpression',
  'VariableDeclarator',
  'AssignmentExpression',
  'AssignmentPattern',
  'SpreadElement',
  'CallExpression',
  'OptionalCallExpression',
  'ForInStatement',
  'BinaryExpression',
];

export function findEnvironmentUses(machine: Machine): EnvironmentUse[] {
  const uses: EnvironmentUse[] = [];
  eachNode(machine.program.nodes, READERS, (node, file) => {
    for (const name of namesAt(machine, node)) uses.push({ name, node, file });
  });
  return uses;
}

const isEnv = (value: Abstract): boolean =>
  value.values.some((item) => item.kind === 'api' && isEnvironment(item.path));

function namesAt(machine: Machine, node: Node): (string | null)[] {
  if (isMember(node)) return memberNames(machine, node);
  if (node.type === 'VariableDeclarator') return patternNames(machine, child(node, 'id'), child(node, 'init'));
  if (node.type === 'AssignmentExpression') return patternNames(machine, child(node, 'left'), child(node, 'right'));
  if (node.type === 'AssignmentPattern') return patternNames(machine, child(node, 'left'), child(node, 'right'));
  if (node.type === 'SpreadElement') return wholeSpread(machine, node);
  if (isCall(node)) return wholeArgument(machine, node);
  if (node.type === 'ForInStatement') return isEnvNode(machine, child(node, 'right')) ? [null] : [];
  if (node.type === 'BinaryExpression' && node.operator === 'in') return inNames(machine, node);
  return [];
}

const isEnvNode = (machine: Machine, node: Node | null): boolean =>
  node !== null && couldBeEnv(node) && isEnv(machine.evaluate(node, null));

/** Only names and members can be the environment; everything else need not be evaluated. */
function couldBeEnv(node: Node): boolean {
  const inner = unwrap(node);
  return inner.type === 'Identifier' || isMember(inner) || inner.type === 'LogicalExpression';
}

function memberNames(machine: Machine, node: Node): (string | null)[] {
  const object = child(node, 'object');
  const property = child(node, 'property');
  if (!object || !property || isWritten(node) || !isEnvNode(machine, object)) return [];
  if (node.computed !== true) return [memberName(property)];
  return machine.evaluate(property, null).values.map((value) => knownText(value));
}

/** `process.env.X = …` and `delete process.env.X` read nothing. */
function isWritten(node: Node): boolean {
  const parent = node.parent;
  if (parent?.type === 'UnaryExpression') return parent.operator === 'delete';
  return parent?.type === 'AssignmentExpression' && parent.left === node && parent.operator === '=';
}

function patternNames(machine: Machine, pattern: Node | null, value: Node | null): (string | null)[] {
  if (pattern?.type !== 'ObjectPattern' || !isEnvNode(machine, value)) return [];
  return list(pattern, 'properties').flatMap((property) =>
    // `{ A, ...rest }`: the rest is usually what a child process gets.
    property.type === 'RestElement' ? [] : [propertyKey(machine, property, null)],
  );
}

function inNames(machine: Machine, node: Node): (string | null)[] {
  const left = child(node, 'left');
  if (!left || !isEnvNode(machine, child(node, 'right'))) return [];
  return machine.evaluate(left, null).values.map((value) => knownText(value));
}

/** `{ ...process.env }` anywhere but in the environment of a child process. */
function wholeSpread(machine: Machine, node: Node): (string | null)[] {
  return isEnvNode(machine, child(node, 'argument')) && !isForChild(node.parent) ? [null] : [];
}

function isForChild(object: Node | null | undefined): boolean {
  const holder = object?.parent;
  if (holder?.type === 'ObjectProperty') return /env/i.test(memberName(child(holder, 'key')) ?? '');
  if (holder?.type === 'VariableDeclarator') return /env/i.test(identifierName(child(holder, 'id')) ?? '');
  return holder?.type === 'ReturnStatement' || holder?.type === 'ArrowFunctionExpression';
}

const LOOKS_UP = new Set(['global.Object.hasOwn', 'global.Reflect.has', 'global.Reflect.get']);

/** The environment as an argument: a function of the program is followed, any other takes all of it. */
function wholeArgument(machine: Machine, node: Node): (string | null)[] {
  const args = list(node, 'arguments');
  if (!args.some((argument) => isEnvNode(machine, argument))) return [];
  const callee = child(node, 'callee');
  const values = callee ? machine.evaluate(callee, null).values : [];
  if (values.some((value) => value.kind === 'function')) return [];
  if (values.some((value) => value.kind === 'api' && LOOKS_UP.has(value.path))) {
    const key = args[1] ? machine.evaluate(args[1], null).values.map((value) => knownText(value)) : [null];
    return key;
  }
  return [null];
}
