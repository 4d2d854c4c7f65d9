/** What pack takes, leaves out, refuses; and that the same tree gives the same bytes. */
import { execFileSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Problem } from '../../../schemas/problem.ts';
import { DEFAULT_LIMITS } from '../../../tool-package/archive/limits.ts';
import { packFile, packFolder } from '../../../tool-package/archive/pack.ts';
import { derivePackageName } from '../../../tool-package/archive/pack-file.ts';
import { readArchive } from '../../../tool-package/archive/read.ts';
import { type FileMap, piPackageFiles } from '../../support/archive.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pack-test-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const write = async (folder: string, files: FileMap): Promise<string> => {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    const bytes = typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content);
    await writeFile(join(folder, path), bytes);
  }
  return folder;
};

const tool = (extra: FileMap = {}, packageJson: object = {}): Promise<string> =>
  write(join(root, 'tool'), { ...piPackageFiles('weather', { packageJson }), ...extra });

const packedPaths = async (folder: string): Promise<string[]> =>
  (await packFolder(folder)).files.map(({ path }) => path);
const refusal = (work: Promise<unknown>): Promise<Problem> =>
  work.then(
    () => {
      throw new Error('nothing was refused');
    },
    (error) => {
      if (!(error instanceof Problem)) throw error;
      return error;
    },
  );
const BASE = ['README.md', 'index.ts', 'package.json'];

describe('what is left out', () => {
  it('secrets, whatever the include list says (case 22)', async () => {
    const secrets = [
      '.env',
      '.env.local',
      '.env-production',
      'sub/.env',
      'prod.env',
      '.npmrc',
      'sub/.npmrc',
      '.netrc',
      '.pypirc',
      '.git-credentials',
      'id_rsa',
      'id_ed25519',
      'id_rsa.bak',
      'server.pem',
      'keys/private.key',
      'store.p12',
      'cert.pfx',
      'release.keystore',
      'credentials',
      'credentials.json',
      'secrets.yaml',
      '.aws/config',
      '.ssh/known_hosts',
      'auth.json',
      'service-account-x.json',
      '.ENV',
      'ID_RSA',
      'Server.PEM',
    ];
    const harmless = ['env.ts', 'credentials.ts', 'id_rsa.pub', 'keys.ts', 'secretary.md', 'environment.json'];
    const files = Object.fromEntries([...secrets, ...harmless].map((path) => [path, 'x=1\n']));
    const folder = await tool(files, { files: ['**', '.*', ...secrets] });
    const packed = await packFolder(folder);
    expect(
      packed.files
        .map(({ path }) => path)
        .filter((path) => !BASE.includes(path))
        .sort(),
    ).toEqual([...harmless].sort());
    const leftOut = packed.leftOut.map(({ path }) => path);
    expect(secrets.filter((path) => !leftOut.includes(path))).toEqual([]);
    expect(packed.leftOut.every(({ reason }) => reason.length > 5)).toBe(true);
  });

  it('repositories, node_modules with a loop, editor folders, archives of before (case 59)', async () => {
    const folder = await tool(
      {
        '.git/config': 'x',
        'sub/.git': 'gitdir: ../x',
        'node_modules/a/index.js': 'x',
        'sub/node_modules/b/index.js': 'x',
        '.vscode/settings.json': '{}',
        '.idea/x.xml': 'x',
        'weather-0.9.0.tgz': 'x',
        '.DS_Store': 'x',
        'index.ts~': 'x',
        '.index.ts.swp': 'x',
        'lib/data.txt': 'kept',
      },
      { files: ['**'] },
    );
    await symlink('../a', join(folder, 'node_modules/a/loop'));
    const packed = await packFolder(folder);
    expect(packed.files.map(({ path }) => path)).toEqual(['README.md', 'index.ts', 'lib/data.txt', 'package.json']);
    expect(packed.leftOut.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        '.git/',
        'sub/.git',
        'node_modules/',
        'sub/node_modules/',
        '.vscode/',
        '.idea/',
        'weather-0.9.0.tgz',
        '.DS_Store',
        'index.ts~',
      ]),
    );
  });

  it('takes everything else, whatever its ending, and lists what it ignored (case 61)', async () => {
    const folder = await tool({
      'add.py': 'print(1)',
      'text.txt': 'x',
      'x.lua': '',
      'bin/run': '#!/bin/sh\n',
      'draft.md': 'x',
      '.npmignore': 'draft.md\n',
    });
    await chmod(join(folder, 'bin/run'), 0o700);
    const packed = await packFolder(folder);
    expect(packed.files.map(({ path }) => path)).toEqual(
      ['README.md', 'add.py', 'bin/run', 'index.ts', 'package.json', 'text.txt', 'x.lua'].sort(),
    );
    expect(packed.leftOut.map(({ path }) => path)).toContain('draft.md');
    const archive = await readArchive(packed.bytes);
    expect(archive.files.filter(({ executable }) => executable).map(({ path }) => path)).toEqual(['bin/run']);
  });
});

