/** Versions and ranges: semver, minus what semver forgives (`v1.0.0`, ` 1.0.0`, build metadata, numbers that no one can add to). */
import semver from 'semver';
import { Problem } from '../schemas/problem.ts';
import { showText } from './show-text.ts';

const MAX_VERSION_LENGTH = 64;
const MAX_RANGE_LENGTH = 256;
const MAX_NUMBER = 2 ** 31;

/** Throws Problem `invalid_version` unless `version` is canonical semver without build metadata. */
export const checkVersion = (version: string): void => {
  const parsed = version.length <= MAX_VERSION_LENGTH ? semver.parse(version) : null;
  if (parsed === null || parsed.version !== version || parsed.build.length > 0) {
    throw invalidVersion(
      version,
      'a version is three numbers, as `1.0.0` or `2.1.0-beta.1`, with nothing before or after',
    );
  }
  const numbers = [
    parsed.major,
    parsed.minor,
    parsed.patch,
    ...parsed.prerelease.filter((part) => typeof part === 'number'),
  ];
  if (numbers.some((number) => number > MAX_NUMBER))
    throw invalidVersion(version, `no number may be above ${MAX_NUMBER}`);
};

const invalidVersion = (version: string, hint: string): Problem =>
  new Problem('invalid_version', `\`${showText(version, 80)}\` is not a version`, {
    hint,
    details: { version: showText(version, 80) },
  });

/** Throws Problem `invalid_range` unless `range` is a semver range that can be stored and compared cheaply. */
export const checkRange = (range: string): void => {
  if (range.length > 0 && range.length <= MAX_RANGE_LENGTH && semver.validRange(range) !== null) return;
  throw new Problem('invalid_range', `\`${showText(range, 80)}\` is not a version range`, {
    hint: 'a range is `1.2.0`, `^1.2.0`, `~1.2.0`, `>=1.0.0 <3.0.0` or `*`',
    details: { range: showText(range, 80) },
  });
};

/** -1, 0 or 1, by semver's order. Both must have passed checkVersion. */
export const compareVersions = (left: string, right: string): number => semver.compare(left, right);

/** Whether the version is a pre-release (`1.0.0-beta.1`). */
export const isPrerelease = (version: string): boolean => semver.prerelease(version) !== null;

/** Whether the version lies in the range; a pre-release only where the range itself names one of the same triple. */
export const satisfiesRange = (version: string, range: string): boolean => semver.satisfies(version, range);

/**
 * The version that a user gets: the highest in `range`. Without a range the highest stable one, and a pre-release only
 * where there is nothing else; undefined where nothing fits.
 */
export const highestVersion = (versions: readonly string[], options: { range?: string } = {}): string | undefined => {
  const range = options.range ?? '*';
  const found = semver.maxSatisfying([...versions], range);
  if (found !== null) return found;
  return range === '*'
    ? (semver.maxSatisfying([...versions], '*', { includePrerelease: true }) ?? undefined)
    : undefined;
};
