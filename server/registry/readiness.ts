/** Whether the registry can do its work now. */
import { access, constants } from 'node:fs/promises';
import { Problem } from '../../schemas/problem.ts';
import type { Deps } from '../deps.ts';
import { countAdministrators } from '../store/users.ts';

/** Throws `busy` when the database cannot be read or the data folder cannot be written. */
export const assertReady = async (deps: Deps): Promise<void> => {
  try {
    await countAdministrators(deps.store.read);
    await access(deps.folder.incoming, constants.W_OK);
    await access(deps.folder.blobs, constants.W_OK);
  } catch (cause) {
    throw new Problem('busy', 'The registry cannot use its data folder', { hint: 'Its log says more.', cause });
  }
};