describe('links (case 85)', () => {
  it('refuses links that leave the folder, and names them', async () => {
    await write(root, { 'outside.txt': 'secret' });
    const folder = await tool();
    await symlink(join(root, 'outside.txt'), join(folder, 'to-file.txt'));
    await symlink('..', join(folder, 'to-folder'));
    const problem = await refusal(packFolder(folder));
    expect(problem.code).toBe('pack_link');
    expect(problem.details.paths).toEqual(['to-file.txt', 'to-folder']);
    expect(problem.message).toContain('`to-file.txt`');
  });

  it('does not mind them where they would not be packed', async () => {
    const folder = await tool({ '.npmignore': 'to-folder\n' });
    await symlink('..', join(folder, 'to-folder'));
    expect(await packedPaths(folder)).toEqual(BASE);
  });

  it('packs a link to a file of the folder as that file, but not to its secrets, and no linked folders', async () => {
    const folder = await tool({ 'real.txt': 'real', '.env': 'KEY=1', 'lib/x.txt': 'x' });
    await symlink('real.txt', join(folder, 'alias.txt'));
    await symlink('.env', join(folder, 'innocent.txt'));
    await symlink('lib', join(folder, 'lib2'));
    await symlink('nowhere', join(folder, 'broken'));
    const packed = await packFolder(folder);
    expect(packed.files.map(({ path }) => path)).toEqual([
      'README.md',
      'alias.txt',
      'index.ts',
      'lib/x.txt',
      'package.json',
      'real.txt',
    ]);
    expect(packed.leftOut.map(({ path }) => path)).toEqual(expect.arrayContaining(['innocent.txt', 'lib2', 'broken']));
    expect((await readArchive(packed.bytes)).files.find(({ path }) => path === 'alias.txt')?.bytes?.toString()).toBe(
      'real',
    );
  });
});

describe('completeness (case 13)', () => {
  it('fails when an entry is excluded by `files`', async () => {
    const folder = await tool(
      { 'dist/main.js': 'export default () => {};' },
      { files: ['src'], pi: { extensions: ['./dist/main.js'] } },
    );
    const problem = await refusal(packFolder(folder));
    expect(problem.code).toBe('pack_incomplete');
    expect(problem.message).toContain('`./dist/main.js`');
    expect(problem.message).toContain('left out');
  });

  it.each([
    ['a static import', `import '../shared.ts';`],
    ['a re-export', `export * from './gone.ts';`],
    ['a dynamic import', `const x = () => import('./gone.ts');`],
    ['a template without holes', 'const x = () => import(`./gone.ts`);'],
    ['require', `const x = require('./gone.cjs');`],
    ['JSON', `import data from './gone.json' with { type: 'json' };`],
    ['an import in a helper', `import './helper.ts';`],
  ])('fails on %s of a file that is not in the archive', async (_name, source) => {
    const folder = await tool({
      'index.ts': `${source}\nexport default () => {};`,
      'helper.ts': `import './gone.ts';`,
    });
    await write(root, { 'shared.ts': '' });
    const problem = await refusal(packFolder(folder));
    expect(problem.code).toBe('pack_incomplete');
    expect(problem.details.missing).toEqual(
      expect.arrayContaining([expect.objectContaining({ missing: expect.stringMatching(/gone|shared/) })]),
    );
  });

  it('says why an imported file is missing', async () => {
    const folder = await tool({
      'index.ts': `import './credentials.json';\nexport default () => {};`,
      'credentials.json': '{}',
    });
    expect((await refusal(packFolder(folder))).message).toContain('may hold a secret');
  });

  it.each([
    `import './lib.js';`,
    `import './lib';`,
    `import './folder';`,
    `import './data.json';`,
    `import './lib.ts?raw';`,
    `import type { X } from './types-only.ts';`,
    `import(variable);`,
    `// import './gone.ts'`,
    `const text = "import './gone.ts'";`,
  ])('accepts %s', async (source) => {
    const folder = await tool({
      'index.ts': `${source}\nexport default () => {};`,
      'lib.ts': '',
      'folder/index.ts': '',
      'data.json': '{}',
    });
    await expect(packFolder(folder)).resolves.toBeDefined();
  });

  it('shows which file pi loads: the manifest wins over index.ts (case 39)', async () => {
    const folder = await tool({ 'dist/a.js': 'export default () => {};' }, { pi: { extensions: ['./dist'] } });
    await write(folder, { 'dist/package.json': { pi: { extensions: ['./a.js'] } }, 'dist/index.ts': '' });
    await expect(packFolder(folder)).resolves.toBeDefined();
  });
});

