/** Packages in a registry without their inspection, the way the catalog comes in: for tests that need many of them. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ManifestRecord, Tool } from '../../schemas/manifest.ts';
import { closeDeps, openDeps } from '../../server/deps.ts';
import { seedCatalog } from '../../server/registry/seed-catalog.ts';
import { readArchive } from '../../tool-package/archive/read.ts';
import { RULE_SET } from '../../tool-package/check/rule-set.ts';
import { definitionHash } from '../../tool-package/definition.ts';
import { type PackageSketch, sketchArchive } from './registry.ts';

/** Writes a catalog folder of these packages and gives its path. */
export const writeCatalog = async (folder: string, sketches: readonly PackageSketch[]): Promise<string> => {
  await mkdir(folder, { recursive: true });
  const entries = [];
  for (const [index, sketch] of sketches.entries()) {
    const archive = sketchArchive(sketch);
    const file = `${index}.tgz`;
    await writeFile(join(folder, file), archive);
    const readme = sketch.readme ?? '';
    entries.push({ file, record: await sketchRecord(archive, sketch), findings: [], ruleSet: RULE_SET, readme });
  }
  await writeFile(join(folder, 'catalog.json'), JSON.stringify(entries));
  return folder;
};

/** Puts the packages into the registry at `dataFolder`, as a second process would. Their publisher is `pi-tools`. */
export const seedPackages = async (dataFolder: string, sketches: readonly PackageSketch[]): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'pi-tools-catalog-'));
  const deps = await openDeps({ dataFolder });
  try {
    await seedCatalog(deps, await writeCatalog(folder, sketches));
  } finally {
    await closeDeps(deps);
    await rm(folder, { recursive: true, force: true });
  }
};

/** The record that an inspection would give, from what the sketch says. */
const sketchRecord = async (archive: Buffer, sketch: PackageSketch): Promise<ManifestRecord> => {
  const { packageJson, files, integrity, archiveSize } = await readArchive(archive);
  const named = Object.entries(sketch.tools ?? {});
  const fallback = packageJson.name.replace(/^@.*\//, '').replaceAll('-', '_');
  const tools = (named.length > 0 ? named : [[fallback, `What ${fallback} does`] as const]).map(sketchTool);
  return {
    formatVersion: 1,
    name: packageJson.name,
    version: packageJson.version,
    description: packageJson.description ?? '',
    license: packageJson.license ?? null,
    keywords: packageJson.keywords ?? [],
    homepage: null,
    agents: sketchAgents(packageJson, tools),
    permissions: { declared: {}, observed: null },
    overrides: [],
    dependencies: { tools: {}, npm: {} },
    engines: {},
    files: files.map(({ path, size, sha256, executable }) => ({ path, size, sha256, executable })),
    archiveSize,
    integrity,
    publisher: 'pi-tools',
    publishedAt: '2026-11-01T00:00:00.000Z',
  };
};

const sketchAgents = (packageJson: { pi?: unknown; slopcode?: unknown }, tools: Tool[]): ManifestRecord['agents'] => ({
  ...(packageJson.pi === undefined ? {} : { pi: { entries: ['index.ts'], tools } }),
  ...(packageJson.slopcode === undefined ? {} : { slopcode: { entries: ['index.ts'], tools } }),
});

const sketchTool = ([name, description]: readonly [string, string]): Tool => {
  const definition = { name, description, promptSnippet: null, promptGuidelines: [], parameters: { type: 'object' } };
  return {
    ...definition,
    label: name,
    entry: 'index.ts',
    export: null,
    flags: { prepareArguments: false, renderCall: false, renderResult: false, defaultActive: true },
    definitionHash: definitionHash(definition),
    tokens: 10,
    origin: { name: 'evaluated' },
  };
};
