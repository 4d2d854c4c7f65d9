/** docs/commands.md names every command, subcommand, alias and option that there is. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { CommandDefinition, OptionDefinition } from '../../cli/command.ts';

const commands = fileURLToPath(new URL('../../cli/commands', import.meta.url));
const page = readFileSync(new URL('../../docs/commands.md', import.meta.url), 'utf8');
const optionName = ({ flags }: OptionDefinition) => /--[a-z-]+/.exec(flags)?.[0] ?? flags;

describe('docs/commands.md', () => {
  it.each(readdirSync(commands).filter((file) => file.endsWith('.ts')))('%s', async (file) => {
    const { define } = (await import(`${commands}/${file}`)) as { define?: CommandDefinition };
    if (define === undefined) return;
    const names = [define.name, ...(define.aliases ?? []), ...(define.subcommands ?? []).map(({ name }) => name)];
    for (const name of names) expect(page).toMatch(new RegExp(`[\`|\\s]${name}[\`|\\s[]`));
    const options = [...(define.options ?? []), ...(define.subcommands ?? []).flatMap((sub) => sub.options ?? [])];
    for (const option of options) expect(page).toContain(optionName(option));
  });
});
