import { Problem } from '../../schemas/problem.ts';
import type { CommandModule } from '../command.ts';

export const command: CommandModule<{ ok: true }> = {
  define: {
    name: 'cache',
    summary: 'Show or empty the download cache',
  },
  run: async () => {
    throw new Problem('internal', '`cache` is not there yet');
  },
  human: () => '',
};
