import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type FileMap, piPackageFiles, slopcodeToolSource } from '../../support/archive.ts';
import { type CliHome, type CliResult, createCliHome, type ServedRegistry, serveRegistry } from '../../support/cli.ts';

// Each pack starts an examiner of its own: seconds, on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

let cli: CliHome;
let registry: ServedRegistry;
beforeAll(async () => {
  cli = await createCliHome();
  registry = await serveRegistry(cli);
}, 60_000);
afterAll(async () => {
  expect(await registry.stop()).toBe(0);
  cli.remove();
});

const write = (folder: string, files: FileMap): string => {
  for (const [path, content] of Object.entries(files)) {
    const file = join(cli.project, folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(
      file,
      typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content),
    );
  }
  return `./${folder}`;
};

type More = { token?: string; input?: string; cwd?: string };

const on = (args: readonly string[], { token = registry.token, ...more }: More = {}): Promise<CliResult> =>
  cli.run(['--registry', registry.url, ...args], { env: token === '' ? {} : { PI_TOOLS_TOKEN: token }, ...more });

const publish = async (
  name: string,
  version: string,
  options: Parameters<typeof piPackageFiles>[1] = {},
): Promise<CliResult> =>
  on([
    'publish',
    write(`${name.replace('/', '+')}-${version}`, piPackageFiles(name, { version, ...options })),
    '--json',
  ]);

describe('login', () => {
  test('takes a token on stdin, asks the registry, and keeps it for its owner alone', async () => {
    const result = await on(['login', registry.url, '--token-stdin', '--json'], {
      token: '',
      input: `${registry.token}\n`,
    });
    expect(result.json).toEqual({ ok: true, user: 'admin', role: 'administrator', registry: registry.url });
    const file = join(cli.home, '.config', 'pi-tools', 'credentials.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const whoami = await on(['whoami', '--json'], { token: '' });
    expect(whoami.json).toMatchObject({ user: 'admin', role: 'administrator', registry: registry.url });
    expect((await on(['logout', '--json'], { token: '' })).json).toEqual({
      ok: true,
      registry: registry.url,
      removed: true,
    });
    expect(readFileSync(file, 'utf8')).not.toContain(registry.token);
    expect((await on(['logout', '--json'], { token: '' })).json.removed).toBe(false);
  });

  test('a token that the registry does not know is not kept, and not printed', async () => {
    const wrong = 'pit_wrong_canary_0123456789';
    const result = await on(['login', registry.url, '--token-stdin', '--verbose'], { token: '', input: wrong });
    expect(result.code).toBe(4);
    expect(result.stdout + result.stderr).not.toContain('canary');
    expect((await on(['whoami'], { token: '' })).code).toBe(4);
  });

  test('a token with a line break inside is refused before anything is sent', async () => {
    const result = await on(['login', registry.url, '--token-stdin'], {
      token: '',
      input: 'pit_one_canary\npit_two_canary',
    });
    expect(result.code).toBe(4);
    expect(result.stderr).not.toContain('canary');
  });

  test('without a terminal it says how', async () => {
    const result = await on(['login', registry.url], { token: '' });
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining('--token-stdin') });
  });

  test('the embedded registry needs none', async () => {
    expect((await cli.run(['login'])).code).toBe(2);
    expect((await cli.run(['whoami', '--json'])).json).toMatchObject({
      user: 'local',
      role: 'administrator',
      registry: 'embedded',
    });
  });

  test('a project does not decide where a token is typed into', async () => {
    const folder = join(cli.project, write('trap', { 'pi-tools.json': { registry: registry.url } }));
    const result = await cli.run(['login', '--token-stdin'], { cwd: folder, input: registry.token });
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining('named by this project only') });
    const who = await cli.run(['whoami', '--json'], { cwd: folder, env: { PI_TOOLS_TOKEN: registry.token } });
    expect(who.json.error.code).toBe('unauthorized');
  });
});

