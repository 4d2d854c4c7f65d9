/** Hostile packages of every kind: each near a limit, or made to be slow, large, endless or unreadable. */
import { ARCHIVE_KINDS } from './archives.ts';
import type { HostilePackage } from './hostile-package.ts';
import { PROGRAM_KINDS } from './programs.ts';
import { SOURCE_KINDS } from './sources.ts';

export type { HostilePackage } from './hostile-package.ts';
export const HOSTILE_PACKAGES: readonly HostilePackage[] = [...SOURCE_KINDS, ...PROGRAM_KINDS, ...ARCHIVE_KINDS];
