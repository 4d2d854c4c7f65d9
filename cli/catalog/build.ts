/**
 * Packs and examines the first-party packages when pi-tools itself is built, so that a first use only inserts rows.
 * A released version never changes: its bytes are compared with `released.json`, and a difference fails the build.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Finding } from '../../schemas/finding.ts';
import type { ManifestRecord } from '../../schemas/manifest.ts';
import { Problem } from '../../schemas/problem.ts';
import { packFolder } from '../../tool-package/archive/pack.ts';
import { sha256Hex } from '../../tool-package/integrity.ts';

/** One row of `catalog.json`. */
export type CatalogRow = {
  file: string;
  record: ManifestRecord;
  findings: Finding[];
  ruleSet: string;
  readme: string | null;
};

/** Integrity is null while the version is not released yet. `reviewed`: rule -> why its review findings are accepted. */
type Release = { integrity: string | null; date: string; reviewed?: Readonly<Record<string, string>> };

/** By `name@version`. */
type Released = Readonly<Record<string, Release>>;

export type BuildOptions = {
  /** Folders of packages, and `released.json`. */
  source: string;
  /** Where archives, `catalog.json` and `stamp` go. */
  target: string;
  /** What else the outcome depends on, as text: the code that packs and examines. */
  salt: string;
};

const PUBLISHER = 'pi-tools';
/** Our own packages on a busy build machine: slow is no reason to fail. */
const BUILD_LIMITS = { timeMs: 300_000, residentBytes: 1024 ** 3 };

/**
 * Makes the catalog; `unchanged` when nothing that it is made of has changed. Throws `version_exists` for a released
 * version with other bytes, `findings` for a package that would not be listed, and what packing throws.
 */
export const buildCatalog = async (options: BuildOptions): Promise<'built' | 'unchanged'> => {
  const key = await inputKey(options);
  if ((await readText(join(options.target, 'inputs'))) === key) return 'unchanged';
  const released = JSON.parse(await readFile(join(options.source, 'released.json'), 'utf8')) as Released;
  await mkdir(options.target, { recursive: true });
  const rows: CatalogRow[] = [];
  for (const folder of await listPackages(options.source)) rows.push(await buildPackage(folder, released, options));
  const json = `${JSON.stringify(rows)}\n`;
  await put(join(options.target, 'catalog.json'), json);
  await put(join(options.target, 'stamp'), `${sha256Hex(json)}\n`);
  await put(join(options.target, 'inputs'), key);
  await removeOthers(options.target, new Set(rows.map((row) => row.file)));
  return 'built';
};

const readText = (file: string): Promise<string | undefined> => readFile(file, 'utf8').catch(() => undefined);

/** A hash over every file of the sources and what else counts. Times do not: a fresh clone has new ones. */
const inputKey = async ({ source, salt }: BuildOptions): Promise<string> => {
  const entries = await readdir(source, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const hash = createHash('sha256').update(salt);
  for (const file of files) hash.update(`\0${file.slice(source.length)}\0`).update(await readFile(file));
  return `${hash.digest('hex')}\n`;
};

const listPackages = async (source: string): Promise<string[]> => {
  const entries = await readdir(source, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => join(source, entry.name));
  const found: string[] = [];
  for (const folder of folders.sort()) {
    if ((await readText(join(folder, 'package.json'))) !== undefined) found.push(folder);
  }
  return found;
};

const buildPackage = async (folder: string, released: Released, { target }: BuildOptions): Promise<CatalogRow> => {
  const { bytes, integrity, packageJson } = await packFolder(folder, { write: 'nothing' });
  const id = `${packageJson.name}@${packageJson.version}`;
  const release = Object.hasOwn(released, id) ? released[id] : undefined;
  if (release === undefined) {
    throw new Problem('invalid_package_json', `\`${id}\` is not in catalog/released.json`, {
      hint: `add "${id}": { "integrity": null, "date": "<day>T00:00:00Z" }`,
    });
  }
  if (release.integrity !== null && release.integrity !== integrity) {
    throw new Problem('version_exists', `\`${id}\` is released and its files changed (${basename(folder)})`, {
      hint: 'a version never changes: raise the version, and add it to catalog/released.json',
      details: { released: release.integrity, now: integrity },
    });
  }
  const file = `${packageJson.name.replace('@', '').replace('/', '-')}-${packageJson.version}.tgz`;
  await put(join(target, file), bytes);
  return { file, ...(await examine(join(target, file), id, release)) };
};

const examine = async (archive: string, id: string, release: Release): Promise<Omit<CatalogRow, 'file'>> => {
  const { date, reviewed = {} } = release;
  const { examineArchive } = await import('../../tool-package/examine/index.ts');
  const { record, findings, ruleSet, readme } = await examineArchive(archive, BUILD_LIMITS);
  const worst = findings.filter(
    ({ level, rule }) => level === 'error' || (level === 'review' && !Object.hasOwn(reviewed, rule)),
  );
  if (worst[0] !== undefined) {
    throw new Problem('findings', `\`${id}\`: ${worst[0].rule}: ${worst[0].message}`, { details: { findings: worst } });
  }
  return { record: { ...record, publisher: PUBLISHER, publishedAt: date }, findings, ruleSet, readme };
};

/** Whoever reads at the same time sees the old file or the new one. */
const put = async (file: string, bytes: Uint8Array | string): Promise<void> => {
  const temporary = `${file}.${randomUUID()}.tmp`;
  await writeFile(temporary, bytes);
  await rename(temporary, file);
};

const removeOthers = async (target: string, kept: ReadonlySet<string>): Promise<void> => {
  const names = await readdir(target);
  const old = names.filter((name) => (name.endsWith('.tgz') || name.endsWith('.tmp')) && !kept.has(name));
  for (const name of old) await rm(join(target, name), { force: true });
};