describe('pack', () => {
  test('gives the archive, what is in it and what is not', async () => {
    const folder = write('packed', { ...piPackageFiles('packed'), '.env': 'SECRET=1', 'notes.txt': 'kept' });
    const result = await cli.run(['pack', folder, '--json']);
    expect(result.code).toBe(0);
    expect(result.json.file).toBe(join(cli.project, 'packed-1.0.0.tgz'));
    expect(result.json.manifest.record).toMatchObject({
      name: 'packed',
      version: '1.0.0',
      integrity: result.json.integrity,
    });
    expect(result.json.manifest.record.agents.pi.tools.map((tool: { name: string }) => tool.name)).toEqual(['packed']);
    expect(result.json.left_out.map((one: { path: string }) => one.path)).toContain('.env');
    expect(result.json.files.map((one: { path: string }) => one.path)).toContain('notes.txt');
    const bytes = readFileSync(result.json.file);
    const again = await cli.run(['pack', folder, '--json', '--out', 'elsewhere.tgz']);
    expect(readFileSync(join(cli.project, 'elsewhere.tgz'))).toEqual(bytes);
    expect(again.json.integrity).toBe(result.json.integrity);
    const text = await cli.run(['pack', folder]);
    for (const part of ['.env', 'notes.txt', 'packed-1.0.0.tgz', 'Left out']) expect(text.stdout).toContain(part);
  });

  test('--dry-run writes nothing', async () => {
    const folder = write('dry', piPackageFiles('dry'));
    const result = await cli.run(['pack', folder, '--dry-run', '--json']);
    expect(result.json).toMatchObject({ file: null, manifest: { record: { name: 'dry' } } });
    expect(existsSync(join(cli.project, 'dry-1.0.0.tgz'))).toBe(false);
  });

  test('a single file is a package, named after its tool', async () => {
    write('single', { 'tool_file.ts': piPackageFiles('word_count', { tool: 'word_count' })['index.ts'] as string });
    const without = await cli.run(['pack', './single/tool_file.ts']);
    expect(without).toMatchObject({ code: 2, stderr: expect.stringContaining('--package-version') });
    const checked = await cli.run(['check', './single/tool_file.ts', '--json']);
    expect(checked.json.manifest.record).toMatchObject({ name: 'word-count', version: '0.0.0' });
    const result = await cli.run(['pack', './single/tool_file.ts', '--package-version', '1.2.3', '--json']);
    expect(result.json.manifest.record).toMatchObject({ name: 'word-count', version: '1.2.3' });
    const named = await cli.run([
      'pack',
      './single/tool_file.ts',
      '--package-version',
      '1.0.0',
      '--package-name',
      'other',
      '--json',
    ]);
    expect(named.json.manifest.record.name).toBe('other');
  });

  test('a single SlopCode tool is found to be one', async () => {
    write('single', { 'shout.ts': slopcodeToolSource('Shouts.') });
    const { json } = await cli.run(['pack', './single/shout.ts', '--package-version', '1.0.0', '--json']);
    expect(Object.keys(json.manifest.record.agents).sort()).toEqual(['opencode', 'slopcode']);
  });

  test.each([
    ['nothing there', ['pack', './no-such-folder'], 3],
    ['no package.json', ['pack', './empty'], 1],
    ['a text file', ['pack', './empty/readme.txt'], 2],
  ])('%s', async (_, args, code) => {
    write('empty', { 'readme.txt': 'x' });
    const result = await cli.run([...args, '--json']);
    expect(result.code).toBe(code);
    expect(result.json.error.hint ?? '').not.toContain('undefined');
  });
});

describe('check', () => {
  test('a good package: exit 0', async () => {
    const result = await cli.run(['check', write('good', piPackageFiles('good')), '--json']);
    expect(result.code).toBe(0);
    expect(result.json.manifest.record.name).toBe('good');
    expect(result.json.findings.filter((one: { level: string }) => one.level === 'error')).toEqual([]);
  });

  test('no factory: exit 6, with rule and file', async () => {
    const folder = write('bad', piPackageFiles('bad', { files: { 'index.ts': 'export function register() {}\n' } }));
    const result = await cli.run(['check', folder, '--json']);
    expect(result.code).toBe(6);
    expect(result.json.findings).toContainEqual(
      expect.objectContaining({ rule: 'pi/no-factory', level: 'error', file: 'index.ts' }),
    );
    const text = await cli.run(['check', folder]);
    expect(text).toMatchObject({ code: 6, stdout: expect.stringContaining('pi/no-factory') });
  });

  test('--strict: warnings too', async () => {
    const packageJson = { license: undefined, description: undefined };
    const folder = write('warned', piPackageFiles('warned', { packageJson }));
    expect((await cli.run(['check', folder])).code).toBe(0);
    const strict = await cli.run(['check', folder, '--strict', '--json']);
    expect([strict.code, strict.json.findings.some((one: { level: string }) => one.level === 'warn')]).toEqual([
      6,
      true,
    ]);
  });
});

