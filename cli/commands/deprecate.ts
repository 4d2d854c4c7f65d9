import { Problem } from '../../schemas/problem.ts';
import type { CommandModule } from '../command.ts';

export const command: CommandModule<{ ok: true }> = {
  define: {
    name: 'deprecate',
    summary: 'Warn those who install a version',
  },
  run: async () => {
    throw new Problem('internal', '`deprecate` is not there yet');
  },
  human: () => '',
};
