/** What every command but --dry-run does first: roots in reach that an interrupted command left in between are mended. */
import type { GlobalOptions } from '../command.ts';
import type { Environment } from '../environment.ts';
import type { Place } from '../state/paths.ts';
import { mendRoots } from './roots.ts';
import { listRoots, settingsFilesOf } from './world.ts';

type Mending = {
  environment: Environment;
  options: Pick<GlobalOptions, 'dryRun'>;
  terminal: { say(text: string): void };
};

/** Mends all roots of the places, unless nothing may be written. */
export async function mendAll({ environment, options, terminal }: Mending, places: readonly Place[]): Promise<void> {
  if (options.dryRun) return;
  await mendRoots(listRoots(places), {
    clock: environment,
    settingsFiles: settingsFilesOf({ places }),
    say: terminal.say,
  });
}
