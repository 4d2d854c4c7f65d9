import { Problem } from '../../schemas/problem.ts';
import type { CommandModule, Flags } from '../command.ts';
import { tryText } from '../terminal/try-view.ts';
import { viewOptions } from '../terminal/view-options.ts';
import type { TryAnswer } from '../try/index.ts';

const DEFAULT_TIMEOUT_S = 30;
const MAX_TIMEOUT_S = 3600;
const WARNING =
  "This runs the author's code on this machine; a call that takes a while is made twice, the second time to cancel it.";

export const command: CommandModule<TryAnswer> = {
  define: {
    name: 'try',
    summary: 'Run a tool as the agent would, and check what it gives',
    arguments: '[path]',
    options: [
      { flags: '--tool <name>', description: 'the tool (default: the only one, or those of the examples)' },
      { flags: '--args <json>', description: 'its arguments (default: piTools.examples of the package)' },
      { flags: '--timeout <seconds>', description: `for each call (default: ${DEFAULT_TIMEOUT_S})` },
      { flags: '--unlimited', description: 'refuse nothing: only name what is not declared' },
    ],
    examples: [`pi-tools try --tool weather --args '{"city":"Tokyo"}'`, 'pi-tools try ./weather-1.0.0.tgz --json'],
  },
  run: async (context, [path], flags) => {
    const { environment, options, terminal, interrupts } = context;
    const { exitCodeOf, tryPackage } = await import('../try/index.ts');
    let progress: ReturnType<typeof terminal.progress> | undefined;
    const request = {
      environment,
      path: path ?? '.',
      agents: options.agents,
      tool: typeof flags.tool === 'string' ? flags.tool : null,
      args: readArgs(flags),
      timeoutMs: readTimeout(flags) * 1000,
      mode: flags.unlimited === true ? ('unlimited' as const) : ('limited' as const),
      interrupts,
      onStart: () => {
        terminal.say(WARNING);
        progress = terminal.progress('running …');
      },
    };
    const answer = await tryPackage(request).finally(() => progress?.done());
    return { data: answer, exitCode: exitCodeOf(answer) };
  },
  human: (answer, context) => tryText(answer, viewOptions(context)),
};

const readArgs = (flags: Flags): unknown => {
  if (typeof flags.args !== 'string') return undefined;
  const hint = `for example: --args '{"city":"Tokyo"}'`;
  let args: unknown;
  try {
    args = JSON.parse(flags.args);
  } catch (error) {
    throw new Problem('usage', `--args is no JSON: ${(error as Error).message}`, { hint });
  }
  if (typeof args === 'object' && args !== null && !Array.isArray(args)) return args;
  throw new Problem('usage', `--args is no JSON object: \`${flags.args.slice(0, 100)}\``, { hint });
};

const readTimeout = (flags: Flags): number => {
  if (flags.timeout === undefined) return DEFAULT_TIMEOUT_S;
  const seconds = Number(flags.timeout);
  if (seconds > 0 && seconds <= MAX_TIMEOUT_S) return seconds;
  throw new Problem('usage', `--timeout \`${String(flags.timeout)}\` is no number of seconds up to ${MAX_TIMEOUT_S}`);
};
