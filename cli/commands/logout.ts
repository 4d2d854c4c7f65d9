import { Problem } from '../../schemas/problem.ts';
import type { CommandModule } from '../command.ts';

export const command: CommandModule<{ ok: true }> = {
  define: {
    name: 'logout',
    summary: 'Forget the token of a registry',
  },
  run: async () => {
    throw new Problem('internal', '`logout` is not there yet');
  },
  human: () => '',
};
