/** The rules: one set for `check`, publish, the server and install. */
import type { Level } from '../../schemas/common.ts';
import type { Finding } from '../../schemas/finding.ts';
import type { Permissions } from '../../schemas/package-json.ts';
import { summarize } from '../source/permissions.ts';
import { ANY_RULES } from './any.ts';
import { CHANGE_RULES } from './change.ts';
import { CODE_RULES } from './code.ts';
import { analysisOf } from './code-facts.ts';
import { COST_RULES } from './cost.ts';
import { gatherFacts } from './facts.ts';
import { lineOfFinding } from './field-line.ts';
import { PERMISSION_RULES } from './permissions.ts';
import { PI_RULES } from './pi.ts';
import { PI_BEHAVIOUR_RULES } from './pi-behaviour.ts';
import { resourceInFactory } from './pi-factory.ts';
import { SECRET_RULES } from './secret.ts';
import { SLOPCODE_RULES } from './slopcode.ts';
import { SLOPCODE_BEHAVIOUR_RULES } from './slopcode-behaviour.ts';
import { SUPPLY_RULES } from './supply.ts';
import { TEXT_RULES } from './text.ts';
import { FORM_RULES } from './text-forms.ts';
import { ORDER_RULES } from './text-orders.ts';
import type { CheckInput, Facts, Found, Rule } from './types.ts';

export { RULE_SET } from './rule-set.ts';
export type { CheckInput, Rule } from './types.ts';

/** Every rule, grouped as in docs/checks.md. */
export const RULES: readonly Rule[] = [
  ...PI_RULES,
  ...PI_BEHAVIOUR_RULES,
  resourceInFactory,
  ...SLOPCODE_RULES,
  ...SLOPCODE_BEHAVIOUR_RULES,
  ...ANY_RULES,
  ...TEXT_RULES,
  ...FORM_RULES,
  ...ORDER_RULES,
  ...COST_RULES,
  ...PERMISSION_RULES,
  ...CODE_RULES,
  ...SECRET_RULES,
  ...SUPPLY_RULES,
  ...CHANGE_RULES,
];

const ORDER: readonly Level[] = ['error', 'review', 'warn', 'info'];
/** A hostile package can break a rule a million times; the first of each kind say enough. */
const MAX_FOUND_PER_RULE = 50;

export type CheckResult = {
  /** Errors first, then in the order of the rules. */
  findings: Finding[];
  /** What the code uses; null where that could not be found out. */
  observed: Permissions | null;
};

/** Takes what is known of an archive. Never throws for what a package holds. */
export const checkAndObserve = (input: CheckInput): CheckResult => {
  const facts = gatherFacts(input);
  const findings = RULES.flatMap((rule) => apply(rule, facts).map((found) => toFinding(rule, found, facts)));
  findings.sort((left, right) => ORDER.indexOf(left.level) - ORDER.indexOf(right.level));
  return { findings, observed: observedBy(facts) };
};

/** The findings alone. */
export const checkPackage = (input: CheckInput): Finding[] => checkAndObserve(input).findings;

/** From the analysis that the rules have made already. */
const observedBy = (facts: Facts): Permissions | null => {
  try {
    const { undecided: _, ...permissions } = summarize(analysisOf(facts)).permissions;
    return permissions;
  } catch {
    return null;
  }
};

/** A source that makes a rule itself fail (a million nested `+`) is not clean: a curator looks at it. */
const apply = (rule: Rule, facts: Facts): Found[] => {
  try {
    return take(rule.find(facts), MAX_FOUND_PER_RULE);
  } catch (error) {
    const what = error instanceof RangeError ? 'the sources are too complex' : 'an internal error';
    return [
      {
        level: 'review',
        message: `\`${rule.id}\` could not be checked: ${what}`,
        hint: 'what was not looked at is never clean',
      },
    ];
  }
};

const take = <T>(all: Iterable<T>, count: number): T[] => {
  const taken: T[] = [];
  for (const one of all) {
    taken.push(one);
    if (taken.length === count) break;
  }
  return taken;
};

const toFinding = (rule: Rule, found: Found, facts: Facts): Finding => ({
  rule: rule.id,
  level: found.level ?? rule.level,
  agent: found.agent ?? null,
  tool: found.tool ?? null,
  field: found.field ?? null,
  file: found.file ?? null,
  line: lineOfFinding(facts, found),
  message: found.message,
  // null is said on purpose: what only tells has nothing to fix.
  hint: found.hint === undefined ? rule.fix : found.hint,
});
