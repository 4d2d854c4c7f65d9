import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CliHome, createCliHome } from '../../support/cli.ts';
import { type HostileRegistry, sendJson, startHostileRegistry } from '../../support/hostile-registry.ts';

const bin = fileURLToPath(new URL('../../../cli/bin.js', import.meta.url));
/** `script` (util-linux) gives a program a terminal; a terminal cannot be had from Node alone. */
const hasScript = spawnSync('script', ['--version']).stdout?.toString().includes('util-linux') ?? false;

let cli: CliHome;
let registry: HostileRegistry;
beforeEach(async () => {
  cli = await createCliHome();
  registry = await startHostileRegistry();
  registry.answer((_request, response) =>
    sendJson(response, { user: 'alice', role: 'publisher', scopes: ['publish'] }),
  );
});
afterEach(async () => {
  cli.remove();
  await registry.close();
});

/** Runs on a terminal and types `keys` as soon as `prompt` is there. */
const onTerminal = (
  args: readonly string[],
  prompt: string,
  keys: string,
): Promise<{ code: number | null; screen: string }> =>
  new Promise((resolve) => {
    const command = [process.execPath, bin, ...args].join(' ');
    const child = spawn('script', ['-qefc', command, '/dev/null'], {
      cwd: cli.project,
      env: { PATH: process.env.PATH ?? '', HOME: cli.home, TERM: 'xterm', LANG: 'C.UTF-8' },
    });
    let screen = '';
    let typed = false;
    child.stdout.on('data', (chunk: Buffer) => {
      screen += chunk.toString();
      if (typed || !screen.includes(prompt)) return;
      typed = true;
      setTimeout(() => child.stdin.write(keys), 200);
    });
    child.on('close', (code) => resolve({ code, screen }));
  });

describe.skipIf(!hasScript)('on a terminal', () => {
  test('a token is asked for, not shown, and stored', async () => {
    const token = 'pit_typed_canary_01';
    const { code, screen } = await onTerminal(['login', registry.url], '(not shown): ', `${token}\r`);
    expect(code).toBe(0);
    expect(screen).not.toContain('canary');
    expect(screen).toContain('as alice');
    expect(registry.received[0]?.headers.authorization).toBe(`Bearer ${token}`);
  });

  test('Ctrl-C at the question is 130, and nothing is sent', async () => {
    const { code } = await onTerminal(['login', registry.url], '(not shown): ', '\u0003');
    expect(code).toBe(130);
    expect(registry.received).toEqual([]);
  });

  test('colours there, none with --no-color', async () => {
    const { screen } = await onTerminal(['nonsense'], 'nothing', '');
    expect(screen).toContain('\u001b[31merror:');
    expect((await onTerminal(['nonsense', '--no-color'], 'nothing', '')).screen).not.toContain('\u001b[');
  });
});
