/** Install and remove for pi in user scope, from a registry, with the real command line: what is written, and that it is taken back exactly. */
import { chmodSync, lstatSync, mkdirSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createPiHome, extensionSource, type PiHome } from '../../support/home.ts';
import { type LiveRegistry, publishTo, sketchArchive, startRegistry } from '../../support/registry.ts';

let registry: LiveRegistry;
let home: PiHome;

beforeAll(async () => {
  registry = await startRegistry({ review: 'off' });
  const publish = async (archive: Buffer) =>
    expect((await publishTo(registry.url, registry.adminToken, archive)).status).toBe(201);
  await publish(sketchArchive({ name: 'weather', version: '1.0.0' }));
  await publish(sketchArchive({ name: 'weather', version: '1.1.0', files: { 'helper.ts': 'export const x = 1;\n' } }));
  await publish(sketchArchive({ name: 'other', tools: { weather: 'also weather' } }));
  await publish(sketchArchive({ name: 'two', tools: { two_a: 'a', two_b: 'b' } }));
  await publish(sketchArchive({ name: '@team/geo' }));
  await publish(
    sketchArchive({
      name: 'reader',
      tools: { read: 'reads' },
      packageJson: { piTools: { overrides: [{ tool: 'read', reason: 'logs' }] } },
    }),
  );
  await publish(sketchArchive({ name: 'sneaky', tools: { read: 'reads' } }));
  await publish(
    sketchArchive({ name: 'net', packageJson: { piTools: { permissions: { network: ['example.com'] } } } }),
  );
  await publish(
    sketchArchive({
      name: 'net',
      version: '1.1.0',
      packageJson: { piTools: { permissions: { network: ['example.com', 'evil.example'] } } },
    }),
  );
  await publish(sketchArchive({ name: 'pre', version: '1.0.0-beta.1' }));
  await publish(sketchArchive({ name: 'needs', packageJson: { piTools: { dependencies: { geo2: '^1.0.0' } } } }));
  await publish(sketchArchive({ name: 'geo2' }));
}, 120_000);

afterAll(() => registry.end());
afterEach(() => home.remove());

const LIST = '{\n  "theme": "dark",\n  "allowedTools": ["read", "bash"]\n}\n';

const run = (args: string[], more: Parameters<PiHome['run']>[1] = {}) =>
  home.run([...args, '--json'], { ...more, env: { PI_TOOLS_REGISTRY: registry.url, ...more.env } });

/** Runs and expects the exit code; the answer's JSON. */
const ok = async (args: string[], code = 0) => {
  const result = await run(args);
  expect(result.code, result.stderr + result.stdout).toBe(code);
  return result.json;
};

