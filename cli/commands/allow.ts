import { Problem } from '../../schemas/problem.ts';
import type { CommandModule, Context } from '../command.ts';
import { allowNames, initList, type ListAnswer, type ListSession } from '../install/edit-list.ts';
import { escapeText } from '../terminal/escape.ts';

export const command: CommandModule<ListAnswer & { ok: true }> = {
  define: {
    name: 'allow',
    summary: 'Add names to allowedTools',
    arguments: '[name...]',
    options: [{ flags: '--init', description: 'make the list from all tools that can be read, where there is none' }],
    examples: ['pi-tools allow my_tool', 'pi-tools allow --init'],
  },
  run: async (context, names, flags) => {
    if (names.length === 0 && flags.init !== true) throw new Problem('usage', 'name a tool, or use --init');
    const session = listSession(context);
    const made = flags.init === true ? await initList(session) : { settings: [], warnings: [] };
    const added = names.length > 0 ? await allowNames(session, names) : { settings: [], warnings: [] };
    const warnings = [...made.warnings, ...added.warnings];
    for (const warning of warnings) context.terminal.warn(escapeText(warning));
    return { data: { ok: true, settings: [...made.settings, ...added.settings], warnings } };
  },
  human: ({ settings }) =>
    settings.map(({ file, added }) => `added to allowedTools in ${file}: ${added.join(', ')}`).join('\n') ||
    'nothing to do',
};

const listSession = ({ environment, options, terminal }: Context): ListSession => ({
  environment,
  scope: options.scope ?? 'user',
  mode: options.dryRun ? 'dry-run' : 'write',
  say: terminal.say,
});
