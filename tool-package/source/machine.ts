/** The state of one evaluation: what has been worked out, and how much work is left. */
import { child, identifierName, isCall, list, type Node, text, unwrap } from './node.ts';
import { findModule, type Program } from './program.ts';
import type { Binding, Definition } from './scopes.ts';
import type { Abstract, Frame } from './value.ts';

/** Enough for a bundle of a megabyte; a hostile program ends here and is reported as not analysed. */
export const MAX_STEPS = 1_200_000;
export const MAX_DEPTH = 250;
/** Following calls costs most; without it a value is only less well known. */
export const MAX_FRAME_STEPS = 700_000;
export const MAX_CALL_DEPTH = 6;

export type Machine = {
  program: Program;
  steps: number;
  frameSteps: number;
  /** Out of steps: everything from here on is unknown. */
  exhausted: boolean;
  /** Something was nested or assigned too often to be followed. */
  gaveUp: Node | null;
  depth: number;
  callDepth: number;
  memo: Map<Node, Abstract>;
  active: Map<Node, number>;
  bindingMemo: Map<Binding, Abstract>;
  /** Binding -> its number, while it is worked out. */
  activeBindings: Map<Binding, number>;
  /** Counts what was asked for: a number for each. */
  asked: number;
  /** How often something was asked for while a name in it was still being worked out. */
  unfinished: Map<Node, number>;
  returns: Map<Node, Node[]>;
  calling: Set<Node>;
  /** What functions gave, by their arguments where these are plain values. */
  results: Map<Node, Map<string, Abstract>>;
  /** Class -> its members by name. */
  classes: Map<Node, ReadonlyMap<string, readonly Node[]>>;
  /** Class -> the classes below it, once somebody asked. */
  subclasses?: ReadonlyMap<Node, readonly Node[]>;
  classMemo: Map<Node, Map<string, Abstract | undefined>>;
  /** Name -> class or object -> what is assigned to `this.name` in it. */
  ownFields: Map<string, ReadonlyMap<Node, readonly Node[]>>;
  /** Binding -> the import bindings of other files that mean it. */
  importers: ReadonlyMap<Binding, readonly Binding[]>;
  evaluate(node: Node, frame: Frame | null): Abstract;
  member(object: Abstract, key: Abstract, frame: Frame | null): Abstract;
  invoke(callee: Abstract, args: readonly Abstract[], self: Abstract | null): Abstract;
};

/** The file that a node is in. */
export function fileOf(machine: Machine, node: Node): string {
  let root = node;
  while (root.parent) root = root.parent;
  for (const file of machine.program.files.values()) {
    if (file.program === root) return file.path;
  }
  return '';
}

/** Binding -> import bindings that mean it, through any number of re-exports. */
export function importersOf(program: Program): Map<Binding, Binding[]> {
  const importers = new Map<Binding, Binding[]>();
  for (const binding of new Set(program.bindings.values())) {
    for (const definition of binding.definitions) {
      const imported = importOf(definition);
      if (!imported) continue;
      for (const origin of findOrigins(program, binding.file, imported.source, imported.name)) {
        importers.set(origin, [...(importers.get(origin) ?? []), binding]);
      }
    }
  }
  return importers;
}

/** An import, or `const { name } = await import('./file')` and the same with `require`. */
function importOf(definition: Definition): { source: string; name: string } | null {
  if (definition.kind === 'import') return { source: definition.source, name: definition.imported };
  const name = definition.kind === 'value' ? definition.path[0] : undefined;
  if (definition.kind !== 'value' || typeof name !== 'string') return null;
  const call = unwrap(definition.node);
  const callee = isCall(call) ? child(call, 'callee') : null;
  const loads = callee?.type === 'Import' || identifierName(callee) === 'require';
  const source = loads ? text(list(call, 'arguments')[0] ?? null, 'value') : null;
  return source === null ? null : { source, name };
}

/** The bindings that the export `name` of a module comes from. */
function findOrigins(program: Program, from: string, source: string, name: string, depth = 0): Binding[] {
  const file = findModule(program, from, source);
  const exports = file === undefined ? undefined : program.exports.get(file);
  if (file === undefined || !exports || depth > 10) return [];
  const entries = exports.get(name) ?? [];
  const direct = entries.flatMap((entry) => {
    if (entry.kind === 'binding') return [entry.binding];
    return entry.kind === 'from' ? findOrigins(program, file, entry.source, entry.name, depth + 1) : [];
  });
  if (direct.length > 0) return direct;
  const stars = exports.get('*') ?? [];
  return stars.flatMap((star) =>
    star.kind === 'from' ? findOrigins(program, file, star.source, name, depth + 1) : [],
  );
}
