import type { CommandModule, Context } from '../command.ts';
import { ALLOW_OVERRIDE, NO_ALLOWED_TOOLS, readPlanFlags, readRunOptions } from '../install/flags.ts';
import { type Failure, updateGoal } from '../install/goal-update.ts';
import { makePlan } from '../install/plan.ts';
import { type RunAnswer, runPlan } from '../install/run.ts';
import { answerText } from '../install/say-plan.ts';
import { openSession } from '../install/session.ts';
import { escapeText } from '../terminal/escape.ts';
import { updateText } from '../terminal/update-view.ts';

type UpdateAnswer = RunAnswer & { failures: { package: string; code: string; message: string; hint: string | null }[] };

export const command: CommandModule<UpdateAnswer> = {
  define: {
    name: 'update',
    aliases: ['upgrade'],
    summary: 'Update packages within their ranges',
    arguments: '[name...]',
    options: [NO_ALLOWED_TOOLS, ALLOW_OVERRIDE],
    examples: ['pi-tools update', 'pi-tools update weather --dry-run'],
  },
  run: async (context, names, flags) => {
    const session = openSession(context);
    let failures: Failure[] = [];
    try {
      const answer = await runPlan(session, readRunOptions(context, flags, updateText), async (world) => {
        const goal = await updateGoal(world, session, names);
        failures = goal.failures;
        return makePlan(world, { picks: goal.picks, removals: [], notes: goal.notes }, readPlanFlags(flags));
      });
      report(context, answer, failures);
      return { data: { ...answer, failures: failures.map(asRow) }, exitCode: failures[0]?.problem.exitCode ?? 0 };
    } finally {
      await session.close();
    }
  },
  human: (answer, context) => answerText(answer, context.options.dryRun ? 'would' : 'done'),
};

const asRow = ({ package: name, problem }: Failure) => ({
  package: name,
  code: problem.code,
  message: problem.message,
  hint: problem.hint,
});

/** Alone, a failure is the whole answer; beside others that were updated, it is told and decides the exit code. */
const report = (context: Context, answer: RunAnswer, failures: readonly Failure[]): void => {
  const [first] = failures;
  if (first !== undefined && failures.length === 1 && answer.changes.length === 0) throw first.problem;
  for (const { package: name, problem } of failures)
    context.terminal.warn(escapeText(`${name} was not updated: ${problem.message}`));
  for (const warning of answer.warnings) context.terminal.warn(escapeText(warning));
};
