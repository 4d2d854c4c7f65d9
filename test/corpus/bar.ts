/**
 * What the rules must reach in CI: what was measured, less a small margin. Raise it when a rule gets better.
 *
 * Measured on 2026-11-30: everything but two of the fresh texts. Read that with care. The held-out texts were found to 27 %
 * by rules whose author did not know them; then their own author widened the rules. The fresh texts were written to evade
 * rules that their author knew, and 12 % of them were found before those rules were widened with such excuses in mind;
 * sentences of a second author (test/tool-package/check/order-sentences.ts) were found to 34 % before that, and all
 * are found now. So what an unknown author writes is found somewhere in between: a new batch of texts, measured before
 * anyone looks at what was missed, says where.
 */
export const BAR = {
  /** Share of the poisoned packages that the expected rule flags. */
  recall: 0.98,
  heldOutRecall: 0.9,
  freshRecall: 0.85,
} as const;

/** Rules without a pair, and why. */
export const WITHOUT_PAIR: ReadonlyMap<string, string> = new Map([
  ['change/publisher', 'the registry knows who publishes; an archive does not say'],
]);
