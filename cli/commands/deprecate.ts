import type { PackageDocument } from '../../schemas/api/packages.ts';
import type { CommandModule } from '../command.ts';
import { getPackage } from '../registry/not-found.ts';
import { onRegistry, pathOf } from '../registry/on-registry.ts';
import { explainNone, listCandidates } from '../resolve/choose.ts';
import { type PackageRequest, parsePackageRequest } from '../resolve/request.ts';

type DeprecateData = { ok: true; package: string; versions: string[]; message: string; dryRun: boolean };

export const command: CommandModule<DeprecateData> = {
  define: {
    name: 'deprecate',
    summary: 'Warn those who install a version',
    arguments: '<name[@range]> <message>',
    examples: ['pi-tools deprecate weather@"<2.0.0" "use 2.x"', 'pi-tools deprecate weather ""   # takes it back'],
  },
  run: async (context, [spec = '', message = '']) => {
    const request = parsePackageRequest(spec);
    const { name } = request;
    const { dryRun } = context.options;
    const versions = await onRegistry(context, name, async (client) => {
      const found = affected(await getPackage(client, name), request);
      for (const version of dryRun ? [] : found) {
        const path = pathOf(name, 'versions', version, 'deprecate');
        await client.request({ method: 'POST', path, body: { message } });
      }
      return found;
    });
    return { data: { ok: true, package: name, versions, message, dryRun } };
  },
  human: ({ package: name, versions, message, dryRun }) => {
    const verb = message === '' ? 'no longer deprecated' : 'deprecated';
    return `${dryRun ? 'would be ' : ''}${verb}: ${versions.map((version) => `${name}@${version}`).join(', ')}`;
  },
};

/** Without a range every version, yanked ones too: they may be installed. */
const affected = (document: PackageDocument, { wanted }: PackageRequest): string[] => {
  if (wanted.kind === 'default') return document.versions.map((one) => one.version);
  const found = listCandidates(document, wanted).map((one) => one.version);
  if (found.length === 0) throw explainNone(document, wanted);
  return found;
};
