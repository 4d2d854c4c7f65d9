import { readFile } from 'node:fs/promises';
import { Problem } from '../../schemas/problem.ts';
import type { CommandDefinition, CommandModule, OptionDefinition } from '../command.ts';
import {
  type CompletionCommand,
  type CompletionWord,
  completionScript,
  SHELLS,
  type Shell,
} from '../completion/scripts.ts';
import { GLOBAL_OPTIONS } from '../global-options.ts';
import { catalogFile } from '../registry/catalog-folder.ts';

type CompletionData = { ok: true; shell: string; script: string };

export const command: CommandModule<CompletionData> = {
  define: {
    name: 'completion',
    summary: 'Print a completion script',
    arguments: '<shell>',
    examples: ['source <(pi-tools completion bash)', 'pi-tools completion fish | source'],
  },
  run: async (context, [shell = '']) => {
    if (shell === 'names') return { data: { ok: true, shell, script: (await listCatalogNames()).join('\n') } };
    if (!isShell(shell)) {
      throw new Problem('usage', `\`${shell}\` is no shell that pi-tools knows`, {
        hint: `use one of: ${SHELLS.join(', ')}`,
      });
    }
    const commands = (await context.listCommands()).map(describeCommand);
    return {
      data: {
        ok: true,
        shell,
        script: completionScript(shell, { commands, globalOptions: longOptions(GLOBAL_OPTIONS) }),
      },
    };
  },
  human: ({ script }) => script.trimEnd(),
};

const isShell = (text: string): text is Shell => (SHELLS as readonly string[]).includes(text);

const PATHS = new Set(['pack', 'publish', 'check', 'init']);

/** What the arguments are, from their notation: `<name[@version]>`, `[path]`. */
const takesOf = (name: string, notation: string): CompletionCommand['takes'] => {
  if (name === 'completion') return 'shells';
  if (PATHS.has(name)) return 'paths';
  return /name|spec|package/.test(notation) ? 'packages' : 'nothing';
};

const describeCommand = (define: CommandDefinition): CompletionCommand => {
  const subcommands = define.subcommands ?? [];
  const options = [...(define.options ?? []), ...subcommands.flatMap((sub) => sub.options ?? [])];
  return {
    name: define.name,
    summary: define.summary,
    aliases: define.aliases ?? [],
    options: longOptions(options),
    subcommands: subcommands.map(({ name, summary }) => ({ name, summary })),
    takes: takesOf(define.name, define.arguments ?? ''),
  };
};

const longOptions = (options: readonly OptionDefinition[]): CompletionWord[] => {
  const found = new Map<string, string>();
  for (const { flags, description } of options) {
    const name = /--[a-z][a-z-]*/.exec(flags)?.[0];
    if (name !== undefined) found.set(name, description);
  }
  return [...found].map(([name, summary]) => ({ name, summary }));
};

/** The names that came with this pi-tools: asking a registry at every Tab would be too slow. */
const listCatalogNames = async (): Promise<string[]> => {
  const text = await readFile(catalogFile(), 'utf8').catch(() => '[]');
  const rows = JSON.parse(text) as { record: { name: string } }[];
  return [...new Set(rows.map((row) => row.record.name))].sort();
};