describe('publish', () => {
  test('listed, then identical, then refused with other bytes', async () => {
    const first = await publish('alpha', '1.0.0');
    expect(first.code).toBe(0);
    expect(first.json).toMatchObject({
      status: 'listed',
      registry: registry.url,
      manifest: { record: { name: 'alpha', publisher: 'admin' } },
    });
    const again = await publish('alpha', '1.0.0');
    expect([again.code, again.json.status]).toEqual([0, 'identical']);
    const other = await publish('alpha', '1.0.0', { files: { 'more.txt': 'more' } });
    expect([other.code, other.json.error.code]).toEqual([4, 'version_exists']);
  });

  test('takes an archive and a single file too', async () => {
    const packed = await cli.run(['pack', write('beta', piPackageFiles('beta')), '--json']);
    const sent = await on(['publish', packed.json.file, '--json']);
    expect(sent.json).toMatchObject({ status: 'listed', manifest: { record: { integrity: packed.json.integrity } } });
    write('one', { 'gamma.ts': piPackageFiles('gamma')['index.ts'] as string });
    const single = await on(['publish', './one/gamma.ts', '--package-version', '0.1.0', '--json']);
    expect(single.json.manifest.record).toMatchObject({ name: 'gamma', version: '0.1.0' });
  });

  test('human words', async () => {
    const folder = write('delta', piPackageFiles('delta'));
    expect((await on(['publish', folder])).stdout).toMatch(/^published delta@1\.0\.0 \(.*\) to http:/);
    expect((await on(['publish', folder])).stdout).toContain('already published, identical');
  });

  test('private stops it before anything is sent', async () => {
    const result = await publish('secret-one', '1.0.0', { packageJson: { private: true } });
    expect([result.code, result.json.error.code]).toEqual([4, 'private_package']);
    expect((await on(['info', 'secret-one'])).code).toBe(3);
  });

  test('without a token: exit 4, and what to do', async () => {
    const folder = write('epsilon', piPackageFiles('epsilon'));
    const result = await on(['publish', folder], { token: '' });
    expect(result.code).toBe(4);
    expect(result.stderr).toContain('login');
  });

  test('latest cannot be set', async () => {
    const folder = write('zeta', piPackageFiles('zeta'));
    expect((await on(['publish', folder, '--tag', 'latest', '--json'])).json.error.code).toBe('reserved_tag');
  });

  test('--dry-run examines and sends nothing', async () => {
    const folder = write('eta', piPackageFiles('eta'));
    const result = await on(['publish', folder, '--dry-run', '--json']);
    expect(result.json).toMatchObject({ status: 'dry-run', manifest: { record: { name: 'eta' } } });
    expect((await on(['info', 'eta'])).code).toBe(3);
  });

  test('an archive that is none is refused here, with a reason', async () => {
    write('evil', { 'evil.tgz': Buffer.from('not gzip at all') });
    const result = await on(['publish', './evil/evil.tgz', '--json']);
    expect([result.code, result.json.error.code]).toEqual([1, 'invalid_archive']);
  });

  test('error findings: exit 4, with the findings', async () => {
    const result = await publish('no-factory', '1.0.0', { files: { 'index.ts': 'export const x = 1;\n' } });
    expect([result.code, result.json.error.code]).toEqual([4, 'findings']);
    expect(result.json.error.details.findings[0]).toMatchObject({ level: 'error' });
  });
});

