/** What one run will do to one root: made by the plans, shown to the user, carried out by apply.ts. Data only. */
import type { Target } from '../../schemas/agents.ts';
import type { Lockfile } from '../../schemas/lockfile.ts';
import type { PackageArchive } from '../../tool-package/archive/read.ts';
import type { Root } from '../state/paths.ts';
import type { State } from '../state/state-file.ts';

export type Action = 'install' | 'update' | 'remove' | 'rollback' | 'repair';

/** One row of the answer (INTERFACE.md 4). */
export type ChangeRow = {
  action: Action;
  package: string;
  from: string | null;
  to: string | null;
  target: Target;
  location: string;
  tools: string[];
  integrity: string;
};

/** A folder to make: from an archive with files of ours beside, or as a copy of a kept one. */
export type Fill =
  | { kind: 'archive'; folder: string; archive: PackageArchive; extra: readonly { path: string; bytes: Buffer }[] }
  | { kind: 'copy'; folder: string; from: string };

/** A file of ours to write (bytes) or to remove (null). */
export type FileChange = { file: string; bytes: Buffer | null; mode?: number };

/** What happens to one `allowedTools`. */
export type SettingsWork = {
  key: 'pi/user' | 'pi/project';
  file: string;
  add: string[];
  remove: string[];
  /** A new list is made, of these names besides the built-ins and `add`. */
  create: { others: string[] } | null;
};

export type RootChange = {
  root: Root;
  rows: ChangeRow[];
  fills: Fill[];
  /** In order; the switch of a package is its last file here. */
  files: FileChange[];
  settings: SettingsWork[];
  lock: Lockfile;
  /** The project file's new text; null: it goes; undefined: it stays. */
  projectText: string | null | undefined;
  /** Changes the state: what is kept for a rollback. Settings records are kept by apply itself. */
  keep(state: State): void;
  /** After the commit: folders to move away, or to remove. */
  retire: { from: string; to: string | null }[];
  /** After the commit: files to remove, with folders that become empty. */
  clear: string[];
};

/** One entry of `settings` in the answer. */
export type SettingsRow = { file: string; added: string[]; removed: string[]; created: boolean };

/** True where the run would write nothing. */
export const isIdle = (change: RootChange): boolean =>
  change.rows.length === 0 && change.fills.length === 0 && change.files.length === 0 && change.settings.length === 0;
