import type { Review } from '../../schemas/api/reviews.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { Problem } from '../../schemas/problem.ts';
import type { CommandModule, Context, Flags } from '../command.ts';
import { checkAnswer } from '../registry/answers.ts';
import { onRegistry, parseExactRequest, pathOf } from '../registry/on-registry.ts';
import { escapeProse } from '../terminal/escape.ts';
import { countFindings, findingsText, manifestText } from '../terminal/package-view.ts';
import { viewOptions } from '../terminal/view-options.ts';
import { table } from '../terminal/width.ts';

type ReviewData =
  | { reviews: Review[] }
  | { package: string; version: string; manifest: Manifest }
  | { ok: true; package: string; version: string; state: string; dryRun: boolean };

const STATES = ['pending', 'listed', 'rejected', 'quarantined'];
const REASON = { flags: '--reason <text>', description: 'kept with the decision; shown to the publisher' };
const DECISIONS: Readonly<Record<string, string>> = {
  approve: 'listed',
  reject: 'rejected',
  quarantine: 'quarantined',
};

export const command: CommandModule<ReviewData> = {
  define: {
    name: 'review',
    summary: 'Decide on versions that wait',
    subcommands: [
      {
        name: 'ls',
        summary: 'List what waits',
        options: [{ flags: '--state <state>', description: `${STATES.join(', ')} (default pending)` }],
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
    ],
    examples: ['pi-tools review ls', 'pi-tools review approve weather@1.0.0 --reason "read the code"'],
  },
  run: async (context, [action = '', spec = ''], flags) => {
    if (action === 'ls') return { data: await listReviews(context, flags) };
    const { name, version } = parseExactRequest(spec);
    if (action !== 'show') return { data: await decide(context, action, { name, version }, flags) };
    const manifest = await onRegistry(context, name, (client) => client.getManifest(name, version));
    return { data: { package: name, version, manifest } };
  },
  human: (data, context) => {
    if ('reviews' in data) return reviewsText(data.reviews);
    if ('state' in data) return `${data.package}@${data.version} ${data.dryRun ? 'would be' : 'is'} ${data.state}`;
    const options = viewOptions(context);
    return [manifestText(data.manifest, options), findingsText(data.manifest.status.findings, options)]
      .filter(Boolean)
      .join('\n\n');
  },
};

const reviewsText = (reviews: readonly Review[]): string =>
  reviews.length === 0
    ? 'nothing waits'
    : table(
        reviews.map((one) => [
          `${one.package}@${one.version}`,
          one.state,
          escapeProse(one.publisher ?? ''),
          countFindings(one.findings),
        ]),
      );

const listReviews = async (context: Context, flags: Flags): Promise<ReviewData> => {
  const { state } = flags;
  if (state !== undefined && !STATES.includes(String(state))) {
    throw new Problem('usage', `--state \`${String(state)}\` is no state`, {
      hint: `use one of: ${STATES.join(', ')}`,
    });
  }
  const asked = typeof state === 'string' ? state : undefined;
  return { reviews: await onRegistry(context, undefined, (client) => client.listReviews(asked)) };
};

type Named = { name: string; version: string };

const decide = async (
  context: Context,
  action: string,
  { name, version }: Named,
  flags: Flags,
): Promise<ReviewData> => {
  const { dryRun } = context.options;
  const reason = typeof flags.reason === 'string' ? flags.reason : undefined;
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