describe('info and search', () => {
  beforeAll(async () => {
    await publish('weather-report', '1.0.0', { packageJson: { description: 'Tells the weather of a city. 天气预报' } });
    await publish('weather-report', '1.1.0');
    await publish('weather-report', '2.0.0-beta.1');
  }, 60_000);

  test('info shows the highest stable version, and any that is named', async () => {
    const { json } = await on(['info', 'weather-report', '--json']);
    expect(json).toMatchObject({
      name: 'weather-report',
      version: '1.1.0',
      registry: registry.url,
      owners: ['admin'],
      tags: { latest: '1.1.0', beta: '2.0.0-beta.1' },
      versions: ['1.0.0', '1.1.0', '2.0.0-beta.1'],
      manifest: { record: { version: '1.1.0' }, status: { state: 'listed' } },
    });
    for (const [spec, version] of [
      ['weather-report@1.0.0', '1.0.0'],
      ['weather-report@beta', '2.0.0-beta.1'],
      ['weather-report@~1.0', '1.0.0'],
    ] as const) {
      expect((await on(['info', spec, '--json'])).json.version).toBe(version);
    }
    const text = (await on(['info', 'weather-report'])).stdout;
    for (const part of ['weather-report 1.1.0', 'MIT', 'weather_report', 'sha512-', 'pi-tools install weather-report'])
      expect(text).toContain(part);
  });

  test.each([
    ['weather-reprt', 3, 'did you mean `weather-report`?'],
    ['weather-report@9.0.0', 3, '1.1.0'],
    ['weather-report@nope', 3, 'its tags are'],
    ['Weather', 1, 'a package name'],
    ['../../etc', 1, 'a package name'],
  ])('info %s: exit %d', async (spec, code, text) => {
    const result = await on(['info', spec]);
    expect(result.code).toBe(code);
    expect(result.stderr).toContain(text);
  });

  test('search finds by name and by text', async () => {
    for (const words of [['weather'], ['weather', 'report']]) {
      const { json } = await on(['search', ...words, '--json']);
      expect(json.results[0]).toMatchObject({
        name: 'weather-report',
        version: '1.1.0',
        tools: ['weather_report'],
        agents: ['pi'],
      });
      expect(json.total).toBe(1);
    }
    expect((await on(['search', 'zzzzzz', '--json'])).json).toEqual({ results: [], total: 0 });
    expect((await on(['search', 'zzzzzz'])).stdout).toBe('nothing found\n');
    expect((await on(['search', 'weather', '--agent', 'slopcode', '--json'])).json.total).toBe(0);
  });
});

describe('what changes a version', () => {
  beforeAll(async () => {
    for (const version of ['1.0.0', '1.1.0', '2.0.0']) await publish('changing', version);
  }, 60_000);

  const state = async (version: string) => (await on(['info', `changing@${version}`, '--json'])).json.manifest.status;

  test('tags', async () => {
    expect((await on(['tag', 'set', 'changing@1.0.0', 'old', '--dry-run', '--json'])).json.tags).toMatchObject({
      old: '1.0.0',
    });
    expect((await on(['tag', 'ls', 'changing', '--json'])).json.tags).toEqual({ latest: '2.0.0' });
    expect((await on(['tag', 'set', 'changing@1.0.0', 'old', '--json'])).json).toMatchObject({
      ok: true,
      tags: { latest: '2.0.0', old: '1.0.0' },
    });
    expect((await on(['info', 'changing@old', '--json'])).json.version).toBe('1.0.0');
    expect((await on(['tag', 'rm', 'changing', 'old', '--json'])).json.tags).toEqual({ latest: '2.0.0' });
    expect((await on(['tag', 'set', 'changing@1.0.0', 'latest', '--json'])).json.error.code).toBe('reserved_tag');
    expect((await on(['tag', 'set', 'changing@1.0.0', 'stable'], { token: '' })).code).toBe(4);
  });

  test('yank and back', async () => {
    expect((await on(['yank', 'changing@2.0.0', '--reason', 'wrong unit', '--json'])).json).toMatchObject({
      ok: true,
      version: '2.0.0',
    });
    expect((await state('2.0.0')).yanked).toBe('wrong unit');
    expect((await on(['info', 'changing', '--json'])).json.version).toBe('1.1.0');
    await on(['unyank', 'changing@2.0.0']);
    expect((await state('2.0.0')).yanked).toBeNull();
    expect((await on(['yank', 'changing@7.0.0', '--json'])).code).toBe(3);
  });

  test('deprecate a range, and undo', async () => {
    const { json } = await on(['deprecate', 'changing@<2', 'use 2.x', '--json']);
    expect(json.versions.sort()).toEqual(['1.0.0', '1.1.0']);
    expect((await state('1.0.0')).deprecated).toBe('use 2.x');
    expect((await state('2.0.0')).deprecated).toBeNull();
    await on(['deprecate', 'changing', '']);
    expect((await state('1.0.0')).deprecated).toBeNull();
    expect((await on(['deprecate', 'changing@^9', 'x'])).code).toBe(3);
  });

  test('owners', async () => {
    await on(['user', 'add', 'bob']);
    expect((await on(['owner', 'add', 'changing', 'bob', '--json'])).json.owners.sort()).toEqual(['admin', 'bob']);
    expect((await on(['owner', 'ls', 'changing'])).stdout).toContain('bob');
    expect((await on(['owner', 'rm', 'changing', 'bob', '--json'])).json.owners).toEqual(['admin']);
    expect((await on(['owner', 'add', 'changing', 'nobody-here'])).code).toBe(3);
  });
});

