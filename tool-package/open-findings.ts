/** Which findings still wait for somebody's decision. */
import type { Finding } from '../schemas/finding.ts';

/** Whether a finding keeps a version from being listed by itself (review), or at all (error). */
export const needsDecision = ({ level }: Pick<Finding, 'level'>): boolean => level === 'error' || level === 'review';

/** Error and review findings that none of `waivers` holds for: those with the same evidence do. */
export const openFindings = (
  findings: readonly Finding[],
  waivers: readonly { readonly evidence: string }[],
): Finding[] => {
  const waived = new Set(waivers.map((one) => one.evidence));
  return findings.filter(
    (finding) => needsDecision(finding) && !(finding.evidence !== undefined && waived.has(finding.evidence)),
  );
};
