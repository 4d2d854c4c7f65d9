/** What came before a version that is about to be published. */
import type { Finding } from '../../schemas/finding.ts';
import type { ManifestRecord } from '../../schemas/manifest.ts';
import { compareVersions } from '../../tool-package/version.ts';
import type { Deps } from '../deps.ts';
import type { PackageRow } from '../store/tables.ts';
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
  const below = listed.filter((head) => compareVersions(head.version, version) < 0);
  const highest = below.sort((left, right) => compareVersions(right.version, left.version))[0];
  const previous = highest && (await findVersion(deps.store.read, row.id, highest.version));
  return {
    previous: previous === undefined ? null : (JSON.parse(previous.record) as ManifestRecord),
    findings: isNewPublisher(listed, viewer) ? [newPublisher(row.name, viewer.user, listed)] : [],
  };
};

/** Curators and administrators would only be asked to look at themselves. */
const isNewPublisher = (listed: readonly VersionHead[], viewer: Viewer): boolean =>
  listed.length > 0 && viewer.role === 'publisher' && listed.every((head) => head.publisher !== viewer.user);

/** A package that changes hands is how a harmless tool becomes a hostile one. */
const newPublisher = (name: string, user: string, listed: readonly VersionHead[]): Finding => {
  const before = [...new Set(listed.map((head) => head.publisher))].sort();
  return {
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
};
