import type { CommandModule } from '../command.ts';
import { removeGoal } from '../install/goal-remove.ts';
import { makePlan } from '../install/plan.ts';
import { type RunAnswer, runPlan } from '../install/run.ts';
import { answerText, planLines } from '../install/say-plan.ts';
import { openSession } from '../install/session.ts';

export const command: CommandModule<RunAnswer> = {
  define: {
    name: 'remove',
    aliases: ['rm', 'uninstall'],
    summary: 'Remove packages and take back every change',
    arguments: '<name...>',
    options: [{ flags: '--no-allowed-tools', description: 'leave settings alone' }],
    examples: ['pi-tools remove weather', 'pi-tools remove weather --scope project'],
  },
  run: async (context, names, flags) => {
    const session = openSession(context);
    const show = (plan: Parameters<typeof planLines>[0]): void => {
      for (const line of planLines(plan)) context.terminal.say(line);
    };
    try {
      const answer = await runPlan(session, { allowedOverrides: [], lock: 'free', show }, (world) =>
        makePlan(world, removeGoal(world, context.options, names), {
          settings: flags.allowedTools === false ? 'leave' : 'edit',
        }),
      );
      for (const warning of answer.warnings) context.terminal.warn(warning);
      return { data: answer };
    } finally {
      await session.close();
    }
  },
  human: (answer, context) => answerText(answer, context.options.dryRun ? 'would' : 'done'),
};
