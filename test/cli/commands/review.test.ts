import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { piPackageFiles } from '../../support/archive.ts';
import { type CliHome, createCliHome, type ServedRegistry, serveRegistry } from '../../support/cli.ts';

// Each pack starts an examiner of its own: seconds, on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

let cli: CliHome;
let registry: ServedRegistry;
beforeAll(async () => {
  cli = await createCliHome();
  registry = await serveRegistry(cli, ['--review', 'required']);
}, 60_000);
afterAll(async () => {
  await registry.stop();
  cli.remove();
});

const on = (args: readonly string[], token = registry.token) =>
  cli.run(['--registry', registry.url, ...args], { env: { PI_TOOLS_TOKEN: token } });

const folderOf = (name: string): string => {
  const folder = join(cli.project, name);
  mkdirSync(folder, { recursive: true });
  for (const [path, content] of Object.entries(piPackageFiles(name))) {
    writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
};

test('pending: the publish names the command that approves, and nobody else sees the version', async () => {
  await on(['user', 'add', 'author']);
  const { token } = (await on(['token', 'create', '--user', 'author', '--scopes', 'publish', '--json'])).json;
  const sent = await on(['publish', folderOf('waiting'), '--json'], token);
  expect(sent.code).toBe(0);
  const approve = `pi-tools review approve waiting@1.0.0 --registry ${registry.url}`;
  expect(sent.json).toMatchObject({ status: 'pending', approve, manifest: { status: { state: 'pending' } } });
  const text = await on(['publish', folderOf('waiting')], token);
  expect(text.stdout).toMatch(/waits for a curator|already published/);
  const anonymous = await cli.run(['info', 'waiting', '--registry', registry.url]);
  expect(anonymous.code).toBe(3);
  expect((await on(['info', 'waiting@1.0.0', '--json'], token)).json.manifest.status.state).toBe('pending');

  const { reviews } = (await on(['review', 'ls', '--json'])).json;
  expect(reviews).toEqual([expect.objectContaining({ package: 'waiting', version: '1.0.0', state: 'pending' })]);
  expect((await on(['review', 'show', 'waiting@1.0.0'])).stdout).toContain('waiting 1.0.0');
  expect((await on(['review', 'ls'], token)).code).toBe(4);
  expect((await on(['review', 'reject', 'waiting@1.0.0'])).code).toBe(2);

  expect((await on(['review', 'approve', 'waiting@1.0.0', '--dry-run', '--json'])).json.state).toBe('listed');
  expect((await on(['review', 'ls', '--json'])).json.reviews).toHaveLength(1);
  expect((await on(['review', 'approve', 'waiting@1.0.0', '--json'])).json).toMatchObject({
    ok: true,
    state: 'listed',
  });
  expect((await cli.run(['info', 'waiting', '--registry', registry.url, '--json'])).json.version).toBe('1.0.0');

  expect((await on(['review', 'quarantine', 'waiting@1.0.0', '--reason', 'steals keys', '--json'])).json.state).toBe(
    'quarantined',
  );
  expect((await on(['review', 'ls', '--state', 'quarantined', '--json'])).json.reviews).toHaveLength(1);
});

test('rejected, with the reason', async () => {
  await on(['publish', folderOf('unwanted')]);
  expect((await on(['review', 'reject', 'unwanted@1.0.0', '--reason', 'no', '--json'])).json.state).toBe('rejected');
  expect((await on(['review', 'show', 'unwanted@1.0.0'])).stdout).toContain('rejected: no');
});
