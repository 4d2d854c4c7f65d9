import { Problem } from '../../schemas/problem.ts';
import type { CommandModule } from '../command.ts';

export const command: CommandModule<{ ok: true }> = {
  define: {
    name: 'init',
    summary: 'Make a starter package',
  },
  run: async () => {
    throw new Problem('internal', '`init` is not there yet');
  },
  human: () => '',
};
