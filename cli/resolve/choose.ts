/** The versions of one package that fit what is wanted, best first. Pure. */
import type { PackageDocument, PackageVersion } from '../../schemas/api/packages.ts';
import { Problem } from '../../schemas/problem.ts';
import { compareVersions, isPrerelease, satisfiesRange } from '../../tool-package/version.ts';
import type { Wanted } from './request.ts';

export type ChooseOptions = {
  /** A version that a lock file names: may be yanked. */
  locked?: string | undefined;
};

/** A document holds listed versions; a curator or owner may also see others, which only an exact version picks. */
const isListed = (version: PackageVersion): boolean => version.state === 'listed';

const newestFirst = (versions: readonly PackageVersion[]): PackageVersion[] =>
  [...versions].sort((a, b) => compareVersions(b.version, a.version));

/** The highest stable version first; pre-releases only where there is nothing else. */
const stableFirst = (versions: readonly PackageVersion[]): PackageVersion[] => {
  const stable = versions.filter((one) => !isPrerelease(one.version));
  return newestFirst(stable.length > 0 ? stable : versions);
};

/**
 * All versions that may be taken, best first; empty where none fits. Yanked versions count only when they are locked or
 * asked for exactly; a tag's version counts while it is listed and not yanked. A locked version that fits comes first.
 */
export const listCandidates = (
  document: PackageDocument,
  wanted: Wanted,
  options: ChooseOptions = {},
): PackageVersion[] => {
  if (wanted.kind === 'exact') return document.versions.filter((one) => one.version === wanted.version);
  const usable = document.versions.filter(
    (one) => isListed(one) && (one.yanked === null || one.version === options.locked),
  );
  const found = matching(document, usable, wanted);
  const locked = found.filter((one) => one.version === options.locked);
  return [...locked, ...found.filter((one) => one.version !== options.locked)];
};

const matching = (document: PackageDocument, usable: readonly PackageVersion[], wanted: Wanted): PackageVersion[] => {
  if (wanted.kind === 'tag') {
    const version = Object.hasOwn(document.tags, wanted.tag) ? document.tags[wanted.tag] : undefined;
    return usable.filter((one) => one.version === version);
  }
  if (wanted.kind !== 'range') return stableFirst(usable);
  const fitting = usable.filter((one) => satisfiesRange(one.version, wanted.range));
  // `*` means "whatever is there", also where only a pre-release is there.
  return fitting.length === 0 && wanted.range === '*' ? stableFirst(usable) : newestFirst(fitting);
};

/** The best version. Throws `version_not_found`, `tag_not_found`, `no_matching_version`, naming what there is. */
export const chooseVersion = (
  document: PackageDocument,
  wanted: Wanted,
  options: ChooseOptions = {},
): PackageVersion => {
  const [best] = listCandidates(document, wanted, options);
  if (best !== undefined) return best;
  throw explainNone(document, wanted);
};

const MAX_NAMED = 5;

/** Why no version of the package fits. */
export const explainNone = (document: PackageDocument, wanted: Wanted): Problem => {
  const { name } = document;
  const there = newestFirst(document.versions.filter((one) => isListed(one) && one.yanked === null));
  const named = there.slice(0, MAX_NAMED).map((one) => `\`${one.version}\``);
  const rest = there.length > MAX_NAMED ? ` and ${there.length - MAX_NAMED} older` : '';
  const hint = named.length === 0 ? 'it has no version that can be chosen' : `there is ${named.join(', ')}${rest}`;
  const details = { package: name, available: there.map((one) => one.version) };
  if (wanted.kind === 'exact') {
    return new Problem('version_not_found', `\`${name}\` has no version \`${wanted.version}\``, { hint, details });
  }
  if (wanted.kind === 'tag') return explainTag(document, wanted.tag, details);
  const what =
    wanted.kind === 'range' ? `no version that fits \`${wanted.range}\`` : 'no version that can be installed';
  const yanked = document.versions.filter((one) => one.yanked !== null);
  return new Problem(
    'no_matching_version',
    `\`${name}\` has ${what}${yanked.length > 0 ? ` (${yanked.length} yanked)` : ''}`,
    {
      hint,
      details,
    },
  );
};

const explainTag = (document: PackageDocument, tag: string, details: object): Problem => {
  const tags = Object.keys(document.tags).sort();
  const target = Object.hasOwn(document.tags, tag) ? document.tags[tag] : undefined;
  const message =
    target === undefined
      ? `\`${document.name}\` has no tag \`${tag}\``
      : `\`${document.name}@${tag}\` is \`${target}\`, which is yanked or not listed`;
  return new Problem('tag_not_found', message, {
    hint: tags.length === 0 ? 'it has no tags' : `its tags are ${tags.map((one) => `\`${one}\``).join(', ')}`,
    details: { ...details, tags },
  });
};

/** What a user should hear about the version that was chosen; null where there is nothing to say. */
export const noteOn = (chosen: PackageVersion, wanted: Wanted): string | null => {
  if (chosen.yanked !== null) return `\`${chosen.version}\` is yanked: ${chosen.yanked}`;
  if (isPrerelease(chosen.version) && wanted.kind === 'default') {
    return `\`${chosen.version}\` is a pre-release: there is no stable version yet`;
  }
  return null;
};
