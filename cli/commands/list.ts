import { Problem } from '../../schemas/problem.ts';
import type { CommandModule } from '../command.ts';

export const command: CommandModule<{ ok: true }> = {
  define: {
    name: 'list',
    aliases: ['ls'],
    summary: 'List what is installed',
  },
  run: async () => {
    throw new Problem('internal', '`list` is not there yet');
  },
  human: () => '',
};
