import { Problem } from '../../schemas/problem.ts';
import type { CommandModule } from '../command.ts';

export const command: CommandModule<{ ok: true }> = {
  define: {
    name: 'review',
    summary: 'Decide on versions that wait',
  },
  run: async () => {
    throw new Problem('internal', '`review` is not there yet');
  },
  human: () => '',
};