describe('what an install writes', () => {
  it('puts the package into its folder, the name into the list, and takes both back exactly', async () => {
    home = await createPiHome(LIST);
    const before = home.snapshot();
    const answer = await ok(['install', 'weather@1.0.0']);
    expect(answer.changes).toEqual([
      {
        action: 'install',
        package: 'weather',
        from: null,
        to: '1.0.0',
        target: 'pi/user',
        location: join(home.agent, 'extensions', 'weather'),
        tools: ['weather'],
        integrity: expect.stringMatching(/^sha512-/),
      },
    ]);
    expect(answer.settings).toEqual([{ file: home.settings, added: ['weather'], removed: [], created: false }]);
    expect(home.read('home/.pi/agent/settings.json')).toBe(LIST.replace('"bash"]', '"bash", "weather"]'));
    const generated = JSON.parse(home.read('home/.pi/agent/extensions/weather/package.json'));
    expect(generated).toMatchObject({ name: 'weather', version: '1.0.0' });
    expect(home.has(`home/.pi/agent/extensions/weather/${generated.pi.extensions[0]}`)).toBe(true);
    const lock = JSON.parse(home.read('home/.pi/agent/pi-tools.lock.json'));
    expect(lock.packages.weather).toMatchObject({ version: '1.0.0', wanted: '1.0.0', registry: registry.url });
    await ok(['remove', 'weather']);
    expect(home.snapshot()).toEqual(before);
  });

  it('leaves nothing in a home without an agent folder', async () => {
    home = await createPiHome();
    const before = home.snapshot();
    await ok(['install', 'weather', '--agent', 'pi']);
    expect(JSON.parse(home.read('home/.pi/agent/settings.json')).allowedTools).toContain('weather');
    await ok(['remove', 'weather']);
    expect(home.snapshot()).toEqual(before);
  });

  it('changes nothing when it is installed already, and names a newer version', async () => {
    home = await createPiHome(LIST);
    await ok(['install', 'weather@1.0.0']);
    const before = home.snapshot();
    const answer = await ok(['install', 'weather']);
    expect(answer.changes).toEqual([]);
    expect(answer.notes.join()).toContain('1.1.0');
    await ok(['install', 'weather@1.0.0']);
    expect(home.snapshot()).toEqual(before);
  });

  it('writes nothing with --dry-run but tells the whole plan', async () => {
    home = await createPiHome(LIST);
    const before = home.snapshot();
    const answer = await ok(['install', 'weather', '--dry-run']);
    expect(answer.changes).toHaveLength(1);
    expect(answer.settings[0].added).toEqual(['weather']);
    expect(home.snapshot()).toEqual(before);
  });

  it('installs a scoped package into one folder, one level deep', async () => {
    home = await createPiHome(LIST);
    await ok(['install', '@team/geo']);
    expect(home.has('home/.pi/agent/extensions/@team+geo/package.json')).toBe(true);
    const before = JSON.parse(home.read('home/.pi/agent/extensions/@team+geo/package.json'));
    expect(before.name).toBe('@team/geo');
  });

  it('installs what a package needs, and removes it with the last that needs it', async () => {
    home = await createPiHome(LIST);
    const before = home.snapshot();
    const answer = await ok(['install', 'needs']);
    expect(answer.changes.map((row: { package: string }) => row.package).sort()).toEqual(['geo2', 'needs']);
    expect((await ok(['remove', 'geo2'], 4)).error.code).toBe('state_conflict');
    await ok(['remove', 'needs']);
    expect(home.snapshot()).toEqual(before);
  });

  it('keeps the lock file free of times and places: two homes, the same bytes', async () => {
    home = await createPiHome(LIST);
    await ok(['install', 'two', 'weather']);
    const first = home.read('home/.pi/agent/pi-tools.lock.json');
    home.remove();
    home = await createPiHome(LIST);
    await ok(['install', 'weather']);
    await ok(['install', 'two']);
    expect(home.read('home/.pi/agent/pi-tools.lock.json')).toBe(first);
  });

  it('takes a pre-release only where there is nothing else, and says so', async () => {
    home = await createPiHome(LIST);
    const answer = await ok(['install', 'pre']);
    expect(answer.changes[0].to).toBe('1.0.0-beta.1');
    expect(answer.notes.join()).toContain('pre-release');
  });
});

