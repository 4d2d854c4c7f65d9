import { Problem } from '../../schemas/problem.ts';
import type { CommandModule } from '../command.ts';

export const command: CommandModule<{ ok: true }> = {
  define: {
    name: 'tag',
    summary: 'List, set and remove tags',
  },
  run: async () => {
    throw new Problem('internal', '`tag` is not there yet');
  },
  human: () => '',
};
