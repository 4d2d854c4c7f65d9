import { Problem } from '../../schemas/problem.ts';
import type { CommandModule } from '../command.ts';

export const command: CommandModule<{ ok: true }> = {
  define: {
    name: 'unyank',
    summary: 'Take a yank back',
  },
  run: async () => {
    throw new Problem('internal', '`unyank` is not there yet');
  },
  human: () => '',
};
