import type { Me } from '../../schemas/api/accounts.ts';
import type { CommandModule } from '../command.ts';
import { onRegistry } from '../registry/on-registry.ts';
import { escapeProse } from '../terminal/escape.ts';

type WhoamiData = Me & { registry: string };

export const command: CommandModule<WhoamiData> = {
  define: { name: 'whoami', summary: 'Show who the registry takes you for' },
  run: async (context) => ({
    data: await onRegistry(context, undefined, async (client) => ({
      ...(await client.getMe()),
      registry: client.origin,
    })),
  }),
  human: ({ user, role, scopes, registry }) =>
    `${escapeProse(user)} (${role}) on ${registry === 'embedded' ? 'the embedded registry' : registry}; may ${scopes.join(', ')}`,
};
