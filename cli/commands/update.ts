import { Problem } from '../../schemas/problem.ts';
import type { CommandModule } from '../command.ts';

export const command: CommandModule<{ ok: true }> = {
  define: {
    name: 'update',
    aliases: ['upgrade'],
    summary: 'Update packages within their ranges',
  },
  run: async () => {
    throw new Problem('internal', '`update` is not there yet');
  },
  human: () => '',
};
