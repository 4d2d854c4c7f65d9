/** What the rules about code and permissions share: one analysis per check, and places with the source that is there. */

import { showText } from '../show-text.ts';
import { analyseSources } from '../source/analyse.ts';
import { type ApiCall, sourceLine } from '../source/api-calls.ts';
import { lineOf, type Node } from '../source/node.ts';
import type { Analysis } from '../source/types.ts';
import type { Facts, Found } from './types.ts';

const analyses = new WeakMap<Facts, Analysis>();

/** The analysis of a package's sources, made once for all rules. */
export function analysisOf(facts: Facts): Analysis {
  const known = analyses.get(facts);
  if (known) return known;
  const made = analyseSources(facts.sources, [...facts.listParsed(), ...facts.listNotParsed()]);
  analyses.set(facts, made);
  return made;
}

/** A finding at a node: `message` and the line of source, escaped. */
export function foundAt(analysis: Analysis, place: { node: Node; file: string }, message: string): Found {
  const source = analysis.program.files.get(place.file)?.text ?? '';
  const line = sourceLine(source, place.node);
  return { file: place.file, line: lineOf(place.node), message: `${message}: \`${showText(line, 100)}\`` };
}

/** One finding per file and line: a chain of calls is one thing to look at. */
export function* oncePerLine(found: Iterable<Found>): Generator<Found, void, undefined> {
  const seen = new Set<string>();
  for (const one of found) {
    const key = `${one.file}:${one.line}`;
    if (seen.has(key)) continue;
    seen.add(key);
    yield one;
  }
}

/** A function over all calls of the host as a rule's `find`. */
export const findInCalls = (
  facts: Facts,
  reason: (call: ApiCall, analysis: Analysis) => string | null,
): Iterable<Found> => {
  const analysis = analysisOf(facts);
  const all = analysis.calls.flatMap((call): Found[] => {
    const message = reason(call, analysis);
    return message === null ? [] : [foundAt(analysis, call, message)];
  });
  return oncePerLine(all);
};
