/** The catalog's pi packages, installed with the command line into a fresh home, in the real pi. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Manifest } from '../../schemas/manifest.ts';
import { findPi, type Pi } from '../support/agents/install.ts';
import { type OpenMeteo, startOpenMeteo } from '../support/agents/open-meteo.ts';
import { piTools, tryPiTools } from '../support/agents/pi-tools.ts';
import { type PiRun, runPi } from '../support/agents/run-pi.ts';
import { scratchFolders } from '../support/agents/scratch.ts';

const found = findPi();
const pi = found as Pi;
const scratch = scratchFolders();
const PACKAGES = ['weather', 'todo', 'note-edit', 'read-log', 'read-logger'];
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

function makeHome(): { home: string; cwd: string } {
  const home = scratch();
  const cwd = join(home, 'project');
  mkdirSync(cwd);
  return { home, cwd };
}

async function toolsOf(names: string[], where: { home: string; cwd: string }) {
  const manifests = names.map((name) => piTools<{ manifest: Manifest }>(['info', name], where));
  return (await Promise.all(manifests)).flatMap(({ manifest }) => manifest.record.agents.pi?.tools ?? []);
}

describe.skipIf(!found)('the catalog in pi, for the user', () => {
  const where = makeHome();
  let openMeteo: OpenMeteo;
  let run: PiRun;

  beforeAll(async () => {
    openMeteo = await startOpenMeteo();
    mkdirSync(join(where.home, '.pi', 'agent'), { recursive: true });
    writeFileSync(join(where.home, '.pi', 'agent', 'settings.json'), '{\n  "allowedTools": ["read", "bash"]\n}');
    await piTools(['install', ...PACKAGES, '--yes', '--allow-override', 'read'], where);
    writeFileSync(join(where.cwd, 'notes.md'), '# List\n- [ ] call Ann\n');
    writeFileSync(join(where.cwd, 'server.log'), 'one\ntwo\nthree\n');
    writeFileSync(join(where.cwd, 'dot.png'), Buffer.from(PNG, 'base64'));
    run = await runPi(pi, {
      ...where,
      images: 'yes',
      args: ['--session-id', 'first'],
      env: { OPEN_METEO_URL: openMeteo.url },
      calls: [
        { name: 'weather', args: { city: 'Tokyo', unit: 'fahrenheit' } },
        { name: 'weather', args: { city: 'Atlantis' } },
        { name: 'todo', args: { oldAction: 'add', text: 'write the weekly report' } },
        { name: 'todo', args: { action: 'list' } },
        { name: 'note_edit', args: { path: 'notes.md', oldText: '[ ]', newText: '[x] $&' } },
        { name: 'read_log', args: { path: 'server.log', lines: 1 } },
        { name: 'read', args: { path: 'server.log', offset: 2, limit: 1 } },
        { name: 'read', args: { path: 'dot.png' } },
        { name: 'read', args: { path: 'none.txt' } },
      ],
    });
  });
  afterAll(() => openMeteo.close());

  test('pi starts and says nothing bad', () => {
    expect([run.exitCode, run.timedOut]).toEqual([0, false]);
    expect(run.stderr).not.toMatch(/error|conflict|fail/i);
  });

  test('every tool is offered as its manifest says', async () => {
    const tools = await toolsOf(PACKAGES, where);
    expect(tools.map((tool) => tool.name).sort()).toEqual(['note_edit', 'read', 'read_log', 'todo', 'weather']);
    for (const { name, description, parameters } of tools) {
      expect(run.offered.get(name)).toMatchObject({ name, description, parameters });
    }
  });

  test('snippets and guidelines of the manifests are in the system prompt', async () => {
    for (const tool of await toolsOf(PACKAGES, where)) {
      expect(run.systemPrompt).toContain(`- ${tool.name}: ${tool.promptSnippet}`);
      for (const line of tool.promptGuidelines) expect(run.systemPrompt).toContain(`- ${line}`);
    }
  });

  test('the results come back to the model', () => {
    const [weather, atlantis, added, list, edited, log, part, image, none] = run.results;
    expect(weather).toContain('Tokyo, Japan: 54.5 °F, rain');
    expect(atlantis).toContain('No city called "Atlantis" was found');
    expect(added).toBe('Added 1. write the weekly report (1 open)');
    expect(list).toBe('[ ] 1. write the weekly report');
    expect(edited).toBe('Changed notes.md at line 2.');
    expect(readFileSync(join(where.cwd, 'notes.md'), 'utf8')).toBe('# List\n- [x] $& call Ann\n');
    expect(log).toContain('three\n\n[Shown: the last 1 line, 6B of 14B.');
    expect(part).toContain('two');
    expect(part).not.toContain('three');
    expect(image).toContain('image/png');
    expect(none).toContain('ENOENT');
    expect(run.toolErrors).toEqual([false, true, false, false, false, false, false, false, true]);
    expect(openMeteo.requests.length).toBe(3);
  });

  test('read is replaced: images still reach the model, and each read is logged in the session', () => {
    expect(run.imagesSent).toBe(1);
    const log = sessionEntries(where.home).filter((entry) => entry.customType === 'read-logger');
    expect(log.map((entry) => (entry.data as { path: string }).path)).toEqual(['server.log', 'dot.png', 'none.txt']);
  });

  test('todo remembers its list when the session is resumed, and not in another session', async () => {
    const calls = [{ name: 'todo', args: { action: 'list' } }];
    const resumed = await runPi(pi, { ...where, args: ['--session-id', 'first'], calls });
    expect(resumed.results).toEqual(['[ ] 1. write the weekly report']);
    const other = await runPi(pi, { ...where, args: ['--session-id', 'second'], calls });
    expect(other.results).toEqual(['The todo list is empty.']);
  });

  test('the names are in allowedTools, and taken back with the packages', async () => {
    const settings = join(where.home, '.pi', 'agent', 'settings.json');
    const allowed = () => (JSON.parse(readFileSync(settings, 'utf8')) as { allowedTools: string[] }).allowedTools;
    expect(allowed().sort()).toEqual(['bash', 'note_edit', 'read', 'read_log', 'todo', 'weather']);
    await piTools(['remove', ...PACKAGES], where);
    expect(readFileSync(settings, 'utf8')).toBe('{\n  "allowedTools": ["read", "bash"]\n}');
    const after = await runPi(pi, { ...where, calls: [{ name: 'weather', args: { city: 'Tokyo' } }] });
    expect([...after.offered.keys()].sort()).toEqual(['bash', 'edit', 'read', 'write']);
    expect([after.exitCode, after.results]).toEqual([0, ['Tool weather not found']]);
  });
});

describe.skipIf(!found)('the catalog in pi, for a project', () => {
  test('offered when the project is trusted, and gone after remove', async () => {
    const where = makeHome();
    mkdirSync(join(where.cwd, '.git'));
    await piTools(['install', 'todo', '--yes', '--agent', 'pi', '--scope', 'project'], where);
    const offered = async (...args: string[]) =>
      [...(await runPi(pi, { ...where, args: ['--no-session', ...args] })).offered.keys()].includes('todo');
    expect(await offered('--approve')).toBe(true);
    expect(await offered()).toBe(false);
    await piTools(['remove', 'todo', '--agent', 'pi', '--scope', 'project'], where);
    expect(await offered('--approve')).toBe(false);
  });

  test('PI_CODING_AGENT_DIR is where pi looks', async () => {
    const where = makeHome();
    const env = { PI_CODING_AGENT_DIR: join(where.home, 'elsewhere') };
    mkdirSync(env.PI_CODING_AGENT_DIR);
    await piTools(['install', 'todo', '--yes', '--agent', 'pi'], { ...where, env });
    const run = await runPi(pi, { ...where, env, calls: [{ name: 'todo', args: { action: 'list' } }] });
    expect(run.results).toEqual(['The todo list is empty.']);
    expect(existsSync(join(where.home, '.pi'))).toBe(false);
  });
});

describe.skipIf(!found)('what would stop pi is not installed', () => {
  test('a package with a tool that is there already', async () => {
    const where = makeHome();
    const extensions = join(where.home, '.pi', 'agent', 'extensions');
    mkdirSync(extensions, { recursive: true });
    writeFileSync(
      join(extensions, 'mine.ts'),
      `import { Type } from 'typebox';
       const name = ['to', 'do'].join('');
       export default (pi: any) => pi.registerTool({
         name, label: 'Mine', description: 'Mine', parameters: Type.Object({}),
         execute: async () => ({ content: [{ type: 'text', text: 'mine' }], details: {} }) });`,
    );
    const refused = await tryPiTools(['install', 'todo', '--yes', '--json'], where);
    expect(refused.exitCode).toBe(4);
    expect(JSON.parse(refused.stdout)).toMatchObject({ error: { code: 'tool_name_conflict' } });
    expect(readdirSync(extensions)).toEqual(['mine.ts']);
    const run = await runPi(pi, { ...where, calls: [{ name: 'todo' }] });
    expect([run.exitCode, run.results]).toEqual([0, ['mine']]);
  });

  test('an override without its own consent', async () => {
    const where = makeHome();
    mkdirSync(join(where.home, '.pi', 'agent'), { recursive: true });
    const refused = await tryPiTools(['install', 'read-logger', '--yes', '--json'], where);
    expect([refused.exitCode, JSON.parse(refused.stdout).error.code]).toEqual([4, 'override_refused']);
  });
});

type SessionEntry = { type: string; customType?: string; data?: unknown };

/** Entries of the one session that is there. */
function sessionEntries(home: string): SessionEntry[] {
  const folder = join(home, '.pi', 'agent', 'sessions');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'));
  return files.flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as SessionEntry),
  );
}
