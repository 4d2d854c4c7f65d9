/** What came before a version that is about to be published. */
import type { Finding } from '../../schemas/finding.ts';
import type { ManifestRecord } from '../../schemas/manifest.ts';
import { evidenceOf } from '../../tool-package/finding-evidence.ts';
import { compareVersions } from '../../tool-package/version.ts';
import type { Deps } from '../deps.ts';
import type { PackageRow, VersionRow } from '../store/tables.ts';
import { findVersion, listVersionHeads, type VersionHead } from '../store/versions.ts';
import type { Viewer } from './viewer.ts';

export type Background = {
  /** The record that the new version is compared with: of the highest listed version below it. */
  readonly previous: ManifestRecord | null;
  /** What only the registry can say: an archive does not know who sends it. */
  readonly findings: readonly Finding[];
};

/** `row` is the package, where there is one already. */
export const lookBack = async (
  deps: Deps,
  row: PackageRow | undefined,
  version: string,
  viewer: Viewer,
): Promise<Background> => {
  if (row === undefined) return { previous: null, findings: [] };
  const listed = (await listVersionHeads(deps.store.read, row.id)).filter((head) => head.state === 'listed');
  return {
    previous: await recordBelow(deps, listed, version),
    findings: isNewPublisher(listed, viewer) ? [newPublisher(row.name, viewer.user, listed)] : [],
  };
};

/**
 * What a version that is here already was compared with: of those published before it that were listed, as far as is
 * known, the highest below it.
 */
export const recordBefore = async (deps: Deps, row: VersionRow): Promise<ManifestRecord | null> => {
  const heads = await listVersionHeads(deps.store.read, row.package_id);
  const earlier = heads.filter(({ id, state }) => id < row.id && (state === 'listed' || state === 'quarantined'));
  return recordBelow(deps, earlier, row.version);
};

const recordBelow = async (
  deps: Deps,
  heads: readonly VersionHead[],
  version: string,
): Promise<ManifestRecord | null> => {
  const below = heads.filter((head) => compareVersions(head.version, version) < 0);
  const highest = below.sort((left, right) => compareVersions(right.version, left.version))[0];
  const found = highest && (await findVersion(deps.store.read, highest.package_id, highest.version));
  return found === undefined ? null : (JSON.parse(found.record) as ManifestRecord);
};

/** Curators and administrators would only be asked to look at themselves. */
const isNewPublisher = (listed: readonly VersionHead[], viewer: Viewer): boolean =>
  listed.length > 0 && viewer.role === 'publisher' && listed.every((head) => head.publisher !== viewer.user);

/** A package that changes hands is how a harmless tool becomes a hostile one. */
const newPublisher = (name: string, user: string, listed: readonly VersionHead[]): Finding => {
  const before = [...new Set(listed.map((head) => head.publisher))].sort();
  const finding: Finding = {
    rule: 'change/publisher',
    level: 'review',
    agent: null,
    tool: null,
    field: 'publisher',
    file: null,
    line: null,
    message: `the first version of \`${name}\` by \`${user}\`; so far: ${before.map((known) => `\`${known}\``).join(', ')}`,
    hint: 'check with the owners that they know the new publisher',
  };
  // About people, and not about the archive: the message says it all.
  return { ...finding, evidence: evidenceOf(finding, null) };
};
