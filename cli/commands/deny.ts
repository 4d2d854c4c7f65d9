import type { CommandModule } from '../command.ts';
import { denyNames, type ListAnswer } from '../install/edit-list.ts';

export const command: CommandModule<ListAnswer & { ok: true }> = {
  define: {
    name: 'deny',
    summary: 'Take names out of allowedTools',
    arguments: '<name...>',
    examples: ['pi-tools deny bash', 'pi-tools deny my_tool --scope project'],
  },
  run: async ({ environment, options, terminal }, names) => {
    const mode = options.dryRun ? 'dry-run' : 'write';
    const answer = await denyNames({ environment, scope: options.scope ?? 'user', mode, say: terminal.say }, names);
    return { data: { ok: true, ...answer } };
  },
  human: ({ settings }) =>
    settings.map(({ file, removed }) => `taken out of allowedTools in ${file}: ${removed.join(', ')}`).join('\n') ||
    'nothing to do',
};
