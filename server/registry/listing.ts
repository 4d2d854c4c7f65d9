/** Listing states, tags, and what search shows: the rules that follow every change of a version. */
import type { Finding } from '../../schemas/finding.ts';
import type { ListingState, ManifestRecord } from '../../schemas/manifest.ts';
import { compareVersions, highestVersion } from '../../tool-package/version.ts';
import type { ReviewMode } from '../deps.ts';
import { listTags, putTag, updatePackage } from '../store/packages.ts';
import type { PackageRow, Trx } from '../store/tables.ts';
import { findVersion, listVersionHeads, type VersionHead } from '../store/versions.ts';
import { readSummary } from './summary.ts';
import { automaticTag } from './tag-rules.ts';

/** The state that a new version gets; `open` are the findings that no waiver holds for, and no error is among them. */
export const firstState = (review: ReviewMode, open: readonly Finding[]): ListingState => {
  if (review === 'required') return 'pending';
  const waits = review === 'auto' && open.some((finding) => finding.level === 'review');
  return waits ? 'pending' : 'listed';
};

type Choosable = Pick<VersionHead, 'version' | 'yanked'>;

/** `latest`: the highest stable version, a pre-release only where there is nothing else; a yanked one only likewise. */
export const chooseLatest = (versions: readonly Choosable[]): string | undefined => {
  const good = versions.filter((version) => version.yanked === null);
  return highestVersion((good.length > 0 ? good : versions).map((version) => version.version));
};

/**
 * Follows a change of any version of the package: raises its revision, so that prepared answers are made anew, and sets
 * what search shows. Call it last in the transaction.
 */
export const refreshPackage = async (trx: Trx, row: PackageRow): Promise<void> => {
  const listed = (await listVersionHeads(trx, row.id)).filter((head) => head.state === 'listed');
  const latest = chooseLatest(listed);
  const version = latest === undefined ? undefined : await findVersion(trx, row.id, latest);
  if (version === undefined) return updatePackage(trx, row.id, null);
  const record = JSON.parse(version.record) as ManifestRecord;
  const { agents, tools } = readSummary(version.summary);
  await updatePackage(trx, row.id, {
    latest: version.version,
    description: record.description,
    agents,
    tools,
    document: {
      name: record.name,
      tools,
      keywords: record.keywords,
      descriptions: [record.description, ...toolDescriptions(record)],
      readme: version.readme ?? '',
    },
  });
};

/** Gives a version that has just been listed the tag it was published with. An automatic tag never moves back. */
export const applyPublishTag = async (trx: Trx, packageId: number, version: VersionHead): Promise<void> => {
  const { publish_tag: tag } = version;
  if (tag === null) return;
  const current = (await listTags(trx, packageId)).find((row) => row.tag === tag)?.version;
  const isAutomatic = tag === automaticTag(version.version);
  if (isAutomatic && current !== undefined && compareVersions(current, version.version) > 0) return;
  await putTag(trx, packageId, tag, version.version);
};

const toolDescriptions = (record: ManifestRecord): string[] =>
  Object.values(record.agents).flatMap((agent) => (agent?.tools ?? []).map((tool) => tool.description));
