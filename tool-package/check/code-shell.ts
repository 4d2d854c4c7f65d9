/** `code/shell`: a shell that reads text into which something was put. */
import type { ApiCall } from '../source/api-calls.ts';
import { type Start, startOf } from '../source/run-uses.ts';
import { programName } from '../source/shell-command.ts';
import { type Abstract, type Hole, knownText, onlyText, piecesOf, type Value } from '../source/value.ts';
import { findInCalls } from './code-facts.ts';
import type { Rule } from './types.ts';

const UNIX_SHELLS = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'fish']);
const SHELLS = new Set([...UNIX_SHELLS, 'cmd', 'powershell', 'pwsh']);
const COMMAND_FLAG = /^(?:-[a-z]*c|\/[cCkK]|-command|-Command)$/;
/** A script that runs what it is given: `sh -c 'eval "$1"'`. */
const RUNS_ARGUMENTS = /\beval\b|\b(?:ba|z|da|k)?sh\s{1,9}-\w{0,3}c\b|(?:^|[;&|(]\s{0,9})["']?\$(?:\d|@|\*|\{\d)/;

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
  if (at !== -1) return scriptTexts(start, start.args.slice(at + 1));
  // A list that is not known may hold `-c`.
  return start.args.flatMap((arg) => arg.values.filter((value) => value.kind === 'unknown'));
}

/** What stands behind the script is `$0`, `$1` … of a Unix shell; the others read it as one text. */
function scriptTexts(start: Start, args: readonly Abstract[]): readonly Value[] {
  const isUnix = start.command.every((value) => UNIX_SHELLS.has(programName(knownText(value) ?? '')));
  const [script] = args;
  const runsThem = script?.values.some((value) => RUNS_ARGUMENTS.test(knownText(value)?.slice(0, 5000) ?? '')) ?? true;
  return (isUnix && !runsThem ? args.slice(0, 1) : args).flatMap((arg) => arg.values);
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
