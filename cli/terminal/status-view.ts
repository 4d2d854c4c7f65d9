/** What there is to decide about a version, and what was decided. Everything here is remote text: all of it is escaped. */
import type { Finding } from '../../schemas/finding.ts';
import type { ManifestStatus, Waiver } from '../../schemas/manifest.ts';
import { needsDecision, openFindings } from '../../tool-package/open-findings.ts';
import { escapeProse } from './escape.ts';
import { countFindings, findingLines, type ViewOptions, worstFirst } from './package-view.ts';
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
  const openLines = worstFirst([...open]).flatMap((finding) => [
    ...findingLines(finding, finding.level, options),
    ...lapsedOf(finding, status).map((waiver) =>
      line(`a waiver does not hold for this: ${waiverText(waiver)} (given for other evidence)`),
    ),
    ...evidence(finding),
  ]);
  const waivedLines = worstFirst(waived).flatMap((finding) => [
    ...findingLines({ ...finding, hint: null }, 'waived', options),
    ...status.waivers
      .filter((one) => one.evidence === finding.evidence)
      .map((one) => line(`${finding.level}, waived ${waiverText(one)}`)),
    ...evidence(finding),
  ]);
  const toldLines = worstFirst(told).flatMap((finding) => findingLines(finding, finding.level, options));
  return [...openLines, ...waivedLines, ...toldLines].join('\n');
};

/** `1 error, 2 to review, 1 waived, 3 warnings`. */
export const countStatus = ({ findings, waivers }: Status): string => {
  const open = openFindings(findings, waivers);
  const waived = findings.filter(needsDecision).length - open.length;
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
