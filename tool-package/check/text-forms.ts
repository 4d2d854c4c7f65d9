/** Rules for the form of what the model reads: letters that look like others, a chat's markers, text that is packed up. */
import { showText } from '../show-text.ts';
import { listModelTexts, type ModelText } from './model-text.ts';
import type { Found, Rule } from './types.ts';

const placeOf = ({ tool, field }: ModelText): Omit<Found, 'message'> => ({
  agent: tool.agent,
  tool: tool.name,
  field,
  file: tool.file ?? tool.entry,
  line: tool.line,
});

/** Letters that look like a Latin one. */
const CYRILLIC_TWINS = /[авеикмнорстухіјѕһԁԛԝьАВЕЗІЈКМНОРЅСТУХЬ]/;
const GREEK_TWINS = /[αικνορτυχγωΑΒΕΖΗΙΚΜΝΟΡΤΥΧ]/;
const LATIN_TWINS = /[aceiopxyuABCEHIKMOPTXY]/;
const LATIN = /\p{Script=Latin}/u;
const CYRILLIC = /\p{Script=Cyrillic}/u;
const GREEK = /\p{Script=Greek}/u;

/** Whether a word is written in two alphabets, where the letters of the rarer one could be the other's. */
const isMixed = (word: string): boolean => {
  const letters = [...word];
  const latin = letters.filter((letter) => LATIN.test(letter));
  const cyrillic = letters.filter((letter) => CYRILLIC.test(letter));
  const greek = letters.filter((letter) => GREEK.test(letter));
  if (latin.length === 0 || cyrillic.length + greek.length === 0) return false;
  // µm, kΩ and ΔT are units and symbols.
  if (greek.length > 0 && latin.length > 0) return greek.every((letter) => GREEK_TWINS.test(letter)) && word.length > 2;
  return latin.length >= cyrillic.length
    ? cyrillic.every((letter) => CYRILLIC_TWINS.test(letter))
    : latin.every((letter) => LATIN_TWINS.test(letter));
};

/** A name that is Cyrillic or Greek from end to end, and looks Latin from end to end. */
const isDisguised = (name: string): boolean => {
  const letters = [...name].filter((letter) => /\p{L}/u.test(letter));
  return letters.length > 1 && letters.every((letter) => CYRILLIC_TWINS.test(letter) || GREEK_TWINS.test(letter));
};

/** Mathematical letters are for formulas: three in a row are a word in disguise. */
const MATHEMATICAL = /[\u{1d400}-\u{1d7ff}]{3,}/u;

const lookAlike: Rule = {
  id: 'text/look-alike',
  level: 'warn',
  what: 'letters that look like others, alphabets mixed in one word; in names: error',
  why: 'a reader takes the word for another one, and a search does not find it',
  fix: 'write the word in one alphabet',
  *find(facts) {
    for (const text of listModelTexts(facts)) {
      const words = text.text.split(/[^\p{L}\p{M}]+/u);
      const word =
        words.find(isMixed) ??
        MATHEMATICAL.exec(text.text)?.[0] ??
        (text.kind === 'name' ? words.find(isDisguised) : undefined);
      if (word === undefined) continue;
      const level = text.kind === 'name' ? 'error' : 'warn';
      yield {
        ...placeOf(text),
        level,
        message: `\`${showText(text.field)}\` has a word of look-alike letters: "${showText(word)}" (${codePointsOf(word)})`,
      };
    }
  },
};

const codePointsOf = (word: string): string =>
  [...word]
    .filter((letter) => letter > '\u007f')
    .slice(0, 6)
    .map((letter) => `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`)
    .join(' ');

const MARKERS: readonly RegExp[] = [
  /<[|｜][\w▁ .:/-]{2,40}[|｜]>/,
  /\[\/?INST\]|<<\/?SYS>>|\[\/?(?:SYSTEM|ASSISTANT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)(?:_PROMPT)?\]/,
  /<\/?(?:start|end)_of_turn>|<\/?(?:bos|eos|unk|pad)>/,
  /<\/?(?:system|assistant|human|tool_results?|tool_response|tool_calls?|function_calls?|function_results?|system[-_](?:reminder|prompt|message)|antml:\w+|invoke)(?:\s[^<>]{0,80})?>/i,
  /(?:^|\n)\s*#{1,6}\s*(?:system|assistant|human|user|instruction|response)\s*(?:message|prompt)?\s*:\s*(?:\n|$|\S)/i,
];
const ROLE_LINE = /(?:^|\n)\s*(system|assistant|human|user)\s*:/gi;

