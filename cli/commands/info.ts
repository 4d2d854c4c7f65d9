import { Problem } from '../../schemas/problem.ts';
import type { CommandModule } from '../command.ts';

export const command: CommandModule<{ ok: true }> = {
  define: {
    name: 'info',
    summary: 'Show what a package is, does and may do',
  },
  run: async () => {
    throw new Problem('internal', '`info` is not there yet');
  },
  human: () => '',
};
