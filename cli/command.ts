/** What a command is, and what it is given. Commands return data; main prints it, as JSON or through `human`. */
import type { Agent, Scope } from '../schemas/agents.ts';
import type { Environment } from './environment.ts';
import type { Terminal } from './terminal/terminal.ts';

/** Options that stand before or after any command. */
export type GlobalOptions = {
  /** `--registry`; null when it was not given (see registry/open.ts for the order of the other sources). */
  registry: string | null;
  json: boolean;
  yes: boolean;
  dryRun: boolean;
  offline: boolean;
  quiet: boolean;
  verbose: boolean;
  /** Whether colours may be used on stderr and stdout. */
  color: boolean;
  /** `--agent`, in the order given, each once; empty when not given. */
  agents: Agent[];
  scope: Scope | null;
  cwd: string;
};

/** Ctrl-C. By default cleanups run and the process exits 130. */
export type Interrupts = {
  /** Aborted at the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
  /** Runs `cleanup` when the command is interrupted; the answer takes it back (call it when the work is done). */
  onInterrupt(cleanup: () => void | Promise<void>): () => void;
  /** The command ends by itself after `signal` (a server that stops cleanly): no exit 130. */
  takeOver(): void;
};

export type Context = {
  environment: Environment;
  options: GlobalOptions;
  terminal: Terminal;
  interrupts: Interrupts;
  /** What each command says of itself; loads them all (`completion`). */
  listCommands(): Promise<CommandDefinition[]>;
};

export type OptionDefinition = { flags: string; description: string };

export type SubcommandDefinition = {
  name: string;
  summary: string;
  /** Commander's notation: `<name> [version] [more...]`. */
  arguments?: string;
  options?: OptionDefinition[];
};

export type CommandDefinition = {
  name: string;
  aliases?: string[];
  summary: string;
  /** Commander's notation: `[spec...]`. */
  arguments?: string;
  options?: OptionDefinition[];
  /** Shell lines without the prompt, shown below `--help`. */
  examples?: string[];
  /** With these, `run` gets the subcommand's name as its first argument. */
  subcommands?: SubcommandDefinition[];
};

type Outcome<Data> = {
  data: Data;
  /** 0 when not given. */
  exitCode?: number;
  /** The command wrote its own output while it ran (`serve`): main prints nothing. */
  printed?: true;
};

/** A flag's value as commander gives it: `--dry` true, `--tag x` 'x', repeated `<x...>` an array, `--no-x` x: false. */
export type Flags = Readonly<Record<string, unknown>>;

export type CommandModule<Data> = {
  define: CommandDefinition;
  /** `args` in order; a variadic argument is spread; a missing optional argument is absent. */
  run(context: Context, args: string[], flags: Flags): Promise<Outcome<Data>>;
  human(data: Data, context: Context): string;
};
