/** The `execute` functions of a package, and what runs when one is called. */
import type { ApiCall } from '../source/api-calls.ts';
import type { Machine } from '../source/machine.ts';
import { child, isCall, isFunction, list, type Node, text, unwrap, walk } from '../source/node.ts';
import type { SourceFile } from '../source/parse.ts';
import type { Analysis } from '../source/types.ts';
import { analysisOf } from './code-facts.ts';
import type { Facts } from './types.ts';

export type ExecuteFunction = {
  readonly node: Node;
  readonly file: string;
  /** The tool's name, where it is written beside it. */
  readonly tool: string | null;
  readonly host: 'pi' | 'tool-file';
  /** The function and every function of the package that it calls, directly or not. */
  readonly reached: ReadonlySet<Node>;
};

/** Nobody writes more tools than this; following the calls of ten thousand would take minutes. */
const MAX_EXECUTES = 200;
const MAX_REACHED = 500;
const found = new WeakMap<Facts, readonly ExecuteFunction[]>();

/** All of them, gathered once per check. */
export const listExecuteFunctions = (facts: Facts): readonly ExecuteFunction[] => {
  const known = found.get(facts);
  if (known !== undefined) return known;
  const analysis = analysisOf(facts);
  const all: ExecuteFunction[] = [];
  for (const file of analysis.program.files.values()) addExecutes(facts, analysis, file, all);
  found.set(facts, all);
  return all;
};

const addExecutes = (facts: Facts, analysis: Analysis, file: SourceFile, all: ExecuteFunction[]): void => {
  walk(file.program, (node) => {
    if (all.length >= MAX_EXECUTES) return false;
    if (node.type === 'ObjectExpression') all.push(...executesOf(facts, analysis, file.path, node));
    return true;
  });
};

const keyOf = (property: Node): string | null =>
  text(child(property, 'key'), 'name') ?? text(child(property, 'key'), 'value');

const executesOf = (facts: Facts, analysis: Analysis, file: string, object: Node): ExecuteFunction[] => {
  const properties = new Map(list(object, 'properties').map((property) => [keyOf(property), property] as const));
  const execute = properties.get('execute');
  if (execute === undefined) return [];
  const host = hostOf(properties, file, facts);
  if (host === null) return [];
  const tool = text(child(properties.get('name') ?? object, 'value'), 'value');
  return functionsOf(analysis.machine, execute).map((node) => ({
    node,
    file,
    tool,
    host,
    reached: reachFrom(analysis.machine, node),
  }));
};

/** pi's tools have `parameters`, tool files `args`; without either, who loads the file decides. */
const hostOf = (
  properties: ReadonlyMap<string | null, Node>,
  file: string,
  facts: Facts,
): ExecuteFunction['host'] | null => {
  if (properties.has('parameters')) return 'pi';
  if (properties.has('args')) return 'tool-file';
  if (listReachedFiles(facts, 'pi').has(file)) return 'pi';
  return listReachedFiles(facts, 'tool-file').has(file) ? 'tool-file' : null;
};

/** The entries of an agent and every file that they import. */
export const listReachedFiles = (facts: Facts, host: ExecuteFunction['host']): ReadonlySet<string> =>
  new Set(
    facts.inspections
      .filter(({ agent }) => (agent === 'pi') === (host === 'pi'))
      .flatMap(({ entry, imports }) => [entry, ...imports.flatMap(({ target }) => (target === null ? [] : [target]))]),
  );

const functionsOf = (machine: Machine, property: Node): Node[] => {
  if (property.type === 'ObjectMethod') return [property];
  const value = child(property, 'value');
  if (value === null) return [];
  const direct = unwrap(value);
  if (isFunction(direct)) return [direct];
  return machine.evaluate(direct, null).values.flatMap((one) => (one.kind === 'function' ? [one.node] : []));
};

