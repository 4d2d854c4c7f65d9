/** The registry in process: the server's own code on the user's data folder, without a port. */
import { Problem } from '../../schemas/problem.ts';
import type { Transport } from './transport.ts';

export const openEmbeddedTransport = async (_dataFolder: string): Promise<Transport> => {
  throw new Problem('registry_unreachable', 'the embedded registry is not there yet');
};
