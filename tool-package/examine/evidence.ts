/**
 * What a finding rests on, as one hash: a waiver is bound to it. The same finding where nothing that it depends on has
 * changed has the same evidence; anything else has another one, and the waiver does not hold there. The reasons are in
 * docs/decisions/0008-the-evidence-of-a-waiver.md.
 */
import type { Finding } from '../../schemas/finding.ts';
import type { ManifestRecord, PackageFile } from '../../schemas/manifest.ts';
import { canonicalJson } from '../canonical.ts';
import { evidenceOf } from '../finding-evidence.ts';
import type { EntryInspection } from '../inspect/types.ts';
import { sha256Hex } from '../integrity.ts';
import { isDocument, type Program, type Programs, programsOf } from './programs.ts';

export type EvidenceInput = {
  readonly record: Pick<ManifestRecord, 'agents' | 'files'>;
  /** The files whose bytes were kept. */
  readonly sources: ReadonlyMap<string, Uint8Array>;
  readonly inspections: readonly EntryInspection[];
};

/**
 * Gives each finding its `evidence`, over what it says and
 * - where it names a source: that file, and all files of the programs that it is part of;
 * - where it names package.json, or no file: all files but documents, and all of package.json but the version;
 * - where it names a document (README): that file alone;
 * - where it names a tool: also what the model is told of it.
 * Never throws for what a package holds.
 */
export function withEvidence(findings: readonly Finding[], input: EvidenceInput): Finding[] {
  const programs = programsOf(input);
  const hashes = hashesOf(input);
  const ofPrograms = new Map<Program, string>();
  const hashOf = (program: Program): string => {
    const known = ofPrograms.get(program);
    if (known !== undefined) return known;
    const hash = sha256Hex(JSON.stringify([...program].map((path) => [path, hashes.inPrograms.get(path)])));
    ofPrograms.set(program, hash);
    return hash;
  };
  return findings.map((finding) => {
    const about = {
      code: programsFor(finding.file, programs).map(hashOf).sort(),
      file: hashes.alone.get(finding.file ?? PACKAGE_JSON) ?? null,
      tools: definitionsOf(finding, input.record),
    };
    return { ...finding, evidence: evidenceOf(finding, about) };
  });
}

const PACKAGE_JSON = 'package.json';
const PINS = 'npm-shrinkwrap.json';

function programsFor(file: string | null, { all, ofEntries }: Programs): readonly Program[] {
  if (file === null || file === PACKAGE_JSON) return [all];
  if (isDocument(file)) return [];
  const found = [...new Set(ofEntries)].filter((program) => program.has(file));
  return found.length > 0 ? found : [all];
}

/** For every agent, since a finding may speak for several. A label is no part of the definition's own hash, and is shown to the user. */
const definitionsOf = ({ tool }: Finding, record: EvidenceInput['record']): unknown[] => {
  const tools = Object.values(record.agents).flatMap((agent) => agent?.tools ?? []);
  return tools.filter((each) => each.name === tool).map((each) => [each.label, each.definitionHash]);
};

/** Of package.json: changes with every release, and no code depends on it. */
const SAID_ONLY: ReadonlySet<string> = new Set([
  'version',
  'description',
  'keywords',
  'homepage',
  'repository',
  'bugs',
  'license',
  'author',
  'contributors',
  'maintainers',
  'funding',
  'scripts',
  'devDependencies',
  'publishConfig',
]);
const VERSION: ReadonlySet<string> = new Set(['version']);

type Hashes = {
  /** As part of a program. */
  readonly inPrograms: ReadonlyMap<string, string>;
  /** As what a finding itself names. */
  readonly alone: ReadonlyMap<string, string>;
};

/** By path. The version that every release has to change is left out of package.json and of the pins. */
function hashesOf({ record, sources }: EvidenceInput): Hashes {
  const hashes = (saidOnly: ReadonlySet<string>) =>
    new Map(record.files.map((file) => [file.path, meaningOf(file, sources, saidOnly) ?? bytesOf(file)]));
  return { inPrograms: hashes(SAID_ONLY), alone: hashes(VERSION) };
}

const bytesOf = ({ sha256, executable }: PackageFile): string => `${sha256} ${executable}`;

function meaningOf(
  { path }: PackageFile,
  sources: EvidenceInput['sources'],
  leftOut: ReadonlySet<string>,
): string | undefined {
  const bytes = path === PACKAGE_JSON || path === PINS ? sources.get(path) : undefined;
  if (bytes === undefined) return undefined;
  try {
    const value = JSON.parse(
      Buffer.from(bytes)
        .toString('utf8')
        .replace(/^\ufeff/, ''),
    );
    if (path === PACKAGE_JSON) return sha256Hex(canonicalJson(without(value, leftOut)));
    const own = value.packages?.[''];
    const packages = own === undefined ? value.packages : { ...value.packages, '': without(own, VERSION) };
    return sha256Hex(canonicalJson({ ...without(value, VERSION), packages: packages ?? null }));
  } catch {
    return undefined;
  }
}

const without = (value: object, names: ReadonlySet<string>): object =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(name)));