describe('determinism', () => {
  it('gives the same bytes whatever the times, modes, umask and place', async () => {
    const folder = await tool({ 'bin/run': '#!/bin/sh\n', 'a/b.txt': 'x' });
    await chmod(join(folder, 'bin/run'), 0o755);
    const first = await packFolder(folder);
    const copy = join(root, 'other place', '天气');
    await cp(folder, copy, { recursive: true });
    for (const path of (await readdir(copy, { recursive: true })).reverse()) await utimes(join(copy, path), 1, 2);
    await chmod(join(copy, 'a/b.txt'), 0o600);
    await chmod(join(copy, 'bin/run'), 0o700);
    const second = await packFolder(copy);
    expect(second.integrity).toBe(first.integrity);
    expect(second.bytes.equals(first.bytes)).toBe(true);
  });

  it('takes the folder that it is given, not the current one (case 60)', async () => {
    const folder = await tool();
    const before = process.cwd();
    process.chdir('/');
    try {
      expect(await packedPaths(folder)).toEqual(BASE);
    } finally {
      process.chdir(before);
    }
  });

  it('stops at a limit of files and bytes', async () => {
    const folder = await tool(
      Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`data/${index}.txt`, 'x'.repeat(100)])),
    );
    const packWith = (limits: object) => refusal(packFolder(folder, { limits: { ...DEFAULT_LIMITS, ...limits } }));
    expect(await packWith({ entries: 10 })).toMatchObject({ code: 'too_large' });
    expect(await packWith({ unpackedBytes: 1000 })).toMatchObject({ code: 'too_large' });
    expect(await packWith({ fileBytes: 99 })).toMatchObject({ code: 'too_large' });
    expect(await packWith({ archiveBytes: 99 })).toMatchObject({ code: 'too_large' });
  });
});

describe('package.json', () => {
  it.each<[string, object, string]>([
    ['no agent', { pi: undefined }, 'no agent has an entry'],
    ['a list that is none', { files: 'dist' }, '`files`'],
    ['an entry that leaves', { pi: { extensions: ['../x.ts'] } }, '`../x.ts`'],
    ['a bad version', { version: 'v1.0.0' }, '`v1.0.0`'],
    ['a permission that is none', { piTools: { permissions: { net: ['x'] } } }, '`piTools.permissions.net`'],
  ])('refuses %s', async (_name, packageJson, text) => {
    const problem = await refusal(packFolder(await tool({}, packageJson)));
    expect(problem.code).toBe('invalid_package_json');
    expect(problem.message).toContain(text);
  });

  it('says what to do where there is none', async () => {
    const problem = await refusal(packFolder(await write(join(root, 'plain'), { 'x.ts': '' })));
    expect(problem.code).toBe('invalid_package_json');
    expect(problem.hint).toContain('init');
    expect(await refusal(packFolder(join(root, 'nowhere')))).toMatchObject({ code: 'not_found' });
  });

  it('runs no script of the package (case 51)', async () => {
    const scripts = Object.fromEntries(
      ['prepare', 'prepack', 'postpack', 'prepublishOnly', 'preinstall', 'install', 'postinstall'].map((name) => [
        name,
        `touch ${join(root, 'ran')}`,
      ]),
    );
    await packFolder(await tool({}, { scripts }));
    expect(await readdir(root)).toEqual(['tool']);
  });

  it('refuses names that are no file names on every system (case 86)', async () => {
    expect(await refusal(packFolder(await tool({ 'aux.js': '' })))).toMatchObject({ code: 'invalid_archive' });
    expect(await refusal(packFolder(await tool({ 'Readme.md': '' })))).toMatchObject({ code: 'invalid_archive' });
  });
});

