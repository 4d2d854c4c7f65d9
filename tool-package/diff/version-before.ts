import { compareVersions, isPrerelease } from '../version.ts';

/**
 * The version that `until` is compared with when no other is named: the highest below it, a stable one where `until` is
 * stable and has one, since pre-releases are steps on the way. Undefined where there is none.
 */
export function versionBefore(versions: readonly string[], until: string): string | undefined {
  const earlier = versions.filter((version) => compareVersions(version, until) < 0).sort(compareVersions);
  const stable = isPrerelease(until) ? [] : earlier.filter((version) => !isPrerelease(version));
  return (stable.length > 0 ? stable : earlier).at(-1);
}
