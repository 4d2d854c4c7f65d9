/** A stand-in until the inspection is there: reads the archive and finds no tools. */
import { createReadStream } from 'node:fs';
import type { Finding } from '../../schemas/finding.ts';
import type { ManifestRecord } from '../../schemas/manifest.ts';
import type { PackageJson } from '../../schemas/package-json.ts';
import { readArchive } from '../../tool-package/archive/read.ts';
import { resolveEntries } from '../../tool-package/entries.ts';

export type Examination = {
  record: ManifestRecord;
  packageJson: PackageJson;
  findings: Finding[];
  ruleSet: string;
  readme: string | null;
};

export const examineArchive = async (path: string): Promise<Examination> => {
  const archive = await readArchive(createReadStream(path));
  const { packageJson } = archive;
  const entries = resolveEntries(
    packageJson,
    archive.files.map((file) => file.path),
  );
  const readme = archive.files.find((file) => /^readme\.md$/i.test(file.path))?.bytes?.toString('utf8') ?? null;
  return {
    record: {
      formatVersion: 1,
      name: packageJson.name,
      version: packageJson.version,
      description: packageJson.description ?? '',
      license: packageJson.license ?? null,
      keywords: packageJson.keywords ?? [],
      homepage: packageJson.homepage ?? null,
      agents: {
        ...(entries.pi.length > 0 ? { pi: { entries: entries.pi, tools: [] } } : {}),
        ...(entries.slopcode.length > 0 ? { slopcode: { entries: entries.slopcode, tools: [] } } : {}),
        ...(entries.opencode.length > 0 ? { opencode: { entries: entries.opencode, tools: [] } } : {}),
      },
      permissions: { declared: packageJson.piTools?.permissions ?? {}, observed: null },
      overrides: packageJson.piTools?.overrides ?? [],
      dependencies: { tools: packageJson.piTools?.dependencies ?? {}, npm: packageJson.dependencies ?? {} },
      engines: packageJson.engines ?? {},
      files: archive.files.map(({ path: file, size, sha256, executable }) => ({
        path: file,
        size,
        sha256,
        executable,
      })),
      archiveSize: archive.archiveSize,
      integrity: archive.integrity,
      publisher: null,
      publishedAt: null,
    },
    packageJson,
    findings: [],
    ruleSet: 'stand-in',
    readme,
  };
};
