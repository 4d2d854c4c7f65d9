import type { Finding } from '../../schemas/finding.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { CommandModule } from '../command.ts';
import { FILE_OPTIONS, openNamedPackage } from '../pack/flags.ts';
import { examineBytes } from '../pack/manifest.ts';
import { countFindings, findingsText, toolRows } from '../terminal/package-view.ts';
import { viewOptions } from '../terminal/view-options.ts';

type CheckData = { findings: Finding[]; manifest: Manifest };

export const command: CommandModule<CheckData> = {
  define: {
    name: 'check',
    summary: 'Check a package before others get it',
    arguments: '[path]',
    options: [...FILE_OPTIONS, { flags: '--strict', description: 'warnings fail too (exit 6)' }],
    examples: ['pi-tools check', 'pi-tools check ./weather-1.0.0.tgz --strict'],
  },
  run: async (context, [path], flags) => {
    // As `install` of a single file: what the tool is does not depend on the version.
    const local = await openNamedPackage(context, path, { packageVersion: '0.0.0', ...flags });
    const progress = context.terminal.progress('inspecting …');
    const manifest = await examineBytes(local.bytes, context.interrupts).finally(progress.done);
    for (const file of local.written) context.terminal.say(`written: ${file}`);
    const { findings } = manifest.status;
    const failing = flags.strict === true ? ['error', 'review', 'warn'] : ['error', 'review'];
    const failed = findings.some((finding) => failing.includes(finding.level));
    return { data: { findings, manifest }, exitCode: failed ? 6 : 0 };
  },
  human: ({ findings, manifest: { record, status } }, context) => {
    const options = viewOptions(context);
    const { style } = context.terminal;
    const good = findings.every((finding) => finding.level === 'info');
    const verdict = `${record.name}@${record.version}: ${countFindings(findings)}, about ${status.tokens} tokens`;
    return [toolRows(record, options), findingsText(findings, options), good ? style.green(verdict) : verdict]
      .filter(Boolean)
      .join('\n\n');
  },
};
