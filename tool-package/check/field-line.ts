/** The line of a field in the text of a definition: nearer to what is wrong than the line of the registration. */
import { child, isCall, lineOf, list, type Node, text, unwrap, walk } from '../source/node.ts';
import type { Facts, Found } from './types.ts';

/** The line of `found.field` in `found.file`, where the definition is written there; else the finding's own line. */
export function lineOfFinding(facts: Facts, found: Found): number | null {
  const line = found.line ?? null;
  const { tool, field, file } = found;
  if (tool == null || field == null || file == null || line === null) return line;
  const isAtTool = facts.tools.some((each) => each.name === tool && each.line === line && each.file === file);
  const program = isAtTool ? facts.listParsed().find(({ path }) => path === file)?.program : undefined;
  const definition = program === undefined ? undefined : findDefinition(program, tool, line);
  const place = definition === undefined ? undefined : findField(definition, stepsOf(field));
  return place === undefined ? line : lineOf(place);
}

/** `parameters`, `q`, `a` of `parameters.properties.q.items.properties.a`; numbers are places in a list. */
const stepsOf = (field: string): string[] =>
  field.split(/[.[\]]+/).filter((step) => step !== '' && step !== 'properties' && step !== 'items');

/** The object that says `name: 'tool'`; one that has its name elsewhere begins in the line itself. */
function findDefinition(program: Node, tool: string, line: number): Node | undefined {
  const described = listDescribed(program);
  const named = described.filter((node) => text(memberOf(node, 'name') ?? null, 'value') === tool);
  return named.length === 1 ? named[0] : described.find((node) => lineOf(node) === line);
}

const described = new WeakMap<Node, readonly Node[]>();

/** The objects with a description, gathered once: a package may have a thousand tools, with findings on each. */
function listDescribed(program: Node): readonly Node[] {
  const known = described.get(program);
  if (known !== undefined) return known;
  const found: Node[] = [];
  walk(program, (node) => {
    if (node.type === 'ObjectExpression' && findProperty(node, 'description') !== undefined) found.push(node);
    return true;
  });
  described.set(program, found);
  return found;
}

const keyOf = (property: Node): string | null =>
  text(child(property, 'key'), 'name') ?? text(child(property, 'key'), 'value');

const findProperty = (object: Node, key: string): Node | undefined =>
  list(object, 'properties').find((property) => keyOf(property) === key);

function memberOf(object: Node, key: string): Node | undefined {
  const property = findProperty(object, key);
  const value = property === undefined ? null : child(property, 'value');
  return value === null ? undefined : unwrap(value);
}

/** The place of the last step that is written in the definition itself. */
function findField(definition: Node, steps: readonly string[]): Node | undefined {
  let at: Node = definition;
  let place: Node | undefined;
  for (const step of steps) {
    const next = /^\d+$/.test(step) ? elementOf(at, Number(step)) : findIn(at, step);
    if (next === undefined) return place;
    place = next;
    at = unwrap(child(next, 'value') ?? next);
  }
  return place;
}

const elementOf = (value: Node, index: number): Node | undefined => list(value, 'elements')[index];

/** Of the object itself, or of one that is given to a call: `Type.Object({ q: … })`, `Type.Optional(Type.Object(…))`. */
function findIn(value: Node, key: string): Node | undefined {
  if (value.type === 'ObjectExpression') {
    const own = findProperty(value, key);
    if (own !== undefined) return own;
    const nested = ['properties', 'items'].map((name) => memberOf(value, name)).filter((each) => each !== undefined);
    return nested.map((each) => findIn(each, key)).find((each) => each !== undefined);
  }
  if (!isCall(value)) return undefined;
  const inside = list(value, 'arguments').map((argument) => findIn(unwrap(argument), key));
  return inside.find((each) => each !== undefined);
}
