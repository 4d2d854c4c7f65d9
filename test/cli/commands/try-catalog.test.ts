/** Every example of every package of the catalog works under `pi-tools try`, from the package's own folder. */
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type OpenMeteo, startOpenMeteo } from '../../support/agents/open-meteo.ts';
import { type CliHome, createCliHome } from '../../support/cli.ts';

vi.setConfig({ testTimeout: 120_000 });

const catalog = fileURLToPath(new URL('../../../catalog/', import.meta.url));
const names = readdirSync(catalog).filter((name) => existsSync(`${catalog}${name}/package.json`));
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const hasSqlite = major > 22 || (major === 22 && minor >= 16);

let cli: CliHome;
let openMeteo: OpenMeteo;
beforeAll(async () => {
  cli = await createCliHome();
  openMeteo = await startOpenMeteo();
});
afterAll(async () => {
  await openMeteo.close();
  cli.remove();
});

type Tried = {
  tool: string;
  threw: string | null;
  undeclared: unknown[];
  checks: { id: string; ok: boolean | null }[];
};

test.each(names)('%s', async (name) => {
  const env = { OPEN_METEO_URL: openMeteo.url, OPEN_METEO_GEOCODING_URL: openMeteo.url };
  const before = readdirSync(`${catalog}${name}`);
  const { code, json } = await cli.run(['try', '--cwd', `${catalog}${name}`, '--json'], { env });
  const calls = json.calls as Tried[];
  expect(calls.length).toBeGreaterThan(0);
  expect(calls.flatMap(({ checks }) => checks.filter(({ ok }) => ok === false))).toEqual([]);
  // SQLite is the host's: the Node that runs the tests may have none, and the package says which does.
  const threw = calls.map((call) => call.threw).filter((message) => message !== null);
  if (name === 'database' && !hasSqlite) expect(threw.join()).toContain('needs SQLite from its host');
  else expect(threw).toEqual([]);
  expect(code).toBe(0);
  expect(readdirSync(`${catalog}${name}`)).toEqual(before);
});
