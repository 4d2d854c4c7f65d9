import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CliHome, createCliHome } from '../../support/cli.ts';
import { startHostileRegistry } from '../../support/hostile-registry.ts';

const hasOpenssl = spawnSync('openssl', ['version']).error === undefined;

describe.skipIf(!hasOpenssl)('over https', () => {
  let folder: string;
  let cli: CliHome;
  let server: ReturnType<typeof createServer>;
  let url: string;
  let location: string | null = null;
  beforeAll(async () => {
    cli = await createCliHome();
    folder = mkdtempSync(join(tmpdir(), 'pi-tools-tls-'));
    const made = spawnSync('openssl', [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=DNS:localhost,IP:127.0.0.1',
      '-keyout',
      join(folder, 'key.pem'),
      '-out',
      join(folder, 'cert.pem'),
    ]);
    expect(made.status).toBe(0);
    const keys = { key: readFileSync(join(folder, 'key.pem')), cert: readFileSync(join(folder, 'cert.pem')) };
    server = createServer(keys, (_request, response) => {
      if (location !== null) return void response.writeHead(302, { location }).end();
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ user: 'alice', role: 'publisher', scopes: ['read'] }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.close();
    cli.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const whoami = (env: Record<string, string> = {}) =>
    cli.run(['whoami', '--json', '--registry', url], { env: { PI_TOOLS_TOKEN: 'pit_0123456789', ...env } });

  test('a certificate that nobody knows is refused, exit 7', async () => {
    const { code, json } = await whoami();
    expect([code, json.error.code]).toEqual([7, 'registry_unreachable']);
    expect(json.error.message).toMatch(/certificate/);
  });

  test('NODE_EXTRA_CA_CERTS makes it known', async () => {
    const { json } = await whoami({ NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem') });
    expect(json).toMatchObject({ user: 'alice', registry: url });
  });

  test('never down to http', async () => {
    const plain = await startHostileRegistry();
    location = `${plain.url}/v1/me`;
    const { code, json } = await whoami({ NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem') });
    expect([code, json.error.code]).toEqual([7, 'invalid_answer']);
    expect(plain.received).toEqual([]);
    location = null;
    await plain.close();
  });
});
