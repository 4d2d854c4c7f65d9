import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMANDS } from '../../../cli/command-table.ts';
import { type CliHome, collect, createCliHome } from '../../support/cli.ts';

let cli: CliHome;
beforeAll(async () => {
  cli = await createCliHome();
});
afterAll(() => cli.remove());

describe('the table of commands', () => {
  test.each(COMMANDS.map((command) => [command.name, command] as const))(
    '%s says the same as its file',
    async (_, entry) => {
      const { define } = await entry.load();
      expect({ name: define.name, aliases: define.aliases ?? [], summary: define.summary }).toEqual({
        name: entry.name,
        aliases: [...entry.aliases],
        summary: entry.summary,
      });
    },
  );

  test('no name stands twice', () => {
    const names = COMMANDS.flatMap((command) => [command.name, ...command.aliases]);
    expect(new Set(names).size).toBe(names.length);
  });

  test('all that INTERFACE.md names for this issue is there', () => {
    const wanted =
      'install i add remove rm uninstall update upgrade list ls info search pack publish tag init login logout whoami token user review serve allow deny verify completion check yank unyank deprecate owner cache';
    const names = new Set(COMMANDS.flatMap((command) => [command.name, ...command.aliases]));
    expect(wanted.split(' ').filter((name) => !names.has(name))).toEqual([]);
  });
});

describe('help and version', () => {
  test.each([['--version'], ['-V'], ['list', '--version']])('%s %s prints the version alone', async (...args) => {
    const result = await cli.run(args.filter(Boolean));
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(result.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test('--version --json is one document', async () => {
    expect((await cli.run(['--version', '--json'])).json).toEqual({ version: expect.stringMatching(/^\d+\./) });
  });

  test('--help names every command', async () => {
    const { stdout, code } = await cli.run(['--help']);
    expect(code).toBe(0);
    for (const { name, summary } of COMMANDS) expect(stdout).toMatch(new RegExp(`^ {2}${name} +${summary}$`, 'm'));
  });

  test.each([[['install', '--help']], [['--help', 'i']], [['help', 'add']], [['--json', 'install', '-h']]])(
    '%j explains install',
    async (args) => {
      const { stdout, code, stderr } = await cli.run(args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain('Usage: pi-tools install');
      expect(stdout).toContain('--registry');
    },
  );
});

describe('wrong usage is exit 2 and says what was meant', () => {
  test.each([
    [[], 'no command given', '--help'],
    [['instal'], 'unknown command `instal`', 'did you mean `install`'],
    [['serch', 'x'], 'unknown command `serch`', '`search`'],
    [['list', '--jsno'], 'unknown option `--jsno`', '`--json`'],
    [['--ofline', 'list'], 'unknown option `--ofline`', '`--offline`'],
    [['list', 'too', 'many'], 'too many arguments', ''],
    [['info'], 'missing required argument', ''],
    [['tag'], '`tag` needs one of: ls, set, rm', ''],
    [['tag', 'sett', 'x', 'y'], 'unknown command `sett`', '`set`'],
    [['list', '--agent', 'claude'], '--agent `claude` is not an agent', 'pi, slopcode, opencode'],
    [['list', '--scope', 'global'], '--scope `global` is not a scope', 'user or project'],
    [['list', '--cwd', '/no/such/folder'], '`/no/such/folder` is not a folder', ''],
    [['search', 'x', '--registry', 'ftp://x'], '`ftp://x` is not the URL of a registry', 'https://'],
    [['search', 'x', '--limit', '0'], '--limit `0`', ''],
    [['serve', '--port', '70000'], '--port `70000`', ''],
    [['serve', '--review', 'maybe'], '--review `maybe`', 'off, auto, required'],
    [['yank', 'weather'], 'does not name one version', '`weather@1.0.0`'],
    [[''], 'unknown command ``', '--help'],
    [['__proto__'], 'unknown command `__proto__`', '--help'],
    [['x'.repeat(5000)], 'unknown command `xxxx', '--help'],
    [['list', ''], 'too many arguments', ''],
    [['list', '--json=1'], 'unknown option', ''],
    [['search', 'x', '--agent'], 'argument missing', ''],
    [['search', 'x', '--registry='], 'is not the URL of a registry', ''],
    [['search', 'x', '--agent', 'pi', '--agent', 'slopcode'], 'one --agent at a time', ''],
    [['completion', 'tcsh'], '`tcsh`', 'bash, zsh, fish'],
  ])('%j', async (args, message, hint) => {
    const plain = await cli.run(args);
    expect(plain.code).toBe(2);
    expect(plain.stdout).toBe('');
    expect(plain.stderr).toMatch(/^error: /);
    expect(plain.stderr).toContain(message);
    expect(plain.stderr).toContain(hint);
    expect(plain.stderr).not.toMatch(/\n\s+at /);
    const json = await cli.run(['--json', ...args]);
    expect(json.code).toBe(2);
    expect(json.json.error).toMatchObject({ code: 'usage', message: expect.stringContaining(message) });
    expect(Object.keys(json.json.error)).toEqual(['code', 'message', 'hint', 'details']);
  });

  test('global options stand before or after the command', async () => {
    for (const args of [
      ['--json', 'cache', 'ls'],
      ['cache', '--json', 'ls'],
      ['cache', 'ls', '--json'],
      ['--cwd', '.', 'cache', 'ls', '--json', '--no-color', '-q'],
    ]) {
      const result = await cli.run(args);
      expect(result.json, args.join(' ')).toMatchObject({ ok: true, archives: 0 });
    }
  });

  test('what follows -- is no option', async () => {
    const result = await cli.run(['search', '--offline', '--', '--json']);
    expect(result.stdout).not.toMatch(/^\{/);
    expect(result.code).toBe(0);
  });
});

describe('streams', () => {
  test('a reader that goes away is no error', async () => {
    const child = cli.start(['--help']);
    child.stdout?.destroy();
    const result = await collect(child);
    expect(result.stderr).toBe('');
    expect(result.code).toBe(0);
  });

  test('no colours where nobody looks at them', async () => {
    const { stdout, stderr } = await cli.run(['nothing']);
    expect(stdout + stderr).not.toContain('\u001b');
  });

  test('a password in the URL of a registry is refused and not repeated', async () => {
    const result = await cli.run(['search', 'x', '--registry', 'http://me:s3cret-word@127.0.0.1:9']);
    expect(result.code).toBe(2);
    expect(result.stdout + result.stderr).not.toContain('s3cret-word');
  });
});
