import type { CommandModule } from '../command.ts';
import { onRegistry, parseExactRequest, pathOf } from '../registry/on-registry.ts';

type UnyankData = { ok: true; package: string; version: string; dryRun: boolean };

export const command: CommandModule<UnyankData> = {
  define: {
    name: 'unyank',
    summary: 'Take a yank back',
    arguments: '<name@version>',
    options: [{ flags: '--reason <text>', description: 'kept in the registry’s events' }],
  },
  run: async (context, [spec = ''], flags) => {
    const { name, version } = parseExactRequest(spec);
    const { dryRun } = context.options;
    const body = { reason: typeof flags.reason === 'string' ? flags.reason : 'taken back by an owner' };
    const path = pathOf(name, 'versions', version, 'unyank');
    if (!dryRun) await onRegistry(context, name, (client) => client.request({ method: 'POST', path, body }));
    return { data: { ok: true, package: name, version, dryRun } };
  },
  human: ({ package: name, version, dryRun }) => `${name}@${version} ${dryRun ? 'would be' : 'is'} offered again`,
};
