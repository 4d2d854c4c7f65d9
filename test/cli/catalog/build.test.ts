import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { buildCatalog, type CatalogRow } from '../../../cli/catalog/build.ts';
import { recordDigest } from '../../../tool-package/canonical.ts';
import { integrityOf, sha256Hex } from '../../../tool-package/integrity.ts';
import { piPackageFiles } from '../../support/archive.ts';

vi.setConfig({ testTimeout: 90_000 });

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pi-tools-catalog-'));
  writePackage('alpha', '1.0.0');
  release({ 'alpha@1.0.0': null });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const source = () => join(folder, 'catalog');
const target = () => join(folder, 'dist');
const build = (salt = '') => buildCatalog({ source: source(), target: target(), salt });
const rows = (): CatalogRow[] => JSON.parse(readFileSync(join(target(), 'catalog.json'), 'utf8'));

const writePackage = (name: string, version: string, files: Record<string, string> = {}): void => {
  mkdirSync(join(source(), name), { recursive: true });
  for (const [path, content] of Object.entries(piPackageFiles(name, { version, files }))) {
    writeFileSync(join(source(), name, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
};

const release = (versions: Record<string, string | null>): void => {
  const entries = Object.entries(versions).map(([id, integrity]) => [id, { integrity, date: '2026-11-30T00:00:00Z' }]);
  writeFileSync(join(source(), 'released.json'), JSON.stringify(Object.fromEntries(entries)));
};

test('gives archives, records and a stamp', async () => {
  expect(await build()).toBe('built');
  const [row] = rows();
  expect(row).toMatchObject({
    file: 'alpha-1.0.0.tgz',
    record: { name: 'alpha', version: '1.0.0', publisher: 'pi-tools', publishedAt: '2026-11-30T00:00:00Z' },
    readme: '# alpha\n',
  });
  const bytes = readFileSync(join(target(), 'alpha-1.0.0.tgz'));
  expect(row?.record.integrity).toBe(integrityOf(bytes));
  expect(readFileSync(join(target(), 'stamp'), 'utf8').trim()).toBe(
    sha256Hex(readFileSync(join(target(), 'catalog.json'))),
  );
});

test('nothing changed, nothing done; other times or places are no change', async () => {
  await build();
  const before = statSync(join(target(), 'catalog.json')).mtimeMs;
  utimesSync(join(source(), 'alpha', 'index.ts'), 1, 1);
  expect(await build()).toBe('unchanged');
  expect(statSync(join(target(), 'catalog.json')).mtimeMs).toBe(before);
  const digest = recordDigest(rows()[0]!.record);
  cpSync(source(), join(folder, 'copy'), { recursive: true });
  await buildCatalog({ source: join(folder, 'copy'), target: join(folder, 'other'), salt: 'x' });
  const copy: CatalogRow[] = JSON.parse(readFileSync(join(folder, 'other', 'catalog.json'), 'utf8'));
  expect(recordDigest(copy[0]!.record)).toBe(digest);
});

test('other code, or another file, builds again; what is gone goes', async () => {
  await build();
  expect(await build('newer code')).toBe('built');
  writePackage('alpha', '1.1.0');
  release({ 'alpha@1.0.0': null, 'alpha@1.1.0': null });
  expect(await build('newer code')).toBe('built');
  expect(readdirSync(target()).filter((name) => name.endsWith('.tgz'))).toEqual(['alpha-1.1.0.tgz']);
});

test('a released version that changed fails the build, and says what to do', async () => {
  await build();
  release({ 'alpha@1.0.0': rows()[0]!.record.integrity });
  expect(await build()).toBe('built');
  writeFileSync(join(source(), 'alpha', 'README.md'), '# changed\n');
  const before = readFileSync(join(target(), 'catalog.json'));
  await expect(build()).rejects.toMatchObject({
    code: 'version_exists',
    hint: expect.stringContaining('raise the version'),
  });
  expect(readFileSync(join(target(), 'catalog.json'))).toEqual(before);
});

test('a version that nobody released yet has to be announced', async () => {
  release({});
  await expect(build()).rejects.toMatchObject({ hint: expect.stringContaining('"alpha@1.0.0"') });
});

test('a package that would not be listed fails the build', async () => {
  writePackage('alpha', '1.0.0', { 'index.ts': 'export const nothing = 1;\n' });
  await expect(build()).rejects.toMatchObject({ code: 'findings' });
});
