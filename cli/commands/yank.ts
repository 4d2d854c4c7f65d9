import type { CommandModule } from '../command.ts';
import { onRegistry, parseExactRequest, pathOf } from '../registry/on-registry.ts';

type YankData = { ok: true; package: string; version: string; dryRun: boolean };

export const command: CommandModule<YankData> = {
  define: {
    name: 'yank',
    summary: 'Keep a version from being chosen',
    arguments: '<name@version>',
    options: [{ flags: '--reason <text>', description: 'shown to those who have it installed' }],
    examples: ['pi-tools yank weather@1.0.1 --reason "wrong unit"'],
  },
  run: async (context, [spec = ''], flags) => {
    const { name, version } = parseExactRequest(spec);
    const { dryRun } = context.options;
    const body = { reason: typeof flags.reason === 'string' ? flags.reason : 'yanked by an owner' };
    const path = pathOf(name, 'versions', version, 'yank');
    if (!dryRun) await onRegistry(context, name, (client) => client.request({ method: 'POST', path, body }));
    return { data: { ok: true, package: name, version, dryRun } };
  },
  human: ({ package: name, version, dryRun }) =>
    `${dryRun ? 'would yank' : 'yanked'} ${name}@${version}; lock files that name it still get it`,
};
