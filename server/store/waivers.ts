/** Waivers: a curator's word that a finding with certain evidence is acceptable. They belong to a package, not to a version. */
import type { Insertable } from 'kysely';
import type { Reader, Tables, Trx, WaiverRow } from './tables.ts';

export const listWaivers = (db: Reader | Trx, packageId: number): Promise<WaiverRow[]> =>
  db.selectFrom('waivers').selectAll().where('package_id', '=', packageId).orderBy('id').execute();

/** Does nothing where this user has waived the evidence already. */
export const insertWaiver = async (trx: Trx, row: Insertable<Tables['waivers']>): Promise<void> => {
  await trx
    .insertInto('waivers')
    .values(row)
    .onConflict((conflict) => conflict.columns(['package_id', 'evidence', 'user']).doNothing())
    .execute();
};

export const deleteWaiver = async (trx: Trx, id: number): Promise<void> => {
  await trx.deleteFrom('waivers').where('id', '=', id).execute();
};
