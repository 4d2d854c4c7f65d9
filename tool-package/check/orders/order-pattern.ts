/** What the lists of phrases and of ideas are made of. */

export const ORDER_KINDS = [
  'override',
  'other-tools',
  'secrecy',
  'confirmation',
  'credentials',
  'conversation',
  'reviewer',
] as const;
export type OrderKind = (typeof ORDER_KINDS)[number];

/** Ideas that make an order when all of them meet in one sentence, in any order; `unless` says when it is harmless all the same. */
export type OrderPattern = {
  readonly kind: OrderKind;
  readonly all: readonly RegExp[];
  readonly unless?: RegExp;
};

/** Makes a pattern from the sources of its expressions. */
export const order = (kind: OrderKind, all: readonly string[], unless?: string): OrderPattern => ({
  kind,
  all: all.map((source) => new RegExp(source)),
  ...(unless === undefined ? {} : { unless: new RegExp(unless) }),
});

/** "user" as part of something else. */
export const NOT_A_PERSON =
  '(?:user[ -](?:agent|interface|name|id|config\\w*|settings?|preferences?|level|scope|defined|data|file|input|table|account|profile|story|guide|facing|specified|provided))';
