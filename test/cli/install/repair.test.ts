/** `install NAME` of what the lock has and the disk has not: put back, exactly; what was changed here is not overwritten unasked. */
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createPiHome, createToolFolder, type PiHome, toolSource } from '../../support/home.ts';
import { type LiveRegistry, publishTo, sketchArchive, startRegistry } from '../../support/registry.ts';
import { snapshotWorld } from '../../support/world.ts';

let registry: LiveRegistry;
let home: PiHome;

beforeAll(async () => {
  registry = await startRegistry({ review: 'off' });
  const packageJson = { slopcode: { tools: ['./tool.ts'] } };
  for (const version of ['1.0.0', '1.1.0'])
    await publishTo(registry.url, registry.adminToken, sketchArchive({ name: 'weather', version }));
  const files = { 'tool.ts': toolSource('hi') };
  await publishTo(registry.url, registry.adminToken, sketchArchive({ name: 'both', packageJson, files }));
}, 60_000);
afterAll(() => registry.end());
afterEach(() => home.remove());

const run = (args: string[]) => home.run([...args, '--json'], { env: { PI_TOOLS_REGISTRY: registry.url } });
const ok = async (args: string[], code = 0) => {
  const result = await run(args);
  expect(result.code, result.stderr + result.stdout).toBe(code);
  return result.json;
};
/** Without the list of folders to remove at the end, which also names those that were made again. */
const snapshot = () =>
  snapshotWorld(home.folder, { except: [/^home\/\.(?:cache|local)(?:\/|$)/, /\/?\.pi-tools\/state\.json$/] });
const folder = () => join(home.agent, 'extensions', 'weather');
const mainFile = (): string => {
  const { targets } = JSON.parse(home.read('home/.pi/agent/pi-tools.lock.json')).packages.weather;
  return join(home.agent, targets['pi/user'].folder, 'index.ts');
};

describe('install of a package whose files are gone', () => {
  it.each<[string, () => void]>([
    ['the whole folder', () => rmSync(folder(), { recursive: true })],
    ['the extensions folder', () => rmSync(join(home.agent, 'extensions'), { recursive: true })],
    ['the entry', () => rmSync(join(folder(), 'package.json'))],
    ['one file', () => rmSync(mainFile())],
  ])('%s: puts back the locked version', async (_, damage) => {
    home = await createPiHome('{"allowedTools": ["read"]}');
    const empty = home.snapshot();
    await ok(['install', 'weather@1.0.0']);
    const before = snapshot();
    for (const spec of ['weather', 'weather@1.0.0']) {
      damage();
      expect((await ok(['list'])).installed[0].state).toBe('missing');
      expect((await ok(['install', spec, '--dry-run'])).changes).toHaveLength(1);
      const { changes, notes } = await ok(['install', spec]);
      expect(changes).toEqual([expect.objectContaining({ action: 'install', package: 'weather', to: '1.0.0' })]);
      expect(notes.join()).not.toContain('nothing to do');
      expect(snapshot()).toEqual(before);
    }
    expect((await ok(['install', 'weather'])).changes).toEqual([]);
    await ok(['remove', 'weather']);
    expect(home.snapshot()).toEqual(empty);
  });

  it('in the target that lacks them, and in no other', async () => {
    home = await createPiHome(null);
    const where = ['--agent', 'pi', '--agent', 'slopcode', '--scope', 'project'];
    await ok(['install', 'both', ...where]);
    const before = snapshot();
    rmSync(join(home.project, '.slopcode', 'tools'), { recursive: true });
    const { changes } = await ok(['install', 'both', ...where]);
    expect(changes.map(({ target }: { target: string }) => target)).toEqual(['slopcode/project']);
    expect(snapshot()).toEqual(before);
  });

  it('from a path', async () => {
    home = await createPiHome(null);
    const own = createToolFolder({ name: 'weather' });
    await ok(['install', own.path]);
    const before = snapshot();
    rmSync(folder(), { recursive: true });
    expect((await ok(['install', own.path])).changes).toHaveLength(1);
    expect(snapshot()).toEqual(before);
    own.remove();
  });

  it('fails, and does not say that there is nothing to do, where the registry is not there', async () => {
    home = await createPiHome(null);
    await ok(['install', 'weather@1.0.0']);
    rmSync(folder(), { recursive: true });
    rmSync(join(home.home, '.cache'), { recursive: true });
    const away = await home.run(['install', 'weather', '--json'], { env: { PI_TOOLS_REGISTRY: 'http://127.0.0.1:9' } });
    expect([away.code, existsSync(folder())]).toEqual([7, false]);
  });
});

describe('install of a package whose files were changed', () => {
  it('names them and the command that puts them back, which asks', async () => {
    home = await createPiHome(null);
    await ok(['install', 'weather@1.0.0']);
    const before = snapshot();
    writeFileSync(mainFile(), '// mine\n');
    const changed = snapshot();
    const { changes, notes } = await ok(['install', 'weather']);
    expect(changes).toEqual([]);
    expect(notes.join()).toContain(mainFile());
    expect(notes.join()).not.toContain('nothing to do');
    const named = /`pi-tools ([^`]*)`/.exec(notes.join())?.[1]?.split(' ') ?? [];
    expect((await ok(named, 4)).error.code).toBe('locally_modified');
    expect(snapshot()).toEqual(changed);
    await ok([...named, '--yes']);
    expect(snapshot()).toEqual(before);
  });

  it('while others are gone: nothing is overwritten without a yes', async () => {
    home = await createPiHome(null);
    await ok(['install', 'weather@1.0.0']);
    const before = snapshot();
    writeFileSync(mainFile(), '// mine\n');
    rmSync(join(folder(), 'package.json'));
    const { error } = await ok(['install', 'weather'], 4);
    expect(error).toMatchObject({ code: 'locally_modified', details: { files: [mainFile()] } });
    expect(readFileSync(mainFile(), 'utf8')).toBe('// mine\n');
    await ok(['install', 'weather', '--yes']);
    expect(snapshot()).toEqual(before);
  });

  it('a link in a file’s place is no file of ours', async () => {
    home = await createPiHome(null);
    await ok(['install', 'weather@1.0.0']);
    rmSync(mainFile());
    symlinkSync('/etc/hostname', mainFile());
    expect((await ok(['install', 'weather'])).notes.join()).toContain(mainFile());
  });
});
