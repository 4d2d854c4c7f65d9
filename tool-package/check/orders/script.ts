/** Most honest tools are in English: for other scripts there is less to learn what honest sounds like. */
export type Script = 'latin' | 'cyrillic' | 'han';

/** The script that a sentence is judged as; `han` also for Japanese and Korean. */
export const scriptOf = (plain: string): Script => {
  if (/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/.test(plain)) return 'han';
  return /[\u0400-\u04ff]/.test(plain) ? 'cyrillic' : 'latin';
};
