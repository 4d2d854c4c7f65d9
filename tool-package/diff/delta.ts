/** One difference between two schemas. */
export type Delta = {
  readonly direction: 'narrower' | 'wider';
  /** From the tool: `parameters.properties.city.minLength`. */
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
  /** Why it could not be decided; such a difference counts as narrower. */
  readonly note: string | null;
};

export const narrower = (field: string, from: unknown, to: unknown): Delta => delta('narrower', field, from, to);
export const wider = (field: string, from: unknown, to: unknown): Delta => delta('wider', field, from, to);

const delta = (direction: Delta['direction'], field: string, from: unknown, to: unknown): Delta => ({
  direction,
  field,
  from: from ?? null,
  to: to ?? null,
  note: null,
});

/** Whoever calls the tool as before may be refused: without proof of the opposite we say so. */
export const undecided = (field: string, from: unknown, to: unknown, why: string): Delta => ({
  ...narrower(field, from, to),
  note: `not decided: ${why}; counted as narrower`,
});
