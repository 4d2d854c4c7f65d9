/**
 * What the rules must reach in CI: what was measured, less a small margin. Raise it when a rule gets better.
 *
 * Measured on 2026-11-30: everything but two of the fresh texts. Read that with care: `text/orders` has since been fitted to
 * sentences of these pairs, the held-out ones among them (docs/decisions/0009), so for that rule they only guard against going back.
 * What it finds of texts that it was not fitted to is in test/tool-package/check/held-out-sentences.test.ts. The other rules
 * were measured on pairs by a writer who knew none of them: 62 of 70 when first seen, 45 of 45 others after the rules had been mended.
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
