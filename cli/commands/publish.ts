import { Problem } from '../../schemas/problem.ts';
import type { CommandModule } from '../command.ts';

export const command: CommandModule<{ ok: true }> = {
  define: {
    name: 'publish',
    summary: 'Publish a package',
  },
  run: async () => {
    throw new Problem('internal', '`publish` is not there yet');
  },
  human: () => '',
};
