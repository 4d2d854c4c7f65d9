import { Problem } from '../../schemas/problem.ts';
import type { CommandModule } from '../command.ts';

export const command: CommandModule<{ ok: true }> = {
  define: {
    name: 'user',
    summary: 'Add and list users',
  },
  run: async () => {
    throw new Problem('internal', '`user` is not there yet');
  },
  human: () => '',
};