describe('users and tokens', () => {
  test('over HTTP', async () => {
    expect((await on(['user', 'add', 'alice', '--role', 'curator', '--json'])).json).toMatchObject({
      ok: true,
      user: 'alice',
      role: 'curator',
    });
    expect((await on(['user', 'add', 'alice', '--json'])).json.error.code).toBe('user_exists');
    const made = (
      await on([
        'token',
        'create',
        '--user',
        'alice',
        '--scopes',
        'read,publish',
        '--note',
        'CI',
        '--expires',
        '30d',
        '--json',
      ])
    ).json;
    expect(made).toMatchObject({
      token: expect.stringMatching(/^pit_/),
      id: expect.any(String),
      scopes: expect.arrayContaining(['read', 'publish']),
    });
    expect(Date.parse(made.expires) - Date.now()).toBeLessThan(31 * 86_400_000);
    expect((await on(['whoami', '--json'], { token: made.token })).json.user).toBe('alice');
    const { tokens } = (await on(['token', 'ls', '--json'], { token: made.token })).json;
    expect(tokens).toEqual([expect.objectContaining({ id: made.id, user: 'alice', note: 'CI' })]);
    expect((await on(['user', 'add', 'carol'], { token: made.token })).code).toBe(4);
    expect((await on(['token', 'revoke', made.id, '--json'], { token: made.token })).json).toMatchObject({ ok: true });
    const gone = await on(['whoami', '--json'], { token: made.token });
    expect([gone.code, gone.json.error.code]).toEqual([4, 'invalid_token']);
  });

  test('on the host, with --data, while it serves', async () => {
    const data = join(cli.home, 'registry');
    const local = (args: string[]) => cli.run([...args, '--data', data, '--json']);
    expect((await local(['user', 'add', 'dave'])).json).toMatchObject({ ok: true, user: 'dave', role: 'publisher' });
    const { token } = (await local(['token', 'create', '--user', 'dave', '--scopes', 'publish'])).json;
    expect((await on(['whoami', '--json'], { token })).json.user).toBe('dave');
    const { users } = (await local(['user', 'ls'])).json;
    expect(users.map((one: { user: string }) => one.user)).toEqual(expect.arrayContaining(['admin', 'dave']));
    const nowhere = await cli.run(['user', 'ls', '--data', join(cli.home, 'nowhere'), '--json']);
    expect([nowhere.code, nowhere.json.error.code]).toEqual([1, 'data_folder_invalid']);
    expect(existsSync(join(cli.home, 'nowhere'))).toBe(false);
  });

  test.each([
    [['token', 'create', '--scopes', 'everything']],
    [['token', 'create', '--expires', 'tomorrow-ish']],
    [['token', 'create', '--expires', '2001-01-01']],
    [['user', 'add', 'x', '--role', 'king']],
  ])('%j is wrong usage', async (args) => expect((await on(args)).code).toBe(2));
});

test('another one’s package: exit 4, and who owns it', async () => {
  await publish('mine', '1.0.0');
  const { token } = (await on(['token', 'create', '--user', 'bob', '--scopes', 'publish', '--json'])).json;
  const result = await on(['publish', write('mine-2', piPackageFiles('mine', { version: '1.0.1' })), '--json'], {
    token,
  });
  expect([result.code, result.json.error.code]).toEqual([4, 'not_owner']);
});

test('a scoped package, over its scope’s registry', async () => {
  mkdirSync(join(cli.home, '.config', 'pi-tools'), { recursive: true });
  const config = join(cli.home, '.config', 'pi-tools', 'config.json');
  writeFileSync(config, JSON.stringify({ registries: { '@team': registry.url } }));
  const folder = write('scoped', piPackageFiles('@team/scoped'));
  await cli.run(['login', registry.url, '--token-stdin'], { input: registry.token });
  const sent = await cli.run(['publish', folder, '--json']);
  expect(sent.json).toMatchObject({ status: 'listed', registry: registry.url });
  expect((await cli.run(['info', '@team/scoped', '--json'])).json.version).toBe('1.0.0');
  writeFileSync(config, '{}');
  await cli.run(['logout', registry.url]);
});
