/** Owners: who may publish versions of a package. */
import { Problem } from '../../schemas/problem.ts';
import { nowText } from '../clock.ts';
import type { Deps } from '../deps.ts';
import { insertEvent } from '../store/events.ts';
import { deleteOwner, insertOwner } from '../store/packages.ts';
import { findUser } from '../store/users.ts';
import { refreshPackage } from './listing.ts';
import { changeOwnPackage } from './own-package.ts';
import type { Viewer } from './viewer.ts';

export type OwnerChange = { readonly name: string; readonly user: string; readonly viewer: Viewer | null };

/** A repeat succeeds. Throws `user_not_found`. */
export const addOwner = (deps: Deps, { name, user, viewer }: OwnerChange): Promise<void> =>
  changeOwnPackage(deps, name, viewer, async (trx, row, by, owners) => {
    if (owners.includes(user)) return;
    const found = await findUser(trx, user);
    if (found === undefined || found.removed_at !== null)
      throw new Problem('user_not_found', `There is no user \`${user}\``);
    await insertOwner(trx, row.id, user, nowText());
    await refreshPackage(trx, row);
    await insertEvent(trx, { actor: by.user, kind: 'owner-add', package: name, detail: { user } });
  });

/** Throws `user_not_found` for somebody who is no owner, `state_conflict` for the last one. */
export const removeOwner = (deps: Deps, { name, user, viewer }: OwnerChange): Promise<void> =>
  changeOwnPackage(deps, name, viewer, async (trx, row, by, owners) => {
    if (!owners.includes(user)) throw new Problem('user_not_found', `\`${user}\` is no owner of \`${name}\``);
    if (owners.length === 1) {
      throw new Problem('state_conflict', `\`${user}\` is the last owner of \`${name}\``, {
        hint: 'Add another one first.',
      });
    }
    await deleteOwner(trx, row.id, user);
    await refreshPackage(trx, row);
    await insertEvent(trx, { actor: by.user, kind: 'owner-remove', package: name, detail: { user } });
  });
