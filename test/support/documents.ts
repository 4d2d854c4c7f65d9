/** Package documents and manifests that are right in every field, for tests that then break one. */
import type { PackageDocument, PackageVersion } from '../../schemas/api/packages.ts';
import type { Manifest, ManifestRecord } from '../../schemas/manifest.ts';
import { recordDigest } from '../../tool-package/canonical.ts';
import { integrityOf, sha256Hex } from '../../tool-package/integrity.ts';

export type VersionOptions = Partial<PackageVersion> & { version: string };

const packageVersion = (options: VersionOptions): PackageVersion => ({
  integrity: integrityOf(Buffer.from(options.version)),
  recordDigest: sha256Hex(options.version),
  archiveSize: 1000,
  agents: ['pi'],
  tools: ['tool'],
  dependencies: {},
  npmDependencies: false,
  engines: {},
  state: 'listed',
  yanked: null,
  deprecated: null,
  publishedAt: '2026-11-30T00:00:00Z',
  ...options,
});

/** Versions as texts or with fields of their own, ascending. */
export const packageDocument = (
  name: string,
  versions: readonly (string | VersionOptions)[],
  tags: Record<string, string> = {},
): PackageDocument => ({
  name,
  description: `The ${name} tool.`,
  owners: ['alice'],
  tags,
  versions: versions.map((one) => packageVersion(typeof one === 'string' ? { version: one } : one)),
});

export const manifestRecord = (name: string, version: string, more: Partial<ManifestRecord> = {}): ManifestRecord => ({
  formatVersion: 1,
  name,
  version,
  description: `The ${name} tool.`,
  license: 'MIT',
  keywords: ['one'],
  homepage: null,
  agents: {
    pi: {
      entries: ['index.ts'],
      tools: [
        {
          name: 'tool',
          label: 'Tool',
          description: 'Does it.',
          promptSnippet: null,
          promptGuidelines: ['Use tool for it.'],
          parameters: { type: 'object', properties: {} },
          entry: 'index.ts',
          export: null,
          flags: { prepareArguments: false, renderCall: false, renderResult: false, defaultActive: true },
          definitionHash: sha256Hex('definition'),
          tokens: 20,
          origin: { description: 'evaluated' },
        },
      ],
    },
  },
  permissions: { declared: { network: ['example.org'] }, observed: null },
  overrides: [{ tool: 'read', reason: 'logs' }],
  dependencies: { tools: {}, npm: {} },
  engines: { node: '>=20' },
  files: [{ path: 'index.ts', size: 3, sha256: sha256Hex('abc'), executable: false }],
  archiveSize: 100,
  integrity: integrityOf(Buffer.from('archive')),
  publisher: 'alice',
  publishedAt: '2026-11-30T00:00:00Z',
  ...more,
});

export const manifestOf = (record: ManifestRecord): Manifest => ({
  record,
  recordDigest: recordDigest(record),
  status: {
    state: 'listed',
    stateReason: null,
    ruleSet: '1',
    findings: [
      {
        rule: 'text/undescribed',
        level: 'warn',
        agent: 'pi',
        tool: 'tool',
        field: null,
        file: 'index.ts',
        line: 1,
        message: 'm',
        hint: null,
      },
    ],
    waivers: [],
    tokens: 20,
    yanked: null,
    deprecated: null,
    advisories: [],
  },
});
