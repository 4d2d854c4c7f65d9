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

export type StatusChange = Partial<Pick<VersionRow, 'state' | 'state_reason' | 'yanked' | 'deprecated'>>;

export const updateStatus = async (trx: Trx, id: number, change: StatusChange): Promise<void> => {
  await trx.updateTable('versions').set(change).where('id', '=', id).execute();
};

export type ReviewRow = Pick<VersionRow, 'id' | 'version' | 'state' | 'publisher' | 'findings'> & { name: string };

/** Versions in `state`, oldest first, with an id above `after`. */
export const listByState = (
  db: Reader,
  state: ListingState,
  page: { after: number; limit: number },
): Promise<ReviewRow[]> =>
  db
    .selectFrom('versions')
    .innerJoin('packages', 'packages.id', 'versions.package_id')
    .select([
      'versions.id',
      'versions.version',
      'versions.state',
      'versions.publisher',
      'versions.findings',
      'packages.name',
    ])
    .where('versions.state', '=', state)
    .where('versions.id', '>', page.after)
    .orderBy('versions.id')
    .limit(page.limit)
    .execute();