describe('pins for npm dependencies', () => {
  const dependencies = { 'left-pad': '1.3.0' };
  const locked = {
    name: 'weather',
    version: '0.0.1',
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name: 'weather', version: '0.0.1', dependencies, devDependencies: { vitest: '1' } },
      'node_modules/vitest': { version: '1.0.0', dev: true, integrity: 'sha512-x' },
      'node_modules/left-pad': {
        version: '1.3.0',
        integrity: 'sha512-XI5MPzVNApjAyhQzphX8BkmKsKUxD4LdyK24iZeQGinBN9yTQT3bFlCBy/aVx2HrNcqQGsdot8ghrjyrvMCoEA==',
      },
    },
  };

  it('are made from package-lock.json, without what only development needs, and written', async () => {
    const folder = await tool({ 'package-lock.json': locked }, { dependencies });
    const first = await packFolder(folder);
    expect(first.written).toEqual(['npm-shrinkwrap.json']);
    const pins = JSON.parse(
      (await readArchive(first.bytes)).files.find(({ path }) => path === 'npm-shrinkwrap.json')?.bytes?.toString() ??
        '',
    );
    expect(Object.keys(pins.packages)).toEqual(['', 'node_modules/left-pad']);
    expect(pins).toMatchObject({ name: 'weather', version: '1.0.0', lockfileVersion: 3 });
    const second = await packFolder(folder);
    expect(second.written).toEqual([]);
    expect(second.integrity).toBe(first.integrity);
  });

  it('are taken as they are where the folder has them, even past `files`', async () => {
    const folder = await tool({ 'npm-shrinkwrap.json': locked }, { dependencies, files: ['index.ts'] });
    const packed = await packFolder(folder);
    expect(packed.written).toEqual([]);
    expect(packed.files.map(({ path }) => path)).toContain('npm-shrinkwrap.json');
  });

  it('are not written with `write: nothing`', async () => {
    const folder = await tool({ 'package-lock.json': locked }, { dependencies });
    const packed = await packFolder(folder, { write: 'nothing' });
    expect(packed.files.map(({ path }) => path)).toContain('npm-shrinkwrap.json');
    expect(await readdir(folder)).not.toContain('npm-shrinkwrap.json');
  });

  it('are asked of npm otherwise; where it cannot be reached, the message says what to run', async () => {
    const folder = await tool({}, { dependencies });
    const program = `import { packFolder } from ${JSON.stringify(join(import.meta.dirname, '../../../dist/tool-package/archive/pack.js'))};
      await packFolder(${JSON.stringify(folder)}).catch((error) => process.stdout.write(JSON.stringify({ code: error.code, exit: error.exitCode, hint: error.hint })));`;
    const env = {
      ...process.env,
      npm_config_registry: 'http://127.0.0.1:9/',
      npm_config_cache: join(root, 'cache'),
      npm_config_fetch_retries: '0',
    };
    const out = JSON.parse(
      execFileSync(process.execPath, ['--input-type=module', '-e', program], { env, encoding: 'utf8' }),
    );
    expect(out).toMatchObject({
      code: 'npm_unreachable',
      exit: 7,
      hint: expect.stringContaining('--package-lock-only'),
    });
    expect(await readdir(folder)).not.toContain('npm-shrinkwrap.json');
  });
});

describe('a single file', () => {
  const options = { packageVersion: '1.0.0', agents: ['pi'] as const, toolNames: ['get_weather'] };
  it('gets its name from its only tool', async () => {
    await write(root, { 'weather-tool.ts': piPackageFiles('weather')['index.ts'] as string });
    const packed = await packFile(join(root, 'weather-tool.ts'), options);
    expect(packed.packageJson).toEqual({
      name: 'get-weather',
      version: '1.0.0',
      pi: { extensions: ['./weather-tool.ts'] },
    });
    expect(packed.files.map(({ path }) => path)).toEqual(['package.json', 'weather-tool.ts']);
    const again = await packFile(join(root, 'weather-tool.ts'), options);
    expect(again.integrity).toBe(packed.integrity);
  });

  it.each([
    ['x/weather-tool.ts', ['getWeather'], 'get-weather'],
    ['x/weather-tool.ts', ['a', 'b'], 'weather-tool'],
    ['x/Weather_Tool.ts', [], 'weather-tool'],
    ['x/a.ts', ['_private__name_'], 'private-name'],
  ])('derives a name: %s %j', (file, tools, name) => {
    expect(derivePackageName(file, tools)).toBe(name);
  });

  it('fails where it imports what is beside it, or has no usable name or version', async () => {
    await write(root, { 'a.ts': `import './b.ts'; export default () => {};`, 'b.ts': '' });
    expect(await refusal(packFile(join(root, 'a.ts'), options))).toMatchObject({ code: 'pack_incomplete' });
    expect(await refusal(packFile(join(root, 'b.ts'), { ...options, packageVersion: '1' }))).toMatchObject({
      code: 'invalid_version',
    });
    expect(await refusal(packFile(join(root, 'b.ts'), { ...options, toolNames: ['天气'] }))).toMatchObject({
      code: 'invalid_name',
    });
    expect(await refusal(packFile(join(root, 'c.ts'), options))).toMatchObject({ code: 'not_found' });
  });
});
