import { Problem } from '../../schemas/problem.ts';
import type { CommandModule } from '../command.ts';

export const command: CommandModule<{ ok: true }> = {
  define: {
    name: 'pack',
    summary: 'Make the archive of a package',
  },
  run: async () => {
    throw new Problem('internal', '`pack` is not there yet');
  },
  human: () => '',
};
