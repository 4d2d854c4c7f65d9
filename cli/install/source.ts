/** A package version with its archive in hand, verified: what a plan works with, wherever it came from. */
import type { Agent } from '../../schemas/agents.ts';
import type { Finding } from '../../schemas/finding.ts';
import type { ManifestRecord, ManifestStatus, Tool } from '../../schemas/manifest.ts';
import { Problem } from '../../schemas/problem.ts';
import { type PackageArchive, readArchive } from '../../tool-package/archive/read.ts';
import type { RegistryClient } from '../registry/client.ts';
import { checkSource } from './check-source.ts';

export type PackageSource = {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
  readonly record: ManifestRecord;
  /** Null for a path. */
  readonly recordDigest: string | null;
  /** Origin of the registry, `embedded`, or `file:<path>`. */
  readonly registry: string;
  readonly archive: PackageArchive;
  /** Null for a path: what the user names on the command line counts as listed. */
  readonly status: ManifestStatus | null;
  readonly findings: readonly Finding[];
};

/** A version that a lock file pins: other bytes under the same version are an attack or an accident, never an update. */
export type Pin = { readonly integrity: string; readonly registry: string; readonly lockFile: string };

function checkPin(client: RegistryClient, name: string, version: string, actual: string, pin: Pin | undefined): void {
  if (pin === undefined || pin.integrity === actual) return;
  throw new Problem(
    'integrity_mismatch',
    `\`${name}@${version}\`: \`${pin.lockFile}\` expects \`${pin.integrity}\` (from \`${pin.registry}\`), the registry \`${client.origin}\` offers \`${actual}\``,
    {
      hint: 'a version never changes: ask the registry what happened; nothing was installed',
      details: {
        package: name,
        version,
        expected: pin.integrity,
        actual,
        source: pin.lockFile,
        registry: client.origin,
      },
    },
  );
}

/** Fetches manifest and archive and holds them against each other and the lock. Problem `integrity_mismatch`, `record_mismatch`, `version_quarantined` … */
export async function fetchSource(
  client: RegistryClient,
  name: string,
  version: string,
  pin?: Pin,
): Promise<PackageSource> {
  const { record, recordDigest, status } = await client.getManifest(name, version);
  checkPin(client, name, version, record.integrity, pin);
  const bytes = await client.getArchive(name, version, record.integrity);
  const archive = await readArchive(bytes);
  checkSource({ name, version, from: client.origin }, record, archive);
  const { integrity } = archive;
  return {
    name,
    version,
    integrity,
    record,
    recordDigest,
    registry: client.origin,
    archive,
    status,
    findings: status.findings,
  };
}

/** The tools that a package gives to an agent; none where it does not support it. */
export const toolsFor = (source: { readonly record: ManifestRecord }, agent: Agent): readonly Tool[] =>
  source.record.agents[agent]?.tools ?? [];

/** Whether a package has an entry for the agent (a pi entry may register no tool). */
export const supports = (record: ManifestRecord, agent: Agent): boolean =>
  (record.agents[agent]?.entries.length ?? 0) > 0;

/** Packages that the agent itself provides: named under `dependencies` they need nothing from npm. */
const HOST_PACKAGE =
  /^(?:@(?:earendil-works|mariozechner)\/pi-(?:coding-agent|ai|agent-core|tui)|typebox|@sinclair\/typebox|@(?:slopcode-ai|opencode-ai)\/plugin)$/;

/** Refuses what needs npm packages, before anything is written. Problem `npm_dependencies`. */
export function refuseNpmDependencies(source: PackageSource): void {
  const names = Object.keys(source.record.dependencies.npm).filter((name) => !HOST_PACKAGE.test(name));
  if (names.length === 0) return;
  const list = names.map((name) => `\`${name}\``).join(', ');
  throw new Problem(
    'npm_dependencies',
    `\`${source.name}@${source.version}\` needs npm packages, which pi-tools does not install yet: ${list}`,
    {
      hint: 'ask its author for a version with its dependencies bundled; nothing was written',
      details: { package: source.name, version: source.version, dependencies: names },
    },
  );
}
