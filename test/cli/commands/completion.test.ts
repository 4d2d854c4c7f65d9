import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMANDS } from '../../../cli/command-table.ts';
import { type CliHome, createCliHome } from '../../support/cli.ts';

let cli: CliHome;
beforeAll(async () => {
  cli = await createCliHome();
});
afterAll(() => cli.remove());

describe('bash', () => {
  let script: string;
  beforeAll(async () => {
    const { stdout, code } = await cli.run(['completion', 'bash']);
    expect(code).toBe(0);
    script = join(cli.home, 'completion.bash');
    // What stands for `pi-tools` inside the script: the names come from it.
    writeFileSync(script, `pi-tools() { printf 'weather\\ntodo\\n'; }\n${stdout}`);
  });

  /** What bash offers at the end of the line. */
  const complete = (line: string): string[] => {
    const words = line.split(' ');
    const ask = `source ${script}; COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; compopt() { :; }; _pi_tools; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const done = spawnSync('bash', ['--norc', '-c', ask], { encoding: 'utf8', cwd: cli.project });
    expect(done.stderr).toBe('');
    return done.stdout.split('\n').filter(Boolean);
  };

  test('commands', () => {
    expect(complete('pi-tools ').sort()).toEqual(COMMANDS.map((command) => command.name).sort());
    expect(complete('pi-tools in').sort()).toEqual(['info', 'init', 'install']);
    expect(complete('pi-tools zz')).toEqual([]);
  });

  test('package names, of an alias too', () => {
    expect(complete('pi-tools install ')).toEqual(['weather', 'todo']);
    expect(complete('pi-tools i we')).toEqual(['weather']);
    expect(complete('pi-tools info to')).toEqual(['todo']);
  });

  test('subcommands', () => expect(complete('pi-tools tag ').sort()).toEqual(['ls', 'rm', 'set']));

  test('options of the command and of all', () => {
    expect(complete('pi-tools serve --re').sort()).toEqual(['--registry', '--review']);
    expect(complete('pi-tools --js')).toEqual(['--json']);
    expect(complete('pi-tools search --limit').sort()).toEqual(['--limit']);
  });

  test('values', () => {
    expect(complete('pi-tools install --agent ')).toEqual(['pi', 'slopcode', 'opencode']);
    expect(complete('pi-tools install --scope p')).toEqual(['project']);
    expect(complete('pi-tools completion z')).toEqual(['zsh']);
  });
});

test.each(['zsh', 'fish'])('%s: every command and option is in it, with its summary', async (shell) => {
  const { stdout, code } = await cli.run(['completion', shell]);
  expect(code).toBe(0);
  for (const { name, summary } of COMMANDS) {
    expect(stdout).toContain(name);
    expect(stdout).toContain(summary);
  }
  expect(stdout).toContain('public-url');
  // A quote that is not closed would break the user's shell at every start.
  expect((stdout.match(/'/g) ?? []).length % 2).toBe(0);
});

test.each(['zsh', 'fish'])('%s accepts it, where there is one', async (shell) => {
  if (spawnSync(shell, ['--version']).error !== undefined) return;
  const { stdout } = await cli.run(['completion', shell]);
  expect(spawnSync(shell, ['-n'], { input: stdout, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
});

test('names are those that came with pi-tools, without a registry', async () => {
  const { stdout, code } = await cli.run(['completion', 'names'], { env: { PI_TOOLS_REGISTRY: 'http://127.0.0.1:9' } });
  expect(code).toBe(0);
  expect(stdout.split('\n')).toEqual(expect.arrayContaining(['weather', 'todo', 'math']));
});
