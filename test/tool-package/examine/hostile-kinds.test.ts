/**
 * Packages near every limit, from test/hostile: examined within the documented limits or refused with a Problem, never
 * silently clean, and nothing of this machine in what comes out. All kinds: `npm run bench:hostile -- --kinds`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { groupUse } from '../../../tool-package/examine/group-use.ts';
import { examineArchive } from '../../../tool-package/examine/index.ts';
import { HOSTILE_PACKAGES } from '../../hostile/index.ts';

/** All children of one examination together (SECURITY.md), with what each needs to start. */
const MOST_CPU_MS = 65_000;
const TIMEOUT_MS = 240_000;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'hostile-kinds-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const makeArchive = (id: string): string => {
  const kind = HOSTILE_PACKAGES.find((each) => each.id === id);
  if (kind === undefined) throw new Error(`there is no kind \`${id}\``);
  const file = path.join(folder, 'package.tgz');
  writeFileSync(file, kind.make('hostile'));
  return file;
};

const leftChildren = () => groupUse(process.pid).processes - 1;

describe('what cannot be analysed is examined, and a curator is asked', { timeout: TIMEOUT_MS }, () => {
  it.each([
    'file: elements',
    'file: else if',
    'file: an open comment',
    'file: UTF-16',
    'file: 25 MiB',
    'file: names of many bytes',
    'entry: conditions in conditions',
    'entry: a loop in a getter',
    'entry: a promise that never settles',
    'entry: a flood of microtasks',
    'entry: a deep object',
    'entry: a wide tree of one object',
    'entry: 300,000 literals',
    'entry: 100,000 exports',
    'imports: every kind',
    'imports: large JSON',
    'files: 32 MiB of sources',
  ])('%s', async (id) => {
    const file = makeArchive(id);
    const before = process.platform === 'linux' ? groupUse(process.pid).cpuMs : 0;
    const { record, findings, readme } = await examineArchive(file);
    if (process.platform === 'linux') expect(groupUse(process.pid).cpuMs - before).toBeLessThan(MOST_CPU_MS);
    expect(findings.filter(({ level }) => level === 'review' || level === 'error')).not.toEqual([]);
    expect(JSON.stringify([record, findings, readme])).not.toMatch(/node_modules\/|hostile-kinds-|\bat .*\.js:\d/);
    if (process.platform === 'linux') await expect.poll(leftChildren, { timeout: 10_000 }).toBe(0);
  });
});

describe('what is only large is examined', { timeout: TIMEOUT_MS }, () => {
  it.each(['files: long paths', 'files: a README of 5 MiB', 'manifest: dependencies', 'entry: 20,000 tools'])(
    '%s',
    async (id) => {
      const { record, findings } = await examineArchive(makeArchive(id));
      expect(JSON.stringify([record, findings]).length).toBeLessThan(8 * 1024 * 1024);
    },
  );
});

describe('what is no package is refused', { timeout: TIMEOUT_MS }, () => {
  it.each(HOSTILE_PACKAGES.flatMap(({ id, refused }) => (refused === null ? [] : [[id, refused] as const])))(
    '%s',
    async (id, code) => {
      await expect(examineArchive(makeArchive(id))).rejects.toMatchObject({ name: 'Problem', code });
    },
  );
});

it('no kind is there twice', () => {
  expect(new Set(HOSTILE_PACKAGES.map(({ id }) => id)).size).toBe(HOSTILE_PACKAGES.length);
});
