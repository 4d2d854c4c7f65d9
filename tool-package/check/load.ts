/** Rules for entries that no agent can load. What only failed in the sandbox is `inspect/unread`'s business. */
import type { EntryProblem, ProblemKind } from '../inspect/types.ts';
import { showText } from '../show-text.ts';
import type { Facts, Found, Rule } from './types.ts';

const WHY = 'pi does not start, with every other extension; SlopCode and opencode end the session';

const syntax: Rule = {
  id: 'any/syntax',
  level: 'error',
  what: 'an entry, or a file that is loaded with it, that does not parse',
  why: WHY,
  fix: 'correct the syntax; a build step may have left the file half written',
  find: (facts) => findProblems(facts, 'syntax', (place, said) => `${place} does not parse: ${said}`),
};

const throws: Rule = {
  id: 'any/throws-at-load',
  level: 'error',
  what: 'a `throw` without a condition at the top level of an entry or of a file that is loaded with it, or in pi’s factory',
  why: WHY,
  fix: 'take the `throw` out, or give it a condition; what a call lacks is reported from `execute`',
  find: (facts) => findProblems(facts, 'throws', (place, said) => `${place} throws whenever it is loaded: ${said}`),
};

/** Each place once, although several entries load it, for several agents. */
function* findProblems(
  facts: Facts,
  kind: ProblemKind,
  say: (place: string, said: string) => string,
): Generator<Found, void, undefined> {
  const seen = new Set<string>();
  for (const { agent, entry, problem } of facts.inspections) {
    if (problem?.kind !== kind) continue;
    const file = problem.file ?? entry;
    const key = JSON.stringify([file, problem.line]);
    if (seen.has(key)) continue;
    seen.add(key);
    yield { agent, file, line: problem.line, message: say(placeOf(file, problem), showText(problem.message, 300)) };
  }
}

const placeOf = (file: string, { line }: EntryProblem): string =>
  line === null ? `\`${showText(file)}\`` : `\`${showText(file)}\` line ${line}`;

export const LOAD_RULES: readonly Rule[] = [syntax, throws];
