import { Problem } from '../../schemas/problem.ts';
import type { CommandModule } from '../command.ts';

export const command: CommandModule<{ ok: true }> = {
  define: {
    name: 'login',
    summary: 'Store a token for a registry',
  },
  run: async () => {
    throw new Problem('internal', '`login` is not there yet');
  },
  human: () => '',
};
