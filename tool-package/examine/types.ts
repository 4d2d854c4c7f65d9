/** What examining gives, and what parent and child say to each other. */
import type { Agent } from '../../schemas/common.ts';
import type { Finding } from '../../schemas/finding.ts';
import type { ManifestRecord } from '../../schemas/manifest.ts';
import type { PackageJson } from '../../schemas/package-json.ts';
import type { EntryInspection, ProblemKind } from '../inspect/types.ts';

export type Examination = {
  /** Publisher and time are null until a registry has taken it. */
  record: ManifestRecord;
  packageJson: PackageJson;
  findings: Finding[];
  ruleSet: string;
  readme: string | null;
};

/** What an agent would get from an extension or tool file that others put there. */
export type InspectedExtension = { tools: { name: string; entry: string }[]; problem: string | null };

export type EntryId = { agent: Agent; entry: string };

export type ExamineRequest = {
  kind: 'archive';
  path: string;
  /** Entries that an earlier child has finished, or failed on. */
  known: EntryInspection[];
  /** Give every other entry this problem: time is up. */
  giveUp: ProblemKind | null;
  previous: ManifestRecord | null;
  /** How much of the sources is checked: less, where all of it ended a child. */
  checks?: CheckDepth;
};
export type CheckDepth = 'all' | 'small' | 'none';
export type ExtensionRequest = { kind: 'extension'; path: string; agent: Agent };
export type ChildRequest = ExamineRequest | ExtensionRequest;

export type SentProblem = {
  code: string;
  message: string;
  hint: string | null;
  details: Readonly<Record<string, unknown>>;
};

export type ChildMessage =
  | { kind: 'ready' }
  | { kind: 'entry'; entry: EntryId }
  | { kind: 'entry-done'; inspection: EntryInspection }
  /** All entries are done: the checks follow. */
  | { kind: 'inspected' }
  | { kind: 'examined'; examination: Examination }
  | { kind: 'extension'; extension: InspectedExtension }
  | { kind: 'problem'; problem: SentProblem };
