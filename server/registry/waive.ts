/** A curator waives findings of a version, with a reason, and takes that back. */
import type { Finding } from '../../schemas/finding.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { Problem } from '../../schemas/problem.ts';
import { needsDecision } from '../../tool-package/open-findings.ts';
import { nowText } from '../clock.ts';
import type { Deps } from '../deps.ts';
import { insertEvent } from '../store/events.ts';
import type { PackageRow, Trx, VersionRow, WaiverRow } from '../store/tables.ts';
import { deleteWaiver, insertWaiver, listWaivers } from '../store/waivers.ts';
import { getForChange, type VersionTarget } from './change-version.ts';
import { refreshPackage } from './listing.ts';
import { manifestOf } from './manifest.ts';
import { assertNotPublisher } from './review.ts';
import { requireScope, type Viewer } from './viewer.ts';
import { openFindingsOf, readWaivers, refreshWaivers } from './waivers.ts';

/** Which findings are meant. `which`: what to do where several match. */
export type Wanted = {
  readonly rule: string;
  /** How a finding's evidence begins; null for any. */
  readonly evidence: string | null;
  readonly file: string | null;
  readonly which: 'the-only-one' | 'all';
};

export type WaiveResult = {
  readonly manifest: Manifest;
  /** The evidence of what was waived, or is no longer, by this request. */
  readonly changed: readonly string[];
  /** Findings that need a decision and have none, after it. */
  readonly open: readonly Finding[];
};

type By<Reason> = { readonly viewer: Viewer | null; readonly reason: Reason };

/**
 * Waives findings of a version; a repeat changes nothing and succeeds. It holds for every version of the package where a
 * finding has the same evidence. Throws `forbidden` without the right to review, and to the version's publisher
 * (administrators may), `finding_not_found`, `several_findings`, `state_conflict` for findings that have no evidence yet.
 */
export const waive = (deps: Deps, target: VersionTarget, wanted: Wanted, by: By<string>): Promise<WaiveResult> =>
  changeWaivers(deps, target, by.viewer, async (trx, viewer, { row, version }) => {
    assertNotPublisher(viewer, version, target, 'waive its findings');
    const reason = checkReason(by.reason);
    assertFound(version, wanted, target);
    const chosen = choose(
      byEvidence(openFindingsOf(version)).filter((one) => matches(one, wanted)),
      wanted,
      target,
    );
    for (const { rule, evidence = '', file, message } of chosen) {
      await insertWaiver(trx, {
        package_id: row.id,
        rule,
        evidence,
        version: target.version,
        message,
        file,
        user: viewer.user,
        by_administrator: viewer.scopes.has('admin') ? 1 : 0,
        reason,
        at: nowText(),
      });
      await tell(trx, viewer, target, 'waive', { rule, evidence, file, message, reason });
    }
    return chosen.map((one) => one.evidence ?? '');
  });

/** Takes waivers back that hold for findings of a version, wherever they were given; the findings are open again. */
export const unwaive = (
  deps: Deps,
  target: VersionTarget,
  wanted: Wanted,
  by: By<string | null>,
): Promise<WaiveResult> =>
  changeWaivers(deps, target, by.viewer, async (trx, viewer, { row, version }) => {
    assertFound(version, wanted, target);
    const held = new Set(readWaivers(version).waivers.map((one) => one.evidence));
    const findings = byEvidence(readFindings(version).filter(needsDecision));
    const waived = findings.filter((one) => held.has(one.evidence ?? '') && matches(one, wanted));
    const chosen = new Set(choose(waived, wanted, target).map((one) => one.evidence ?? ''));
    for (const one of await listWaivers(trx, row.id)) {
      if (!chosen.has(one.evidence)) continue;
      await deleteWaiver(trx, one.id);
      await tell(trx, viewer, target, 'unwaive', { ...detailOf(one), reason: by.reason });
    }
    return [...chosen];
  });

type Found = { readonly row: PackageRow; readonly version: VersionRow };

/** The frame of both: one transaction; what all versions of the package say follows what `work` did. */
const changeWaivers = async (
  deps: Deps,
  target: VersionTarget,
  by: Viewer | null,
  work: (trx: Trx, viewer: Viewer, found: Found) => Promise<string[]>,
): Promise<WaiveResult> => {
  const viewer = requireScope(by, 'review');
  return deps.store.write(async (trx) => {
    const found = await getForChange(trx, target);
    const changed = await work(trx, viewer, found);
    if (changed.length === 0) return answerOf(found.version, changed);
    await refreshWaivers(trx, found.row.id);
    await refreshPackage(trx, found.row);
    return answerOf((await getForChange(trx, target)).version, changed);
  });
};

const answerOf = (version: VersionRow, changed: readonly string[]): WaiveResult => ({
  manifest: manifestOf(version),
  changed,
  open: openFindingsOf(version),
});

const readFindings = (version: VersionRow): Finding[] => JSON.parse(version.findings) as Finding[];

/** One of each: the same said of two lines of a file is one decision. */
const byEvidence = (findings: readonly Finding[]): Finding[] => [
  ...new Map(findings.map((finding) => [finding.evidence ?? '', finding])).values(),
];

const matches = (finding: Finding, { rule, evidence, file }: Wanted): boolean =>
  finding.rule === rule &&
  (file === null || finding.file === file) &&
  (evidence === null || (finding.evidence ?? '').startsWith(evidence));

const assertFound = (version: VersionRow, wanted: Wanted, { name, version: number }: VersionTarget): void => {
  const ofRule = readFindings(version).filter((finding) => finding.rule === wanted.rule && needsDecision(finding));
  if (ofRule.some((finding) => finding.evidence === undefined)) {
    throw new Problem('state_conflict', `\`${name}@${number}\` was checked by an older pi-tools`, {
      hint: 'Check it anew on the host of the registry: `pi-tools rescan`.',
    });
  }
  if (ofRule.some((finding) => matches(finding, wanted))) return;
  const where = [wanted.file, wanted.evidence].filter((one) => one !== null).map((one) => ` \`${one}\``);
  throw new Problem(
    'finding_not_found',
    `\`${name}@${number}\` has no finding of \`${wanted.rule}\`${where.join('')} that needs a decision`,
    {
      hint: `See its findings with \`pi-tools review show ${name}@${number}\`.`,
      details: { findings: ofRule.map(candidate) },
    },
  );
};

const choose = (found: readonly Finding[], { rule, which }: Wanted, { name, version }: VersionTarget): Finding[] => {
  if (found.length <= 1 || which === 'all') return [...found];
  throw new Problem('several_findings', `\`${name}@${version}\` has ${found.length} findings of \`${rule}\``, {
    hint: `Name one by \`--evidence\` or \`--file\` (\`pi-tools review show ${name}@${version}\` has both), or take \`--all\`.`,
    details: { findings: found.map(candidate) },
  });
};

const candidate = ({ evidence, file, line, message }: Finding) => ({ evidence, file, line, message });

const checkReason = (reason: string): string => {
  const text = reason.trim();
  if (text !== '') return text;
  throw new Problem('invalid_request', 'body: `reason` is empty', { hint: 'Say why the finding is acceptable.' });
};

const detailOf = ({ rule, evidence, file, message }: WaiverRow) => ({ rule, evidence, file, message });

const tell = (
  trx: Trx,
  viewer: Viewer,
  { name, version }: VersionTarget,
  kind: 'waive' | 'unwaive',
  detail: { readonly [key: string]: unknown },
): Promise<void> => insertEvent(trx, { actor: viewer.user, kind, package: name, version, detail });
