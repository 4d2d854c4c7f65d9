import { Problem } from '../../schemas/problem.ts';
import type { CommandModule } from '../command.ts';

export const command: CommandModule<{ ok: true }> = {
  define: {
    name: 'allow',
    summary: 'Add names to allowedTools',
  },
  run: async () => {
    throw new Problem('internal', '`allow` is not there yet');
  },
  human: () => '',
};