/** What is called from `start`, through names, imports and callbacks that are written in place. */
const reachFrom = (machine: Machine, start: Node): ReadonlySet<Node> => {
  const reached = new Set<Node>([start]);
  for (const fn of reached) {
    if (reached.size > MAX_REACHED) break;
    walk(fn, (node) => {
      if (isCall(node)) for (const called of calledBy(machine, node)) reached.add(called);
      return true;
    });
  }
  return reached;
};

/** The functions of the package that a call runs. */
export const calledBy = (machine: Machine, call: Node): Node[] => {
  const callee = child(call, 'callee');
  if (callee === null || callee.type === 'Super') return [];
  return machine.evaluate(unwrap(callee), null).values.flatMap((one) => (one.kind === 'function' ? [one.node] : []));
};

/** The calls of the host that lie in any of these functions. */
export const hostCallsIn = (analysis: Analysis, functions: ReadonlySet<Node>): ApiCall[] =>
  analysis.calls.filter(({ node }) => isInside(node, functions));

/** Whether a node is one of `nodes`, or lies in one. */
const isInside = (node: Node, nodes: ReadonlySet<Node>): boolean => {
  for (let at: Node | null | undefined = node; at; at = at.parent) if (nodes.has(at)) return true;
  return false;
};

/**
 * What a function returns itself, not the functions in it; the branches of `a ? b : c` and `a ?? b` one by one. A block
 * that ends without a return stands for the nothing that it gives.
 */
export const listReturned = (fn: Node): Node[] => {
  const body = child(fn, 'body');
  if (body === null) return [];
  if (body.type !== 'BlockStatement') return branchesOf(body);
  const returned: Node[] = [];
  walk(body, (node) => {
    if (isFunction(node)) return false;
    if (node.type === 'ReturnStatement') {
      const argument = child(node, 'argument');
      returned.push(...(argument === null ? [node] : branchesOf(argument)));
    }
    return true;
  });
  const last = list(body, 'body').at(-1);
  const falls = returned.length === 0 && (last === undefined || last.type === 'ExpressionStatement');
  return falls ? [body] : returned;
};

const MAX_FOLLOWED = 4;

/** The same, with names and calls of the package followed to the literals that they stand for. */
export const listResults = (analysis: Analysis, fn: Node, depth = 0): Node[] =>
  listReturned(fn).flatMap((node) => followed(analysis, node, depth));

const followed = (analysis: Analysis, node: Node, depth: number): Node[] => {
  if (depth >= MAX_FOLLOWED) return [node];
  if (isCall(node)) {
    const called = calledBy(analysis.machine, node);
    return called.length === 0 ? [node] : called.flatMap((fn) => listResults(analysis, fn, depth + 1));
  }
  const binding = node.type === 'Identifier' ? analysis.program.bindings.get(node) : undefined;
  const [only, ...others] = binding?.definitions ?? [];
  // A name that is filled in afterwards (`result.content = …`) is not what it began as.
  if (binding === undefined || others.length > 0 || analysis.program.calls.fillings.has(binding)) return [node];
  if (only?.kind !== 'value' || only.path.length > 0) return [node];
  return branchesOf(only.node).flatMap((value) => followed(analysis, value, depth + 1));
};

const branchesOf = (wrapped: Node): Node[] => {
  const node = unwrap(wrapped);
  if (node.type === 'ConditionalExpression') return ['consequent', 'alternate'].flatMap((key) => branchesAt(node, key));
  if (node.type === 'LogicalExpression') return ['left', 'right'].flatMap((key) => branchesAt(node, key));
  return [node];
};

const branchesAt = (node: Node, key: string): Node[] => {
  const branch = child(node, key);
  return branch === null ? [] : branchesOf(branch);
};

/** A property of an object literal; undefined where there is none, null where a spread may bring it. */
export const propertyOf = (object: Node, name: string): Node | null | undefined => {
  const properties = list(object, 'properties');
  const own = properties.find((property) => keyOf(property) === name);
  if (own !== undefined) return own.type === 'ObjectMethod' ? own : child(own, 'value');
  return properties.some((property) => property.type === 'SpreadElement') ? null : undefined;
};
