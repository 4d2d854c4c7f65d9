/**
 * `.pi-tools/state.json`: what this machine has to know to take things back. It says which text pi-tools put into users' files,
 * and which versions are kept for a rollback. Not committed: the folder has a .gitignore of its own.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LockedPackage } from '../../schemas/lockfile.ts';
import { Problem } from '../../schemas/problem.ts';
import { fileProblem, isMissing } from './atomic-write.ts';
import { isInnerPath } from './lock-file.ts';

/** What was done to one `allowedTools`. */
export type SettingsRecord = {
  /** Names that pi-tools added. */
  added: string[];
  /** What stood between the brackets of a list that was empty; null when it held something. */
  emptyList: string | null;
  /** A list that pi-tools created: its first names, and what stood in the empty object around it. */
  created: { base: string[]; emptyObject: string | null; file: boolean } | null;
};

/** A key that pi-tools put into slopcode.json or opencode.json, with consent, so that a tool is offered. `file` is relative to the root. */
export type ConfigRecord = { file: string; tool: string; key: 'tools' | 'permission'; whole: boolean };

/** A version that an update replaced: everything a rollback needs. `generated`: path -> text of the files that pi-tools had made for it. */
export type KeptVersion = { package: LockedPackage; folder: string; generated: Record<string, string> };

export type State = {
  formatVersion: 1;
  /** Keyed by `pi/user` and `pi/project`. */
  settings: Record<string, SettingsRecord>;
  config: ConfigRecord[];
  /** Target -> package -> the version before. */
  kept: Record<string, Record<string, KeptVersion>>;
  /** Folders (relative) that pi-tools made; they go with the last package when nothing else is in them. */
  madeFolders: string[];
  /** How many folders from the root's own upwards pi-tools made: 0 none, 1 the root's folder, 2 also its parent … */
  madeAbove: number;
  /** pi-tools made the project file. */
  madeProjectFile: boolean;
};

const emptyState = (): State => ({
  formatVersion: 1,
  settings: {},
  config: [],
  kept: {},
  madeFolders: [],
  madeAbove: 0,
  madeProjectFile: false,
});

export const stateFile = (workFolder: string): string => join(workFolder, 'state.json');

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string');

const isBlank = (value: unknown): boolean => value === null || (typeof value === 'string' && /^\s*$/.test(value));

/** What a record says is put into the user's settings: it may only be white space between brackets, and names. */
export function isSettingsRecord(value: unknown): value is SettingsRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { added, emptyList, created } = value as SettingsRecord;
  if (!isTexts(added) || !isBlank(emptyList)) return false;
  return (
    created === null || (isTexts(created?.base) && isBlank(created.emptyObject) && typeof created.file === 'boolean')
  );
}

/** State may come with a cloned folder: what it names is moved and removed, so it must be where kept versions are. */
const isKeptFolder = (folder: unknown): boolean =>
  typeof folder === 'string' && isInnerPath(folder) && folder.startsWith('.pi-tools/kept/');

const keptFolders = (kept: State['kept']): unknown[] =>
  Object.values(kept).flatMap((packages) => Object.values(packages).map((version) => version?.folder));

const isConfig = (record: ConfigRecord): boolean =>
  isInnerPath(String(record?.file)) && /(?:^|\/)(?:slopcode|opencode)\.jsonc?$/.test(record.file);

function isState(value: unknown): value is State {
  if (typeof value !== 'object' || value === null) return false;
  const { formatVersion, settings, config, kept, madeFolders } = value as State;
  if (formatVersion !== 1 || !Array.isArray(config) || !isTexts(madeFolders) || !madeFolders.every(isInnerPath)) {
    return false;
  }
  if (typeof kept !== 'object' || kept === null || typeof settings !== 'object' || settings === null) return false;
  return (
    Object.values(settings).every(isSettingsRecord) && keptFolders(kept).every(isKeptFolder) && config.every(isConfig)
  );
}

/** The state of a root; an empty one when there is none. Problem `state_invalid` when the file cannot be understood. */
export function readState(workFolder: string): State {
  const file = stateFile(workFolder);
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (isMissing(error)) return emptyState();
    if (!(error instanceof SyntaxError)) throw fileProblem(error, file, 'read');
  }
  if (isState(value)) return value;
  throw new Problem('state_invalid', `\`${file}\` is not what pi-tools writes there`, {
    hint: 'remove the file: the packages stay, only exact undo and rollback of earlier versions are lost',
    details: { file },
  });
}

/** Nothing to take back, nothing kept: only then, and with no package left, the file goes. */
export const isEmptyState = (state: State): boolean =>
  state.config.length === 0 && Object.keys(state.settings).length === 0 && Object.keys(state.kept).length === 0;

export const stateText = (state: State): string => `${JSON.stringify(state, null, 2)}\n`;
