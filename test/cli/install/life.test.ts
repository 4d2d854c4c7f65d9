/** Update, rollback, outdated, verify, restore, scopes: the life of an installed package after the first day. */
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  createPiHome,
  createToolFolder,
  extensionSource,
  type PiHome,
  sketchFiles,
  toolSource,
} from '../../support/home.ts';
import { type LiveRegistry, publishTo, sketchArchive, startRegistry } from '../../support/registry.ts';

let registry: LiveRegistry;
let home: PiHome;

const LIST = '{\n  "allowedTools": ["read"]\n}\n';

beforeAll(async () => {
  registry = await startRegistry({ review: 'off' });
  const publish = (name: string, version: string, tools: string[]) =>
    publishTo(
      registry.url,
      registry.adminToken,
      sketchArchive({ name, version, tools: Object.fromEntries(tools.map((tool) => [tool, `${tool} ${version}`])) }),
    );
  await publish('weather', '1.0.0', ['weather', 'forecast']);
  await publish('weather', '1.2.0', ['weather', 'climate']);
  await publish('weather', '2.0.0', ['weather']);
  await publish('geo', '1.0.0', ['geo']);
  await publish('geo', '1.0.1', ['geo']);
}, 60_000);

afterAll(() => registry.end());
afterEach(() => home.remove());

const run = (args: string[], cwd?: string, env: Record<string, string> = {}) =>
  home.run([...args, '--json'], {
    ...(cwd === undefined ? {} : { cwd }),
    env: { PI_TOOLS_REGISTRY: registry.url, ...env },
  });
const ok = async (args: string[], code = 0, cwd?: string) => {
  const result = await run(args, cwd);
  expect(result.code, result.stderr + result.stdout).toBe(code);
  return result.json;
};
const list = () => JSON.parse(home.read('home/.pi/agent/settings.json')).allowedTools;

/** Installs 1.0.0 with the wish `^1.0.0`. */
async function installOld(name = 'weather'): Promise<void> {
  await ok(['install', `${name}@1.0.0`]);
  const file = join(home.agent, 'pi-tools.lock.json');
  const lock = JSON.parse(home.read('home/.pi/agent/pi-tools.lock.json'));
  lock.packages[name].wanted = '^1.0.0';
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
}

