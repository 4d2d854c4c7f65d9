import { Problem } from '../../schemas/problem.ts';
import type { CommandModule } from '../command.ts';

export const command: CommandModule<{ ok: true }> = {
  define: {
    name: 'remove',
    aliases: ['rm', 'uninstall'],
    summary: 'Remove packages and take back every change',
  },
  run: async () => {
    throw new Problem('internal', '`remove` is not there yet');
  },
  human: () => '',
};
