/**
 * Holds what a registry says of a version against the archive that it sent. The archive's bytes are bound by integrity; here the record must say
 * nothing else about them: a registry that lies about files, entries or names must not get a single file written.
 */
import { AGENTS, type Agent } from '../../schemas/agents.ts';
import type { ManifestRecord, Tool } from '../../schemas/manifest.ts';
import type { PackageJson } from '../../schemas/package-json.ts';
import { Problem } from '../../schemas/problem.ts';
import type { PackageArchive } from '../../tool-package/archive/read.ts';
import { canonicalJson } from '../../tool-package/canonical.ts';
import { type Entries, resolveEntries } from '../../tool-package/entries.ts';
import { faultOfName } from '../agents/tool-names.ts';
import { escapeText } from '../terminal/escape.ts';

/** What the check is about, for messages. */
export type Subject = { name: string; version: string; from: string };

const mismatch = (subject: Subject, what: string, expected: unknown, actual: unknown): Problem =>
  new Problem(
    'record_mismatch',
    `\`${subject.name}@${subject.version}\` from \`${subject.from}\`: its record says something else than its archive: ${what}`,
    {
      hint: 'tell the registry; nothing was installed',
      details: { package: subject.name, version: subject.version, registry: subject.from, what, expected, actual },
    },
  );

const same = (left: unknown, right: unknown): boolean => canonicalJson(left) === canonicalJson(right);

/** The entries of an archive by each agent's own rules. Problem `invalid_package_json`. */
function entriesOf(archive: PackageArchive): Entries {
  const manifests = archive.files.filter(({ path, bytes }) => bytes !== null && /(?:^|\/)package\.json$/.test(path));
  const sources = new Map(manifests.map(({ path, bytes }) => [path, bytes ?? Buffer.alloc(0)]));
  return resolveEntries(
    archive.packageJson,
    archive.files.map(({ path }) => path),
    sources,
  );
}

function checkTools(subject: Subject, agent: Agent, tools: readonly Tool[], entries: readonly string[]): void {
  const seen = new Set<string>();
  for (const { name, entry } of tools) {
    const shown = escapeText(name);
    const fault = faultOfName(agent, name);
    if (fault !== undefined) throw mismatch(subject, `the tool name \`${shown}\` ${fault}`, null, shown);
    if (seen.has(name)) throw mismatch(subject, `the tool \`${shown}\` is there twice for ${agent}`, null, shown);
    if (!entries.includes(entry)) {
      throw mismatch(
        subject,
        `the tool \`${shown}\` comes from \`${escapeText(entry)}\`, which is no entry`,
        entries,
        entry,
      );
    }
    seen.add(name);
  }
}

function checkAgent(subject: Subject, record: ManifestRecord, agent: Agent, entries: readonly string[]): void {
  const said = record.agents[agent];
  if (!same(said?.entries ?? [], entries)) {
    throw mismatch(subject, `the entries for ${agent}`, said?.entries ?? [], entries);
  }
  checkTools(subject, agent, said?.tools ?? [], entries);
}

const KINDS = ['network', 'read', 'write', 'run', 'env'] as const;
type Declared = ManifestRecord['permissions']['declared'];
const sortedKinds = (declared: Declared) => KINDS.map((kind) => [...new Set(declared[kind] ?? [])].sort());

const fileRows = (files: readonly { path: string; size: number; sha256: string; executable: boolean }[]) =>
  files
    .map(({ path, size, sha256, executable }) => ({ path, size, sha256, executable }))
    .sort((left, right) => (left.path < right.path ? -1 : 1));

function checkDeclared(subject: Subject, record: ManifestRecord, packageJson: PackageJson): void {
  const keys = packageJson.piTools ?? {};
  const pairs: [string, unknown, unknown][] = [
    ['its permissions', sortedKinds(record.permissions.declared), sortedKinds(keys.permissions ?? {})],
    ['its overrides', record.overrides, keys.overrides ?? []],
    ['its dependencies', record.dependencies.tools, keys.dependencies ?? {}],
    ['its npm dependencies', record.dependencies.npm, packageJson.dependencies ?? {}],
  ];
  const wrong = pairs.find(([, said, found]) => !same(said, found));
  if (wrong !== undefined) throw mismatch(subject, wrong[0], wrong[1], wrong[2]);
}

/** Throws Problem `record_mismatch`, naming what differs, unless record and archive say the same. */
export function checkSource(subject: Subject, record: ManifestRecord, archive: PackageArchive): void {
  const { packageJson } = archive;
  const facts: [string, unknown, unknown][] = [
    ['its name', record.name, packageJson.name],
    ['the name that was asked for', subject.name, packageJson.name],
    ['its version', record.version, packageJson.version],
    ['the version that was asked for', subject.version, packageJson.version],
    ['its integrity', record.integrity, archive.integrity],
    ['its size', record.archiveSize, archive.archiveSize],
  ];
  const wrong = facts.find(([, said, found]) => said !== found);
  if (wrong !== undefined) throw mismatch(subject, wrong[0], wrong[1], wrong[2]);
  if (!same(fileRows(record.files), fileRows(archive.files))) throw mismatch(subject, 'its files', null, null);
  const entries = entriesOf(archive);
  for (const agent of AGENTS) checkAgent(subject, record, agent, entries[agent]);
  checkDeclared(subject, record, packageJson);
}
