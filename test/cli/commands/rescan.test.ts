import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RULE_SET } from '../../../tool-package/check/rule-set.ts';
import { type CliHome, collect, createCliHome } from '../../support/cli.ts';
import { plantVersions, query } from '../../support/planted.ts';
import { sketchArchive, snapshot, startRegistry } from '../../support/registry.ts';

// Inspections on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

let cli: CliHome;
let folder: string;
beforeEach(async () => {
  cli = await createCliHome();
  folder = await mkdtemp(join(tmpdir(), 'pi-tools-rescan-'));
});
afterEach(async () => {
  cli.remove();
  await rm(folder, { recursive: true, force: true });
});

const rescan = (...more: string[]) => cli.run(['rescan', '--data', folder, ...more]);
const bad = (name: string) => sketchArchive({ name, packageJson: { scripts: { postinstall: 'node x.js' } } });

test('says what it did, as text and as data, and ends with 6 when something is quarantined', async () => {
  await plantVersions(folder, [{ archive: sketchArchive({ name: 'fine' }) }, { archive: bad('hooks') }]);
  const before = await snapshot(folder);
  const dry = await rescan('--dry-run', '--json');
  const found = expect.arrayContaining([expect.objectContaining({ rule: 'supply/scripts', level: 'error' })]);
  const told = {
    ok: true,
    ruleSet: RULE_SET,
    checked: 2,
    changed: 2,
    quarantined: [{ package: 'hooks', version: '1.0.0', findings: found }],
    failed: [],
  };
  expect(dry.json).toEqual({ ...told, dryRun: true });
  expect(dry.code).toBe(6);
  expect(await snapshot(folder)).toEqual(before);
  const done = await rescan();
  expect(done.code).toBe(6);
  expect(done.stdout).toContain('quarantined hooks@1.0.0\nerror  supply/scripts');
  expect(done.stdout).toContain(
    `2 versions checked with rule set ${RULE_SET}, 2 with other findings than before, 1 quarantined`,
  );
  const again = await rescan('--json');
  expect([again.code, again.json]).toEqual([0, { ...told, checked: 0, changed: 0, quarantined: [], dryRun: false }]);
  expect((await rescan()).stdout).toContain(`nothing to check: all is checked with rule set ${RULE_SET}`);
  const all = await rescan('--all', '--json', '--verbose');
  expect([all.code, all.json.checked, all.json.changed]).toEqual([0, 2, 0]);
  expect(all.stderr).toContain('1 of 2  fine@1.0.0');
});

test('works beside the server of the folder, and tells of what it could not look at', async () => {
  const registry = await startRegistry({ dataFolder: folder });
  try {
    await plantVersions(folder, [
      { archive: sketchArchive({ name: 'gone' }) },
      { archive: sketchArchive({ name: 'fine' }) },
    ]);
    const [row] = query(folder, 'select sha512 from versions order by id limit 1');
    const hash = String(row?.sha512);
    await rm(join(folder, 'blobs', hash.slice(0, 2), hash.slice(2, 4), hash));
    const { code, json, stderr } = await rescan('--json');
    expect([code, stderr]).toEqual([1, '']);
    expect(json).toMatchObject({ ok: true, checked: 1, failed: [{ package: 'gone', version: '1.0.0' }] });
    expect((await rescan()).stdout).toMatch(
      /not checked gone@1\.0\.0\n {7}The archive is missing.*\n {7}→ Put it back from a backup/,
    );
  } finally {
    await registry.stop();
  }
});

test('a folder that is none is named, and not made', async () => {
  const missing = join(folder, 'nowhere');
  const { code, stderr } = await cli.run(['rescan', '--data', missing]);
  expect(code).toBe(1);
  expect(stderr).toContain(`\`${missing}\` is no data folder of a registry`);
  expect((await cli.run(['rescan'])).code).toBe(1);
  // Something else of that name is a user's mistake, and no fault in pi-tools.
  const other = join(folder, 'other');
  await mkdir(other);
  await writeFile(join(other, 'registry.db'), 'no database, but a text that is long enough to be looked at as one\n');
  const wrong = await cli.run(['rescan', '--data', other, '--json']);
  expect([wrong.code, wrong.json.error.code]).toEqual([1, 'data_folder_invalid']);
  expect(wrong.json.error.message).toContain('file is not a database');
  await expect(snapshot(missing)).rejects.toThrow();
});

test('Ctrl-C keeps what is done, leaves nothing lying about, and the next one goes on', async () => {
  const names = Array.from({ length: 4 }, (_, at) => `package-${at}`);
  await plantVersions(
    folder,
    names.map((name) => ({ archive: sketchArchive({ name }) })),
  );
  const child = cli.start(['rescan', '--data', folder, '--verbose']);
  child.stderr?.on('data', (chunk: Buffer) => {
    if (chunk.toString().includes('1 of 4')) child.kill('SIGINT');
  });
  expect((await collect(child)).code).toBe(130);
  const done = query(folder, 'select id from versions where rule_set = ?', RULE_SET).length;
  expect(done).toBeGreaterThan(0);
  expect((await snapshot(folder)).incoming).toEqual([]);
  expect((await rescan('--json')).json.checked).toBe(names.length - done);
});
