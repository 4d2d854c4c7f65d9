import type { Change } from '../../schemas/api/diff.ts';
import type { Review } from '../../schemas/api/reviews.ts';
import type { Finding } from '../../schemas/finding.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { Problem } from '../../schemas/problem.ts';
import type { CommandModule, Context, Flags, OptionDefinition } from '../command.ts';
import { checkAnswer } from '../registry/answers.ts';
import { onRegistry, parseExactRequest, pathOf } from '../registry/on-registry.ts';
import { decidedText, reviewsText, reviewText, waivedText } from '../terminal/review-view.ts';
import { viewOptions } from '../terminal/view-options.ts';

type ListData = { reviews: Review[] };
type DecisionData = { ok: true; package: string; version: string; state: string; dryRun: boolean };
type WaiveData = {
  ok: true;
  package: string;
  version: string;
  rule: string;
  action: 'waive' | 'unwaive';
  /** Evidence of what was waived, or taken back. */
  changed: string[];
  /** Error and review findings that nobody has waived. */
  open: Finding[];
  state: string | null;
  dryRun: boolean;
};
/** What there is to decide on; `changes` since `from`, the highest listed version below it. */
export type ReviewData = {
  package: string;
  version: string;
  manifest: Manifest;
  open: Finding[];
  from: string | null;
  changes: Change[];
};

const STATES = ['pending', 'listed', 'rejected', 'quarantined'];
const REASON = { flags: '--reason <text>', description: 'kept with the decision; shown to the publisher' };
const WHICH: OptionDefinition[] = [
  { flags: '--rule <id>', description: 'the rule, like `perm/undeclared`' },
  {
    flags: '--evidence <hash>',
    description: 'of the finding, as `review show` has it; where the rule found several things',
  },
  { flags: '--file <path>', description: 'only in this file' },
  { flags: '--all', description: 'all that match' },
];
const DECISIONS: Readonly<Record<string, string>> = {
  approve: 'listed',
  reject: 'rejected',
  quarantine: 'quarantined',
};

export const command: CommandModule<ListData | ReviewData | DecisionData | WaiveData> = {
  define: {
    name: 'review',
    summary: 'Decide on versions that wait',
    subcommands: [
      {
        name: 'ls',
        summary: 'List what waits',
        options: [
          { flags: '--state <state>', description: `${STATES.join(', ')} (default pending)` },
          { flags: '--open', description: 'only with findings that nobody has decided on' },
        ],
      },
      { name: 'show', summary: 'Show what there is to decide on', arguments: '<name@version>' },
      { name: 'approve', summary: 'List it for everybody', arguments: '<name@version>', options: [REASON] },
      { name: 'reject', summary: 'Refuse it', arguments: '<name@version>', options: [REASON] },
      {
        name: 'quarantine',
        summary: 'Stop installs of a listed version at once',
        arguments: '<name@version>',
        options: [REASON],
      },
      {
        name: 'waive',
        summary: 'Accept a finding, here and wherever its evidence is the same',
        arguments: '<name@version>',
        options: [...WHICH, { flags: '--reason <text>', description: 'why it is acceptable; everybody can read it' }],
      },
      {
        name: 'unwaive',
        summary: 'Take a waiver back',
        arguments: '<name@version>',
        options: [...WHICH, { flags: '--reason <text>', description: 'kept with the event' }],
      },
    ],
    examples: [
      'pi-tools review ls',
      'pi-tools review waive weather@1.0.0 --rule perm/undeclared --reason "the host is a setting"',
      'pi-tools review approve weather@1.0.0 --reason "read the code"',
      'pi-tools review ls --state listed --open',
    ],
  },
  run: async (context, [action = '', spec = ''], flags) => {
    if (action === 'ls') return { data: await listReviews(context, flags) };
    const named = parseExactRequest(spec);
    if (action === 'show') return { data: await show(context, named) };
    if (action === 'waive' || action === 'unwaive') return { data: await waive(context, action, named, flags) };
    return { data: await decide(context, action, named, flags) };
  },
  human: (data, context) => {
    const options = viewOptions(context);
    if ('reviews' in data) return reviewsText(data.reviews);
    if ('manifest' in data) return reviewText(data, options);
    return 'action' in data ? waivedText(data) : decidedText(data);
  },
};

