/** Packages, owners, tags. */
import { CompiledQuery } from 'kysely';
import { indexStatements, type SearchDocument } from './sqlite/search-index.ts';
import type { PackageRow, Reader, Trx } from './tables.ts';

export const findPackage = (db: Reader | Trx, name: string): Promise<PackageRow | undefined> =>
  db.selectFrom('packages').selectAll().where('name', '=', name).executeTakeFirst();

/** The package whose name differs only in ways that people overlook. */
export const findPackageBySkeleton = (db: Reader | Trx, skeleton: string): Promise<PackageRow | undefined> =>
  db.selectFrom('packages').selectAll().where('skeleton', '=', skeleton).executeTakeFirst();

export const insertPackage = (
  trx: Trx,
  row: { name: string; skeleton: string; createdAt: string },
): Promise<PackageRow> =>
  trx
    .insertInto('packages')
    .values({
      name: row.name,
      skeleton: row.skeleton,
      revision: 0,
      created_at: row.createdAt,
      latest: null,
      description: '',
      agents: '[]',
      tools: '[]',
    })
    .returningAll()
    .executeTakeFirstOrThrow();

/** What search shows of a package. */
export type PackageCard = {
  readonly latest: string;
  readonly description: string;
  readonly agents: readonly string[];
  readonly tools: readonly string[];
  readonly document: SearchDocument;
};

/** Raises the revision, and sets the card and the search row; `card` is null while nothing is listed. */
export const updatePackage = async (trx: Trx, id: number, card: PackageCard | null): Promise<void> => {
  await trx
    .updateTable('packages')
    .set((eb) => ({
      revision: eb('revision', '+', 1),
      latest: card?.latest ?? null,
      description: card?.description ?? '',
      agents: JSON.stringify(card?.agents ?? []),
      tools: JSON.stringify(card?.tools ?? []),
    }))
    .where('id', '=', id)
    .execute();
  for (const statement of indexStatements(id, card?.document ?? null)) {
    await trx.executeQuery(CompiledQuery.raw(statement.sql, [...statement.parameters]));
  }
};

export const listOwners = async (db: Reader | Trx, packageId: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('owners')
    .select('user')
    .where('package_id', '=', packageId)
    .orderBy('user')
    .execute();
  return rows.map((row) => row.user);
};

export const insertOwner = async (trx: Trx, packageId: number, user: string, at: string): Promise<void> => {
  await trx
    .insertInto('owners')
    .values({ package_id: packageId, user, added_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

export const deleteOwner = async (trx: Trx, packageId: number, user: string): Promise<void> => {
  await trx.deleteFrom('owners').where('package_id', '=', packageId).where('user', '=', user).execute();
};

export const listTags = (db: Reader | Trx, packageId: number): Promise<{ tag: string; version: string }[]> =>
  db.selectFrom('tags').select(['tag', 'version']).where('package_id', '=', packageId).orderBy('tag').execute();

export const putTag = async (trx: Trx, packageId: number, tag: string, version: string): Promise<void> => {
  await trx
    .insertInto('tags')
    .values({ package_id: packageId, tag, version })
    .onConflict((conflict) => conflict.columns(['package_id', 'tag']).doUpdateSet({ version }))
    .execute();
};

export const deleteTag = async (trx: Trx, packageId: number, tag: string): Promise<boolean> => {
  const result = await trx
    .deleteFrom('tags')
    .where('package_id', '=', packageId)
    .where('tag', '=', tag)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
};
