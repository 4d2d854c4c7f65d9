/** Users. A removed user's name stays taken: records of old versions name it. */
import type { Role } from '../../schemas/api/accounts.ts';
import type { Reader, Tables, Trx } from './tables.ts';

export type User = Tables['users'];

export const findUser = (db: Reader | Trx, name: string): Promise<User | undefined> =>
  db.selectFrom('users').selectAll().where('name', '=', name).executeTakeFirst();

export const insertUser = async (trx: Trx, user: { name: string; role: Role; createdAt: string }): Promise<void> => {
  await trx
    .insertInto('users')
    .values({ name: user.name, role: user.role, created_at: user.createdAt, removed_at: null })
    .execute();
};

export const listUsers = (db: Reader, page: { after: string; limit: number }): Promise<User[]> =>
  db
    .selectFrom('users')
    .selectAll()
    .where('removed_at', 'is', null)
    .where('name', '>', page.after)
    .orderBy('name')
    .limit(page.limit)
    .execute();

export const countAdministrators = async (db: Reader | Trx): Promise<number> => {
  const row = await db
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('role', '=', 'administrator')
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return row.count;
};

export const markUserRemoved = async (trx: Trx, name: string, at: string): Promise<void> => {
  await trx.updateTable('users').set({ removed_at: at }).where('name', '=', name).execute();
};
