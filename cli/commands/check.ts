import { Problem } from '../../schemas/problem.ts';
import type { CommandModule } from '../command.ts';

export const command: CommandModule<{ ok: true }> = {
  define: {
    name: 'check',
    summary: 'Check a package before others get it',
  },
  run: async () => {
    throw new Problem('internal', '`check` is not there yet');
  },
  human: () => '',
};
