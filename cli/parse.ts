/** From the command line to one command, its arguments and its flags. Only the command that was called is loaded. */
import { Command, CommanderError, Option } from 'commander';
import { Problem } from '../schemas/problem.ts';
import type { CommandModule, Flags, OptionDefinition, SubcommandDefinition } from './command.ts';
import { COMMANDS, findCommand } from './command-table.ts';
import { GLOBAL_OPTIONS, WITH_VALUE } from './global-options.ts';
import { didYouMean, suggest } from './suggest.ts';
import { table } from './terminal/width.ts';

export type Parsed =
  | { kind: 'run'; module: CommandModule<unknown>; args: string[]; flags: Flags }
  | { kind: 'help'; text: string }
  | { kind: 'version' };

/** The first word that is neither an option nor the value of a global one. */
const findCommandWord = (argv: readonly string[]): string | undefined => {
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    if (word === '--') return argv[at + 1];
    if (!word.startsWith('-') || word === '-') return word;
    if (WITH_VALUE.has(word)) at += 1;
  }
  return undefined;
};

/** Whether an option stands before `--`; needed before parsing, since a usage error must be JSON too. */
export const hasFlag = (argv: readonly string[], flag: string): boolean => {
  const end = argv.indexOf('--');
  return argv.slice(0, end === -1 ? argv.length : end).includes(flag);
};

/** Throws Problem `usage`. */
export const parseCommandLine = async (argv: readonly string[]): Promise<Parsed> => {
  if (hasFlag(argv, '--version') || hasFlag(argv, '-V')) return { kind: 'version' };
  const word = findCommandWord(argv);
  if (word === 'help') return parseHelp(argv);
  if (word === undefined) return parseWithoutCommand(argv);
  const entry = findCommand(word);
  if (entry === undefined) {
    const names = COMMANDS.flatMap((command) => [command.name, ...command.aliases]);
    const hint = didYouMean(suggest(word, names)) ?? 'run `pi-tools --help` for all commands';
    throw new Problem('usage', `unknown command \`${word.slice(0, 80)}\``, { hint });
  }
  return parseWith(await entry.load(), withHelpLast(argv));
};

/** Commander reads `--help install` as help for the program. */
const withHelpLast = (argv: readonly string[]): readonly string[] => {
  if (!hasFlag(argv, '--help') && !hasFlag(argv, '-h')) return argv;
  return [...argv.filter((word) => word !== '--help' && word !== '-h'), '--help'];
};

const parseHelp = (argv: readonly string[]): Promise<Parsed> | Parsed => {
  const topic = argv.find((word) => word !== 'help' && !word.startsWith('-'));
  return topic === undefined ? { kind: 'help', text: overview() } : parseCommandLine([topic, '--help']);
};

const parseWithoutCommand = (argv: readonly string[]): Parsed => {
  if (hasFlag(argv, '--help') || hasFlag(argv, '-h')) return { kind: 'help', text: overview() };
  const program = addOptions(quietCommand('pi-tools'), GLOBAL_OPTIONS).action(() => {});
  guarded(
    () => program.parse([...argv], { from: 'user' }),
    () => '',
  );
  throw new Problem('usage', 'no command given', { hint: 'run `pi-tools --help` for all commands' });
};

const parseWith = (module: CommandModule<unknown>, argv: readonly string[]): Parsed => {
  let found: Parsed | undefined;
  const printed: string[] = [];
  const program = addOptions(quietCommand('pi-tools', printed), GLOBAL_OPTIONS).helpCommand(false);
  const { define } = module;
  const command = quietCommand(define.name, printed)
    .aliases(define.aliases ?? [])
    .description(define.summary);
  const onAction = (target: Command, before: string[]) => (): void => {
    const args = [
      ...before,
      ...target.processedArgs
        .flat()
        .filter((one) => one !== undefined)
        .map(String),
    ];
    found = { kind: 'run', module, args, flags: target.optsWithGlobals() };
  };
  declare(command, define);
  for (const sub of define.subcommands ?? []) {
    const child = declare(quietCommand(sub.name, printed).description(sub.summary), sub);
    command.addCommand(child.action(onAction(child, [sub.name])));
  }
  if (define.subcommands === undefined) command.action(onAction(command, []));
  command.helpCommand(false).addHelpText('after', examplesText(define.examples));
  program.addCommand(command);
  const subs = define.subcommands?.map((sub) => sub.name) ?? [];
  guarded(
    () => program.parse([...argv], { from: 'user' }),
    () => `\`${define.name}\` needs one of: ${subs.join(', ')}`,
  );
  return found ?? { kind: 'help', text: printed.join('').trimEnd() };
};

/** A command that neither prints nor exits by itself. */
const quietCommand = (name: string, printed: string[] = []): Command =>
  new Command(name)
    .exitOverride()
    .configureOutput({ writeOut: (text) => void printed.push(text), writeErr: () => {} })
    .configureHelp({ showGlobalOptions: true })
    .helpOption('-h, --help', 'show this');

const declare = (command: Command, definition: Pick<SubcommandDefinition, 'arguments' | 'options'>): Command => {
  if (definition.arguments) command.arguments(definition.arguments);
  return addOptions(command, definition.options ?? []);
};

const addOptions = (command: Command, options: readonly OptionDefinition[]): Command => {
  for (const { flags, description } of options) {
    const option = new Option(flags, description);
    if (flags === '--agent <agent>') option.argParser((value, before: string[] = []) => [...before, value]);
    command.addOption(option);
  }
  return command;
};

const examplesText = (examples: readonly string[] | undefined): string =>
  examples === undefined ? '' : `\nExamples:\n${examples.map((line) => `  $ ${line}`).join('\n')}`;

/** Runs commander and turns its errors into ours; help is no error. */
const guarded = (parse: () => void, missing: () => string): void => {
  try {
    parse();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.helpDisplayed') return;
    if (error.code === 'commander.help') throw new Problem('usage', missing());
    throw usageProblem(error);
  }
};

/** Commander says "error: unknown option '--jsno'\n(Did you mean --json?)". */
const usageProblem = (error: CommanderError): Problem => {
  const [first = '', ...rest] = error.message.replace(/^error: /, '').split('\n');
  const suggestion = /\(Did you mean (?:one of )?(.*)\?\)/.exec(rest.join(' '))?.[1];
  const hint =
    suggestion &&
    `did you mean ${suggestion
      .split(', ')
      .map((one) => `\`${one}\``)
      .join(' or ')}?`;
  return new Problem('usage', first.replaceAll("'", '`'), hint ? { hint } : {});
};

/** `pi-tools --help`, made from the table: no command is loaded for it. */
const overview = (): string => {
  const groups = [...new Set(COMMANDS.map((command) => command.group))];
  const sections = groups.map((group) => {
    const rows = COMMANDS.filter((command) => command.group === group).map((command) => [
      command.name.padEnd(12),
      command.summary,
    ]);
    return `${group}:\n${table(rows, '  ')}`;
  });
  const options = GLOBAL_OPTIONS.map(({ flags, description }) => [flags.padEnd(18), description]);
  return [
    'Usage: pi-tools <command> [options]',
    'Finds, installs and publishes tools for coding agents (pi, SlopCode, opencode).',
    ...sections,
    `Options, before or after any command:\n${table(options, '  ')}\n  -h, --help          show help, also of a command\n  --version           show the version`,
    'Start with: pi-tools search weather, then pi-tools install weather',
  ].join('\n\n');
};
