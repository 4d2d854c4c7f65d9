/** What a curator reads: the queue, one version with all there is to decide on, and what came of a decision. */
import type { Change } from '../../schemas/api/diff.ts';
import type { Review } from '../../schemas/api/reviews.ts';
import type { Finding } from '../../schemas/finding.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { diffText } from './diff-view.ts';
import { escapeProse } from './escape.ts';
import { manifestText, type ViewOptions } from './package-view.ts';
import { countStatus, statusFindingsText } from './status-view.ts';
import { plural } from './units.ts';
import { table } from './width.ts';

export const reviewsText = (reviews: readonly Review[]): string =>
  reviews.length === 0
    ? 'nothing waits'
    : table(
        reviews.map((one) => [
          `${one.package}@${one.version}`,
          one.state,
          escapeProse(one.publisher ?? ''),
          countStatus({ findings: one.findings, waivers: one.waivers ?? [] }),
        ]),
      );

type Shown = {
  package: string;
  version: string;
  manifest: Manifest;
  open: readonly Finding[];
  from: string | null;
  changes: readonly Change[];
};

/** Findings first, open ones before all, then what changed, then what it is, then what can be done. */
export const reviewText = (data: Shown, options: ViewOptions): string => {
  const { style } = options;
  const { status } = data.manifest;
  const findings = statusFindingsText(status, options, 'evidence');
  const changed = diffText(data.changes, options.columns) || 'nothing changed';
  const since = data.from === null ? 'No version before it is listed' : `Changed since ${data.from}`;
  return [
    manifestText(data.manifest, options),
    `${style.bold(since)}${data.from === null ? '' : `\n${changed}`}`,
    `${style.bold('Findings')}: ${countStatus(status)}${findings === '' ? '' : `\n${findings}`}`,
    `${style.bold('Next')}\n${nextText(data)}`,
  ].join('\n\n');
};

/** The commands that apply in this state. */
const nextText = ({ package: name, version, manifest, open }: Shown): string => {
  const command = (action: string, rest = ''): string => `  pi-tools review ${action} ${name}@${version}${rest}`;
  const { state } = manifest.status;
  const first = open[0];
  const which = first?.evidence === undefined ? '' : ` --evidence ${first.evidence.slice(0, 12)}`;
  return [
    ...(first === undefined ? [] : [command('waive', ` --rule ${escapeProse(first.rule)}${which} --reason "…"`)]),
    ...(state === 'listed' ? [] : [command('approve')]),
    ...(state === 'pending' ? [command('reject', ' --reason "…"')] : []),
    ...(state === 'quarantined' || state === 'rejected' ? [] : [command('quarantine', ' --reason "…"')]),
  ].join('\n');
};

type Decided = { package: string; version: string; state: string; dryRun: boolean };

export const decidedText = ({ package: name, version, state, dryRun }: Decided): string =>
  `${name}@${version} ${dryRun ? 'would be' : 'is'} ${state}`;

type Waived = {
  package: string;
  version: string;
  rule: string;
  action: 'waive' | 'unwaive';
  changed: readonly string[];
  open: readonly Finding[];
  state: string | null;
  dryRun: boolean;
};

export const waivedText = (data: Waived): string => {
  const { package: name, version, rule, action, changed, open, state, dryRun } = data;
  const what = `${escapeProse(rule)} of ${name}@${version}`;
  if (dryRun) return action === 'waive' ? `would waive ${what}` : `would take the waiver of ${what} back`;
  const done = action === 'waive' ? 'waived' : 'open again';
  const first =
    changed.length === 0 ? `nothing to change: ${what}` : `${done}: ${plural(changed.length, 'finding')}, ${what}`;
  if (open.length > 0) return `${first}\nstill to decide: ${rulesText(open)}`;
  const next = state === 'listed' ? '' : `: pi-tools review approve ${name}@${version}`;
  return `${first}\nnothing stands in the way${next}`;
};

/** `perm/undeclared (2), code/shell` */
const rulesText = (findings: readonly Finding[]): string => {
  const counts = new Map<string, number>();
  for (const { rule } of findings) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return [...counts].map(([rule, count]) => escapeProse(rule) + (count === 1 ? '' : ` (${count})`)).join(', ');
};
