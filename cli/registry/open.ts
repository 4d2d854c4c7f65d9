/** Which registry a package comes from. */
import { Problem } from '../../schemas/problem.ts';
import type { Context } from '../command.ts';
import type { RegistryClient } from './client.ts';

/** The registry for `packageName` (its scope may have one of its own), or the default one. Close it when done. */
export const openRegistry = async (_context: Context, _packageName?: string): Promise<RegistryClient> => {
  throw new Problem('registry_unreachable', 'the registry client is not there yet');
};
