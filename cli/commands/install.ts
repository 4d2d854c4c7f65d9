import type { CommandModule, Context, Flags } from '../command.ts';
import { ALLOW_OVERRIDE, NO_ALLOWED_TOOLS, readPlanFlags, readRunOptions } from '../install/flags.ts';
import { repairGoal, restoreGoal } from '../install/goal-restore.ts';
import { pickSpecs } from '../install/picks.ts';
import { makePlan } from '../install/plan.ts';
import { type RunAnswer, runPlan } from '../install/run.ts';
import { answerText } from '../install/say-plan.ts';
import { openSession, type Session } from '../install/session.ts';
import { parseSpec } from '../install/spec.ts';
import { escapeText } from '../terminal/escape.ts';
import { updateText } from '../terminal/update-view.ts';

export const command: CommandModule<RunAnswer> = {
  define: {
    name: 'install',
    aliases: ['i', 'add'],
    summary: 'Install packages, or what pi-tools.json says',
    arguments: '[spec...]',
    options: [
      { flags: '--frozen', description: 'fail if the lock file would change' },
      NO_ALLOWED_TOOLS,
      ALLOW_OVERRIDE,
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
      for (const warning of answer.warnings) context.terminal.warn(escapeText(warning));
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
  return runPlan(session, readRunOptions(context, flags, updateText), async (world) => {
    if (parsed.length === 0) return makePlan(world, await restoreGoal(world, session), readPlanFlags(flags));
    const { broken, ...goal } = await pickSpecs(world, session, parsed);
    const repairs = await repairGoal(session, broken);
    return makePlan(world, { removals: [], ...goal, ...repairs }, readPlanFlags(flags));
  });
};
