/** Bearer tokens: only their sha256 is stored, and they are looked up by it. */
import type { Role } from '../../schemas/api/accounts.ts';
import type { Reader, Tables, Trx } from './tables.ts';

export type TokenEntry = Tables['tokens'];
export type TokenHolder = { id: string; user: string; role: Role; scopes: string; expires_at: string | null };

/** The token and its user, when neither is revoked or removed. Expiry is the caller's to check. */
export const findTokenHolder = (db: Reader, hash: string): Promise<TokenHolder | undefined> =>
  db
    .selectFrom('tokens')
    .innerJoin('users', 'users.name', 'tokens.user')
    .select(['tokens.id', 'tokens.user', 'users.role', 'tokens.scopes', 'tokens.expires_at'])
    .where('tokens.hash', '=', hash)
    .where('tokens.revoked_at', 'is', null)
    .where('users.removed_at', 'is', null)
    .executeTakeFirst();

export const insertToken = async (trx: Trx, row: TokenEntry): Promise<void> => {
  await trx.insertInto('tokens').values(row).execute();
};

export const findToken = (db: Reader | Trx, id: string): Promise<TokenEntry | undefined> =>
  db.selectFrom('tokens').selectAll().where('id', '=', id).where('revoked_at', 'is', null).executeTakeFirst();

/** Tokens that are not revoked, by id; of one user, or of everybody with `user` null. */
export const listTokens = (
  db: Reader,
  user: string | null,
  page: { after: string; limit: number },
): Promise<TokenEntry[]> => {
  const all = db
    .selectFrom('tokens')
    .selectAll()
    .where('revoked_at', 'is', null)
    .where('id', '>', page.after)
    .orderBy('id')
    .limit(page.limit);
  return (user === null ? all : all.where('user', '=', user)).execute();
};

export const markTokenRevoked = async (trx: Trx, id: string, at: string): Promise<void> => {
  await trx.updateTable('tokens').set({ revoked_at: at }).where('id', '=', id).execute();
};

export const markTokensOfUserRevoked = async (trx: Trx, user: string, at: string): Promise<void> => {
  await trx
    .updateTable('tokens')
    .set({ revoked_at: at })
    .where('user', '=', user)
    .where('revoked_at', 'is', null)
    .execute();
};
