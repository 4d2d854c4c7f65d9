/** `code/shell`: a shell that reads text into which something was put. */
import type { ApiCall } from '../source/api-calls.ts';
import { startOf } from '../source/run-uses.ts';
import { programName } from '../source/shell-command.ts';
import { type Abstract, type Hole, knownText, onlyText, piecesOf, type Value } from '../source/value.ts';
import { findInCalls } from './code-facts.ts';
import type { Rule } from './types.ts';

const SHELLS = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'fish', 'cmd', 'powershell', 'pwsh']);
const COMMAND_FLAG = /^(?:-[a-z]*c|\/[cCkK]|-command|-Command|-EncodedCommand|-enc)$/;

/** A shell without a command reads one from its input. */
const STDIN: readonly Value[] = [{ kind: 'unknown', hole: 'unknown' }];

/** The texts that a shell reads in this call. */
export function shellTexts(call: ApiCall): readonly Value[] {
  const start = startOf(call);
  if (!start) return [];
  if (start.shell) return [...start.command, ...start.args.flatMap((arg) => arg.values)];
  if (start.form === 'shell') return start.command.filter(hasInnerShell);
  const isShell = start.command.some((value) => SHELLS.has(programName(knownText(value) ?? '')));
  const userShell = start.command.some((value) =>
    piecesOf(value).some((piece) => typeof piece === 'object' && piece.hole === '$SHELL'),
  );
  if (!isShell && !userShell) return [];
  if (start.args.every((arg) => /^-[sil]{1,3}$/.test(onlyText(arg) ?? ''))) return STDIN;
  const at = start.args.findIndex((arg) => COMMAND_FLAG.test(onlyText(arg) ?? ''));
  if (at !== -1) return start.args.slice(at + 1).flatMap((arg: Abstract) => arg.values);
  // A list that is not known may hold `-c`.
  return start.args.flatMap((arg) => arg.values.filter((value) => value.kind === 'unknown'));
}

/** `Bun.$` and `zx` quote what is put in, but not for a shell that is started by it: `sh -c ${command}`. */
function hasInnerShell(value: Value): boolean {
  const line = piecesOf(value)
    .map((piece) => (typeof piece === 'string' ? piece : '\ue000'))
    .join('');
  return /\b(?:ba|z|da|k)?sh\s{1,9}-\w{0,3}c\s[^\n;|&]{0,500}\ue000/.test(line.slice(0, 5000));
}

/** Numbers, quoted text and fixed places cannot change what a command means; a variable is the user's own. */
const HARMLESS = /^(?:number|quoted|home|temp|package|agent|\$)/;
const isDangerous = (hole: Hole): boolean => !HARMLESS.test(hole);

const hasInterpolation = (value: Value): boolean =>
  piecesOf(value).some((piece) => typeof piece === 'object' && isDangerous(piece.hole));

export const shell: Rule = {
  id: 'code/shell',
  level: 'review',
  what: 'a shell (`exec`, `sh -c`, `shell: true`) that reads text with arguments put into it',
  why: 'a file name or an argument of the model such as `; rm -rf ~` becomes a command',
  fix: 'use `execFile` or `spawn` with a list of arguments and no shell',
  find: (facts) =>
    findInCalls(facts, (call) => {
      const texts = shellTexts(call);
      return texts.some(hasInterpolation) ? 'a shell reads text into which something is put' : null;
    }),
};
