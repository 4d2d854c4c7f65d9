/** The text of a shell command, read as far as a rule needs: which programs it starts, and where something is put in. */
import type { Hole, Piece } from './value.ts';

/** Holes become characters of a private range, so that the text can be looked at as one. */
const FIRST_MARK = 0xe000;
const MARK = /[\ue000-\uf8ff]/;

export type ShellCommand = {
  /** The text, each hole as one private-use character. */
  text: string;
  holes: Hole[];
  /** First words of its parts; null: not known. Builtins of the shell are left out. */
  programs: (string | null)[];
};

const BUILTINS = new Set(
  'cd echo export test [ [[ true false exit set unset read printf pwd source . for done fi then do else elif if while until case esac in return local shift trap wait type alias : { } function'.split(
    ' ',
  ),
);
const PREFIXES = new Set([
  'sudo',
  'env',
  'time',
  'nohup',
  'exec',
  'command',
  '!',
  'then',
  'do',
  'else',
  'if',
  'while',
  'until',
  'builtin',
  'nice',
]);

/** Reads the pieces of a command. Time is linear in its length. */
export function readShellCommand(pieces: readonly Piece[]): ShellCommand {
  const holes: Hole[] = [];
  const text = pieces
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      holes.push(piece.hole);
      return String.fromCharCode(FIRST_MARK + Math.min(holes.length - 1, 6000));
    })
    .join('')
    .slice(0, 20_000);
  const programs = splitCommands(text).flatMap((words) => programOf(words));
  return { text, holes, programs: [...new Set(programs)] };
}

function programOf(words: readonly string[]): (string | null)[] {
  let at = 0;
  while (at < words.length && (/^[A-Za-z_]\w*=/.test(words[at] ?? '') || PREFIXES.has(words[at] ?? ''))) at += 1;
  const word = words[at];
  if (word === undefined || word === '' || word.startsWith('-')) return [];
  if (MARK.test(word)) return [null];
  return BUILTINS.has(word) || /^\d*[<>]/.test(word) || word.startsWith('$') ? [] : [word];
}

type Splitting = { parts: string[][]; words: string[]; word: string | null; quote: string };

/** The words of each simple command, quotes taken off. */
export function splitCommands(text: string): string[][] {
  const state: Splitting = { parts: [], words: [], word: null, quote: '' };
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === '\\' && state.quote !== "'") {
      state.word = (state.word ?? '') + (text[at + 1] ?? '');
      at += 1;
    } else takeCharacter(state, character, text[at + 1] ?? '');
  }
  endCommand(state);
  return state.parts;
}

function takeCharacter(state: Splitting, character: string, next: string): void {
  if (state.quote !== '') takeQuoted(state, character, next);
  else if (character === '"' || character === "'") {
    state.quote = character;
    state.word ??= '';
  } else if (/[|&;\n()`]/.test(character)) endCommand(state);
  else if (/\s/.test(character)) endWord(state);
  else if (!(character === '$' && next === '(')) state.word = (state.word ?? '') + character;
}

/** In double quotes a substitution is still a command. */
function takeQuoted(state: Splitting, character: string, next: string): void {
  const substitutes = character === '`' || (character === '$' && next === '(');
  if (character === state.quote) state.quote = '';
  else if (state.quote === '"' && substitutes) endCommand(state);
  else state.word = (state.word ?? '') + character;
}

function endWord(state: Splitting): void {
  if (state.word !== null) state.words.push(state.word);
  state.word = null;
}

function endCommand(state: Splitting): void {
  endWord(state);
  if (state.words.length > 0) state.parts.push(state.words);
  state.words = [];
}

/** `/usr/bin/git`, `git.exe` -> `git`. */
export function programName(program: string): string {
  const base = program.slice(Math.max(program.lastIndexOf('/'), program.lastIndexOf('\\')) + 1);
  return base.replace(/\.(?:exe|cmd|bat|com)$/i, '');
}
