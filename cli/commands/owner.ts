import { Problem } from '../../schemas/problem.ts';
import type { CommandModule } from '../command.ts';

export const command: CommandModule<{ ok: true }> = {
  define: {
    name: 'owner',
    summary: 'List, add and remove owners',
  },
  run: async () => {
    throw new Problem('internal', '`owner` is not there yet');
  },
  human: () => '',
};
