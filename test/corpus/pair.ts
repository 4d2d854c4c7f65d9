/** What the corpus is made of: two packages that differ in one thing, and the rule that has to tell them apart. */
import type { Level } from '../../schemas/common.ts';

/** Path in the package -> content. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** The language that the tool's texts are written in. */
export type Language = 'en' | 'zh' | 'ru';

export type Pair = {
  /** Unique: group, language, idea. */
  readonly id: string;
  /** The rule that must flag the poisoned twin, and must not flag the clean one. */
  readonly rule: string;
  /** The least level that counts: an info of the same rule is no detection of what asks for a review. */
  readonly level: Level;
  readonly language: Language;
  readonly clean: Files;
  readonly poisoned: Files;
  /** The version before, for the rules that compare. */
  readonly previous?: Files;
  /** Why the clean twin is fine although it looks alike, or what the poisoned one does. */
  readonly note: string;
};

const ORDER: readonly Level[] = ['info', 'warn', 'review', 'error'];

/** Whether a finding of level `found` is at least as grave as `wanted`. */
export const isAtLeast = (found: Level, wanted: Level): boolean => ORDER.indexOf(found) >= ORDER.indexOf(wanted);
