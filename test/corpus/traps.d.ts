/**
 * Honest tools whose texts are full of the words that poisoned ones use. No rule may say error or review about any; each
 * package has the texts of one language, one tool per text.
 */
import type { Files, Language } from './pair.ts';
/** Language -> package. */
export declare const TRAPS: ReadonlyMap<Language, Files>;
