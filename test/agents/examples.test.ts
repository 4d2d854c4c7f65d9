/** The bar of inspection: each example of pi's own package that registers tools gives what the real pi lists. */
import { cpSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packFolder } from '../../tool-package/archive/pack.ts';
import { examineArchive } from '../../tool-package/examine/index.ts';
import { findPi, type Pi } from '../support/agents/install.ts';
import { type ListedTool, listTools } from '../support/agents/list-tools.ts';
import { scratchFolders } from '../support/agents/scratch.ts';

const found = findPi();
const pi = found as Pi;
const scratch = scratchFolders();
const BUILT_IN = ['bash', 'edit', 'find', 'grep', 'ls', 'read', 'write'];

/** Every example that registers tools, with the names that were seen when this list was made. */
const EXAMPLES: readonly (readonly [example: string, tools: readonly string[]])[] = [
  ['hello.ts', ['hello']],
  ['structured-output.ts', ['structured_output']],
  ['question.ts', ['question']],
  ['questionnaire.ts', ['questionnaire']],
  ['reload-runtime.ts', ['reload_runtime']],
  ['shutdown-command.ts', ['deploy_and_exit', 'finish_and_exit']],
  ['tic-tac-toe.ts', ['tic_tac_toe', 'tic_tac_toe_see_board']],
  ['todo.ts', ['todo']],
  ['truncated-tool.ts', ['rg']],
  ['tool-override.ts', ['read']],
  ['dynamic-tools.ts', ['echo_session']],
  ['bash-spawn-hook.ts', ['bash']],
  ['built-in-tool-renderer.ts', ['bash', 'edit', 'read', 'write']],
  ['minimal-mode.ts', BUILT_IN],
  ['ssh.ts', ['bash', 'edit', 'read', 'write']],
  ['gondolin', BUILT_IN],
  ['subagent', ['subagent']],
  ['with-deps', ['parse_duration']],
];

/** Its npm dependency cannot be had, so that pi itself does not load it: only the names can be held against something. */
const NOT_LOADABLE = ['gondolin'];
/** The description holds the user's home folder: a path of the machine, which no record may have. */
const NAMES_THE_MACHINE = ['subagent'];

const byName = <T extends { name: string }>(tools: readonly T[]): T[] =>
  tools.toSorted((one, other) => one.name.localeCompare(other.name));

async function inspect(example: string) {
  const folder = scratch();
  const source = sourceOf(example);
  const name = basename(example, '.ts');
  if (statSync(source).isDirectory()) cpSync(source, folder, { recursive: true });
  else cpSync(source, join(folder, 'index.ts'));
  if (!existsSync(join(folder, 'package.json'))) {
    const packageJson = { name, version: '1.0.0', license: 'MIT', pi: { extensions: ['./index.ts'] } };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(packageJson));
  }
  const archive = join(scratch(), 'package.tgz');
  writeFileSync(archive, (await packFolder(folder)).bytes);
  return examineArchive(archive);
}

const sourceOf = (example: string) =>
  join(pi.modules, '@earendil-works', 'pi-coding-agent', 'examples', 'extensions', example);

async function truth(example: string): Promise<ListedTool[] | undefined> {
  if (NOT_LOADABLE.includes(example)) return undefined;
  const home = scratch();
  mkdirSync(join(home, '.pi'), { recursive: true });
  // Given a folder with `prompts/` in it, `pi -e` takes only those and leaves out the extension.
  const source = sourceOf(example);
  return byName(await listTools(pi, example.endsWith('.ts') ? source : join(source, 'index.ts'), home));
}

describe.skipIf(!found)('examples of pi', () => {
  test('18 of them are tried', () => expect(EXAMPLES).toHaveLength(18));

  test.concurrent.for(EXAMPLES)('%s', async ([example, names], { expect }) => {
    const [examination, listed] = await Promise.all([inspect(example), truth(example)]);
    const tools = byName(examination.record.agents.pi?.tools ?? []);
    expect(tools.map((tool) => tool.name)).toEqual([...names]);
    expect(examination.findings.filter(({ rule, level }) => rule === 'inspect/unread' && level === 'review')).toEqual(
      [],
    );
    if (!listed) return;
    expect(listed.map((tool) => tool.name)).toEqual([...names]);
    expect(tools.map((tool) => tool.parameters)).toEqual(listed.map((tool) => tool.parameters));
    expect(tools.map((tool) => tool.promptGuidelines)).toEqual(listed.map((tool) => tool.promptGuidelines ?? []));
    if (NAMES_THE_MACHINE.includes(example)) expect(JSON.stringify(tools)).not.toContain(process.env.HOME);
    else expect(tools.map((tool) => tool.description)).toEqual(listed.map((tool) => tool.description));
  });
});
