import { Problem } from '../../schemas/problem.ts';
import type { CommandModule } from '../command.ts';

export const command: CommandModule<{ ok: true }> = {
  define: {
    name: 'search',
    summary: 'Search the registry',
  },
  run: async () => {
    throw new Problem('internal', '`search` is not there yet');
  },
  human: () => '',
};
