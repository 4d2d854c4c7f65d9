/** Package names: one rule for the author, the registry and the client. */
import { PACKAGE_NAME_PATTERN } from '../schemas/agents.ts';
import { Problem } from '../schemas/problem.ts';
import { showText } from './show-text.ts';

const NAME = new RegExp(PACKAGE_NAME_PATTERN);
const MAX_PART_LENGTH = 64;
/** Names that mean something to a file system, a route or an object, and would be read as that. */
const RESERVED = new Set([
  'index',
  'install',
  'api',
  'constructor',
  'prototype',
  'v1',
  'healthz',
  'readyz',
  'metrics',
  'openapi',
]);
/** Windows opens the device whatever the folder or the ending. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/;

const EXAMPLE =
  'a name is `weather` or `@team/weather`: a-z, 0-9 and single hyphens inside, at most 64 characters each part';

/** Takes a name as it was written; throws Problem `invalid_name` when no package can have it. */
export const checkPackageName = (name: string): void => {
  // The length comes first: nothing below runs on a megabyte.
  if (name.length > 2 * MAX_PART_LENGTH + 2 || !NAME.test(name)) throw invalid(name, 'is not a package name');
  const parts = name.startsWith('@') ? name.slice(1).split('/') : [name];
  if (parts.some((part) => part.length > MAX_PART_LENGTH)) throw invalid(name, 'is too long');
  if (parts.some((part) => RESERVED.has(part) || DEVICE.test(part))) throw invalid(name, 'is a reserved name');
};

const invalid = (name: string, what: string): Problem =>
  new Problem('invalid_name', `\`${showText(name)}\` ${what}`, { hint: EXAMPLE, details: { name: showText(name) } });

/** What is left of a name when case, separators and look-alike digits are taken away: two names with one skeleton are too similar. */
export const nameSkeleton = (name: string): string =>
  name.normalize('NFKC').toLowerCase().replace(/[-_.]/g, '').replaceAll('0', 'o').replaceAll('1', 'l');

/** The folder that a package is installed in: `@team/x` -> `@team+x`, because agents look one level deep. */
export const folderName = (name: string): string => name.replace('/', '+');
