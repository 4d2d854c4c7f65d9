/**
 * Whether an entry that failed in the sandbox fails everywhere. The sandbox lacks most of a machine, so that an error
 * there is no proof: `if (!process.env.KEY) throw …` stops nobody who has the key. A `throw` that no condition stands
 * before is one: the file either throws there or has ended in some other way before.
 */
import { child, isFunction, lineOf, list, type Node, text, unwrap } from '../source/node.ts';
import { isSourcePath, parseSource } from '../source/parse.ts';
import type { EntryProblem, InspectionInput } from './types.ts';

/** `load-failed` as `throws` where a `throw` stands on the way that every load takes; else the problem as it is. */
export function withCertainThrow(
  problem: EntryProblem,
  loaded: ReadonlySet<string>,
  entry: { agent: string; entry: string },
  input: InspectionInput,
): EntryProblem {
  if (problem.kind !== 'load-failed') return problem;
  for (const file of loaded) {
    const found = findThrow(file, entry.agent === 'pi' && file === entry.entry, input);
    if (found !== undefined) return { ...problem, kind: 'throws', file, line: lineOf(found) };
  }
  return problem;
}

function findThrow(file: string, isFactoryCalled: boolean, input: InspectionInput): Node | undefined {
  const bytes = input.sources.get(file);
  if (bytes === undefined || !isSourcePath(file)) return undefined;
  const parsed = parseSource(file, bytes);
  if (!('program' in parsed)) return undefined;
  const statements = list(parsed.program, 'body');
  return statements.find(isThrow) ?? (isFactoryCalled ? throwOfFactory(statements) : undefined);
}

const isThrow = (node: Node): boolean => node.type === 'ThrowStatement';

/** A `throw` in the body of the default-exported function, with nothing before it that could leave the function. */
function throwOfFactory(statements: readonly Node[]): Node | undefined {
  const exported = statements.find(({ type }) => type === 'ExportDefaultDeclaration');
  const declaration = exported === undefined ? null : child(exported, 'declaration');
  const factory = declaration === null ? undefined : functionOf(unwrap(declaration), statements);
  const body = factory === undefined || factory.generator === true ? null : child(factory, 'body');
  if (body?.type !== 'BlockStatement') return undefined;
  const inner = list(body, 'body');
  const at = inner.findIndex(isThrow);
  return at < 0 || !inner.slice(0, at).every(isPlain) ? undefined : inner[at];
}

/** Statements that hold no `return` of the function around them. */
const PLAIN = new Set(['ExpressionStatement', 'VariableDeclaration', 'FunctionDeclaration', 'ClassDeclaration']);
const isPlain = ({ type }: Node): boolean => PLAIN.has(type) || type.startsWith('TS');

function functionOf(node: Node, statements: readonly Node[]): Node | undefined {
  if (isFunction(node)) return node;
  if (node.type !== 'Identifier') return undefined;
  const name = text(node, 'name');
  return statements.find((each) => each.type === 'FunctionDeclaration' && text(child(each, 'id'), 'name') === name);
}
