/** Reads: the package document, and finding a version as somebody may see it. */
import type { PackageDocument, PackageVersion } from '../../schemas/api/packages.ts';
import { Problem } from '../../schemas/problem.ts';
import { compareVersions } from '../../tool-package/version.ts';
import type { Deps } from '../deps.ts';
import { findPackage, listOwners, listTags } from '../store/packages.ts';
import type { PackageRow, VersionRow } from '../store/tables.ts';
import { findVersion, listVersionHeads, type VersionHead } from '../store/versions.ts';
import { chooseLatest } from './listing.ts';
import { readSummary } from './summary.ts';
import { seesUnlisted, type Viewer } from './viewer.ts';

/**
 * All versions that the viewer may see: the listed ones; for owners, curators and administrators every one, with its
 * state. Undefined when there is nothing to see.
 */
export const findDocument = async (
  deps: Deps,
  name: string,
  viewer: Viewer | null,
): Promise<PackageDocument | undefined> => {
  const row = await findPackage(deps.store.read, name);
  if (row === undefined) return undefined;
  const [owners, tags, heads] = await Promise.all([
    listOwners(deps.store.read, row.id),
    listTags(deps.store.read, row.id),
    listVersionHeads(deps.store.read, row.id),
  ]);
  const seesAll = seesUnlisted(viewer, owners);
  const visible = heads.filter((head) => seesAll || head.state === 'listed');
  if (visible.length === 0) return undefined;
  visible.sort((left, right) => compareVersions(left.version, right.version));
  return {
    name: row.name,
    description: row.description,
    owners,
    tags: documentTags(visible, tags),
    versions: visible.map(documentVersion),
  };
};

/** Whether the viewer sees more of the package than everybody does. */
export const seesMore = async (deps: Deps, name: string, viewer: Viewer | null): Promise<boolean> => {
  if (viewer === null || viewer.scopes.has('review')) return viewer !== null;
  const row = await findPackage(deps.store.read, name);
  return row !== undefined && seesUnlisted(viewer, await listOwners(deps.store.read, row.id));
};

export const getDocument = async (deps: Deps, name: string, viewer: Viewer | null): Promise<PackageDocument> => {
  const document = await findDocument(deps, name, viewer);
  if (document === undefined) throw packageNotFound(name);
  return document;
};

export type Found = { readonly row: PackageRow; readonly version: VersionRow; readonly owners: readonly string[] };

/**
 * The version, when the viewer may know of it. Throws `package_not_found` or `version_not_found`: pending and rejected
 * versions do not exist for others, and a package without a visible version neither.
 */
export const getVersion = async (deps: Deps, name: string, version: string, viewer: Viewer | null): Promise<Found> => {
  const row = await findPackage(deps.store.read, name);
  if (row === undefined) throw packageNotFound(name);
  const owners = await listOwners(deps.store.read, row.id);
  const found = await findVersion(deps.store.read, row.id, version);
  const isPublic = found?.state === 'listed' || found?.state === 'quarantined';
  if (found !== undefined && (isPublic || seesUnlisted(viewer, owners))) return { row, version: found, owners };
  if (row.latest === null && !seesUnlisted(viewer, owners)) throw packageNotFound(name);
  throw versionNotFound(name, version);
};

export const packageNotFound = (name: string): Problem =>
  new Problem('package_not_found', `There is no package \`${name}\``, {
    hint: 'Look for it with `pi-tools search`.',
    details: { name },
  });

export const versionNotFound = (name: string, version: string): Problem =>
  new Problem('version_not_found', `\`${name}\` has no version \`${version}\``, {
    hint: `See its versions with \`pi-tools info ${name}\`.`,
    details: { name, version },
  });

/** Tags whose version is visible, and `latest`, which is computed and therefore never out of date. */
const documentTags = (
  visible: readonly VersionHead[],
  tags: readonly { tag: string; version: string }[],
): Record<string, string> => {
  const known = new Set(visible.map((head) => head.version));
  const latest = chooseLatest(visible.filter((head) => head.state === 'listed'));
  const entries = tags.filter((tag) => known.has(tag.version)).map((tag) => [tag.tag, tag.version] as const);
  return Object.fromEntries(latest === undefined ? entries : [['latest', latest], ...entries]);
};

const documentVersion = (head: VersionHead): PackageVersion => {
  const summary = readSummary(head.summary);
  return {
    version: head.version,
    integrity: head.integrity,
    recordDigest: head.record_digest,
    archiveSize: head.archive_size,
    agents: [...summary.agents],
    tools: [...summary.tools],
    dependencies: { ...summary.dependencies },
    npmDependencies: summary.npmDependencies,
    engines: { ...summary.engines },
    state: head.state,
    yanked: head.yanked,
    deprecated: head.deprecated,
    publishedAt: head.published_at,
  };
};
