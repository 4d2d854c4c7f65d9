import type { CommandModule } from '../command.ts';
import { getPackage } from '../registry/not-found.ts';
import { onRegistry, pathOf } from '../registry/on-registry.ts';
import { parsePackageRequest } from '../resolve/request.ts';
import { escapeProse } from '../terminal/escape.ts';

type OwnerData = { ok: true; package: string; owners: string[]; dryRun: boolean };

export const command: CommandModule<OwnerData> = {
  define: {
    name: 'owner',
    summary: 'List, add and remove owners',
    subcommands: [
      { name: 'ls', summary: 'List who may publish a package', arguments: '<name>' },
      { name: 'add', summary: 'Let another user publish it', arguments: '<name> <user>' },
      { name: 'rm', summary: 'Take that right back', arguments: '<name> <user>' },
    ],
  },
  run: async (context, [action, spec = '', user = '']) => {
    const { name } = parsePackageRequest(spec);
    const { dryRun } = context.options;
    const data = await onRegistry(context, name, async (client): Promise<OwnerData> => {
      if (action === 'add' && !dryRun) {
        await client.request({ method: 'POST', path: pathOf(name, 'owners'), body: { user } });
      }
      if (action === 'rm' && !dryRun) await client.request({ method: 'DELETE', path: pathOf(name, 'owners', user) });
      const { owners } = await getPackage(client, name);
      return { ok: true, package: name, owners, dryRun };
    });
    return { data };
  },
  human: ({ owners, dryRun }) =>
    owners.map(escapeProse).join('\n') + (dryRun ? '\n(nothing was changed: --dry-run)' : ''),
};
