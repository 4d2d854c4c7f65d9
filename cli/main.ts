/** The program: parses, runs one command, prints what it returned, ends with its exit code. The only file that exits. */
import { readFile } from 'node:fs/promises';
import { Problem } from '../schemas/problem.ts';
import type { CommandModule, Context, Flags } from './command.ts';
import { COMMANDS } from './command-table.ts';
import { readEnvironment } from './environment.ts';
import { readGlobalOptions, wantsColor } from './global-options.ts';
import { listenForInterrupts } from './interrupts.ts';
import { hasFlag, parseCommandLine } from './parse.ts';
import { describeFailure } from './terminal/messages.ts';
import { ignoreBrokenPipes, jsonDocument, printLine, waitForOutput } from './terminal/output.ts';
import { styleFor } from './terminal/style.ts';
import { createTerminal } from './terminal/terminal.ts';

/** Runs the command line (without node and script) and ends the process. */
export const main = async (argv: readonly string[]): Promise<void> => {
  ignoreBrokenPipes();
  process.on('uncaughtException', (error) => void fail(argv, error).then(end));
  process.on('unhandledRejection', (error) => void fail(argv, error).then(end));
  let exitCode: number;
  try {
    exitCode = await runCommandLine(argv);
  } catch (error) {
    exitCode = await fail(argv, error);
  }
  await end(exitCode);
};

const runCommandLine = async (argv: readonly string[]): Promise<number> => {
  const parsed = await parseCommandLine(argv);
  const json = hasFlag(argv, '--json');
  if (parsed.kind === 'version') {
    const version = await readVersion();
    printLine(json ? jsonDocument({ version }) : version);
    return 0;
  }
  if (parsed.kind === 'help') {
    printLine(json ? jsonDocument({ help: parsed.text }) : parsed.text);
    return 0;
  }
  return runCommand(parsed.module, parsed.args, parsed.flags, argv);
};

const runCommand = async (
  module: CommandModule<unknown>,
  args: string[],
  flags: Flags,
  argv: readonly string[],
): Promise<number> => {
  const { env } = readEnvironment();
  const options = await readGlobalOptions(flags, env);
  const interrupts = listenForInterrupts((exitCode) => void interrupted(argv, exitCode));
  const context: Context = {
    environment: readEnvironment(options.cwd),
    options,
    terminal: createTerminal({ ...options, env }),
    interrupts,
    listCommands: async () => Promise.all(COMMANDS.map(async (entry) => (await entry.load()).define)),
  };
  const outcome = await module.run(context, args, flags);
  if (!outcome.printed) {
    const text = options.json ? jsonDocument(outcome.data) : module.human(outcome.data, context);
    if (text !== '') printLine(text);
  }
  return outcome.exitCode ?? 0;
};

/** Prints the failure where it belongs; the exit code that goes with it. */
const fail = async (argv: readonly string[], error: unknown): Promise<number> => {
  const { env } = readEnvironment();
  const colored = process.stderr.isTTY === true && wantsColor({ color: !hasFlag(argv, '--no-color') }, env);
  const verbose = hasFlag(argv, '--verbose') ? 'stack' : 'short';
  const failure = describeFailure(error, styleFor(colored ? 'on' : 'off'), verbose);
  if (hasFlag(argv, '--json')) printLine(jsonDocument(failure.json));
  process.stderr.write(`${failure.text}\n`);
  return failure.exitCode;
};

const interrupted = async (argv: readonly string[], exitCode: number): Promise<void> => {
  if (hasFlag(argv, '--json')) {
    const problem = new Problem('interrupted', 'interrupted');
    printLine(jsonDocument(describeFailure(problem, styleFor('off'), 'short').json));
  }
  await end(exitCode);
};

const readVersion = async (): Promise<string> => {
  const file = new URL(import.meta.url.endsWith('.ts') ? '../package.json' : '../../package.json', import.meta.url);
  return (JSON.parse(await readFile(file, 'utf8')) as { version: string }).version;
};

let ended = false;

/** Ends the process when its output is out; idle sockets and timers do not hold it. */
const end = async (exitCode: number): Promise<void> => {
  if (ended) return;
  ended = true;
  await waitForOutput();
  process.exit(exitCode);
};
