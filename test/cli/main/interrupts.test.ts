import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CliHome, collect, createCliHome } from '../../support/cli.ts';
import { type HostileRegistry, sendJson, startHostileRegistry } from '../../support/hostile-registry.ts';

let cli: CliHome;
let registry: HostileRegistry;
beforeEach(async () => {
  cli = await createCliHome();
  registry = await startHostileRegistry();
});
afterEach(async () => {
  cli.remove();
  await registry.close();
});

const untilAsked = async (): Promise<void> => {
  while (registry.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
};

describe('a signal while a command waits', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s ends it with %d, quietly', async (signal, code) => {
    registry.answer(() => {});
    const child = cli.start(['search', 'x', '--registry', registry.url]);
    const ended = collect(child);
    await untilAsked();
    child.kill(signal);
    const result = await ended;
    expect(result.code).toBe(code);
    expect(result.stdout).toBe('');
    expect(result.stderr).not.toContain('unexpected');
  });

  test('with --json stdout is still one document', async () => {
    registry.answer(() => {});
    const child = cli.start(['search', 'x', '--json', '--registry', registry.url]);
    const ended = collect(child);
    await untilAsked();
    child.kill('SIGINT');
    const result = await ended;
    expect(result.code).toBe(130);
    expect(result.json.error.code).toBe('interrupted');
  });
});

describe('what a hostile registry says', () => {
  const evil = '\u001b[2J\u001b]52;c;ZXZpbA==\u0007 \u202eevil \u200b \r gone';

  test('never reaches the terminal raw: descriptions', async () => {
    const result = { name: 'weather', version: '1.0.0', description: evil, tools: [evil], agents: ['pi'] };
    registry.answer((_request, response) => sendJson(response, { results: [result], total: 1, cursor: null }));
    for (const more of [[], ['--json'], ['--verbose']]) {
      const { stdout, stderr, code } = await cli.run(['search', 'x', '--registry', registry.url, ...more]);
      expect(code).toBe(0);
      expect((stdout + stderr).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }
    const { json } = await cli.run(['search', 'x', '--registry', registry.url, '--json']);
    expect(json.results[0].description).toBe(evil);
  });

  test('never reaches the terminal raw: refusals', async () => {
    registry.answer((_request, response) => sendJson(response, { code: 'forbidden', detail: evil, hint: evil }, 403));
    for (const more of [[], ['--json'], ['--verbose']]) {
      const { stdout, stderr, code } = await cli.run(['search', 'x', '--registry', registry.url, ...more]);
      expect(code).toBe(4);
      expect((stdout + stderr).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }
  });

  test('exit codes by status', async () => {
    for (const [status, code] of [
      [400, 1],
      [401, 4],
      [403, 4],
      [404, 3],
      [409, 4],
      [413, 1],
      [415, 1],
      [422, 4],
    ] as const) {
      registry.answer((_request, response) => response.writeHead(status).end('plain'));
      expect((await cli.run(['whoami', '--registry', registry.url])).code, String(status)).toBe(code);
    }
  });

  test('nobody there: exit 7, with one JSON document', async () => {
    const { url } = registry;
    await registry.close();
    const result = await cli.run(['info', 'x', '--registry', url, '--json']);
    expect([result.code, result.json.error.code]).toEqual([7, 'registry_unreachable']);
    registry = await startHostileRegistry();
  });

  test('--verbose does not print the token', async () => {
    const env = { PI_TOOLS_TOKEN: 'pit_canary_0123456789' };
    registry.answer((request, response) =>
      sendJson(response, { code: 'invalid_token', detail: 'no' }, request.headers.authorization ? 401 : 500),
    );
    const { stdout, stderr } = await cli.run(['whoami', '--verbose', '--registry', registry.url], { env });
    expect(registry.received[0]?.headers.authorization).toBe('Bearer pit_canary_0123456789');
    expect(stdout + stderr).not.toContain('canary');
  });
});
