/** The first start with an empty data folder. */
import type { Deps } from '../deps.ts';
import { countAdministrators } from '../store/users.ts';
import { createTokenIn } from './tokens.ts';
import { createUserIn } from './users.ts';
import { scopesOfRole } from './viewer.ts';

const NAME = 'admin';

/**
 * Makes the first administrator and its token when there is no administrator; null when there is one. The token has no
 * end, unlike all others: it is the way back in when the others have run out. It is shown once.
 */
export const createFirstAdministrator = (deps: Deps): Promise<string | null> =>
  deps.store.write(async (trx) => {
    if ((await countAdministrators(trx)) > 0) return null;
    await createUserIn(trx, { user: NAME, role: 'administrator' }, NAME);
    const wanted = { user: NAME, scopes: scopesOfRole('administrator'), note: 'first start', expires: null };
    return (await createTokenIn(trx, wanted, NAME)).token;
  });
