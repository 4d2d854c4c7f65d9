import { Problem } from '../../schemas/problem.ts';
import type { CommandModule } from '../command.ts';

export const command: CommandModule<{ ok: true }> = {
  define: {
    name: 'deny',
    summary: 'Take names out of allowedTools',
  },
  run: async () => {
    throw new Problem('internal', '`deny` is not there yet');
  },
  human: () => '',
};