const chatMarkers: Rule = {
  id: 'text/chat-markers',
  level: 'error',
  what: 'role markers and chat-template tokens',
  why: 'the model takes what follows for a message of the system or the user',
  fix: 'describe the roles in words',
  *find(facts) {
    for (const text of listModelTexts(facts)) {
      const marker =
        MARKERS.map((pattern) => pattern.exec(text.text)?.[0]).find((one) => one !== undefined) ?? roleLines(text.text);
      if (marker !== undefined)
        yield {
          ...placeOf(text),
          message: `\`${showText(text.field)}\` holds a chat marker: "${showText(marker.trim())}"`,
        };
    }
  },
};

/** Two roles that take turns, each at the start of a line. */
const roleLines = (text: string): string | undefined => {
  const roles = new Set([...text.matchAll(ROLE_LINE)].map(([, role]) => role?.toLowerCase()));
  return roles.size >= 2 ? [...roles].join(': … ') : undefined;
};

const LETTERS = /\p{L}{2}/u;
const isPrintable = (bytes: Buffer): boolean => {
  const text = bytes.toString('utf8');
  return (
    !text.includes('\ufffd') &&
    /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\t\r\n]*$/u.test(text) &&
    /\s/.test(text) &&
    LETTERS.test(text)
  );
};

/** What is packed up in a text, and how; undefined where nothing is. */
const findPacked = (text: string): { what: string; sample: string } | undefined => {
  const found = (what: string, sample: string | undefined): { what: string; sample: string } | undefined =>
    sample === undefined ? undefined : { what, sample };
  const comment = /<!--([\s\S]{1,2000}?)-->/.exec(text);
  return (
    found('an HTML comment', comment !== null && LETTERS.test(comment[1] ?? '') ? comment[0] : undefined) ??
    found('a data URI', /data:[\w.+-]+\/[\w.+-]+(?:;[\w=-]+){0,3},[\w%+/=-]{8,}/i.exec(text)?.[0]) ??
    found('a long run of base64', findRun(text, /[A-Za-z0-9+/_-]{24,}={0,2}/g, 'base64', 90)) ??
    found('a long run of hex digits', findRun(text, /(?:[0-9a-fA-F]{2}){20,}/g, 'hex', 140)) ??
    found('a long run of percent encoding', /(?:%[0-9A-Fa-f]{2}[\w.-]{0,3}){12,}/.exec(text)?.[0]) ??
    found('a long run of escapes', /(?:\\[ux][0-9A-Fa-f]{2,4}){12,}/.exec(text)?.[0]) ??
    found(
      'padding with white space',
      /[^\S\n]{120,}(?=\S)|(?:\s*\n){20,}(?=\s*\S)/.test(text)
        ? text
            .trim()
            .replace(/\s{20,}/g, ' … ')
            .slice(-80)
        : undefined,
    )
  );
};

/** A run that decodes to a sentence, or is too long to be a hash. */
const findRun = (text: string, pattern: RegExp, encoding: 'base64' | 'hex', tooLong: number): string | undefined =>
  [...text.matchAll(pattern)]
    .map(([run]) => run)
    .find((run) => {
      if (encoding === 'base64' && !(/[a-z]/.test(run) && /[A-Z]/.test(run))) return false;
      return run.length >= tooLong || isPrintable(Buffer.from(run, encoding));
    });

const smuggled: Rule = {
  id: 'text/smuggled',
  level: 'review',
  what: 'HTML comments, data URIs, long runs of base64, hex or percent encoding, padding with white space',
  why: 'a reader skips it, a model decodes it',
  fix: 'write it out, or leave it out',
  *find(facts) {
    for (const text of listModelTexts(facts)) {
      const packed = findPacked(text.text);
      if (packed !== undefined)
        yield {
          ...placeOf(text),
          message: `\`${showText(text.field)}\` holds ${packed.what}: "${showText(packed.sample)}"`,
        };
    }
  },
};

export const FORM_RULES: readonly Rule[] = [lookAlike, chatMarkers, smuggled];
