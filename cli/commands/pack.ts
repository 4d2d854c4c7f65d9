import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Manifest } from '../../schemas/manifest.ts';
import { Problem } from '../../schemas/problem.ts';
import type { CommandModule, Context } from '../command.ts';
import { FILE_OPTIONS, openNamedPackage } from '../pack/flags.ts';
import type { LocalPackage } from '../pack/local-package.ts';
import { examineBytes } from '../pack/manifest.ts';
import { writeAtomic } from '../state/atomic-write.ts';
import { filesText } from '../terminal/files-view.ts';
import { countFindings, findingsText, manifestText } from '../terminal/package-view.ts';
import { viewOptions } from '../terminal/view-options.ts';

type PackData = {
  /** Where the archive is; null with --dry-run. */
  file: string | null;
  integrity: string;
  manifest: Manifest;
  files: LocalPackage['files'];
  left_out: LocalPackage['leftOut'];
  written: string[];
};

export const command: CommandModule<PackData> = {
  define: {
    name: 'pack',
    summary: 'Make the archive of a package',
    arguments: '[path]',
    options: [
      ...FILE_OPTIONS,
      { flags: '-o, --out <path>', description: 'the archive, or a folder for it (default: here)' },
    ],
    examples: ['pi-tools pack', 'pi-tools pack weather-tool.ts --package-version 1.0.0'],
  },
  run: async (context, [path], flags) => {
    const packed = await openNamedPackage(context, path, flags);
    if (packed.kind === 'archive') throw new Problem('usage', `\`${packed.path}\` is an archive already`);
    const progress = context.terminal.progress('inspecting …');
    const manifest = await examineBytes(packed.bytes, context.interrupts).finally(progress.done);
    refuseErrors(path ?? '.', manifest);
    const file = await outputFile(context, packed, flags.out);
    if (!context.options.dryRun) writeAtomic(file, packed.bytes, { id: randomUUID() });
    const { integrity, files, leftOut, written } = packed;
    return {
      data: { file: context.options.dryRun ? null : file, integrity, manifest, files, left_out: leftOut, written },
    };
  },
  human: (data, context) => {
    const { style } = context.terminal;
    const { findings } = data.manifest.status;
    const options = viewOptions(context);
    return [
      manifestText(data.manifest, options),
      filesText({ ...data, leftOut: data.left_out }, style),
      ...(findings.length === 0
        ? []
        : [`${style.bold('Findings')}: ${countFindings(findings)}\n${findingsText(findings, options)}`]),
      data.file === null ? 'nothing was written (--dry-run)' : `packed ${style.green(data.file)}`,
    ].join('\n\n');
  },
};

/** No archive of what the registry and every install would refuse. */
const refuseErrors = (path: string, { status }: Manifest): void => {
  const errors = status.findings.filter(({ level }) => level === 'error');
  const [first] = errors;
  if (first === undefined) return;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  throw new Problem('findings', `\`${path}\`: ${first.message}${more}`, {
    hint: `pi-tools check ${path} shows all of them`,
    details: { path, findings: errors },
  });
};

/** `weather-1.0.0.tgz`, `team-x-1.0.0.tgz`, as npm names them. */
const archiveName = ({ packageJson }: LocalPackage): string =>
  `${packageJson.name.replace('@', '').replace('/', '-')}-${packageJson.version}.tgz`;

const outputFile = async ({ environment }: Context, packed: LocalPackage, out: unknown): Promise<string> => {
  if (typeof out !== 'string') return join(environment.cwd, archiveName(packed));
  const path = resolve(environment.cwd, out);
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() ? join(path, archiveName(packed)) : path;
};
