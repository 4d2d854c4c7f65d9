/** Users: made by administrators, or on the registry's host. */
import type { Role } from '../../schemas/api/accounts.ts';
import { Problem } from '../../schemas/problem.ts';
import { nowText } from '../clock.ts';
import type { Deps } from '../deps.ts';
import { insertEvent } from '../store/events.ts';
import type { Trx } from '../store/tables.ts';
import { markTokensOfUserRevoked } from '../store/tokens.ts';
import { countAdministrators, findUser, insertUser, markUserRemoved } from '../store/users.ts';

const USER = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const MAX_LENGTH = 39;
/** Who publishes the catalog, and who the commands on the registry's host and the embedded registry act as. */
const OUR_OWN = new Set(['pi-tools', 'host', 'local']);

export type NewUser = { readonly user: string; readonly role: Role };

/** Throws `invalid_name`, `user_exists` (also for a removed one: records of old versions name them). */
export const createUser = (deps: Deps, wanted: NewUser, actor: string): Promise<void> =>
  deps.store.write((trx) => createUserIn(trx, wanted, actor));

/** The same inside a transaction. */
export const createUserIn = async (trx: Trx, { user, role }: NewUser, actor: string): Promise<void> => {
  checkUserName(user);
  if ((await findUser(trx, user)) !== undefined) {
    throw new Problem('user_exists', `The user name \`${user}\` is taken`, { details: { user } });
  }
  await insertUser(trx, { name: user, role, createdAt: nowText() });
  await insertEvent(trx, { actor, kind: 'user-create', detail: { user, role } });
};

/** Revokes the user's tokens; what they published stays. Throws `user_not_found`, `state_conflict` for the last administrator. */
export const removeUser = (deps: Deps, user: string, actor: string): Promise<void> =>
  deps.store.write(async (trx) => {
    const found = await findUser(trx, user);
    if (found === undefined || found.removed_at !== null) throw userNotFound(user);
    if (found.role === 'administrator' && (await countAdministrators(trx)) === 1) {
      throw new Problem('state_conflict', `\`${user}\` is the last administrator`, { hint: 'Add another one first.' });
    }
    const at = nowText();
    await markUserRemoved(trx, user, at);
    await markTokensOfUserRevoked(trx, user, at);
    await insertEvent(trx, { actor, kind: 'user-remove', detail: { user } });
  });

export const userNotFound = (user: string): Problem => new Problem('user_not_found', `There is no user \`${user}\``);

const checkUserName = (user: string): void => {
  if (OUR_OWN.has(user)) throw new Problem('invalid_name', `The user name \`${user}\` is reserved`);
  if (user.length <= MAX_LENGTH && USER.test(user)) return;
  throw new Problem('invalid_name', `\`${user.slice(0, 80)}\` is not a user name`, {
    hint: `A user name is a-z, 0-9 and single hyphens inside, at most ${MAX_LENGTH} characters.`,
  });
};
