import { Problem } from '../../schemas/problem.ts';
import type { CommandModule } from '../command.ts';

export const command: CommandModule<{ ok: true }> = {
  define: {
    name: 'install',
    aliases: ['i', 'add'],
    summary: 'Install packages, or what pi-tools.json says',
  },
  run: async () => {
    throw new Problem('internal', '`install` is not there yet');
  },
  human: () => '',
};