describe('update', () => {
  it('goes to the best version of the wish, with names in and out of the list, and rollback goes back exactly', async () => {
    home = await createPiHome(LIST);
    await installOld();
    const before = { lock: home.read('home/.pi/agent/pi-tools.lock.json'), list: list() };
    const outdated = await ok(['outdated'], 6);
    expect(outdated.outdated).toEqual([
      { package: 'weather', current: '1.0.0', wanted: '1.2.0', latest: '2.0.0', target: 'pi/user', pinned: false },
    ]);
    const answer = await ok(['update']);
    expect(answer.changes[0]).toMatchObject({
      action: 'update',
      from: '1.0.0',
      to: '1.2.0',
      tools: ['weather', 'climate'],
    });
    expect(list()).toEqual(['read', 'weather', 'climate']);
    expect((await ok(['list'])).installed[0]).toMatchObject({ version: '1.2.0', state: 'ok' });
    expect((await ok(['verify'])).differences).toEqual([]);
    const back = await ok(['rollback', 'weather']);
    expect(back.changes[0]).toMatchObject({ action: 'rollback', from: '1.2.0', to: '1.0.0' });
    expect(home.read('home/.pi/agent/pi-tools.lock.json')).toBe(before.lock);
    expect(list().sort()).toEqual(before.list.sort());
    expect((await ok(['verify'])).differences).toEqual([]);
    const again = await ok(['rollback', 'weather']);
    expect(again.changes[0]).toMatchObject({ from: '1.0.0', to: '1.2.0' });
    await ok(['remove', 'weather']);
    expect(home.has('home/.pi/agent/.pi-tools')).toBe(false);
    expect(home.read('home/.pi/agent/settings.json')).toBe(LIST);
  });

  it('leaves what is up to date or pinned alone, and says so', async () => {
    home = await createPiHome(LIST);
    await ok(['install', 'geo', 'weather@1.0.0']);
    const before = home.snapshot();
    const answer = await ok(['update']);
    expect(answer.changes).toEqual([]);
    expect(answer.notes.join()).toContain('pinned');
    expect(home.snapshot()).toEqual(before);
  });

  it('updates the others when one fails, lists the failure, and exits with its code', async () => {
    home = await createPiHome(LIST);
    await installOld();
    await installOld('geo');
    const file = join(home.agent, 'pi-tools.lock.json');
    const lock = JSON.parse(home.read('home/.pi/agent/pi-tools.lock.json'));
    lock.packages.weather.integrity = 'sha512-'.padEnd(93, 'B').concat('==');
    writeFileSync(file, JSON.stringify(lock));
    const answer = await ok(['update'], 5);
    expect(answer.changes).toHaveLength(1);
    expect(answer.changes[0]).toMatchObject({ package: 'geo', to: '1.0.1' });
    expect(answer.failures).toEqual([expect.objectContaining({ package: 'weather', code: 'integrity_mismatch' })]);
  });

  it('is stopped by a pin, which install of the same version sets, and a range takes away', async () => {
    home = await createPiHome(LIST);
    await ok(['install', 'geo']);
    const wanted = () => JSON.parse(home.read('home/.pi/agent/pi-tools.lock.json')).packages.geo.wanted;
    expect(wanted()).toBe('^1.0.1');
    expect((await ok(['install', 'geo@1.0.1'])).changes).toEqual([]);
    expect(wanted()).toBe('1.0.1');
    await ok(['install', 'geo@^1.0.0']);
    expect(wanted()).toBe('^1.0.0');
    await ok(['install', 'weather@1.2.0', '--scope', 'project']);
    await ok(['install', 'weather@~1.2.0', '--scope', 'project']);
    expect(JSON.parse(home.read('project/pi-tools.json')).tools.weather).toBe('~1.2.0');
  });

  it('overwrites what was changed here only with a yes', async () => {
    home = await createPiHome(LIST);
    await installOld('geo');
    home.write('home/.pi/agent/extensions/geo/package.json', '{}');
    const before = home.snapshot();
    expect((await ok(['update'], 4)).error.code).toBe('locally_modified');
    expect(home.snapshot()).toEqual(before);
    await ok(['update', '--yes']);
    expect((await ok(['list'])).installed[0]).toMatchObject({ version: '1.0.1', state: 'ok' });
  });

  it('of what is not installed is exit 3', async () => {
    home = await createPiHome(LIST);
    expect((await ok(['update', 'weather'], 3)).error.code).toBe('not_installed');
  });

  it('follows a folder that was installed, and says when it is gone', async () => {
    home = await createPiHome(LIST);
    const folder = createToolFolder({ name: 'mine' });
    await ok(['install', folder.path]);
    expect((await ok(['update'])).changes).toEqual([]);
    writeFileSync(join(folder.path, 'index.ts'), extensionSource(['mine', 'more']));
    expect((await ok(['update'])).changes[0]).toMatchObject({ action: 'update', tools: ['mine', 'more'] });
    folder.remove();
    expect((await ok(['update'], 3)).error.message).toContain(folder.path);
  });
});

describe('drift', () => {
  it('a fresh install is clean, a touched file too; a changed, missing or added one is named', async () => {
    home = await createPiHome(LIST);
    await ok(['install', 'geo']);
    const lock = JSON.parse(home.read('home/.pi/agent/pi-tools.lock.json'));
    const { folder } = lock.packages.geo.targets['pi/user'];
    const file = join(home.agent, folder, 'index.ts');
    utimesSync(file, new Date(0), new Date(0));
    expect((await ok(['verify'])).differences).toEqual([]);
    writeFileSync(file, `${extensionSource(['geo'])} `);
    const changed = await ok(['verify'], 6);
    expect(changed.differences).toEqual([expect.objectContaining({ package: 'geo', target: 'pi/user', file })]);
    expect((await ok(['list'])).installed[0].state).toBe('modified');
    expect((await ok(['remove', 'geo'], 4)).error.code).toBe('locally_modified');
    const extra = home.write(`home/.pi/agent/${folder}/mine.txt`, 'mine');
    expect((await ok(['verify'], 6)).differences.map((one: { file: string }) => one.file)).toContain(extra);
    rmSync(file);
    expect((await ok(['list'])).installed[0].state).toBe('missing');
    await ok(['install', '--scope', 'user']);
    expect((await ok(['verify'], 6)).differences).toHaveLength(1);
    await ok(['remove', 'geo', '--yes']);
    expect(home.read(`home/.pi/agent/${folder}/mine.txt`)).toBe('mine');
  });

  it('a lock that was changed together with the file is found against the registry', async () => {
    home = await createPiHome(LIST);
    await ok(['install', 'geo']);
    const text = home.read('home/.pi/agent/pi-tools.lock.json');
    const { folder, files } = JSON.parse(text).packages.geo.targets['pi/user'];
    writeFileSync(join(home.agent, folder, 'README.md'), 'other');
    const old = files[`${folder}/README.md`];
    writeFileSync(
      join(home.agent, 'pi-tools.lock.json'),
      text.replace(old, createHash('sha256').update('other').digest('hex')),
    );
    expect((await ok(['list'])).installed[0].state).toBe('ok');
    expect((await ok(['verify'], 6)).differences[0].file).toContain('README.md');
  });

  it('--inspect derives the tools anew', async () => {
    home = await createPiHome(LIST);
    await ok(['install', 'geo']);
    expect((await ok(['verify', '--inspect'])).differences).toEqual([]);
  });
});

