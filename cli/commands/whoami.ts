import { Problem } from '../../schemas/problem.ts';
import type { CommandModule } from '../command.ts';

export const command: CommandModule<{ ok: true }> = {
  define: {
    name: 'whoami',
    summary: 'Show who the registry takes you for',
  },
  run: async () => {
    throw new Problem('internal', '`whoami` is not there yet');
  },
  human: () => '',
};
