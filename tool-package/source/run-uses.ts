/** Programs that are started, and the hosts that programs like curl are sent to. */
import type { ApiCall } from './api-calls.ts';
import { hasOwnOperations } from './file-uses.ts';
import { hostOf } from './locations.ts';
import { itemsOf } from './methods.ts';
import { programName, readShellCommand, type ShellCommand } from './shell-command.ts';
import type { UseValue } from './uses.ts';
import { type Abstract, isLeftOut, joinPieces, type Piece, piecesOf, textOf, type Value } from './value.ts';

/** How a call starts a program: `shell`: the first argument is a command line; `program`: program and list of arguments; `list`: one list. */
export type Start = {
  form: 'shell' | 'program' | 'list';
  /** Alternatives of the command line or the program. */
  command: readonly Value[];
  args: readonly Abstract[];
  /** Whether a shell reads the text. */
  shell: boolean;
};

const CHILD = /^node:child_process\.(exec|execSync|execFile|execFileSync|spawn|spawnSync|fork)$/;
const PROGRAM_FIRST =
  /^(?:npm:execa(?:\.(?:execa|execaSync|sync|execaNode))?|npm:cross-spawn(?:\.(?:sync|spawn))?|npm:node-pty\.spawn|npm:@lydell\/node-pty\.spawn|pi\.exec|npm:tinyexec\.(?:x|exec)|npm:nano-spawn|npm:foreground-child)$/;
const COMMAND_FIRST =
  /^(?:npm:execa\.(?:execaCommand|execaCommandSync|command|commandSync)|npm:shelljs\.exec|global\.Deno\.run)$/;
const TAGS = /^(?:global\.Bun\.\$|npm:(?:zx|execa|bun)\.\$|npm:dax(?:-sh)?)``$/;
const LISTS = /^global\.Bun\.(?:spawn|spawnSync)$/;
const BASH_TOOLS =
  /^npm:@(?:earendil-works|mariozechner)\/pi-coding-agent\.(?:createBashTool(?:Definition)?|createLocalBashOperations)$/;

/** How the call starts a program, or null where it does not. */
export function startOf(call: ApiCall): Start | null {
  const [first, second] = call.args;
  const command = first?.values ?? [];
  const child = CHILD.exec(call.path)?.[1];
  if (child === 'exec' || child === 'execSync' || COMMAND_FIRST.test(call.path))
    return { form: 'shell', command, args: [], shell: !call.path.startsWith('npm:execa') };
  if (child === 'fork')
    return { form: 'program', command: [textOf('node')], args: call.args.slice(0, 1), shell: false };
  if (TAGS.test(call.path)) return { form: 'shell', command, args: [], shell: call.args[1] !== undefined };
  if (LISTS.test(call.path)) return listStart(first);
  if (child === undefined && !PROGRAM_FIRST.test(call.path)) return null;
  const hasList = second?.values.some((value) => value.kind === 'array' || value.kind === 'unknown') ?? false;
  const shell = usesShell(call.args);
  const args = hasList ? itemsOf(second) : [];
  return { form: 'program', command, args, shell };
}

function listStart(first: Abstract | undefined): Start {
  const option = first?.values.find((value) => value.kind === 'object');
  const list = option?.kind === 'object' ? option.entries.get('cmd') : first;
  const [program, ...args] = itemsOf(list);
  return { form: 'list', command: program?.values ?? [], args, shell: false };
}

/** `{ shell: true }` or a shell's name among the options. */
function usesShell(args: readonly Abstract[]): boolean {
  return args.some((arg) =>
    arg.values.some((value) => {
      const option = value.kind === 'object' ? value.entries.get('shell') : undefined;
      return (
        option?.values.some((item) => !(item.kind === 'literal' && !item.value) && item.kind !== 'unknown') ?? false
      );
    }),
  );
}

export function runUses(call: ApiCall): UseValue[] {
  if (BASH_TOOLS.test(call.path)) return hasOwnOperations(call) ? [] : [{ kind: 'run', value: null }];
  if (call.escaped && call.path.startsWith('node:child_process.')) return [{ kind: 'run', value: null }];
  if (call.path === 'node:child_process.fork' || call.path === 'node:cluster.fork')
    return [{ kind: 'run', value: 'node' }];
  const start = startOf(call);
  if (!start) return [];
  if (start.command.length === 0) return [{ kind: 'run', value: null }];
  const uses = start.command.filter((value) => !isLeftOut(value)).flatMap((value) => commandUses(start, value));
  // `process.env.SHELL || '/bin/sh'`: the variable is the user's choice, the program is the author's.
  const named = uses.some((use) => use.kind === 'run' && use.value !== null && !use.value.startsWith('$'));
  return named ? uses.filter((use) => !use.value?.startsWith('$')) : uses;
}

function commandUses(start: Start, value: Value): UseValue[] {
  const isLine = start.form === 'shell' || (start.shell && start.args.length === 0);
  if (!isLine) {
    const program = programOf(value);
    return [{ kind: 'run', value: program }, ...transferUses(program, wordsOf(start.args))];
  }
  const command = readShellCommand(piecesOf(value));
  if (command.programs.length === 0) return [{ kind: 'run', value: command.holes.length > 0 ? null : 'sh' }];
  return command.programs.flatMap((program): UseValue[] => {
    const name = program === null ? null : programName(program);
    return [{ kind: 'run', value: name }, ...transferUses(name, command)];
  });
}

function programOf(value: Value): string | null {
  const pieces = piecesOf(value);
  const last = pieces.at(-1);
  if (pieces.length === 1 && typeof last === 'string') return programName(last);
  // `join(folder, 'tool')`, `${base}/bin/tool`
  const tail = typeof last === 'string' && /[\\/]/.test(last) ? programName(last) : '';
  const [start] = pieces;
  if (typeof start === 'object' && start.hole.startsWith('$') && pieces.length === 1) return start.hole;
  return tail === '' ? null : tail;
}

const wordsOf = (args: readonly Abstract[]): ShellCommand =>
  readShellCommand(
    joinPieces(args.slice(0, 100).flatMap((arg): Piece[] => [...(arg.values[0] ? piecesOf(arg.values[0]) : []), ' '])),
  );

const TRANSFERS = new Set(['curl', 'wget', 'http', 'https', 'xh', 'aria2c', 'iwr', 'Invoke-WebRequest', 'irm']);
const URLS = /\b(?:https?|ftp|wss?):\/\/[^\s"'|;&)>]+/g;

/** What a program that fetches is sent to. */
function transferUses(program: string | null, command: ShellCommand): UseValue[] {
  if (program === null || !TRANSFERS.has(program)) return [];
  const hosts = [...command.text.matchAll(URLS)].map((found) => hostOfText(found[0], command));
  return hosts.length > 0 ? hosts.map((value) => ({ kind: 'network', value })) : [{ kind: 'network', value: null }];
}

function hostOfText(url: string, command: ShellCommand): string | null {
  const pieces = [...url].map((character): Piece => {
    const code = character.charCodeAt(0) - 0xe000;
    return code >= 0 && code < 0x1900 ? { hole: command.holes[code] ?? 'unknown' } : character;
  });
  const host = hostOf(joinPieces(pieces));
  if (host?.kind === 'variable') return `$${host.name}`;
  return host?.kind === 'known' ? host.host : null;
}
