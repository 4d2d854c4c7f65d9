import { Problem } from '../../schemas/problem.ts';
import type { CommandModule } from '../command.ts';

export const command: CommandModule<{ ok: true }> = {
  define: {
    name: 'serve',
    summary: 'Run a registry',
  },
  run: async () => {
    throw new Problem('internal', '`serve` is not there yet');
  },
  human: () => '',
};
