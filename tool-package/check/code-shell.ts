/** `code/shell`: a shell that reads text into which something was put. */
import type { ApiCall } from '../source/api-calls.ts';
import { type Start, startOf } from '../source/run-uses.ts';
import { programName } from '../source/shell-command.ts';
import type { Analysis } from '../source/types.ts';
import { type Abstract, type Hole, knownText, onlyText, piecesOf, type Value } from '../source/value.ts';
import { analysisOf, findInCalls } from './code-facts.ts';
import { isBelow, placeKeys, runPlaces, WRITES } from './run-places.ts';
import type { Rule } from './types.ts';

const UNIX_SHELLS = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'fish']);
const OTHER_SHELLS = new Set(['cmd', 'powershell', 'pwsh']);
const SHELLS = new Set([...UNIX_SHELLS, ...OTHER_SHELLS]);
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
  if (!isShell && !userShell) return innerTexts(start);
  if (start.args.every((arg) => /^-[sil]{1,3}$/.test(onlyText(arg) ?? ''))) return STDIN;
  const at = start.args.findIndex((arg) => COMMAND_FLAG.test(onlyText(arg) ?? ''));
  if (at !== -1) return scriptTexts(start, start.args.slice(at + 1));
  if (start.args.some((arg) => /^-enc(?:odedcommand)?$/i.test(onlyText(arg) ?? ''))) return [];
  // A list that is not known may hold `-c`.
  return start.args.flatMap((arg) => arg.values.filter((value) => value.kind === 'unknown'));
}

/** Programs that start another one, named in their arguments. */
const STARTERS =
  /^(?:env|sudo|doas|su|nice|nohup|time|timeout|setsid|stdbuf|xargs|find|fd|parallel|docker|podman|nerdctl|kubectl|oc|wsl|chroot|nsenter|script|watch|flock|unshare|systemd-run|ssh|busybox|toolbox|distrobox|npx|bunx|dotenv|direnv|op|doppler)(?:\.exe)?$/;
const SSH_FLAGS = /^-[bcDEeFIiJLlmOopQRSWw]$/;

/** `env sh -c TEXT`, `docker exec x sh -c TEXT`, `ssh host TEXT`. */
function innerTexts(start: Start): readonly Value[] {
  const names = start.command.map((value) => programName(knownText(value) ?? ''));
  if (!names.some((name) => STARTERS.test(name))) return [];
  const words = start.args.map((arg) => onlyText(arg) ?? '');
  const at = words.findIndex((word) => SHELLS.has(programName(word)));
  const flag = at === -1 ? -1 : words.findIndex((word, index) => index > at && COMMAND_FLAG.test(word));
  if (flag !== -1) return scriptTexts(start, start.args.slice(flag + 1));
  if (!names.includes('ssh')) return [];
  const host = words.findIndex((word, index) => !word.startsWith('-') && !SSH_FLAGS.test(words[index - 1] ?? ''));
  return host === -1 ? [] : start.args.slice(host + 1).flatMap((arg) => arg.values);
}

/** What stands behind the script is `$0`, `$1` … of a Unix shell; the others read it as one text. */
function scriptTexts(start: Start, args: readonly Abstract[]): readonly Value[] {
  const isUnix = !start.command.some((value) => OTHER_SHELLS.has(programName(knownText(value) ?? '')));
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
  *find(facts) {
    const analysis = analysisOf(facts);
    const scripts = writtenScripts(analysis);
    yield* findInCalls(facts, (call) => {
      if (shellTexts(call).some(hasInterpolation)) return 'a shell reads text into which something is put';
      const isScript = scripts.size > 0 && runPlaces(analysis, call).some((key) => isBelow(key, scripts));
      return isScript && isShellRun(call) ? 'a script into which something is put is written and run' : null;
    });
  },
};

/** Files that are written with something put into their text. */
function writtenScripts(analysis: Analysis): Set<string> {
  const places = new Set<string>();
  for (const call of analysis.calls) {
    const isMade = WRITES.test(call.path) && (call.args[1]?.values.some(isPutInto) ?? false);
    for (const key of isMade ? placeKeys(analysis, call, call.args[0], 0) : []) places.add(key);
  }
  return places;
}

/** A text of the author's with something in it; what is not known at all may be a file that was asked for. */
const isPutInto = (value: Value): boolean =>
  hasInterpolation(value) && piecesOf(value).some((piece) => typeof piece === 'string');

const isShellRun = (call: ApiCall): boolean =>
  startOf(call)?.command.some((value) => SHELLS.has(programName(knownText(value) ?? ''))) ?? false;
