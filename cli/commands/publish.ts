import type { Finding } from '../../schemas/finding.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { Problem } from '../../schemas/problem.ts';
import type { CommandModule, Context } from '../command.ts';
import { FILE_OPTIONS, openNamedPackage } from '../pack/flags.ts';
import type { LocalPackage } from '../pack/local-package.ts';
import { examineBytes } from '../pack/manifest.ts';
import { chooseRegistry } from '../registry/choice.ts';
import { originOf } from '../registry/http.ts';
import { onRegistry } from '../registry/on-registry.ts';
import { escapeProse } from '../terminal/escape.ts';
import { toolRows } from '../terminal/package-view.ts';
import { countStatus, statusFindingsText } from '../terminal/status-view.ts';
import { formatBytes, plural } from '../terminal/units.ts';
import { viewOptions } from '../terminal/view-options.ts';

type PublishData = {
  status: 'listed' | 'pending' | 'identical' | 'dry-run';
  registry: string;
  manifest: Manifest;
  findings: Finding[];
  /** What a curator runs to list a pending version. */
  approve: string | null;
  left_out: LocalPackage['leftOut'];
  written: string[];
};

export const command: CommandModule<PublishData> = {
  define: {
    name: 'publish',
    summary: 'Publish a package',
    arguments: '[path]',
    options: [{ flags: '--tag <tag>', description: 'also point this tag at the version' }, ...FILE_OPTIONS],
    examples: [
      'pi-tools publish',
      'pi-tools publish ./weather-1.0.0.tgz',
      'pi-tools publish tool.ts --package-version 1.0.0',
    ],
  },
  run: async (context, [path], flags) => {
    const local = await openNamedPackage(context, path, flags);
    refusePrivate(local);
    const tag = typeof flags.tag === 'string' ? flags.tag : undefined;
    if (tag === 'latest') {
      throw new Problem('reserved_tag', '`latest` cannot be set: it is always the highest listed stable version', {
        hint: 'leave --tag out',
      });
    }
    const shared = { left_out: local.leftOut, written: local.written };
    if (context.options.dryRun) return { data: { ...(await rehearse(context, local)), ...shared } };
    return { data: { ...(await send(context, local, tag)), ...shared } };
  },
  human: (data, context) => {
    const { record } = data.manifest;
    const { style } = context.terminal;
    const options = viewOptions(context);
    const where = data.registry === 'embedded' ? 'the embedded registry' : data.registry;
    const what = `${style.bold(`${record.name}@${record.version}`)} (${formatBytes(record.archiveSize)}, ${plural(record.files.length, 'file')})`;
    const heads: Readonly<Record<PublishData['status'], string>> = {
      listed: `${style.green('published')} ${what} to ${where}`,
      identical: `${what}: already published, identical, in ${where}`,
      pending: `${style.yellow('pending')}: ${what} waits for a curator of ${where}`,
      'dry-run': `would publish ${what} to ${where}`,
    };
    const { status } = data.manifest;
    const findings =
      status.findings.length === 0 ? '' : `${countStatus(status)}\n${statusFindingsText(status, options)}`;
    const left =
      data.left_out.length === 0 ? '' : `left out: ${data.left_out.map((one) => escapeProse(one.path)).join(', ')}`;
    const approve = data.approve === null ? '' : `A curator lists it with: ${style.cyan(data.approve)}`;
    return [heads[data.status], toolRows(record, options), left, findings, approve].filter(Boolean).join('\n\n');
  },
};

const refusePrivate = ({ packageJson }: LocalPackage): void => {
  if (packageJson.private !== true) return;
  throw new Problem('private_package', `\`${packageJson.name}\` says \`"private": true\``, {
    hint: 'take `private` out of package.json to publish it; `pi-tools install .` works as it is',
  });
};

type Sent = Omit<PublishData, 'left_out' | 'written'>;

const send = async (context: Context, local: LocalPackage, tag: string | undefined): Promise<Sent> => {
  const { name, version } = local.packageJson;
  return onRegistry(context, name, async (client) => {
    const progress = context.terminal.progress(`publishing ${name}@${version} …`);
    const { status, manifest, findings } = await client
      .publish(local.bytes, tag === undefined ? {} : { tag })
      .finally(progress.done);
    const registry = client.origin === 'embedded' ? '' : ` --registry ${client.origin}`;
    const approve = status === 'pending' ? `pi-tools review approve ${name}@${version}${registry}` : null;
    return { status, registry: client.origin, manifest, findings, approve };
  });
};

/** `--dry-run`: the same examination here, and nothing is sent. */
const rehearse = async (context: Context, local: LocalPackage): Promise<Sent> => {
  const { url } = await chooseRegistry(context, local.packageJson.name);
  const manifest = await examineBytes(local.bytes, context.interrupts);
  const { findings } = manifest.status;
  return { status: 'dry-run', registry: url === null ? 'embedded' : originOf(url), manifest, findings, approve: null };
};
