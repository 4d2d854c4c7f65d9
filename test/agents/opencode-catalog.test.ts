/**
 * The catalog's SlopCode and opencode packages, installed with the command line, in the real opencode. SlopCode cannot be
 * had from npm; what is installed for it is loaded by opencode too, as a configuration folder of its own.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Manifest } from '../../schemas/manifest.ts';
import { findOpencode, type Opencode } from '../support/agents/install.ts';
import { type OpenMeteo, startOpenMeteo } from '../support/agents/open-meteo.ts';
import { piTools } from '../support/agents/pi-tools.ts';
import { type OpencodeRun, runOpencode } from '../support/agents/run-opencode.ts';
import { scratchFolders } from '../support/agents/scratch.ts';

const found = findOpencode();
const opencode = found as Opencode;
const scratch = scratchFolders();
const PACKAGES = ['weather', 'database', 'math', 'restricted-bash', 'project-info', 'python-add'];
const TOOLS = ['bash', 'database', 'math_add', 'math_multiply', 'project-info', 'python-add', 'weather'];

type Where = { home: string; cwd: string };
type Target = { agent: 'opencode' | 'slopcode'; scope: 'project' | 'user' };

const TARGETS: readonly Target[] = [
  { agent: 'opencode', scope: 'project' },
  { agent: 'opencode', scope: 'user' },
  { agent: 'slopcode', scope: 'project' },
  { agent: 'slopcode', scope: 'user' },
];

function makeHome({ agent, scope }: Target): Where {
  const home = scratch();
  const cwd = join(home, 'project');
  mkdirSync(join(home, '.config', agent), { recursive: true });
  mkdirSync(join(cwd, ...(scope === 'project' ? [`.${agent}`] : [])), { recursive: true });
  if (scope === 'project') execFileSync('git', ['init', '-q'], { cwd });
  const database = new Sqlite(join(cwd, 'app.db'));
  database.exec("create table users (id integer, name text); insert into users values (7, 'Алсу')");
  database.close();
  return { home, cwd };
}

async function toolsOf(names: string[], where: Where, agent: Target['agent']) {
  const manifests = names.map((name) => piTools<{ manifest: Manifest }>(['info', name], where));
  return (await Promise.all(manifests)).flatMap(({ manifest }) => manifest.record.agents[agent]?.tools ?? []);
}

const to = ({ agent, scope }: Target) => ['--yes', '--agent', agent, '--scope', scope];

/** Where opencode looks besides its own folders. */
const configFolder = ({ agent, scope }: Target, { home, cwd }: Where): Record<string, string> => {
  if (agent === 'opencode') return {};
  return { OPENCODE_CONFIG_DIR: scope === 'project' ? join(cwd, '.slopcode') : join(home, '.config', 'slopcode') };
};

