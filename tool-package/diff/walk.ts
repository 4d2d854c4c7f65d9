/** What a comparison of two schemas carries along. */
import type { SchemaNode } from '../run/schema-errors.ts';
import type { Delta } from './delta.ts';
import { textOf } from './same-json.ts';
import { asNode } from './schema-form.ts';

/** Some hundred for a large schema of a real tool. */
const MAX_STEPS = 6000;
/** Writing a node down as text is what costs: this many characters count as a step. */
const TEXT_PER_STEP = 200;
const KNOWN_TEXT_PER_STEP = 2000;

export type Compare = (from: unknown, to: unknown, field: string, walk: Walk) => Delta[];

export type Budget = { steps: number };

/** For all schemas of a package together. */
export const newBudget = (): Budget => ({ steps: MAX_STEPS });

export type Walk = {
  readonly compare: Compare;
  /** The whole schemas, for their references. */
  readonly from: SchemaNode;
  readonly to: SchemaNode;
  readonly depth: number;
  /** Shared by the whole comparison: both schemas may be built to take for ever. */
  readonly budget: Budget;
  /** Pairs that are being compared: a cycle that comes back to one adds nothing. */
  readonly open: Map<SchemaNode, Set<SchemaNode>>;
  readonly texts: WeakMap<SchemaNode, string>;
};

export const startWalk = (compare: Compare, from: unknown, to: unknown, budget: Budget): Walk => ({
  compare,
  from: asNode(from),
  to: asNode(to),
  depth: 0,
  budget,
  open: new Map(),
  texts: new WeakMap(),
});

/** The same comparison the other way round. */
export const reversed = (walk: Walk): Walk => ({ ...walk, from: walk.to, to: walk.from, open: new Map() });

/** Takes from the budget; false when it is used up. */
export const spend = ({ budget }: Walk, steps: number): boolean => {
  budget.steps -= steps;
  return budget.steps > 0;
};

/** A node as text to compare by. */
export const nodeText = (node: SchemaNode, walk: Walk): string => {
  const known = walk.texts.get(node);
  if (known !== undefined) {
    spend(walk, known.length / KNOWN_TEXT_PER_STEP);
    return known;
  }
  const text = textOf(node);
  walk.texts.set(node, text);
  spend(walk, text.length / TEXT_PER_STEP);
  return text;
};

/** Whether both are the same text; with a reference inside, the same text may mean different things. */
export const sameNode = (from: SchemaNode, to: SchemaNode, walk: Walk): boolean => {
  const text = nodeText(from, walk);
  return text === nodeText(to, walk) && !text.includes('"$ref"');
};