describe('what stops an install before anything is written', () => {
  const refuses = async (args: string[], code: number, error: string) => {
    const before = home.snapshot();
    const answer = await ok(args, code);
    expect(answer.error.code).toBe(error);
    expect(home.snapshot()).toEqual(before);
    return answer.error;
  };

  it('a tool of another package', async () => {
    home = await createPiHome(LIST);
    await ok(['install', 'weather']);
    const error = await refuses(['install', 'other'], 4, 'tool_name_conflict');
    expect(error.message).toContain('weather');
    expect(error.details.owner).toMatchObject({ package: 'weather', target: 'pi/user' });
  });

  it('a tool of a hand-made extension, wherever it lies', async () => {
    home = await createPiHome(LIST);
    home.write('home/.pi/agent/extensions/mine.ts', extensionSource(['weather']));
    const error = await refuses(['install', 'weather'], 4, 'tool_name_conflict');
    expect(error.details.owner.path).toContain('mine.ts');
    renameSync(join(home.agent, 'extensions', 'mine.ts'), join(home.agent, 'mine.ts'));
    writeFileSync(home.settings, '{"extensions": ["./mine.ts"], "allowedTools": []}');
    await refuses(['install', 'weather'], 4, 'tool_name_conflict');
    home.write('home/elsewhere/package.json', '{"name": "x", "pi": {"extensions": ["./a.ts"]}}');
    home.write('home/elsewhere/a.ts', extensionSource(['weather']));
    writeFileSync(home.settings, '{"packages": ["~/elsewhere"], "allowedTools": []}');
    await refuses(['install', 'weather'], 4, 'tool_name_conflict');
    writeFileSync(home.settings, LIST);
    home.write('project/.pi/extensions/w/index.ts', extensionSource(['weather']));
    await refuses(['install', 'weather'], 4, 'tool_name_conflict');
  });

  it('two packages of one command with the same tool', async () => {
    home = await createPiHome(LIST);
    await refuses(['install', 'weather', 'other'], 4, 'tool_name_conflict');
  });

  it('a folder in the way', async () => {
    home = await createPiHome(LIST);
    home.write('home/.pi/agent/extensions/weather/notes.txt', 'mine');
    await refuses(['install', 'weather'], 4, 'path_conflict');
  });

  it('an override without consent; --yes is none', async () => {
    home = await createPiHome(LIST);
    await refuses(['install', 'reader'], 4, 'override_refused');
    await refuses(['install', 'reader', '--yes'], 4, 'override_refused');
    await refuses(['install', 'sneaky', '--yes'], 4, 'override_refused');
    await refuses(['install', 'reader', '--allow-override', 'bash'], 4, 'override_refused');
    const answer = await ok(['install', 'reader', '--allow-override', 'read']);
    expect(answer.changes).toHaveLength(1);
  });

  it.each([
    ['a trailing comma', '{"allowedTools": ["read",]}'],
    ['comments', '{\n// x\n"allowedTools": []}'],
    ['0 bytes', ''],
    ['white space', '\n \n'],
    ['a list', '[]'],
    ['null', 'null'],
    ['a list of numbers', '{"allowedTools": [1]}'],
    ['two lists', '{"allowedTools": [], "allowedTools": []}'],
    ['no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ])('settings that do not parse: %s', async (_, settings) => {
    home = await createPiHome(settings);
    const error = await refuses(['install', 'weather'], 1, 'settings_invalid');
    expect(error.details).toMatchObject({ file: home.settings, line: expect.any(Number), column: expect.any(Number) });
  });

  it('a lock file that does not parse', async () => {
    home = await createPiHome(LIST);
    home.write('home/.pi/agent/pi-tools.lock.json', '{"lockfileVersion": 1,\n<<<<<<< HEAD\n');
    const error = await refuses(['install', 'weather'], 1, 'state_invalid');
    expect(error.details).toMatchObject({ line: 2 });
  });

  it('a package, a version or a tag that is not there', async () => {
    home = await createPiHome(LIST);
    expect((await refuses(['install', 'wether'], 3, 'package_not_found')).hint).toContain('weather');
    await refuses(['install', 'weather@9.9.9'], 3, 'version_not_found');
    await refuses(['install', 'weather@nightly'], 3, 'tag_not_found');
    await refuses(['install', '../weather'], 3, 'not_found');
    await refuses(['install', 'Weather'], 1, 'invalid_name');
  });

  it('an agent that the package is not for', async () => {
    home = await createPiHome(LIST);
    await refuses(['install', 'weather', '--agent', 'slopcode'], 4, 'agent_unsupported');
  });

  it('project scope in the home folder', async () => {
    home = await createPiHome(LIST);
    const result = await run(['install', 'weather', '--scope', 'project'], { cwd: home.home });
    expect(result.code).toBe(2);
  });
});

describe('lists of every shape', () => {
  it.each([
    [
      'tabs and unknown keys',
      '{\n\t"x": {"allowedTools": [1]},\n\t"allowedTools": [\n\t\t"read"\n\t],\n\t"n": 12345678901234567890\n}',
    ],
    ['CRLF and a mark', '\uFEFF{\r\n    "allowedTools": [\r\n        "read",\r\n        "bash"\r\n    ]\r\n}\r\n'],
    ['one line', '{"allowedTools":["read"],"é":"天气"}'],
    ['an empty list', '{"allowedTools": []}'],
    ['the user allows it already', '{"allowedTools": ["weather", "weather"]}'],
    ['no list, other keys', '{"theme": "dark"}'],
    ['an empty object', '{}'],
  ])('%s', async (_, settings) => {
    home = await createPiHome(settings);
    const before = home.snapshot();
    await ok(['install', 'weather']);
    const text = home.read('home/.pi/agent/settings.json').replace('\uFEFF', '');
    expect(JSON.parse(text).allowedTools).toContain('weather');
    await ok(['install', 'two']);
    await ok(['remove', 'weather']);
    await ok(['remove', 'two']);
    expect(home.snapshot()).toEqual(before);
  });

  it('makes no list that would switch something off', async () => {
    home = await createPiHome('{}');
    home.write('home/.pi/agent/extensions/mine.ts', extensionSource(['mine']));
    const before = home.read('home/.pi/agent/settings.json');
    const answer = await ok(['install', 'weather']);
    expect(home.read('home/.pi/agent/settings.json')).toBe(before);
    expect(answer.settings).toEqual([]);
    expect(answer.notes.join()).toContain('allow --init');
    await ok(['allow', '--init']);
    const list = JSON.parse(home.read('home/.pi/agent/settings.json')).allowedTools;
    expect(list).toEqual(expect.arrayContaining(['read', 'tool_search', 'mine', 'weather']));
  });

  it.each([
    ['packages', '{"packages": []}'],
    ['extensions', '{"extensions": ["~/x"]}'],
  ])('makes no list beside %s', async (_, settings) => {
    home = await createPiHome(settings);
    await ok(['install', 'weather']);
    expect(home.read('home/.pi/agent/settings.json')).toBe(settings);
  });

  it('makes no list beside mcp.json', async () => {
    home = await createPiHome(null);
    home.write('home/.pi/agent/mcp.json', '{}');
    await ok(['install', 'weather']);
    expect(home.has('home/.pi/agent/settings.json')).toBe(false);
  });

  it('leaves settings alone when told to', async () => {
    home = await createPiHome(LIST);
    await ok(['install', 'weather', '--no-allowed-tools']);
    expect(home.read('home/.pi/agent/settings.json')).toBe(LIST);
    await ok(['remove', 'weather']);
    expect(home.read('home/.pi/agent/settings.json')).toBe(LIST);
  });

  it('keeps a linked settings.json a link, and its mode', async () => {
    home = await createPiHome(null);
    const real = home.write('home/dotfiles/pi.json', LIST);
    chmodSync(real, 0o600);
    symlinkSync('../../dotfiles/pi.json', home.settings);
    await ok(['install', 'weather']);
    expect(lstatSync(home.settings).isSymbolicLink()).toBe(true);
    expect(statSync(real).mode & 0o777).toBe(0o600);
    expect(home.read('home/dotfiles/pi.json')).toContain('"weather"');
    await ok(['remove', 'weather']);
    expect(home.read('home/dotfiles/pi.json')).toBe(LIST);
  });

  it('allow and deny edit by hand; deny without a list is refused', async () => {
    home = await createPiHome(LIST);
    await ok(['allow', 'mine']);
    expect(home.read('home/.pi/agent/settings.json')).toBe(LIST.replace('"bash"]', '"bash", "mine"]'));
    await ok(['deny', 'mine']);
    expect(home.read('home/.pi/agent/settings.json')).toBe(LIST);
    writeFileSync(home.settings, '{}');
    const answer = await ok(['deny', 'bash'], 4);
    expect(answer.error).toMatchObject({ code: 'no_allowed_tools', hint: expect.stringContaining('allow --init') });
    await ok(['allow', 'bash']);
    expect(home.read('home/.pi/agent/settings.json')).toBe('{}');
  });

  it('a name that the user allowed by hand stays when the package goes', async () => {
    home = await createPiHome('{"allowedTools": ["weather"]}');
    await ok(['install', 'weather']);
    await ok(['remove', 'weather']);
    expect(home.read('home/.pi/agent/settings.json')).toBe('{"allowedTools": ["weather"]}');
  });
});

describe('where the agent folder is', () => {
  it.each([
    ['an absolute path with a blank and other letters', (at: string) => join(at, 'home', 'Агент 天'), 'home/Агент 天'],
    ['~/x', () => '~/other', 'home/other'],
    ['a relative path', () => 'rel', 'project/rel'],
    ['a file URL', (at: string) => `file://${join(at, 'home', 'url')}`, 'home/url'],
  ])('PI_CODING_AGENT_DIR as %s', async (_, value, folder) => {
    home = await createPiHome(LIST);
    const before = home.snapshot();
    const env = { PI_CODING_AGENT_DIR: value(home.folder) };
    mkdirSync(join(home.folder, folder));
    home.write(`${folder}/settings.json`, LIST);
    expect((await run(['install', 'weather'], { env })).code).toBe(0);
    expect(home.has(`${folder}/extensions/weather/package.json`)).toBe(true);
    expect(home.read(`${folder}/settings.json`)).toContain('weather');
    expect((await run(['list'], { env })).json.installed).toHaveLength(1);
    expect((await run(['remove', 'weather'], { env })).code).toBe(0);
    expect(home.read(`${folder}/settings.json`)).toBe(LIST);
    expect({ ...home.snapshot(), [`${folder}/settings.json`]: undefined }).toEqual({
      ...before,
      [`${folder}/settings.json`]: undefined,
    });
  });

  it('an empty PI_CODING_AGENT_DIR is the default', async () => {
    home = await createPiHome(LIST);
    expect((await run(['install', 'weather'], { env: { PI_CODING_AGENT_DIR: '' } })).code).toBe(0);
    expect(home.has('home/.pi/agent/extensions/weather/package.json')).toBe(true);
  });

  it('follows a linked extensions folder', async () => {
    home = await createPiHome(LIST);
    mkdirSync(join(home.folder, 'elsewhere'));
    symlinkSync(join(home.folder, 'elsewhere'), join(home.agent, 'extensions'));
    const before = home.snapshot();
    await ok(['install', 'weather']);
    expect(home.has('elsewhere/weather/package.json')).toBe(true);
    await ok(['remove', 'weather']);
    expect(home.snapshot()).toEqual(before);
  });
});

describe('consent', () => {
  it('permissions of a first install are accepted and printed; wider ones on update are not', async () => {
    home = await createPiHome(LIST);
    const first = await run(['install', 'net@^1']);
    expect(first.code).toBe(0);
    await ok(['remove', 'net']);
    const pinned = await run(['install', 'net@1.0.0']);
    expect(pinned.stderr).toContain('example.com');
    const before = home.snapshot();
    const refused = await ok(['install', 'net@1.1.0'], 4);
    expect(refused.error.code).toBe('consent_required');
    expect(refused.error.message).toContain('evil.example');
    expect(home.snapshot()).toEqual(before);
    const answer = await ok(['install', 'net@1.1.0', '--yes']);
    expect(answer.changes[0]).toMatchObject({ action: 'update', from: '1.0.0', to: '1.1.0' });
  });
});
