import { Problem } from '../../schemas/problem.ts';
import type { CommandModule } from '../command.ts';

export const command: CommandModule<{ ok: true }> = {
  define: {
    name: 'completion',
    summary: 'Print a completion script',
  },
  run: async () => {
    throw new Problem('internal', '`completion` is not there yet');
  },
  human: () => '',
};
