/** `code/fetch-and-run`: what runs is decided by a server at the moment it runs. */
import type { ApiCall } from '../source/api-calls.ts';
import { pathText } from '../source/locations.ts';
import { startOf } from '../source/run-uses.ts';
import { programName, splitCommands } from '../source/shell-command.ts';
import type { Analysis } from '../source/types.ts';
import { type Abstract, deepTaints, knownText, onlyText, piecesOf, type Value } from '../source/value.ts';
import { dynamicReason } from './code-dynamic.ts';
import { analysisOf, foundAt, oncePerLine } from './code-facts.ts';
import { shellTexts } from './code-shell.ts';
import { isBelow, placeKeys, runPlaces, WRITES } from './run-places.ts';
import type { Found, Rule } from './types.ts';

/** A download that goes into an interpreter in one line. Each part is bounded, so that matching stays linear. */
const PIPED: readonly RegExp[] = [
  /\b(?:curl|wget|fetch)\b[^|;\n]{1,500}\|\s{0,20}(?:sudo\s{1,5}(?:-\w+\s{1,5})?)?(?:env\s{1,5})?(?:\/\w+(?:\/\w+){0,3}\/)?(?:ba|z|da|k|fi)?sh\b/,
  /\b(?:curl|wget)\b[^|;\n]{1,500}\|\s{0,20}(?:sudo\s{1,5})?(?:python[\d.]*|node|deno|bun|perl|ruby|php|osascript)\b/,
  /\b(?:ba|z|da|k)?sh\b\s{1,5}(?:-c\s{1,5}["']?\s{0,5}\$\(|<\(|-c\s{1,5}["']?`)\s{0,5}(?:curl|wget)\b/,
  /\b(?:eval|source|\.)\s{1,5}["']?(?:\$\(|`|<\()\s{0,5}(?:curl|wget)\b/,
  /\b(?:iex|Invoke-Expression)\b[^;\n]{0,200}(?:DownloadString|Invoke-WebRequest|Invoke-RestMethod|\biwr\b|\birm\b|\bcurl\b)/i,
  /(?:\biwr\b|\birm\b|Invoke-WebRequest|Invoke-RestMethod)[^|;\n]{1,300}\|\s{0,20}(?:iex|Invoke-Expression)\b/i,
  /\bmshta\s{1,5}https?:|\bregsvr32\b[^\n]{0,100}\/i:https?:|\bcertutil\b[^\n]{0,100}-urlcache/i,
];

/** Why a line of shell is a download that is run, or null. Shared with the scan of shell scripts. */
function pipedReason(line: string): string | null {
  if (PIPED.some((pattern) => pattern.test(line))) return 'downloads something and runs it';
  const commands = splitCommands(line);
  if (commands.some((words) => isUnpinnedRunner(words))) return 'downloads the latest version of a package and runs it';
  return runsItsDownload(commands) ? 'downloads a file and runs it' : null;
}

const DOWNLOADERS = /^(?:curl|wget|aria2c)$/;

/** `curl -o FILE …; sh FILE`, `wget …/x.sh && bash x.sh` */
function runsItsDownload(commands: readonly string[][]): boolean {
  const files = new Set<string>();
  for (const words of commands.slice(0, 200)) {
    const program = programName(words[0] ?? '');
    if (DOWNLOADERS.test(program)) for (const file of filesOfTransfer(words)) files.add(file);
    else if (words.slice(0, 4).some((word, index) => files.has(word) && (index === 0 || RUNNERS.has(program))))
      return true;
  }
  return false;
}

const RUNNERS = new Set([
  'sh',
  'bash',
  'zsh',
  'dash',
  'node',
  'python',
  'python3',
  'perl',
  'ruby',
  'sudo',
  'source',
  '.',
  'exec',
  'env',
  'nohup',
  'open',
  'start',
]);

function filesOfTransfer(words: readonly string[]): string[] {
  const at = words.findIndex((word) => /^(?:-[sSfLk]*[oO]|--output|--output-document|>)$/.test(word));
  const named = at === -1 ? undefined : words[at + 1];
  const url = words.find((word) => /^https?:/.test(word));
  const base = url?.split(/[?#]/, 1)[0]?.split('/').at(-1);
  return [named, base, base === undefined ? undefined : `./${base}`].filter(
    (file) => file !== undefined && file !== '',
  ) as string[];
}

const isPinned = (name: string): boolean => /.@[=v~^]{0,2}\d+\.\d|==\d|.@[0-9a-f]{40}$/.test(name);
const isLatest = (name: string): boolean => /@(?:latest|next|canary|beta|nightly)$/.test(name);
const ASKS_NOT = new Set(['-y', '--yes']);

/** `npx -y name`, `npx name@latest`, `pnpm dlx name`: no version, no question. */
function isUnpinnedRunner(words: readonly string[]): boolean {
  const names = words.map((word, index) => (index === 0 ? programName(word) : word));
  const at = names.findIndex((word) => /^(?:npx|bunx|pnpx|dlx|uvx|pipx)$/.test(word));
  const command = names[at];
  const isExec = names[0] === 'npm' && (names[1] === 'exec' || names[1] === 'x');
  if (command === undefined && !isExec) return false;
  if (command === 'dlx' && !/^(?:pnpm|yarn)$/.test(names[at - 1] ?? '')) return false;
  if (command !== undefined && command !== 'dlx' && at > 2) return false;
  const rest = names.slice(isExec ? 2 : at + 1);
  const target = rest.find((word) => !word.startsWith('-') && word !== 'run');
  // Which package it is, is not the author's choice: a program that cannot be decided.
  if (target === undefined || target.includes('\ue000') || isPinned(target) || /^\.{0,2}\//.test(target)) return false;
  return (
    isLatest(target) || command === 'dlx' || rest.slice(0, rest.indexOf(target)).some((word) => ASKS_NOT.has(word))
  );
}

/** The text of a command as far as it is known; what is not known is one mark. */
const lineOfValue = (value: Value): string =>
  piecesOf(value)
    .map((piece) => (typeof piece === 'string' ? piece : '\ue000'))
    .join('')
    .slice(0, 20_000);

function commandReason(call: ApiCall): string | null {
  const start = startOf(call);
  if (!start) return null;
  const texts = [...shellTexts(call), ...(start.form === 'shell' ? start.command : [])];
  for (const value of texts) {
    const reason = pipedReason(lineOfValue(value));
    if (reason !== null) return reason;
  }
  if (start.form === 'shell') return null;
  const words = start.command.map((value) => [
    lineOfValue(value),
    ...start.args.map((arg) => (arg.values[0] ? lineOfValue(arg.values[0]) : '')),
  ]);
  return words.some(isUnpinnedRunner) ? 'downloads the latest version of a package and runs it' : null;
}

const isDownloaded = (value: Abstract | undefined): boolean =>
  value !== undefined && deepTaints(value).includes('download');
const CODE_TEXT = /^(?:global\.(?:eval|Function)|node:vm\.|node:module\._compile)/;

/** Downloaded text given to `eval`, a shell, an interpreter, or to `import`. */
function evaluatedReason(call: ApiCall): string | null {
  const [first] = call.args;
  if (CODE_TEXT.test(call.path) && call.args.some(isDownloaded)) return 'downloads code and runs it';
  if (call.path === 'import' && first?.values.some((value) => /^https?:\/\//i.test(startOfText(value))))
    return 'imports code from a server';
  if (call.path === 'import' && isDownloaded(first) && dynamicReason(call) !== null && isDataUrl(first))
    return 'downloads code and imports it';
  const start = startOf(call);
  if (!start) return null;
  // The whole command, not an argument in it: that is a shell with interpolated text.
  const isWhole = (value: Value) =>
    value.kind === 'unknown' ||
    (value.kind === 'text' && value.pieces.length === 1 && typeof value.pieces[0] === 'object');
  if (isDownloaded(first) && start.shell && start.form === 'shell' && start.command.every(isWhole))
    return 'downloads a command and runs it';
  const code = start.args.find(
    (_arg, index) => index > 0 && /^(?:-c|-e|--eval|-Command)$/.test(onlyText(start.args[index - 1]) ?? ''),
  );
  return isDownloaded(code) && code?.values.every(isWhole) ? 'downloads code and runs it' : null;
}

const startOfText = (value: Value): string => {
  const [start] = value.kind === 'text' ? value.pieces : [];
  return typeof start === 'string' ? start : '';
};
const isDataUrl = (value: Abstract | undefined): boolean =>
  value?.values.some((item) => /^data:/i.test(startOfText(item))) ?? false;

/** Where downloads are written, by `fs` or by a program that downloads. */
function downloadedPlaces(analysis: Analysis): Set<string> {
  const places = new Set<string>();
  for (const call of analysis.calls) {
    if (WRITES.test(call.path) && (isDownloaded(call.args[1]) || isPipedInto(call)))
      for (const key of placeKeys(analysis, call, call.args[0], 0)) places.add(key);
    for (const path of outputOfTransfer(call)) places.add(`path:${path}`);
  }
  // What comes out of a downloaded archive was downloaded too.
  for (const call of analysis.calls) for (const path of unpackedBy(call, places)) places.add(`path:${path}`);
  return places;
}

/** `response.body.pipe(createWriteStream(path))`, `pipeline(body, createWriteStream(path))`. */
const isPipedInto = (call: ApiCall): boolean =>
  call.path.endsWith('createWriteStream') && /\b(?:pipe|pipeTo|pipeline)\b/.test(nameOfParentCall(call));

function nameOfParentCall(call: ApiCall): string {
  const callee = call.node.parent?.callee as { name?: unknown; property?: { name?: unknown } } | undefined;
  return String(callee?.name ?? callee?.property?.name ?? '');
}

function outputOfTransfer(call: ApiCall): string[] {
  const start = startOf(call);
  if (!start?.command.some((value) => DOWNLOADERS.test(programName(knownText(value) ?? '')))) return [];
  const at = start.args.findIndex((arg) =>
    /^(?:-[a-zA-Z]{0,8}[oO]|--output|--output-document)$/.test(onlyText(arg) ?? ''),
  );
  return (at === -1 ? [] : (start.args[at + 1]?.values ?? [])).flatMap((value) => pathText(piecesOf(value)) ?? []);
}

const UNPACKERS =
  /^(?:tar|bsdtar|unzip|gunzip|7z|7za|7zz|unxz|bunzip2|unzstd|zstd|xz|gzip|cp|mv|install|ditto|Expand-Archive|msiexec)$/;

/** Where a program puts what is in a downloaded file: its `-C` or `-d` folder, its last argument, or the working folder. */
function unpackedBy(call: ApiCall, places: ReadonlySet<string>): string[] {
  const start = startOf(call);
  if (!start || start.form === 'shell' || places.size === 0) return [];
  if (!start.command.some((value) => UNPACKERS.test(programName(knownText(value) ?? '')))) return [];
  const paths = start.args.slice(0, 50).map((arg) => (arg.values[0] ? pathText(piecesOf(arg.values[0])) : null));
  if (!paths.some((path) => path !== null && isBelow(`path:${path}`, places))) return [];
  const at = start.args.findIndex((arg) => /^(?:-C|-d|--directory|-DestinationPath)$/.test(onlyText(arg) ?? ''));
  const last = paths.at(at === -1 ? -1 : at + 1) ?? null;
  return last === null || at === -1 ? [...paths.filter((path) => path !== null), ...(last ? [last] : [])] : [last];
}

const SCRIPTS = /\.(?:sh|bash|zsh|ps1|bat|cmd|py|rb|pl)$/i;

/** Scripts in the archive, line by line. */
function* scriptFindings(texts: readonly { path: string; text: string }[]): Generator<Found, void, undefined> {
  for (const { path, text } of texts) {
    if (!SCRIPTS.test(path) || text.length > 1_000_000) continue;
    const lines = text.split('\n');
    for (let index = 0; index < lines.length; index += 1) {
      const line = lines[index] ?? '';
      const reason = /^\s*(?:#|\/\/|rem\b)/i.test(line) ? null : pipedReason(line.slice(0, 2000));
      if (reason !== null) yield { file: path, line: index + 1, message: reason };
    }
  }
}

export const fetchAndRun: Rule = {
  id: 'code/fetch-and-run',
  level: 'error',
  what: 'a download that is executed, piped into a shell, or the latest version of a package run through npx',
  why: 'what runs was never in the package: nobody checked it, and it can be other code tomorrow',
  fix: 'put the code into the package, or pin the exact version (`npx name@1.2.3`)',
  *find(facts) {
    const analysis = analysisOf(facts);
    const places = downloadedPlaces(analysis);
    const all = analysis.calls.flatMap((call): Found[] => {
      const runsDownload = places.size > 0 && runPlaces(analysis, call).some((key) => isBelow(key, places));
      const reason =
        commandReason(call) ?? evaluatedReason(call) ?? (runsDownload ? 'downloads a file and runs it' : null);
      return reason === null ? [] : [foundAt(analysis, call, reason)];
    });
    yield* oncePerLine([...all, ...scriptFindings(facts.listTexts())]);
  },
};
