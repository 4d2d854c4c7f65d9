/** Arguments of a tool file that SlopCode and opencode cannot send to the model; the entries of pi-tools can. */
import { child, identifierName, isCall, isMember, list, type Node, text, unwrap, walk } from '../source/node.ts';
import type { Analysis } from '../source/types.ts';
import { analysisOf, foundAt, oncePerLine } from './code-facts.ts';
import { listReachedFiles, propertyOf } from './execute-functions.ts';
import { hostOf, toolAt } from './slopcode.ts';
import type { Facts, Found, Rule } from './types.ts';

/** Measured on opencode 1.18.33: the session ends with "cannot be represented in JSON Schema". */
const WITHOUT_SCHEMA = new Set([
  'bigint',
  'custom',
  'date',
  'function',
  'instanceof',
  'map',
  'nan',
  'set',
  'symbol',
  'undefined',
  'void',
]);
const OBJECTS = new Set(['object', 'strictObject', 'looseObject']);
const ZOD_NAMES = new Set(['z', 'zod', 'schema']);
const ZOD_MEMBERS = new Set(['schema', 'coerce', 'z']);

export const unsendableArgs: Rule = {
  id: 'slopcode/args',
  level: 'warn',
  what: 'arguments that the hosts cannot send: `args` that is a whole `z.object`, or a type that JSON Schema does not have, as `z.date()`',
  why: 'when the file is copied by hand, the session ends or the model is sent nonsense; pi-tools’ entry sends what can be read',
  fix: 'give `args` the fields themselves, `{ city: tool.schema.string() }`, and take dates and numbers as text',
  *find(facts) {
    const analysis = analysisOf(facts);
    const files = listReachedFiles(facts, 'tool-file');
    for (const file of analysis.program.files.values()) {
      if (!files.has(file.path)) continue;
      const found: Found[] = [];
      walk(file.program, (node) => {
        if (node.type === 'ObjectExpression') found.push(...faultsOf(facts, analysis, node, file.path));
        return true;
      });
      yield* oncePerLine(found);
    }
  },
};

const faultsOf = (facts: Facts, analysis: Analysis, object: Node, file: string): Found[] => {
  const args = propertyOf(object, 'args');
  if (args === undefined || args === null || propertyOf(object, 'execute') === undefined) return [];
  const value = definitionOf(analysis, unwrap(args));
  const at = (node: Node, message: string): Found => {
    const found = foundAt(analysis, { node, file }, message);
    return { ...found, agent: hostOf(facts), tool: toolAt(facts, file, found.line ?? 1), field: 'args' };
  };
  if (isCall(value)) {
    return isWholeSchema(value) ? [at(args, '`args` is a whole schema, where the hosts want its fields')] : [];
  }
  return value.type === 'ObjectExpression'
    ? schemaCalls(value).map((call) => at(call, `\`${methodOf(call)}()\` has no form in JSON Schema`))
    : [];
};

/** What a name stands for, where it is given one value in the same file. */
const definitionOf = ({ program }: Analysis, node: Node): Node => {
  const [only, ...others] = (node.type === 'Identifier' ? program.bindings.get(node)?.definitions : undefined) ?? [];
  return only?.kind === 'value' && only.path.length === 0 && others.length === 0 ? unwrap(only.node) : node;
};

const calleeOf = (call: Node): Node | null => {
  const callee = child(call, 'callee');
  return callee !== null && isMember(callee) ? callee : null;
};

const methodOf = (call: Node): string => text(child(calleeOf(call) ?? call, 'property'), 'name') ?? '';

/** `z.object({…})`, also with `.strict()`, `.partial()` … behind it. */
const isWholeSchema = (call: Node): boolean => {
  for (let at: Node | null = call; at !== null && isCall(at); at = child(calleeOf(at) ?? at, 'object')) {
    if (OBJECTS.has(methodOf(at)) && isZod(at)) return true;
  }
  return false;
};

/** Whether the method is called on Zod itself: `z.date()`, `tool.schema.date()`, `z.coerce.date()`. */
const isZod = (call: Node): boolean => {
  const owner = child(calleeOf(call) ?? call, 'object');
  if (owner === null) return false;
  if (owner.type === 'Identifier') return ZOD_NAMES.has(identifierName(owner) ?? '');
  return isMember(owner) && ZOD_MEMBERS.has(text(child(owner, 'property'), 'name') ?? '');
};

const schemaCalls = (args: Node): Node[] => {
  const found: Node[] = [];
  for (const property of list(args, 'properties')) {
    walk(property, (node) => {
      if (isCall(node) && WITHOUT_SCHEMA.has(methodOf(node)) && isZod(node)) found.push(node);
      return true;
    });
  }
  return found;
};
