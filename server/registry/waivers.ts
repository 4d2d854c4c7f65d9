/** Which findings of a version a waiver holds for, kept with the version so that a read needs no other table. */
import type { Finding } from '../../schemas/finding.ts';
import type { Waiver } from '../../schemas/manifest.ts';
import { needsDecision, openFindings } from '../../tool-package/open-findings.ts';
import type { Trx, VersionRow, WaiverRow } from '../store/tables.ts';
import { listJudged, updateStatus } from '../store/versions.ts';
import { listWaivers } from '../store/waivers.ts';

/** As stored with a version. */
type KeptWaiver = Waiver & { readonly holds: boolean };

/** Nobody decides about their own version, in advance neither: administrators may. */
const countsFor = (waiver: WaiverRow, publisher: string): boolean =>
  waiver.user !== publisher || waiver.by_administrator === 1;

/** The package's waivers that count for a version of this publisher. */
export const waiversFor = (waivers: readonly WaiverRow[], publisher: string): WaiverRow[] =>
  waivers.filter((one) => countsFor(one, publisher));

/** The columns of a version that follow from its findings and the package's waivers, oldest first. */
export const findingColumns = (
  findings: readonly Finding[],
  waivers: readonly WaiverRow[],
  publisher: string,
): Pick<VersionRow, 'findings' | 'waivers' | 'open_findings'> => {
  const decided = findings.filter(needsDecision);
  const evidence = new Set(decided.flatMap((finding) => finding.evidence ?? []));
  const holding = waiversFor(waivers, publisher).filter((waiver) => evidence.has(waiver.evidence));
  const kept = [
    ...lapsedFor(decided, waivers, new Set(holding)).map((waiver) => keptWaiver(waiver, false)),
    ...holding.map((waiver) => keptWaiver(waiver, true)),
  ];
  return {
    findings: JSON.stringify(findings),
    waivers: JSON.stringify(kept),
    open_findings: openFindings(findings, holding).length,
  };
};

/** The latest for each rule and file: a package that is waived anew with every release must not carry all of them along. */
const lapsedFor = (
  findings: readonly Finding[],
  waivers: readonly WaiverRow[],
  holding: ReadonlySet<WaiverRow>,
): WaiverRow[] => {
  const rules = new Set(findings.map((finding) => finding.rule));
  const lapsed = waivers.filter((waiver) => rules.has(waiver.rule) && !holding.has(waiver));
  return [...new Map(lapsed.map((waiver) => [JSON.stringify([waiver.rule, waiver.file]), waiver])).values()];
};

const keptWaiver = (waiver: WaiverRow, holds: boolean): KeptWaiver => ({
  rule: waiver.rule,
  evidence: waiver.evidence,
  by: waiver.user,
  reason: waiver.reason,
  at: waiver.at,
  version: waiver.version,
  message: waiver.message,
  file: waiver.file,
  holds,
});

export type VersionWaivers = { readonly waivers: Waiver[]; readonly lapsedWaivers: Waiver[] };

/** The waivers that hold for a version, and those of its rules that do not. */
export const readWaivers = (row: Pick<VersionRow, 'waivers'>): VersionWaivers => {
  const kept = JSON.parse(row.waivers) as KeptWaiver[];
  const those = (holds: boolean): Waiver[] =>
    kept.filter((one) => one.holds === holds).map(({ holds: _, ...waiver }) => waiver);
  return { waivers: those(true), lapsedWaivers: those(false) };
};

/** Findings of a stored version that need a decision and have none. */
export const openFindingsOf = (row: Pick<VersionRow, 'findings' | 'waivers'>): Finding[] =>
  openFindings(JSON.parse(row.findings) as Finding[], readWaivers(row).waivers);

/** Follows a change of the package's waivers in all of its versions. */
export const refreshWaivers = async (trx: Trx, packageId: number): Promise<void> => {
  const waivers = await listWaivers(trx, packageId);
  for (const row of await listJudged(trx, packageId)) {
    const columns = findingColumns(JSON.parse(row.findings) as Finding[], waivers, row.publisher);
    if (columns.waivers !== row.waivers || columns.open_findings !== row.open_findings) {
      await updateStatus(trx, row.id, columns);
    }
  }
};
