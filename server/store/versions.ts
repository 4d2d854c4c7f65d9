/** Versions of packages. */
import type { Insertable } from 'kysely';
import type { ListingState } from '../../schemas/manifest.ts';
import type { Reader, Tables, Trx, VersionRow } from './tables.ts';

export type NewVersion = Insertable<Tables['versions']>;

/** What the package document needs; records are left in the table. */
export type VersionHead = Omit<VersionRow, 'record' | 'readme' | 'findings' | 'waivers'>;

const HEAD_COLUMNS = [
  'id',
  'package_id',
  'version',
  'integrity',
  'sha512',
  'archive_size',
  'record_digest',
  'summary',
  'publisher',
  'published_at',
  'publish_tag',
  'state',
  'state_reason',
  'rule_set',
  'open_findings',
  'tokens',
  'yanked',
  'deprecated',
] as const;

export const insertVersion = async (trx: Trx, row: NewVersion): Promise<void> => {
  await trx.insertInto('versions').values(row).execute();
};

export const findVersion = (db: Reader | Trx, packageId: number, version: string): Promise<VersionRow | undefined> =>
  db
    .selectFrom('versions')
    .selectAll()
    .where('package_id', '=', packageId)
    .where('version', '=', version)
    .executeTakeFirst();

export const findVersionHead = (
  db: Reader | Trx,
  packageId: number,
  version: string,
): Promise<VersionHead | undefined> =>
  db
    .selectFrom('versions')
    .select(HEAD_COLUMNS)
    .where('package_id', '=', packageId)
    .where('version', '=', version)
    .executeTakeFirst();

export const listVersionHeads = (db: Reader | Trx, packageId: number): Promise<VersionHead[]> =>
  db.selectFrom('versions').select(HEAD_COLUMNS).where('package_id', '=', packageId).execute();

/** The version whose archive has this sha512, with its package's name. */
export const findVersionByBlob = (db: Reader | Trx, sha512: string) =>
  db
    .selectFrom('versions')
    .innerJoin('packages', 'packages.id', 'versions.package_id')
    .select(['versions.version', 'versions.package_id', 'packages.name'])
    .where('versions.sha512', '=', sha512)
    .executeTakeFirst();

export type StatusChange = Partial<
  Pick<
    VersionRow,
    | 'state'
    | 'state_reason'
    | 'yanked'
    | 'deprecated'
    | 'rule_set'
    | 'findings'
    | 'waivers'
    | 'open_findings'
    | 'tokens'
  >
>;

export const updateStatus = async (trx: Trx, id: number, change: StatusChange): Promise<void> => {
  await trx.updateTable('versions').set(change).where('id', '=', id).execute();
};

/** What is said about each version of a package, without what it is. */
export const listJudged = (
  db: Reader | Trx,
  packageId: number,
): Promise<Pick<VersionRow, 'id' | 'publisher' | 'findings' | 'waivers' | 'open_findings'>[]> =>
  db
    .selectFrom('versions')
    .select(['id', 'publisher', 'findings', 'waivers', 'open_findings'])
    .where('package_id', '=', packageId)
    .orderBy('id')
    .execute();

export type ReviewRow = Pick<VersionRow, 'id' | 'version' | 'state' | 'publisher' | 'findings' | 'waivers'> & {
  name: string;
};

/** `all` of a state, or only `open` ones: with findings that nobody has decided on. */
export type ReviewFilter = { readonly state: ListingState; readonly which: 'all' | 'open' };

/** Versions in a state, oldest first, with an id above `after`. */
export const listByState = (
  db: Reader,
  { state, which }: ReviewFilter,
  page: { after: number; limit: number },
): Promise<ReviewRow[]> => {
  const found = db
    .selectFrom('versions')
    .innerJoin('packages', 'packages.id', 'versions.package_id')
    .select([
      'versions.id',
      'versions.version',
      'versions.state',
      'versions.publisher',
      'versions.findings',
      'versions.waivers',
      'packages.name',
    ])
    .where('versions.state', '=', state)
    .where('versions.id', '>', page.after)
    .orderBy('versions.id')
    .limit(page.limit);
  return (which === 'open' ? found.where('versions.open_findings', '>', 0) : found).execute();
};

/**
 * Ids of versions that were judged by other rules than `ruleSet` (null: of all versions), oldest first. All at once: asked
 * for by pages and in order, SQLite would read every record to come to the column behind it instead of the index.
 */
export const listForRescan = async (db: Reader, ruleSet: string | null): Promise<number[]> => {
  const all = db.selectFrom('versions').select('id');
  const rows = await (ruleSet === null ? all : all.where('rule_set', '!=', ruleSet)).execute();
  return rows.map((row) => row.id).sort((left, right) => left - right);
};

/** A version by its own id, with its package's name. */
export const findVersionById = (db: Reader | Trx, id: number): Promise<(VersionRow & { name: string }) | undefined> =>
  db
    .selectFrom('versions')
    .innerJoin('packages', 'packages.id', 'versions.package_id')
    .selectAll('versions')
    .select('packages.name')
    .where('versions.id', '=', id)
    .executeTakeFirst();
