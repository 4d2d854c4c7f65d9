import type { CommandModule } from '../command.ts';
import { NO_ALLOWED_TOOLS, readPlanFlags, readRunOptions } from '../install/flags.ts';
import { rollbackGoal } from '../install/goal-rollback.ts';
import { makePlan } from '../install/plan.ts';
import { type RunAnswer, runPlan } from '../install/run.ts';
import { answerText } from '../install/say-plan.ts';
import { openSession } from '../install/session.ts';
import { escapeText } from '../terminal/escape.ts';
import { updateText } from '../terminal/update-view.ts';

export const command: CommandModule<RunAnswer> = {
  define: {
    name: 'rollback',
    summary: 'Go back to the version before the last update',
    arguments: '<name>',
    options: [NO_ALLOWED_TOOLS],
    examples: ['pi-tools rollback weather'],
  },
  run: async (context, [name = ''], flags) => {
    const session = openSession(context);
    try {
      const answer = await runPlan(session, readRunOptions(context, flags, updateText), (world) =>
        makePlan(world, rollbackGoal(world, context.options, name), readPlanFlags(flags)),
      );
      for (const warning of answer.warnings) context.terminal.warn(escapeText(warning));
      return { data: answer };
    } finally {
      await session.close();
    }
  },
  human: (answer, context) => answerText(answer, context.options.dryRun ? 'would' : 'done'),
};
