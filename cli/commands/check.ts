import { basename, dirname, resolve } from 'node:path';
import type { Finding } from '../../schemas/finding.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { Problem } from '../../schemas/problem.ts';
import type { FixChange, FixPlan, NotFixed } from '../check/fix.ts';
import type { RuleRow } from '../check/rules.ts';
import { findingInFile } from '../check/single-file.ts';
import type { CommandModule, Context, Flags } from '../command.ts';
import { FILE_OPTIONS, openNamedPackage } from '../pack/flags.ts';
import type { LocalPackage } from '../pack/local-package.ts';
import { examineBytes } from '../pack/manifest.ts';
import { fixText, rulesText } from '../terminal/check-view.ts';
import { countFindings, findingsText, toolRows } from '../terminal/package-view.ts';
import { styleFor } from '../terminal/style.ts';
import { viewOptions } from '../terminal/view-options.ts';

type FixData = { written: boolean; changes: FixChange[]; notFixed: NotFixed[] };
type CheckData = { findings: Finding[]; manifest: Manifest; fix?: FixData };
type RulesData = { ruleSet: string; rules: RuleRow[] };

export const command: CommandModule<CheckData | RulesData> = {
  define: {
    name: 'check',
    summary: 'Check a package before others get it',
    arguments: '[path]',
    options: [
      ...FILE_OPTIONS,
      { flags: '--strict', description: 'warnings fail too (exit 6)' },
      { flags: '--fix', description: 'write missing permissions and mechanical schema changes' },
      { flags: '--sarif <file>', description: 'also write the findings as SARIF 2.1.0' },
      { flags: '--rules', description: 'list the rules, and check nothing' },
    ],
    examples: ['pi-tools check', 'pi-tools check ./weather-1.0.0.tgz --strict', 'pi-tools check --fix --dry-run'],
  },
  run: async (context, [path], flags) => {
    if (flags.rules === true) return { data: await listRules(path, flags) };
    const run = () => (flags.fix === true ? checkAndFix(context, path, flags) : check(context, path, flags));
    const data = typeof flags.sarif === 'string' ? await withSarif(context, flags.sarif, run) : await run();
    const failing = flags.strict === true ? ['error', 'review', 'warn'] : ['error', 'review'];
    const failed = data.findings.some((finding) => failing.includes(finding.level));
    return { data: { findings: data.findings, manifest: data.manifest, ...fixOf(data) }, exitCode: failed ? 6 : 0 };
  },
  human: (data, context) => ('rules' in data ? rulesText(data.rules, viewOptions(context)) : checkText(data, context)),
};

const fixOf = ({ fix }: { fix?: FixData }): { fix?: FixData } => (fix === undefined ? {} : { fix });

const checkText = ({ findings, manifest: { record, status }, fix }: CheckData, context: Context): string => {
  const options = viewOptions(context);
  const { style } = context.terminal;
  const good = findings.every((finding) => finding.level === 'info');
  const verdict = `${record.name}@${record.version}: ${countFindings(findings)}, about ${status.tokens} tokens`;
  // Without --dry-run it was shown before anything was written.
  const change = fix === undefined || !context.options.dryRun ? '' : fixText(fix, options);
  return [toolRows(record, options), findingsText(findings, options), change, good ? style.green(verdict) : verdict]
    .filter(Boolean)
    .join('\n\n');
};

const listRules = async (path: string | undefined, flags: Flags): Promise<RulesData> => {
  if (path !== undefined || flags.fix === true || flags.sarif !== undefined)
    throw new Problem('usage', '`--rules` only lists the rules: it takes no path, `--fix` or `--sarif`');
  const [{ RULES, RULE_SET }, { ruleRow }] = await Promise.all([
    import('../../tool-package/check/index.ts'),
    import('../check/rules.ts'),
  ]);
  return { ruleSet: RULE_SET, rules: RULES.map(ruleRow) };
};

type Checked = CheckData & { local: LocalPackage };

const check = async (context: Context, path: string | undefined, flags: Flags): Promise<Checked> => {
  const local = await openNamedPackage(context, path, { packageVersion: '0.0.0', ...flags });
  const progress = context.terminal.progress('inspecting …');
  const manifest = await examineBytes(local.bytes, context.interrupts).finally(progress.done);
  for (const file of local.written) context.terminal.say(`written: ${file}`);
  const { findings } = manifest.status;
  const own = basename(local.path);
  return {
    local,
    manifest,
    findings: local.kind === 'file' ? findings.map((one) => findingInFile(one, own)) : findings,
  };
};

/** Writes the report whatever comes of it. */
const withSarif = async (context: Context, file: string, run: () => Promise<Checked>): Promise<Checked> => {
  const { sarifTarget, writeFailedSarif, writeSarif } = await import('../check/sarif-file.ts');
  const { cwd } = context.environment;
  const target = sarifTarget(cwd, file);
  const { dryRun } = context.options;
  const checked = await run().catch(async (error: unknown) => {
    if (!dryRun && error instanceof Problem && error.code !== 'usage') await writeFailedSarif(target, error);
    throw error;
  });
  if (dryRun) context.terminal.say(`not written (--dry-run): ${file}`);
  else await writeSarif(target, { ...checked, cwd });
  const { path, files } = checked.local;
  if (files.some((one) => resolve(path, one.path) === target))
    context.terminal.warn(`\`${file}\` lies in the package, and is packed with it`);
  return checked;
};

/** The findings are those after the change, where one was written. */
const checkAndFix = async (context: Context, path: string | undefined, flags: Flags): Promise<Checked> => {
  const before = await check(context, path, flags);
  const { local } = before;
  const { kind, path: place, bytes } = local;
  if (kind === 'archive')
    throw new Problem('usage', `\`--fix\` changes the folder of a package, and \`${place}\` is an archive`, {
      hint: 'give the folder that has the package.json',
    });
  const { planFix, writeFix } = await import('../check/fix.ts');
  const folder = kind === 'file' ? dirname(place) : place;
  const plan = await planFix({ folder, kind, bytes, findings: before.findings });
  const fix = { written: false, changes: plan.changes, notFixed: plan.notFixed };
  if (context.options.dryRun) return { ...before, fix };
  const shown = fixText(plan, { ...viewOptions(context), style: styleFor('off') });
  if (shown !== '') context.terminal.say(`${shown}\n`);
  if (plan.changes.length === 0) {
    context.terminal.say('nothing to fix by itself');
    return { ...before, fix };
  }
  await agree(context, plan);
  writeFix(folder, plan, String(process.pid));
  return { ...(await check(context, path, flags)), fix: { ...fix, written: true } };
};

const agree = async ({ options, terminal }: Context, { files, changes }: FixPlan): Promise<void> => {
  if (options.yes) return;
  const names = files.map(({ path }) => `\`${path}\``).join(', ');
  if (await terminal.confirm(`Write this into ${names}?`)) return;
  throw new Problem('consent_required', `nothing was written into ${names}`, {
    hint: 'look at the changes, then use --yes (`--dry-run` only shows them)',
    details: { changes },
  });
};
