/**
 * What a call can be, told apart by how it is reached: one context for each item of a constant table that is looped
 * over, and for each call of the function that it stands in. Together they are all that can happen, so that program and
 * arguments that belong together stay together.
 */
import { callSitesOf, siteArguments } from './callers.ts';
import { memberName } from './calls.ts';
import { MAX_FRAME_STEPS, type Machine } from './machine.ts';
import { child, isCall, isFunction, isInside, isMember, list, type Node, unwrap } from './node.ts';
import { type Abstract, type Frame, literal } from './value.ts';

const MAX_CONTEXTS = 24;
const MAX_CLIMB = 200;
const MAX_SITE_DEPTH = 3;
const ITEM_METHODS = new Set(['map', 'forEach', 'flatMap', 'filter', 'some', 'every', 'find']);

/** The contexts of `node`; null where they are not all known, or too many, or there is but the one that is seen anyway. */
export function contextsOf(machine: Machine, node: Node): Frame[] | null {
  if (machine.exhausted || machine.frameSteps > MAX_FRAME_STEPS) return null;
  const frames = framesAt(machine, node, 0);
  return frames.length > 0 && frames.length <= MAX_CONTEXTS && frames.every((frame) => frame !== null)
    ? (frames as Frame[])
    : null;
}

type Frames = readonly (Frame | null)[];
const NOT_KNOWN: Frames = [null];

function framesAt(machine: Machine, node: Node, siteDepth: number): Frames {
  let inner = node;
  let outer = node.parent;
  for (let climbed = 0; outer && climbed < MAX_CLIMB; climbed += 1) {
    if (outer.type === 'ForOfStatement' && outer.body === inner) {
      const frames = loopFrames(machine, outer, siteDepth);
      if (frames) return frames;
    } else if (isFunction(outer)) return functionFrames(machine, outer, siteDepth);
    inner = outer;
    outer = outer.parent;
  }
  return NOT_KNOWN;
}

const frameOf = (fn: Node, args: readonly Abstract[], parent: Frame | null): Frame => ({
  fn,
  args,
  self: parent?.self ?? null,
  parent,
  memo: new Map(),
  active: new Map(),
});

/** One frame for each item of a table; null where it is none. */
function loopFrames(machine: Machine, loop: Node, siteDepth: number): Frames | null {
  const right = child(loop, 'right');
  if (!right) return null;
  const around = framesAt(machine, loop, siteDepth);
  const frames = around.flatMap((parent) =>
    (itemsAt(machine, right, parent) ?? []).map(
      (value): Frame => ({ ...frameOf(loop, [], parent), element: { node: right, value } }),
    ),
  );
  return frames.length > 0 ? frames.slice(0, MAX_CONTEXTS + 1) : null;
}

/** The items of a list whose items are all known. */
function itemsAt(machine: Machine, node: Node, frame: Frame | null): readonly Abstract[] | null {
  const { values } = machine.evaluate(node, frame);
  const lists = values.filter((value) => value.kind === 'array');
  if (lists.length === 0 || lists.length < values.length) return null;
  if (lists.some((value) => value.open && value.grown !== true)) return null;
  const items = lists.flatMap((value) => value.items);
  return items.length > 0 && items.length <= MAX_CONTEXTS ? items : null;
}

function functionFrames(machine: Machine, fn: Node, siteDepth: number): Frames {
  const items = itemFrames(machine, fn, siteDepth);
  if (items) return items;
  // A function that stands in a call is called by someone else; what is around it still holds.
  if (siteDepth >= MAX_SITE_DEPTH || isGiven(fn)) return NOT_KNOWN;
  const { list: sites, escapes } = callSitesOf(machine, fn);
  if (escapes || sites.length === 0 || sites.length > MAX_CONTEXTS) return NOT_KNOWN;
  if (sites.some((site) => site.partial || isInside(site.node, fn))) return NOT_KNOWN;
  return sites
    .flatMap((site): Frames => {
      const around = framesAt(machine, site.node, siteDepth + 1);
      return around.map((parent) => frameOf(fn, siteArguments(machine, site, parent), parent));
    })
    .slice(0, MAX_CONTEXTS + 1);
}

/** `TABLE.forEach(([program, ...args]) => …)` */
function itemFrames(machine: Machine, fn: Node, siteDepth: number): Frames | null {
  const call = fn.parent;
  const callee = call && isCall(call) ? child(call, 'callee') : null;
  const target = callee ? unwrap(callee) : null;
  if (!call || !target || !isMember(target) || list(call, 'arguments')[0] !== fn) return null;
  if (!ITEM_METHODS.has(memberName(child(target, 'property')) ?? '')) return null;
  const object = child(target, 'object');
  const around = object ? framesAt(machine, call, siteDepth) : [];
  const frames = around.flatMap((parent) =>
    (object ? (itemsAt(machine, object, parent) ?? []) : []).map((item, index) =>
      frameOf(fn, [item, literal(index)], parent),
    ),
  );
  return frames.length > 0 ? frames.slice(0, MAX_CONTEXTS + 1) : null;
}

const isGiven = (fn: Node): boolean => isCall(fn.parent ?? null) && fn.parent?.callee !== fn;