describe('a project', () => {
  it('is restored on another machine from its two files, exactly, also in a sub-folder', async () => {
    home = await createPiHome(LIST);
    await ok(['install', 'weather@^1', '--scope', 'project']);
    expect(JSON.parse(home.read('project/pi-tools.json'))).toEqual({ agents: ['pi'], tools: { weather: '^1' } });
    const clone = join(home.folder, 'clone');
    mkdirSync(clone);
    for (const file of ['pi-tools.json', 'pi-tools.lock.json']) cpSync(join(home.project, file), join(clone, file));
    mkdirSync(join(clone, 'deep', 'er'), { recursive: true });
    const answer = await ok(['install', '--frozen'], 0, join(clone, 'deep', 'er'));
    expect(answer.changes).toEqual([
      expect.objectContaining({ package: 'weather', to: '1.2.0', target: 'pi/project' }),
    ]);
    expect(home.read('clone/pi-tools.lock.json')).toBe(home.read('project/pi-tools.lock.json'));
    const { installed } = await ok(['list'], 0, join(clone, 'deep'));
    expect(installed).toEqual([expect.objectContaining({ target: 'pi/project', state: 'ok' })]);
    expect((await ok(['install'], 0, clone)).changes).toEqual([]);
    writeFileSync(join(clone, 'pi-tools.json'), '{"tools": {"weather": "^2.0.0"}}');
    expect((await ok(['install', '--frozen'], 4, clone)).error.code).toBe('lock_would_change');
    expect((await ok(['install'], 0, clone)).changes[0]).toMatchObject({ from: '1.2.0', to: '2.0.0' });
  });

  it('is not restored from a lock file whose digest, hashes or files are not those of the archive', async () => {
    home = await createPiHome(LIST);
    await ok(['install', 'weather@^1', '--scope', 'project']);
    const lock = home.read('project/pi-tools.lock.json');
    const entry = JSON.parse(lock).packages.weather;
    const other = createHash('sha256').update('other').digest('hex');
    const [path, hash] = Object.entries<string>(entry.targets['pi/project'].files)[0]!;
    const wrong = [
      lock.replace(entry.recordDigest, other),
      lock.replace(hash, other),
      lock.replace(`"${path}"`, `"${path}.more"`),
    ];
    for (const [index, text] of wrong.entries()) {
      expect(text).not.toBe(lock);
      for (const frozen of [['--frozen'], []]) {
        const clone = `clone-${index}-${frozen.length}`;
        home.write(`${clone}/pi-tools.json`, home.read('project/pi-tools.json'));
        home.write(`${clone}/pi-tools.lock.json`, text);
        const before = home.snapshot();
        const { error } = await ok(['install', ...frozen], 5, join(home.folder, clone));
        expect(error).toMatchObject({ code: 'integrity_mismatch', details: { package: 'weather', version: '1.2.0' } });
        expect(home.snapshot()).toEqual(before);
      }
    }
  });

  it('keeps the layout of a hand-written pi-tools.json', async () => {
    home = await createPiHome(LIST);
    const text = '{\n\t"agents": ["pi"],\n\t"tools": { "geo": "~1.0.0" }\n}';
    home.write('project/pi-tools.json', text);
    await ok(['install']);
    expect(home.read('project/pi-tools.json')).toBe(text);
    await ok(['install', 'weather@1.0.0', '--scope', 'project']);
    expect(home.read('project/pi-tools.json')).toBe(text.replace('"~1.0.0"', '"~1.0.0", "weather": "1.0.0"'));
    await ok(['remove', 'weather']);
    expect(home.read('project/pi-tools.json')).toBe(text);
  });

  it('never gets a new list; one that is there is appended to; the user’s own only with a yes', async () => {
    home = await createPiHome(LIST);
    const answer = await ok(['install', 'geo', '--scope', 'project']);
    expect(home.has('project/.pi/settings.json')).toBe(false);
    expect(answer.warnings.join()).toContain('pi-tools allow geo');
    expect(home.read('home/.pi/agent/settings.json')).toBe(LIST);
    await ok(['remove', 'geo']);
    home.write('project/.pi/settings.json', '{"allowedTools": ["read"]}');
    const before = home.snapshot();
    await ok(['install', 'geo', '--scope', 'project', '--yes']);
    expect(home.read('project/.pi/settings.json')).toBe('{"allowedTools": ["read", "geo"]}');
    expect(list()).toEqual(['read', 'geo']);
    await ok(['remove', 'geo']);
    expect(home.snapshot()).toEqual(before);
  });

  it('installs for every agent that is here, in one command, and takes all back', async () => {
    home = await createPiHome(LIST);
    mkdirSync(join(home.home, '.config', 'slopcode'), { recursive: true });
    mkdirSync(join(home.project, '.opencode'));
    const before = home.snapshot();
    const tools = { tools: ['./tool.ts'] };
    const folder = createToolFolder({
      name: 'mine',
      packageJson: { slopcode: tools, opencode: tools },
      files: { 'tool.ts': toolSource('hi') },
    });
    const answer = await ok(['install', folder.path]);
    const targets = answer.changes.map((row: { target: string }) => row.target).sort();
    expect(targets).toEqual(['opencode/project', 'pi/user', 'slopcode/user']);
    const { changes } = await ok(['remove', 'mine']);
    expect(changes).toHaveLength(answer.changes.length);
    expect(home.snapshot()).toEqual(before);
    folder.remove();
  });

  it('says in which scope a package is', async () => {
    home = await createPiHome(LIST);
    await ok(['install', 'geo', '--scope', 'project']);
    const wrong = await ok(['remove', 'geo', '--scope', 'user'], 3);
    expect(wrong.error.hint).toContain('pi/project');
    expect((await ok(['remove', 'nothing'], 3)).error.code).toBe('not_installed');
    await ok(['remove', 'geo']);
    expect(home.has('project/pi-tools.json')).toBe(false);
    expect(home.has('project/pi-tools.lock.json')).toBe(false);
  });

  it('shows both scopes without --scope', async () => {
    home = await createPiHome(LIST);
    await ok(['install', 'geo', '--scope', 'project']);
    await ok(['install', 'weather']);
    const { installed } = await ok(['list']);
    expect(installed.map((row: { target: string }) => row.target)).toEqual(['pi/user', 'pi/project']);
    expect((await ok(['list', '--scope', 'user'])).installed).toHaveLength(1);
  });
});

