import { resolve } from 'node:path';
import type { CommandModule } from '../command.ts';
import { type RescanSummary, rescanFolder } from '../host/rescan.ts';
import { defaultServerFolder } from '../host/server-folder.ts';
import { escapeProse } from '../terminal/escape.ts';
import { findingsText } from '../terminal/package-view.ts';
import { plural } from '../terminal/units.ts';
import { viewOptions } from '../terminal/view-options.ts';

type RescanData = { ok: true; dryRun: boolean } & RescanSummary;

export const command: CommandModule<RescanData> = {
  define: {
    name: 'rescan',
    summary: 'Check everything that is published with the rules of today',
    options: [
      { flags: '--data <dir>', description: 'the registry’s data folder on this host (default that of `serve`)' },
      { flags: '--all', description: 'also what was checked with these very rules' },
    ],
    examples: ['pi-tools rescan --data /srv/tools', 'pi-tools rescan --data /srv/tools --dry-run --json'],
  },
  run: async (context, _args, flags) => {
    const { environment, options, terminal, interrupts } = context;
    const { data } = flags;
    const progress = terminal.progress('checking');
    const work = rescanFolder({
      dataFolder: typeof data === 'string' ? resolve(environment.cwd, data) : defaultServerFolder(environment),
      which: flags.all === true ? 'all' : 'stale',
      mode: options.dryRun ? 'dry-run' : 'write',
      signal: interrupts.signal,
      onDone: (step, done, total) => {
        progress.update(`${done} of ${total}  ${step.package}@${step.version}`);
        if (options.verbose) terminal.say(`${done} of ${total}  ${step.package}@${step.version}`);
      },
    });
    // What is done is done; the copy that it is looking at goes.
    const release = interrupts.onInterrupt(() => work.then(undefined, () => undefined).then(() => undefined));
    try {
      const summary = await work;
      return { data: { ok: true, dryRun: options.dryRun, ...summary }, exitCode: exitCodeOf(summary) };
    } finally {
      release();
      progress.done();
    }
  },
  human: (data, context) => {
    const options = viewOptions(context);
    const { style } = options;
    const verb = data.dryRun ? 'would be quarantined' : 'quarantined';
    const quarantined = data.quarantined.map(
      (one) =>
        `${style.red(verb)} ${style.bold(`${one.package}@${one.version}`)}\n${findingsText(one.findings, options)}`,
    );
    const failed = data.failed.map(
      (one) =>
        `${style.red('not checked')} ${style.bold(`${one.package}@${one.version}`)}\n       ${escapeProse(one.message)}${one.hint === null ? '' : `\n       → ${escapeProse(one.hint)}`}`,
    );
    if (data.checked === 0 && data.failed.length === 0)
      return `nothing to check: all is checked with rule set ${data.ruleSet} (--all does it again)`;
    const total = [
      `${plural(data.checked, 'version')} checked with rule set ${data.ruleSet}`,
      `${data.changed} with other findings than before`,
      `${data.quarantined.length} ${verb}`,
      ...(data.failed.length === 0 ? [] : [`${data.failed.length} not checked`]),
    ].join(', ');
    return [...quarantined, ...failed, total].join('\n\n');
  },
};

/** As everywhere: 6 for what was found, 1 for what could not be done. */
const exitCodeOf = ({ quarantined, failed }: RescanSummary): number => {
  if (quarantined.length > 0) return 6;
  return failed.length > 0 ? 1 : 0;
};