const textOf = (flags: Flags, name: string): string | undefined => {
  const value = flags[name];
  return typeof value === 'string' ? value : undefined;
};

const listReviews = async (context: Context, flags: Flags): Promise<ListData> => {
  const state = textOf(flags, 'state');
  if (state !== undefined && !STATES.includes(state)) {
    throw new Problem('usage', `--state \`${state}\` is no state`, { hint: `use one of: ${STATES.join(', ')}` });
  }
  const filter = { ...(state === undefined ? {} : { state }), ...(flags.open === true ? { open: true as const } : {}) };
  return { reviews: await onRegistry(context, undefined, (client) => client.listReviews(filter)) };
};

type Named = { name: string; version: string };

const show = async (context: Context, { name, version }: Named): Promise<ReviewData> => {
  const [{ diffRecords }, { versionBefore }, { openFindings }] = await Promise.all([
    import('../../tool-package/diff/index.ts'),
    import('../../tool-package/diff/version-before.ts'),
    import('../../tool-package/open-findings.ts'),
  ]);
  return onRegistry(context, name, async (client) => {
    const [manifest, document] = await Promise.all([client.getManifest(name, version), client.findPackage(name)]);
    const listed = (document?.versions ?? []).filter((one) => one.state === 'listed').map((one) => one.version);
    const from = versionBefore(listed, version) ?? null;
    const before = from === null ? null : await client.getManifest(name, from);
    const { findings, waivers } = manifest.status;
    return {
      package: name,
      version,
      manifest,
      open: openFindings(findings, waivers),
      from,
      changes: before === null ? [] : diffRecords(before.record, manifest.record),
    };
  });
};

const decide = async (
  context: Context,
  action: string,
  { name, version }: Named,
  flags: Flags,
): Promise<DecisionData> => {
  const { dryRun } = context.options;
  const reason = textOf(flags, 'reason');
  if (reason === undefined && action !== 'approve') {
    throw new Problem('usage', `\`review ${action}\` needs --reason`, {
      hint: 'the publisher has to know what to change',
    });
  }
  const state = await onRegistry(context, name, async (client) => {
    if (dryRun) return DECISIONS[action] ?? action;
    const path = pathOf(name, 'versions', version, action);
    const answer = await client.request({ method: 'POST', path, body: reason === undefined ? {} : { reason } });
    return checkAnswer('manifest', answer.manifest, client.origin).status.state;
  });
  return { ok: true, package: name, version, state, dryRun };
};

const waive = async (
  context: Context,
  action: 'waive' | 'unwaive',
  { name, version }: Named,
  flags: Flags,
): Promise<WaiveData> => {
  const { dryRun } = context.options;
  const body = waiveBody(action, flags);
  const told = { ok: true as const, package: name, version, rule: body.rule, action, dryRun };
  if (dryRun) return { ...told, changed: [], open: [], state: null };
  return onRegistry(context, name, async (client) => {
    const path = pathOf(name, 'versions', version, action);
    const answer = await client.request({ method: 'POST', path, body });
    const { manifest, changed, open } = checkAnswer('waive answer', answer, client.origin);
    return { ...told, changed, open, state: manifest.status.state };
  });
};

/** Looked at here, so that what is missing is named as the command's own option. */
const waiveBody = (action: string, flags: Flags) => {
  const [rule, reason, evidence, file] = ['rule', 'reason', 'evidence', 'file'].map((name) => textOf(flags, name));
  if (rule === undefined) {
    throw new Problem('usage', `\`review ${action}\` needs --rule`, { hint: '`review show` names the rules' });
  }
  if (action === 'waive' && (reason ?? '').trim() === '') {
    throw new Problem('usage', '`review waive` needs --reason', { hint: 'say why the finding is acceptable' });
  }
  if (evidence !== undefined && !/^[0-9a-f]{8,64}$/.test(evidence)) {
    throw new Problem('usage', `--evidence \`${evidence}\` is none`, {
      hint: 'eight hex digits of it at least, as `review show` has them',
    });
  }
  return {
    rule,
    ...(reason === undefined ? {} : { reason }),
    ...(evidence === undefined ? {} : { evidence }),
    ...(file === undefined ? {} : { file }),
    ...(flags.all === true ? { all: true } : {}),
  };
};
