/** What a curator decides about a version. */
import type { ListingState, Manifest } from '../../schemas/manifest.ts';
import { Problem } from '../../schemas/problem.ts';
import type { Deps } from '../deps.ts';
import type { VersionRow } from '../store/tables.ts';
import { changeVersion, type VersionTarget } from './change-version.ts';
import { requireScope, type Viewer } from './viewer.ts';
import { openFindingsOf } from './waivers.ts';

export type Decision = 'approve' | 'reject' | 'quarantine';

type Rule = { readonly from: readonly ListingState[]; readonly to: ListingState };

/** approve also takes back a rejection or a quarantine; only what waits can be rejected; quarantine is for what is out. */
const RULES: Readonly<Record<Decision, Rule>> = {
  approve: { from: ['pending', 'rejected', 'quarantined'], to: 'listed' },
  reject: { from: ['pending'], to: 'rejected' },
  quarantine: { from: ['pending', 'listed'], to: 'quarantined' },
};

/**
 * Applies a decision; a repeat changes nothing and succeeds. Throws `forbidden` without the right to review, and to the
 * version's publisher, who is not to approve it (administrators may: a registry can have one person only);
 * `state_conflict` where the state does not allow it.
 */
export const decide = async (
  deps: Deps,
  target: VersionTarget,
  decision: Decision,
  by: { readonly viewer: Viewer | null; readonly reason: string | null },
): Promise<Manifest> => {
  const viewer = requireScope(by.viewer, 'review');
  const { from, to } = RULES[decision];
  return changeVersion(deps, target, {
    actor: viewer.user,
    kind: decision,
    reason: by.reason,
    assertAllowed: (row) => {
      if (decision === 'approve') assertNotPublisher(viewer, row, target, 'approve it');
    },
    change: (row) => {
      if (row.state === to) return null;
      if (!from.includes(row.state)) throw stateConflict(target, row.state, decision);
      if (decision === 'approve') assertNoOpenErrors(row, target);
      return { state: to, state_reason: decision === 'approve' ? null : by.reason };
    },
  });
};

/** Throws `forbidden`: nobody decides about their own version, except administrators. */
export const assertNotPublisher = (
  viewer: Viewer,
  row: VersionRow,
  { name, version }: VersionTarget,
  deed: 'approve it' | 'waive its findings',
): void => {
  if (row.publisher !== viewer.user || viewer.scopes.has('admin')) return;
  throw new Problem('forbidden', `\`${viewer.user}\` published \`${name}@${version}\` and cannot ${deed}`, {
    hint: 'Ask another curator.',
  });
};

/** An error is never listed without somebody's word, and reason, that it is none here. */
const assertNoOpenErrors = (row: VersionRow, { name, version }: VersionTarget): void => {
  const errors = openFindingsOf(row).filter((finding) => finding.level === 'error');
  const first = errors[0];
  if (first === undefined) return;
  const what = errors.length === 1 ? 'an error finding' : `${errors.length} error findings`;
  throw new Problem('findings', `\`${name}@${version}\` has ${what}: ${first.message}`, {
    hint: `Waive it with a reason first: \`pi-tools review waive ${name}@${version} --rule ${first.rule} --reason "…"\`.`,
    details: { findings: errors },
  });
};

const stateConflict = ({ name, version }: VersionTarget, state: ListingState, decision: Decision): Problem =>
  new Problem('state_conflict', `\`${name}@${version}\` is \`${state}\`: \`${decision}\` does not apply`, {
    details: { state },
  });
