/** A single file is a package too: its `package.json` is derived from what inspection found in it. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Agent } from '../../schemas/common.ts';
import { Problem } from '../../schemas/problem.ts';
import { checkPackageName } from '../name.ts';
import { showText } from '../show-text.ts';
import { checkVersion } from '../version.ts';
import { checkComplete } from './complete.ts';
import { finish, type Packed } from './finish.ts';
import { type ArchiveLimits, DEFAULT_LIMITS } from './limits.ts';
import { refuseSize } from './refusal.ts';

export type PackFileOptions = {
  readonly packageVersion: string;
  /** Who loads the file; found by inspection. */
  readonly agents: readonly Agent[];
  /** What the file registers; found by inspection. A single tool gives the package its name. */
  readonly toolNames: readonly string[];
  readonly packageName?: string;
  readonly description?: string;
  readonly limits?: ArchiveLimits;
};

/**
 * Packs one source file with a derived `package.json`. Throws Problem `invalid_name` (give `packageName`),
 * `invalid_version`, `pack_incomplete` (it imports files beside it), `not_found`, and what packFolder throws.
 */
export const packFile = async (file: string, options: PackFileOptions): Promise<Packed> => {
  const limits = options.limits ?? DEFAULT_LIMITS;
  const name = options.packageName ?? derivePackageName(file, options.toolNames);
  checkPackageName(name);
  checkVersion(options.packageVersion);
  const bytes = await readFile(file).catch((cause) => {
    throw new Problem('not_found', `\`${showText(file)}\` cannot be read`, { cause });
  });
  if (bytes.length > limits.fileBytes)
    throw refuseSize('file-too-large', `\`${showText(file)}\` has too many bytes`, limits.fileBytes);
  const path = basename(file);
  const packageJson = {
    name,
    version: options.packageVersion,
    ...(options.description === undefined ? {} : { description: options.description }),
    ...agentKeys(options.agents, `./${path}`),
  };
  const files = [
    { path, bytes },
    { path: 'package.json', bytes: Buffer.from(`${JSON.stringify(packageJson, null, 2)}\n`) },
  ];
  checkComplete(packageJson, files, []);
  return finish(files, [], limits);
};

/** The only tool's name, else the file's: `_` and capitals become `-` and lower case (`getWeather` -> `get-weather`). */
export const derivePackageName = (file: string, toolNames: readonly string[]): string => {
  const [only, ...others] = toolNames;
  const from = only === undefined || others.length > 0 ? basename(file).replace(/\.[cm]?[jt]sx?$/, '') : only;
  return from
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/[_.\s]+/g, '-')
    .toLowerCase()
    .replace(/-{2,}/g, '-')
    .replace(/^-|-$/g, '');
};

const agentKeys = (agents: readonly Agent[], path: string): object => ({
  ...(agents.includes('pi') ? { pi: { extensions: [path] } } : {}),
  ...(agents.includes('slopcode') ? { slopcode: { tools: [path] } } : {}),
  ...(agents.includes('opencode') ? { opencode: { tools: [path] } } : {}),
});
