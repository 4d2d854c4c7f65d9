import { Problem } from '../../schemas/problem.ts';
import type { CommandModule } from '../command.ts';

export const command: CommandModule<{ ok: true }> = {
  define: {
    name: 'yank',
    summary: 'Keep a version from being chosen',
  },
  run: async () => {
    throw new Problem('internal', '`yank` is not there yet');
  },
  human: () => '',
};
