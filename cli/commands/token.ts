import { Problem } from '../../schemas/problem.ts';
import type { CommandModule } from '../command.ts';

export const command: CommandModule<{ ok: true }> = {
  define: {
    name: 'token',
    summary: 'List, create and revoke tokens',
  },
  run: async () => {
    throw new Problem('internal', '`token` is not there yet');
  },
  human: () => '',
};
