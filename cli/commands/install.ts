import { Problem } from '../../schemas/problem.ts';
import type { CommandModule, Context, Flags } from '../command.ts';
import { pickSpecs } from '../install/picks.ts';
import { makePlan, type PlanFlags } from '../install/plan.ts';
import { type RunAnswer, type RunOptions, runPlan } from '../install/run.ts';
import { answerText, planLines } from '../install/say-plan.ts';
import { openSession, type Session } from '../install/session.ts';
import { parseSpec } from '../install/spec.ts';

export const command: CommandModule<RunAnswer> = {
  define: {
    name: 'install',
    aliases: ['i', 'add'],
    summary: 'Install packages, or what pi-tools.json says',
    arguments: '[spec...]',
    options: [
      { flags: '--frozen', description: 'fail if the lock file would change' },
      { flags: '--no-allowed-tools', description: 'leave settings alone' },
      { flags: '--allow-override <tool...>', description: "allow a package to replace the agent's own tool" },
    ],
    examples: [
      'pi-tools install weather',
      'pi-tools install weather@1.0.0 @team/geo@^2',
      'pi-tools install ./my-tool --agent pi --scope project',
      'pi-tools install --frozen',
    ],
  },
  run: async (context, specs, flags) => {
    const session = openSession(context);
    try {
      const answer = await install(context, session, specs, flags);
      for (const warning of answer.warnings) context.terminal.warn(warning);
      return { data: answer };
    } finally {
      await session.close();
    }
  },
  human: (answer, context) => answerText(answer, context.options.dryRun ? 'would' : 'done'),
};

const install = async (
  context: Context,
  session: Session,
  specs: readonly string[],
  flags: Flags,
): Promise<RunAnswer> => {
  const parsed = specs.map((text) => parseSpec(text, context.environment));
  if (parsed.length === 0) throw new Problem('usage', 'name what to install');
  return runPlan(session, readRunOptions(context, flags), async (world) =>
    makePlan(world, { removals: [], ...(await pickSpecs(world, session, parsed)) }, readPlanFlags(flags)),
  );
};

/** Flags that install and update share. */
const readRunOptions = ({ terminal }: Context, flags: Flags): RunOptions => ({
  allowedOverrides: (flags.allowOverride ?? []) as string[],
  lock: flags.frozen === true ? 'frozen' : 'free',
  show: (plan) => {
    for (const line of planLines(plan)) terminal.say(line);
  },
});

const readPlanFlags = (flags: Flags): PlanFlags => ({ settings: flags.allowedTools === false ? 'leave' : 'edit' });
