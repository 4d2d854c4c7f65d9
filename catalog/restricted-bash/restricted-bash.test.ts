import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { scratchFolders } from '../../test/support/agents/scratch.ts';
import { callSlopcodeTool, type LoadedTools, loadSlopcodeTools } from '../../tool-package/run/index.ts';
import { PROGRAMS } from './allow-list.ts';
import { splitCommandLine } from './command-line.ts';

const scratch = scratchFolders();
let tools: LoadedTools;
let directory: string;

beforeAll(async () => {
  tools = await loadSlopcodeTools(join(import.meta.dirname, 'tools', 'bash.ts'));
  directory = scratch();
  writeFileSync(join(directory, 'a b.txt'), 'one\ntwo\n');
  mkdirSync(join(directory, 'sub'));
  const git = (...words: string[]) => execFileSync('git', words, { cwd: directory, stdio: 'pipe' });
  git('init', '-q');
  git('config', 'user.name', 'Test');
  git('config', 'user.email', 'test@example.invalid');
  git('add', '-A');
  git('commit', '-q', '-m', 'First version');
  writeFileSync(join(directory, 'a b.txt'), 'one\n2\n');
});

const bash = (command: string, more: object = {}, abort?: AbortSignal) =>
  callSlopcodeTool(tools, 'bash', { command, ...more }, { directory, ...(abort ? { abort } : {}) });

describe('what it runs', () => {
  test('replaces bash', () => expect([...tools.keys()]).toEqual(['bash']));

  test.each([
    ['echo hello "big world"', 'hello big world\n'],
    ["cat 'a b.txt'", 'one\n2\n'],
    ['cat a\\ b.txt', 'one\n2\n'],
    ['wc -l "a b.txt"', '2 a b.txt\n'],
    ["echo '$HOME | > `x`'", '$HOME | > `x`\n'],
    ['git log --format=%s HEAD~0', 'First version\n'],
    ['grep -c two "a b.txt"', '0\n\n[exit status 1]'],
  ])('%s', async (command, expected) => expect(await bash(command)).toBe(expected));

  test('git diff', async () => expect(await bash('git diff')).toContain('-two\n+2'));
  test('the working folder, and workdir', async () => {
    expect(await bash('pwd')).toBe(`${directory}\n`);
    expect(await bash('pwd', { workdir: 'sub' })).toBe(`${join(directory, 'sub')}\n`);
  });
  test('a command that fails is an answer', async () => {
    expect(await bash('ls none')).toMatch(/none.*\n\n\[exit status \d\]$/s);
  });
  test('a command that waits for input gets none', async () => expect(await bash('cat')).toBe('[no output]'));
  test('long output is cut', async () => {
    writeFileSync(join(directory, 'long.txt'), 'я'.repeat(50_000));
    const output = await bash('cat long.txt');
    expect(output).toMatch(/я\n\[cut: 30 of 98 KB are shown\]$/);
    expect(output).not.toContain('\uFFFD');
  });
});

describe('what it refuses', () => {
  test.each(['rm -rf /', 'python3 -c 1', '/bin/ls', './ls', 'sh -c ls', 'find . -delete', 'env', 'constructor'])(
    '%s is not on the list',
    (command) => expect(bash(command)).rejects.toThrow(`is not allowed. Allowed commands: ${PROGRAMS.join(', ')}.`),
  );

  test.each([
    'ls | wc',
    'ls; ls',
    'ls && ls',
    'ls & ',
    'echo $HOME',
    'echo `ls`',
    'echo $(ls)',
    'ls > x',
    'cat < x',
    'ls *',
    'ls a?',
    'ls\nls',
    'ls ~',
    'echo "$HOME"',
    'echo "`ls`"',
    'ls # x',
    'ls [ab]',
  ])('%j needs a shell', async (command) => {
    await expect(bash(command)).rejects.toThrow(/needs a shell|are not expanded/);
    expect(existsSync(join(directory, 'x'))).toBe(false);
  });

  test.each([
    ['git push', 'git push is not allowed'],
    ['git -c core.pager=touch log', 'git -c is not allowed'],
    ['git', 'git  is not allowed'],
    ['git log --output=x', 'The git option --output=x is not allowed'],
    ['git diff --outp x', 'The git option --outp is not allowed'],
    ['git diff --ext', 'The git option --ext is not allowed'],
    ['git log -p --textconv', 'The git option --textconv is not allowed'],
    ['date -s 2020-01-01', 'date may only print'],
    ['date 01010000', 'date may only print'],
    ['tail -f "a b.txt"', 'tail may not follow'],
    ['tail -n1F x', 'tail may not follow'],
    ['tail --follow=name x', 'tail may not follow'],
    ['echo "open', 'is not closed'],
    ['   ', 'The command is empty'],
  ])('%s', async (command, reason) => {
    await expect(bash(command)).rejects.toThrow(reason);
    expect(existsSync(join(directory, 'x'))).toBe(false);
  });

  test('programs that the repository has configured are not started', async () => {
    const trap = join(directory, 'trap.sh');
    writeFileSync(trap, `#!/bin/sh\ntouch '${join(directory, 'sprung')}'\n`, { mode: 0o755 });
    const git = (...words: string[]) => execFileSync('git', words, { cwd: directory });
    for (const key of ['core.pager', 'diff.external', 'core.fsmonitor', 'gpg.program', 'diff.trap.textconv']) {
      git('config', key, trap);
    }
    writeFileSync(join(directory, '.gitattributes'), '* diff=trap\n');
    for (const command of ['git diff', "git log -p '--format=%G?'", 'git show', 'git status', 'git blame "a b.txt"']) {
      await bash(command);
      expect([command, existsSync(join(directory, 'sprung'))]).toEqual([command, false]);
    }
  });

  test('cancelled, and too slow', async () => {
    await expect(bash('ls', {}, AbortSignal.abort())).rejects.toThrow('The command was cancelled.');
    execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', join(directory, 'pipe')]);
    await expect(bash('cat pipe', { timeout: 100 })).rejects.toThrow('took longer than 0.1 s and was stopped');
  });
});

describe('words', () => {
  test.each([
    ['a  b\tc', ['a', 'b', 'c']],
    [`a"b c"'d e'f`, ['ab cd ef']],
    ['""', ['']],
    [`"a\\"b" 'a\\b'`, ['a"b', 'a\\b']],
    [`"a\\\\" "\\$x"`, ['a\\', '$x']],
    ['HEAD~1 a#b {x}', ['HEAD~1', 'a#b', '{x}']],
    ['', []],
  ])('%j', (line, words) => expect(splitCommandLine(line)).toEqual(words));
});

test('the declared programs are the programs of the list, and the override is declared', () => {
  const packageJson = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8'));
  expect(packageJson.piTools.permissions.run).toEqual([...PROGRAMS]);
  expect(packageJson.piTools.overrides).toMatchObject([{ tool: 'bash' }]);
});
