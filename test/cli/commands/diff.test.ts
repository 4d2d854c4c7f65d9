/** `pi-tools diff` against a real registry: which versions it takes, what it prints, and that hostile text stays text. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { diffText } from '../../../cli/terminal/diff-view.ts';
import { type CliHome, type CliResult, createCliHome, type ServedRegistry, serveRegistry } from '../../support/cli.ts';

vi.setConfig({ testTimeout: 120_000 });

let cli: CliHome;
let registry: ServedRegistry;

const source = (description: string, parameters: string) => `export default function (pi) {
  pi.registerTool({ name: 'weather', label: 'Weather', description: ${JSON.stringify(description)}, parameters: ${parameters},
    async execute() { return { content: [{ type: 'text', text: 'x' }] }; } });
}
`;
const OLD = '{ type: "object", properties: { city: { type: "string" } }, required: ["city"] }';
const NEW =
  '{ type: "object", properties: { city: { type: "string" }, days: { type: "integer" } }, required: ["city", "days"] }';

const release = async (version: string, text: string, permissions: Record<string, string[]>) => {
  const folder = join(cli.project, `weather-${version}`);
  const files = {
    'package.json': JSON.stringify({
      name: 'weather',
      version,
      description: 'Weather',
      license: 'MIT',
      pi: { extensions: ['./index.ts'] },
      piTools: { permissions },
    }),
    'index.ts': text,
  };
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  const result = await on(['publish', folder, '--json']);
  // A new permission waits for a curator.
  if (result.json.status === 'pending') await on(['review', 'approve', `weather@${version}`]);
  else expect(result.json.status).toBe('listed');
};
const on = (args: readonly string[]): Promise<CliResult> =>
  cli.run(['--registry', registry.url, ...args], { env: { PI_TOOLS_TOKEN: registry.token } });

beforeAll(async () => {
  cli = await createCliHome();
  registry = await serveRegistry(cli);
  await release('1.0.0', source('Weather of a city', OLD), {});
  await release('1.1.0', source('Weather of a town', OLD), {});
  await release('1.2.0', source('Weather of a town, and more', NEW), { network: ['api.example.com'] });
}, 180_000);
afterAll(async () => {
  await registry.stop();
  cli.remove();
});

describe('diff', () => {
  test('takes the latest and the one before; the installed one where there is one', async () => {
    const first = await on(['diff', 'weather', '--json']);
    expect(first.code).toBe(0);
    expect(first.json).toMatchObject({ package: 'weather', from: '1.1.0', to: '1.2.0' });
    expect((await on(['install', 'weather@1.0.0', '--agent', 'pi', '--json'])).code).toBe(0);
    expect((await on(['diff', 'weather', '--json'])).json).toMatchObject({ from: '1.0.0', to: '1.2.0' });
    expect((await on(['diff', 'weather', '1.1.0', '--json'])).json).toMatchObject({ from: '1.1.0', to: '1.2.0' });
    expect((await on(['diff', 'weather', '^1.0.0', '1.0.0', '--json'])).json).toMatchObject({
      from: '1.2.0',
      to: '1.0.0',
    });
    expect((await on(['diff', 'weather', '1.0.0', '1.1.0', '--offline', '--json'])).code).toBe(0);
  });

  test('says every change with its class, and what the registry says too', async () => {
    const { json } = await on(['diff', 'weather', '1.0.0', '1.2.0', '--json']);
    expect(
      json.changes.map((one: Record<string, unknown>) => [one.class, one.tool, one.field, one.from, one.to]),
    ).toEqual([
      ['new-permission', null, 'permissions.network', null, 'api.example.com'],
      ['schema-narrower', 'weather', 'parameters.required', null, 'days'],
      ['schema-wider', 'weather', 'parameters.properties.days', null, { type: 'integer' }],
      ['wording', 'weather', 'description', 'Weather of a city', 'Weather of a town, and more'],
      ['files', null, 'index.ts', expect.anything(), expect.anything()],
      ['files', null, 'package.json', expect.anything(), expect.anything()],
    ]);
    const response = await fetch(`${registry.url}/v1/packages/weather/diff?from=1.0.0&to=1.2.0`);
    const answer = (await response.json()) as { changes: unknown };
    expect(answer).toMatchObject({ changes: json.changes });
  });

  test('is readable, without colours', async () => {
    const { stdout } = await on(['diff', 'weather', '1.0.0', '1.2.0']);
    expect(stdout).not.toContain('\u001b');
    expect(stdout).toBe(`weather 1.0.0 -> 1.2.0

May use, and did not before
  network: api.example.com

Accepts less than before
  weather (pi)  parameters.required: + days

Accepts more than before
  weather (pi)  parameters.properties.days: + {"type":"integer"}

Reads differently
  weather (pi)  description
    - Weather of a city
    + Weather of a town, and more

Files
${stdout.slice(stdout.indexOf('  index.ts'))}`);
    expect(stdout).toMatch(/ {2}index\.ts {2}changed, \d+ B -> \d+ B\n/);
  });

  test('exits 6 only when asked to, 3 for what is not there, 2 for a version in the name', async () => {
    expect((await on(['diff', 'weather', '--exit-code'])).code).toBe(6);
    const same = await on(['diff', 'weather', '1.0.0', '1.0.0', '--exit-code']);
    expect(same.code).toBe(0);
    expect(same.stdout).toContain('nothing changed');
    expect((await on(['diff', 'weather', '9.9.9'])).code).toBe(3);
    expect((await on(['diff', 'nothing'])).code).toBe(3);
    expect((await on(['diff', 'weather@1.0.0'])).code).toBe(2);
  });
});

test('what a hostile registry writes stays text', () => {
  const evil = 'a\u001b[2J\u202eb\nc';
  const base = { tool: evil, agents: ['pi' as const], field: evil, note: evil };
  const classes = [
    'new-permission',
    'new-override',
    'new-tool',
    'schema-narrower',
    'wording',
    'new-dependency',
    'files',
  ] as const;
  for (const from of [null, evil, [evil], { [evil]: evil }]) {
    for (const to of [null, `${evil}x`, [evil, evil], { description: evil }, 7]) {
      const text = diffText(
        classes.map((one) => ({ ...base, class: one, from, to })),
        80,
      );
      expect([...text].filter((character) => '\u001b\u202e'.includes(character))).toEqual([]);
    }
  }
});

test('of a long text only the lines that differ are shown', () => {
  const change = { class: 'wording' as const, tool: 't', agents: [], field: 'description', note: null };
  const text = diffText([{ ...change, from: 'one\ntwo\nthree', to: 'one\nzwei\nthree' }], 80);
  expect(text).toBe('Reads differently\n  t  description\n      …\n    - two\n    + zwei\n      …');
});
