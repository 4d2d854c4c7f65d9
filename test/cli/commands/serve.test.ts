import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type CliHome, collect, createCliHome, serveRegistry } from '../../support/cli.ts';

vi.setConfig({ testTimeout: 60_000 });

let cli: CliHome;
beforeEach(async () => {
  cli = await createCliHome();
});
afterEach(() => cli.remove());

const firstLine = (stream: NodeJS.ReadableStream | null): Promise<string> =>
  new Promise((resolve) => {
    let text = '';
    stream?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
  });

describe('serve', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('says where it listens, and ends with 0 on %s', async (signal) => {
    const child = cli.start(['serve', '--port', '0', '--data', join(cli.home, 'data')]);
    const ended = collect(child);
    const line = await firstLine(child.stdout);
    expect(line).toMatch(/^listening on http:\/\/127\.0\.0\.1:\d+$/);
    const url = line.replace('listening on ', '');
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    child.kill(signal);
    const { code, stdout, stderr } = await ended;
    expect([code, stdout]).toEqual([0, `${line}\n`]);
    const token = /pit_\w+/.exec(stderr)?.[0] ?? '';
    expect(token).not.toBe('');
    await expect(fetch(`${url}/readyz`)).rejects.toThrow();
  });

  test('with --json one line, and the administrator’s token only at the first start', async () => {
    const first = await serveRegistry(cli);
    expect(first.token).toMatch(/^pit_/);
    expect(await first.stop()).toBe(0);
    const second = await serveRegistry(cli);
    expect(second.token).toBeUndefined();
    const who = await cli.run(['whoami', '--json', '--registry', second.url], { env: { PI_TOOLS_TOKEN: first.token } });
    expect(who.json.user).toBe('admin');
    expect(await second.stop()).toBe(0);
  });

  test('a second one on the same data folder is refused', async () => {
    const first = await serveRegistry(cli);
    const second = await cli.run(['serve', '--port', '0', '--data', join(cli.home, 'registry'), '--json']);
    expect([second.code, second.json.error.code]).toEqual([1, 'data_folder_locked']);
    await first.stop();
  });

  test('a port that is taken is told in one line', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as AddressInfo;
    const result = await cli.run(['serve', '--port', String(port), '--data', join(cli.home, 'data')]);
    expect(result.code).toBe(1);
    expect(result.stderr).toContain(String(port));
    expect(result.stderr).not.toContain('unexpected');
    taken.close();
  });

  test('--catalog offers what came with pi-tools', async () => {
    const registry = await serveRegistry(cli, ['--catalog']);
    const { json } = await cli.run(['info', 'weather', '--json', '--registry', registry.url]);
    expect(json.manifest.record.publisher).toBe('pi-tools');
    await registry.stop();
  });

  test('without --data: in XDG_DATA_HOME', async () => {
    const env = { XDG_DATA_HOME: join(cli.home, 'xdg') };
    const child = cli.start(['serve', '--port', '0', '--json'], { env });
    const ended = collect(child);
    await firstLine(child.stdout);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
    const { json } = await cli.run(['user', 'ls', '--data', join(cli.home, 'xdg', 'pi-tools', 'server'), '--json']);
    expect(json.users).toHaveLength(1);
  });
});
