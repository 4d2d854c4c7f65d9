/** What there is to decide about a version, and what was decided. Everything here is remote text: all of it is escaped. */
import type { Finding } from '../../schemas/finding.ts';
import type { ManifestStatus, Waiver } from '../../schemas/manifest.ts';
import { needsDecision, openFindings } from '../../tool-package/open-findings.ts';
import { escapeProse } from './escape.ts';
import { countFindings, findingLines, mergeAgents, type ViewOptions, worstFirst } from './package-view.ts';
import { wrapText } from './width.ts';

type Status = Pick<ManifestStatus, 'findings' | 'waivers' | 'lapsedWaivers'>;

/** `evidence`: with what names a finding for `review waive`. */
export type StatusDetail = 'plain' | 'evidence';

/**
 * Open findings first, then those that a curator has waived, with who and why, then warnings and notes. '' for none.
 * An open finding says where a waiver of its rule was given that does not hold for it.
 */
export const statusFindingsText = (status: Status, options: ViewOptions, detail: StatusDetail = 'plain'): string => {
  const open = new Set(openFindings(status.findings, status.waivers));
  const waived = status.findings.filter((one) => needsDecision(one) && !open.has(one));
  const told = status.findings.filter((one) => !needsDecision(one));
  const line = (text: string): string => options.style.dim(wrapText(text, options.columns - 7, '       '));
  const evidence = ({ evidence: hash }: Finding): string[] =>
    detail === 'evidence' && hash !== undefined ? [line(`evidence ${escapeProse(hash.slice(0, 12))}`)] : [];
  const openLines = said([...open]).flatMap(({ finding, agents }) => [
    ...findingLines(finding, finding.level, options, agents),
    ...lapsedOf(finding, status).map((waiver) =>
      line(`a waiver does not hold for this: ${waiverText(waiver)} (given for other evidence)`),
    ),
    ...evidence(finding),
  ]);
  const waivedLines = said(waived).flatMap(({ finding, agents }) => [
    ...findingLines({ ...finding, hint: null }, 'waived', options, agents),
    ...status.waivers
      .filter((one) => one.evidence === finding.evidence)
      .map((one) => line(`${finding.level}, waived ${waiverText(one)}`)),
    ...evidence(finding),
  ]);
  const toldLines = said(told).flatMap(({ finding, agents }) => findingLines(finding, finding.level, options, agents));
  return [...openLines, ...waivedLines, ...toldLines].join('\n');
};

/** Worst first; what is said for two agents once, where one waiver would hold for both. */
const said = (findings: readonly Finding[]) => {
  const sorted = worstFirst(findings);
  const hashes = new Set(sorted.map((finding) => finding.evidence));
  const merged = [...hashes].flatMap((hash) => mergeAgents(sorted.filter((finding) => finding.evidence === hash)));
  const order = new Map(sorted.map((finding, at) => [finding, at]));
  return merged.sort((left, right) => (order.get(left.finding) ?? 0) - (order.get(right.finding) ?? 0));
};

/** `1 error, 2 to review, 1 waived, 3 warnings`. */
export const countStatus = ({ findings, waivers }: Status): string => {
  const open = openFindings(findings, waivers);
  const waived = said(findings.filter((one) => needsDecision(one) && !open.includes(one))).length;
  const told = findings.filter((one) => !needsDecision(one));
  const parts = [
    ...(open.length === 0 ? [] : [countFindings(open)]),
    ...(waived === 0 ? [] : [`${waived} waived`]),
    ...(told.length === 0 ? [] : [countFindings(told)]),
  ];
  return parts.length === 0 ? 'no findings' : parts.join(', ');
};

/** The latest of its rule, and of its file where there is one. */
const lapsedOf = (finding: Finding, { lapsedWaivers = [] }: Status): Waiver[] => {
  const ofRule = lapsedWaivers.filter((one) => one.rule === finding.rule);
  const ofFile = ofRule.filter((one) => one.file === finding.file);
  return (ofFile.length > 0 ? ofFile : ofRule).slice(-1);
};

/** `by carol on 1.0.0: reason` */
const waiverText = ({ by, version, reason }: Waiver): string =>
  `by ${escapeProse(by)}${version === undefined ? '' : ` on ${escapeProse(version)}`}: ${escapeProse(reason)}`;
