/** What a new look at an archive means for its version: pure. */
import type { Finding } from '../../schemas/finding.ts';
import type { ManifestRecord } from '../../schemas/manifest.ts';
import { canonicalJson } from '../../tool-package/canonical.ts';
import type { Examination } from '../../tool-package/examine/index.ts';
import { evidenceOf } from '../../tool-package/finding-evidence.ts';
import { openFindings } from '../../tool-package/open-findings.ts';
import type { VersionRow, WaiverRow } from '../store/tables.ts';
import type { StatusChange } from '../store/versions.ts';
import { countRecordTokens } from './summary.ts';
import { findingColumns, waiversFor } from './waivers.ts';

export type Judgement = {
  readonly change: StatusChange;
  /** Whether anything is said about the version that was not, or no longer. */
  readonly isChanged: boolean;
  /** New errors that nobody has waived; empty where it is not quarantined by this. */
  readonly quarantinedFor: readonly Finding[];
  /** For the event. */
  readonly detail: { readonly [key: string]: unknown };
};

/**
 * Takes the stored version and the examination of its archive. A version that is listed, or waits, is quarantined for an
 * error that was not known and that no waiver holds for; in any other state it only gets its findings.
 */
export const judge = (
  row: VersionRow,
  { record, findings: derived, ruleSet }: Examination,
  waivers: readonly WaiverRow[],
): Judgement => {
  const before = JSON.parse(row.findings) as Finding[];
  const findings = [...derived, ...before.filter(isOfTheDay).map(withOwnEvidence)];
  const known = new Set(before.map(sayingOf));
  const said = new Set(findings.map(sayingOf));
  const errors = openFindings(findings, waiversFor(waivers, row.publisher)).filter(
    (finding) => finding.level === 'error' && !known.has(sayingOf(finding)),
  );
  const quarantinedFor = row.state === 'listed' || row.state === 'pending' ? errors : [];
  const differs = recordDifference(row, record);
  const tokens = countRecordTokens(record);
  const added = findings.filter((finding) => !known.has(sayingOf(finding)));
  const gone = before.filter((finding) => !said.has(sayingOf(finding)));
  return {
    change: {
      rule_set: ruleSet,
      tokens,
      ...findingColumns(findings, waivers, row.publisher),
      ...(quarantinedFor.length === 0 ? {} : quarantine(quarantinedFor, ruleSet)),
    },
    isChanged: added.length > 0 || gone.length > 0 || tokens !== row.tokens || differs.length > 0,
    quarantinedFor,
    detail: {
      from: row.rule_set,
      to: ruleSet,
      added: rulesOf(added),
      gone: rulesOf(gone),
      ...(differs.length === 0 ? {} : { recordDiffers: differs }),
    },
  };
};

/** Said when it was published, about who published it: the archive cannot say it again. */
const isOfTheDay = (finding: Finding): boolean => finding.rule === 'change/publisher';

const withOwnEvidence = (finding: Finding): Finding => ({ ...finding, evidence: evidenceOf(finding, null) });

/** The archive is the same, so what is said of the same place is the same finding. */
const sayingOf = ({ rule, level, agent, tool, field, file, line, message }: Finding): string =>
  JSON.stringify([rule, level, agent, tool, field, file, line, message]);

const rulesOf = (findings: readonly Finding[]): string[] =>
  [...new Set(findings.map((finding) => finding.rule))].sort();

const MAX_REASON = 500;

const quarantine = (errors: readonly Finding[], ruleSet: string): StatusChange => {
  const more = errors.length === 1 ? '' : ` (and ${errors.length - 1} more)`;
  const first = `${errors[0]?.rule}: ${errors[0]?.message}`;
  const text = first.length > MAX_REASON ? `${first.slice(0, MAX_REASON)}…` : first;
  return { state: 'quarantined', state_reason: `${text}${more}; found by rule set ${ruleSet}` };
};

/** Which fields of the record this pi-tools would derive otherwise. The stored record stays: lock files name its digest. */
const recordDifference = (row: VersionRow, derived: ManifestRecord): string[] => {
  const stored = JSON.parse(row.record) as ManifestRecord;
  const now = { ...derived, publisher: stored.publisher, publishedAt: stored.publishedAt };
  const names = [...new Set([...Object.keys(stored), ...Object.keys(now)])] as (keyof ManifestRecord)[];
  return names.filter((name) => canonicalJson(stored[name] ?? null) !== canonicalJson(now[name] ?? null)).sort();
};
