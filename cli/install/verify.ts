/** One installed package against its lock, the registry's record and, if wanted, a new inspection. */

import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Problem } from '../../schemas/problem.ts';
import { makeArchive } from '../../tool-package/archive/write.ts';
import { examineArchive } from '../agents/examine.ts';
import { type Difference, findDifferences } from './drift.ts';
import type { Session } from './session.ts';
import type { Installed } from './world.ts';

type Verified = { differences: Difference[]; warnings: string[] };

const folderOf = ({ target, place }: Installed): string => join(place.root.folder, ...target.folder.split('/'));

const row = (installed: Installed, file: string, expected: string | null, actual: string | null): Difference => ({
  package: installed.name,
  target: installed.place.target,
  file,
  expected,
  actual,
});

/** The lock's hashes against the registry's record: a lock that was changed together with the files does not pass. */
async function againstRecord(session: Session, installed: Installed): Promise<Verified> {
  const { name, locked, target } = installed;
  if (locked.registry.startsWith('file:')) return { differences: [], warnings: [] };
  try {
    const client = await session.registry(name);
    const { record, recordDigest } = await client.getManifest(name, locked.version);
    const differences: Difference[] = [];
    const lockFile = installed.place.root.lockFile;
    if (record.integrity !== locked.integrity)
      differences.push(row(installed, lockFile, record.integrity, locked.integrity));
    if (recordDigest !== locked.recordDigest)
      differences.push(row(installed, lockFile, recordDigest, locked.recordDigest));
    const said = new Map(record.files.map(({ path, sha256 }) => [`${target.folder}/${path}`, sha256]));
    for (const path of new Set([...said.keys(), ...Object.keys(target.files)])) {
      const expected = said.get(path) ?? null;
      const actual = target.files[path] ?? null;
      if (expected !== actual)
        differences.push(row(installed, join(installed.place.root.folder, path), expected, actual));
    }
    return { differences, warnings: [] };
  } catch (error) {
    if (
      !(error instanceof Problem) ||
      !['registry_unreachable', 'offline', 'version_not_found', 'package_not_found'].includes(error.code)
    )
      throw error;
    return { differences: [], warnings: [`${name} was checked against the lock file only: ${error.message}`] };
  }
}

/** Derives the tools from the files on disk and compares their names with the lock's. */
async function againstInspection(installed: Installed): Promise<Difference[]> {
  const { target, place } = installed;
  const files = Object.keys(target.files).map((path) => ({
    path: path.slice(target.folder.length + 1),
    bytes: readFileSync(join(place.root.folder, ...path.split('/'))),
  }));
  const folder = await mkdtemp(join(tmpdir(), 'pi-tools-'));
  try {
    const archive = join(folder, 'package.tgz');
    await writeFile(archive, makeArchive(files));
    const { record } = await examineArchive(archive);
    const found = (record.agents[place.agent]?.tools ?? []).map(({ name }) => name).sort();
    const same = JSON.stringify(found) === JSON.stringify([...target.tools].sort());
    return same ? [] : [row(installed, folderOf(installed), target.tools.join(', '), found.join(', '))];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Everything that differs. A registry that cannot be asked is a warning. */
export async function verifyInstalled(
  session: Session,
  installed: Installed,
  depth: 'bytes' | 'inspect',
): Promise<Verified> {
  const onDisk = findDifferences(installed);
  const { differences, warnings } = await againstRecord(session, installed);
  const inspected = depth === 'inspect' && onDisk.length === 0 ? await againstInspection(installed) : [];
  return { differences: [...onDisk, ...differences, ...inspected], warnings };
}
