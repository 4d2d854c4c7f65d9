import { Problem } from '../../schemas/problem.ts';
import type { CommandModule } from '../command.ts';

export const command: CommandModule<{ ok: true }> = {
  define: {
    name: 'verify',
    summary: 'Check every installed byte',
  },
  run: async () => {
    throw new Problem('internal', '`verify` is not there yet');
  },
  human: () => '',
};
