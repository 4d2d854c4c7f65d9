/** Flags that install, update and rollback share. */
import type { Context, Flags, OptionDefinition } from '../command.ts';
import type { VersionDiff } from './diffs.ts';
import type { PlanFlags } from './plan.ts';
import type { RunOptions } from './run.ts';
import { planLines } from './say-plan.ts';

export const NO_ALLOWED_TOOLS: OptionDefinition = { flags: '--no-allowed-tools', description: 'leave settings alone' };

export const ALLOW_OVERRIDE: OptionDefinition = {
  flags: '--allow-override <tool...>',
  description: "allow a package to replace the agent's own tool",
};

/** `updateText` gives what an update changes in words; '' for nothing. */
export const readRunOptions = (
  { terminal }: Context,
  flags: Flags,
  updateText: (diff: VersionDiff, columns: number) => string,
): RunOptions => ({
  allowedOverrides: (flags.allowOverride ?? []) as string[],
  lock: flags.frozen === true ? 'frozen' : 'free',
  show: (plan, diffs) => {
    for (const line of planLines(plan)) terminal.say(line);
    for (const diff of diffs) terminal.say(updateText(diff, terminal.columns));
  },
});

export const readPlanFlags = (flags: Flags): PlanFlags => ({
  settings: flags.allowedTools === false ? 'leave' : 'edit',
});
