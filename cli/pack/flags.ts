/** What `pack`, `check` and `publish` have in common. */
import type { Context, Flags, OptionDefinition } from '../command.ts';
import { type LocalPackage, openLocalPackage } from './local-package.ts';

export const FILE_OPTIONS: readonly OptionDefinition[] = [
  { flags: '--package-name <name>', description: 'of a single file: the package’s name (default: after its tool)' },
  { flags: '--package-version <version>', description: 'of a single file: the package’s version' },
];

const textFlag = (flags: Flags, name: string): string | undefined =>
  typeof flags[name] === 'string' ? flags[name] : undefined;

/** The package at `path` (default: the working folder). */
export const openNamedPackage = (
  { environment, options }: Context,
  path: string | undefined,
  flags: Flags,
): Promise<LocalPackage> =>
  openLocalPackage(path ?? '.', {
    cwd: environment.cwd,
    packageName: textFlag(flags, 'packageName'),
    packageVersion: textFlag(flags, 'packageVersion'),
    agents: options.agents,
    write: options.dryRun ? 'nothing' : 'pins',
  });