describe.skipIf(!found).each(TARGETS)('the catalog installed for $agent/$scope', (target) => {
  let where: Where;
  let openMeteo: OpenMeteo;
  let run: OpencodeRun;

  beforeAll(async () => {
    openMeteo = await startOpenMeteo();
    where = makeHome(target);
    await piTools(['install', ...PACKAGES, ...to(target), '--allow-override', 'bash'], where);
    run = await runOpencode(opencode, {
      ...where,
      env: { OPEN_METEO_URL: openMeteo.url, ...configFolder(target, where) },
      calls: [
        { name: 'weather', args: { city: 'Tokyo' } },
        { name: 'weather', args: { city: 'Tokyo', unit: 'kelvin' } },
        { name: 'database', args: { file: 'app.db', query: 'select name from users where id = ?', params: [7] } },
        { name: 'database', args: { file: 'app.db', query: 'pragma user_version = 5' } },
        { name: 'math_add', args: { a: 0.1, b: 0.2 } },
        { name: 'math_multiply', args: { a: 123456789, b: 987654321 } },
        { name: 'bash', args: { command: 'ls app.db', description: 'Lists the database' } },
        { name: 'bash', args: { command: 'rm app.db', description: 'Removes the database' } },
        { name: 'project-info', args: {} },
        { name: 'python-add', args: { a: 40, b: 2 } },
      ],
    });
  });
  afterAll(() => openMeteo.close());

  test('opencode runs to its end', () => expect([run.exitCode, run.timedOut]).toEqual([0, false]));

  test('every tool is offered as its manifest says, with the descriptions of its parameters', async () => {
    const tools = await toolsOf(PACKAGES, where, target.agent);
    expect(tools.map((tool) => tool.name).sort()).toEqual(TOOLS);
    for (const { name, description, parameters } of tools) {
      const offered = run.offered.get(name);
      expect(offered).toMatchObject({ name, description });
      expect(comparable(offered?.parameters)).toEqual(comparable(parameters));
    }
  });

  test('the results come back to the model', () => {
    const [weather, kelvin, rows, readOnly, sum, product, ls, rm, info, python] = run.results;
    expect(weather).toContain('Tokyo, Japan: 12.5 °C, rain');
    expect(kelvin).toMatch(/unit/);
    expect(rows).toBe('{"columns":["name"],"rows":[["Алсу"]],"more":false}');
    expect(readOnly).toContain('readonly database');
    expect(sum).toBe('0.3');
    expect(product).toBe('121932631112635269');
    expect(ls).toBe('app.db\n');
    expect(rm).toContain('rm is not allowed');
    expect(existsSync(join(where.cwd, 'app.db'))).toBe(true);
    expect(info).toContain(`Working folder: ${where.cwd}`);
    expect(info).toContain(target.scope === 'project' ? `Worktree: ${where.cwd}` : 'Worktree: none');
    expect(python).toBe('42');
  });

  test('after remove, nothing of them is offered, and bash is opencode’s own again', async () => {
    await piTools(['remove', ...PACKAGES, ...to(target)], where);
    const after = await runOpencode(opencode, {
      ...where,
      env: configFolder(target, where),
      calls: [{ name: 'bash', args: { command: 'echo $((6 * 7))', description: 'x' } }],
    });
    expect(TOOLS.filter((name) => after.offered.has(name))).toEqual(['bash']);
    expect(after.results[0]).toContain('42');
  });
});

describe.skipIf(!found)('a tool that breaks', () => {
  test('is a tool that says why; the session and the other tools go on', async () => {
    const target: Target = { agent: 'opencode', scope: 'project' };
    const where = makeHome(target);
    const folder = join(scratch(), 'broken');
    mkdirSync(folder);
    const packageJson = { name: 'broken', version: '1.0.0', license: 'MIT', opencode: { tools: ['./broken.ts'] } };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(packageJson));
    writeFileSync(
      join(folder, 'broken.ts'),
      `export default { description: 'Works while it is looked at', args: {}, async execute() { return 'fine' } }`,
    );
    await piTools(['install', folder, 'math', ...to(target)], where);
    breakIt(join(where.cwd, '.opencode', 'pi-tools', 'broken'));
    const calls = [{ name: 'broken' }, { name: 'math_add', args: { a: 1, b: 1 } }];
    const run = await runOpencode(opencode, { ...where, calls });
    expect(run.exitCode).toBe(0);
    expect(run.results[0]).toContain('boom at import');
    expect(run.results[1]).toBe('2');
  });
});

/** Zod's draft line is opencode's own; an empty `required` means what none means. */
function comparable(schema: Record<string, unknown> | undefined): unknown {
  const { $schema: _, required, additionalProperties: __, ...rest } = schema ?? {};
  return { ...rest, required: Array.isArray(required) ? [...required].sort() : [] };
}

/** What an update of Bun or a lost file may do to installed code. */
function breakIt(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('broken.ts')) continue;
    writeFileSync(join(folder, name), "throw new Error('boom at import');\n");
    expect(readFileSync(join(folder, name), 'utf8')).toContain('boom');
  }
}