describe('paths', () => {
  it('a folder, an archive and a single file', async () => {
    home = await createPiHome(LIST);
    const before = home.snapshot();
    const folder = createToolFolder({ name: 'mine' });
    await ok(['install', folder.path]);
    const archive = home.write('project/other.tgz', sketchArchive({ name: 'other' }));
    await ok(['install', './other.tgz']);
    const file = home.write('project/hello_tool.ts', sketchFiles({ tools: ['hello_tool'] })['index.ts'] ?? '');
    await ok(['install', './hello_tool.ts']);
    const { installed } = await ok(['list']);
    expect(installed.map((row: { package: string }) => row.package)).toEqual(['hello-tool', 'mine', 'other']);
    await ok(['remove', 'mine', 'other', 'hello-tool']);
    rmSync(archive);
    rmSync(file);
    folder.remove();
    expect(home.snapshot()).toEqual(before);
  });

  it('a package with npm dependencies is refused before anything is written', async () => {
    home = await createPiHome(LIST);
    const folder = createToolFolder({ name: 'mine', packageJson: { dependencies: { ms: '^2.0.0' } } });
    const before = home.snapshot();
    const { error } = await ok(['install', folder.path], 1);
    expect(error).toMatchObject({ code: 'npm_dependencies', message: expect.stringContaining('`ms`') });
    expect(home.snapshot()).toEqual(before);
    folder.remove();
  });

  it('warns when the agent that is on PATH is too old for it, and installs it', async () => {
    home = await createPiHome(LIST);
    const folder = createToolFolder({ name: 'mine', packageJson: { engines: { pi: '>=9.0.0' } } });
    home.write('home/lib/pi/package.json', '{"name": "@earendil-works/pi-coding-agent", "version": "1.6.0"}');
    const program = home.write('home/lib/pi/dist/cli.js', '');
    mkdirSync(join(home.home, 'bin'));
    symlinkSync(program, join(home.home, 'bin', 'pi'));
    const result = await run(['install', folder.path], undefined, { PATH: join(home.home, 'bin') });
    expect(result.code).toBe(0);
    expect(result.json.warnings.join()).toContain('mine@1.0.0 wants pi >=9.0.0, and pi 1.6.0 is installed');
    folder.remove();
  });

  it('a package that a check refuses is refused', async () => {
    home = await createPiHome(LIST);
    const folder = createToolFolder({ name: 'mine', files: { 'index.ts': 'export function register() {}\n' } });
    const before = home.snapshot();
    const result = await run(['install', folder.path]);
    expect(result.code).not.toBe(0);
    expect(home.snapshot()).toEqual(before);
    folder.remove();
  });
});
