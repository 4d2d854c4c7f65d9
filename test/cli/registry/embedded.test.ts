import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { piPackageFiles } from '../../support/archive.ts';
import { type CliHome, createCliHome } from '../../support/cli.ts';

vi.setConfig({ testTimeout: 120_000 });

let cli: CliHome;
beforeEach(async () => {
  cli = await createCliHome();
});
afterEach(() => cli.remove());

const folderOf = (name: string, version = '1.0.0', packageJson: object = {}): string => {
  const folder = join(cli.project, `${name}-${version}`);
  mkdirSync(folder, { recursive: true });
  for (const [path, content] of Object.entries(piPackageFiles(name, { version, packageJson }))) {
    writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
};

test('a fresh home has the catalog, with no network and no configuration', async () => {
  const { json, stderr } = await cli.run(['info', 'weather', '--json', '--offline']);
  expect(stderr).toBe('');
  expect(json).toMatchObject({
    name: 'weather',
    registry: 'embedded',
    manifest: { record: { publisher: 'pi-tools' }, status: { state: 'listed' } },
  });
  expect((await cli.run(['search', '天气', '--json'])).json.results[0]).toMatchObject({ name: 'weather' });
  expect((await cli.run(['search', 'погоду', '--json'])).json.results[0]).toMatchObject({ name: 'weather' });
});

test('the record is the same in every home', async () => {
  const first = (await cli.run(['info', 'weather', '--json'])).json.manifest.recordDigest;
  const other = await createCliHome();
  const second = (await other.run(['info', 'weather', '--json'])).json.manifest.recordDigest;
  other.remove();
  expect(second).toBe(first);
});

test('ten first uses at once all work', async () => {
  const results = await Promise.all(Array.from({ length: 10 }, () => cli.run(['info', 'weather', '--json'])));
  expect(results.map((one) => one.code)).toEqual(Array.from({ length: 10 }, () => 0));
  expect(new Set(results.map((one) => one.json.manifest.recordDigest)).size).toBe(1);
});

test('one publishes to it as its owner, without a token and without waiting', async () => {
  const sent = await cli.run(['publish', folderOf('own'), '--json'], {
    env: { PI_TOOLS_TOKEN: 'pit_for_something_else' },
  });
  expect(sent.json).toMatchObject({
    status: 'listed',
    registry: 'embedded',
    manifest: { record: { publisher: 'local' } },
  });
  expect((await cli.run(['publish', folderOf('own'), '--json'])).json.status).toBe('identical');
  expect((await cli.run(['info', 'own', '--json'])).json.owners).toEqual(['local']);
  const near = await cli.run(['info', 'owm']);
  expect([near.code, near.stderr]).toEqual([3, expect.stringContaining('did you mean `own`?')]);
  expect((await cli.run(['yank', 'own@1.0.0', '--json'])).json.ok).toBe(true);
  expect((await cli.run(['info', 'own@1.0.0', '--json'])).json.manifest.status.yanked).not.toBeNull();
});

test('a name of the catalog stays the catalog’s', async () => {
  const { json } = await cli.run(['info', 'weather', '--json']);
  const sent = await cli.run(['publish', folderOf('weather', json.version), '--json']);
  expect([sent.code, sent.json.error.code]).toEqual([4, 'version_exists']);
});

test('lies in XDG_DATA_HOME, for its owner alone, and starts again when it was removed', async () => {
  const env = { XDG_DATA_HOME: join(cli.home, 'elsewhere') };
  await cli.run(['info', 'weather'], { env });
  expect(readdirSync(join(cli.home, 'elsewhere', 'pi-tools', 'registry'))).toEqual(
    expect.arrayContaining(['registry.db', 'blobs']),
  );
  expect(existsSync(join(cli.home, '.local'))).toBe(false);
  rmSync(join(cli.home, 'elsewhere'), { recursive: true });
  expect((await cli.run(['info', 'weather'], { env })).code).toBe(0);
});

test('a data folder that cannot be made is told with its path', async () => {
  writeFileSync(join(cli.home, 'file'), '');
  const result = await cli.run(['info', 'weather', '--json'], { env: { XDG_DATA_HOME: join(cli.home, 'file') } });
  expect(result.code).toBe(1);
  expect(result.json.error).toMatchObject({
    code: 'data_folder_invalid',
    message: expect.stringContaining(join(cli.home, 'file')),
  });
});
