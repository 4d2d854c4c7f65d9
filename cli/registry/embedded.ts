/** The registry in process: the server's own code on the user's data folder, without a port. */
import { Problem } from '../../schemas/problem.ts';
import type { Transport } from './transport.ts';

export const openEmbeddedTransport = async (_dataFolder: string): Promise<Transport> => {
  throw new Problem('registry_unreachable', 'the embedded registry is not there yet');
};

/** The same on the data folder of a registry that this host serves. Throws `data_folder_invalid` where there is none. */
export const openHostTransport = async (_dataFolder: string): Promise<Transport> => {
  throw new Problem('registry_unreachable', 'the host commands are not there yet');
};
