import type { Change } from '../../schemas/api/diff.ts';
import type { PackageDocument } from '../../schemas/api/packages.ts';
import { Problem } from '../../schemas/problem.ts';
import { diffRecords } from '../../tool-package/diff/index.ts';
import { versionBefore } from '../../tool-package/diff/version-before.ts';
import type { CommandModule, Context } from '../command.ts';
import { listInstalled, readLocks } from '../install/installed.ts';
import type { RegistryClient } from '../registry/client.ts';
import { getPackage } from '../registry/not-found.ts';
import { openRegistry } from '../registry/open.ts';
import { chooseVersion } from '../resolve/choose.ts';
import { parsePackageRequest, parseWanted, type Wanted } from '../resolve/request.ts';
import { listPlaces } from '../state/paths.ts';
import { diffText } from '../terminal/diff-view.ts';

type DiffData = { package: string; from: string; to: string; changes: Change[] };

export const command: CommandModule<DiffData> = {
  define: {
    name: 'diff',
    summary: 'Show what changed between two versions',
    arguments: '<name> [from] [to]',
    options: [{ flags: '--exit-code', description: 'exit 6 when something changed' }],
    examples: ['pi-tools diff weather', 'pi-tools diff weather 1.0.0 1.1.0 --json'],
  },
  run: async (context, [spec = '', from, to], flags) => {
    const { name, wanted } = parsePackageRequest(spec);
    if (wanted.kind !== 'default') {
      throw new Problem('usage', `\`${spec}\`: the versions are arguments of their own`, {
        hint: `pi-tools diff ${name} <from> <to>`,
      });
    }
    const client = await openRegistry(context, name);
    try {
      const data = await readDiff(context, client, { name, from, to });
      return { data, exitCode: flags.exitCode === true && data.changes.length > 0 ? 6 : 0 };
    } finally {
      await client.close();
    }
  },
  human: ({ package: name, from, to, changes }, context) => {
    const text = diffText(changes, context.terminal.columns);
    return `${name} ${from} -> ${to}\n\n${text || 'nothing changed'}`;
  },
};

type Question = { name: string; from: string | undefined; to: string | undefined };

/** Compared here, from two records that were checked against their digests: the registry's own answer is not needed. */
const readDiff = async (context: Context, client: RegistryClient, { name, from, to }: Question): Promise<DiffData> => {
  const [wantedFrom, wantedTo] = [from, to ?? 'latest'].map((text) =>
    text === undefined ? undefined : parseWanted(text),
  );
  const isExact = wantedFrom?.kind === 'exact' && wantedTo?.kind === 'exact';
  // Two exact versions may also be ones that no document lists.
  const document = isExact ? undefined : await getPackage(client, name);
  const until = resolveVersion(document, wantedTo ?? { kind: 'default' });
  const since =
    wantedFrom === undefined ? defaultFrom(context, name, document, until) : resolveVersion(document, wantedFrom);
  const [before, after] = await Promise.all([client.getManifest(name, since), client.getManifest(name, until)]);
  return { package: name, from: since, to: until, changes: diffRecords(before.record, after.record) };
};

const resolveVersion = (document: PackageDocument | undefined, wanted: Wanted): string =>
  wanted.kind === 'exact' || document === undefined ? exactVersion(wanted) : chooseVersion(document, wanted).version;

const exactVersion = (wanted: Wanted): string => (wanted.kind === 'exact' ? wanted.version : '');

/** The installed version where it is another one that the registry knows, else the one before. */
const defaultFrom = (context: Context, name: string, document: PackageDocument | undefined, until: string): string => {
  const known = document?.versions.map(({ version }) => version) ?? [];
  const installed = listChosen(context, name).find((version) => version !== until && known.includes(version));
  const found = installed ?? versionBefore(known, until);
  if (found !== undefined) return found;
  throw new Problem('version_not_found', `\`${name}\` has no version before \`${until}\``, {
    hint: `there is nothing to compare it with: see \`pi-tools info ${name}\``,
  });
};

/** Installed versions in the targets that `--agent` and `--scope` leave; a copy of a local path is none of the registry's. */
const listChosen = ({ environment, options }: Context, name: string): string[] =>
  listInstalled(readLocks(listPlaces(environment, environment.cwd)))
    .filter(({ place }) => options.agents.length === 0 || options.agents.includes(place.agent))
    .filter(({ place }) => (options.scope ?? place.scope) === place.scope)
    .filter((one) => one.name === name && !one.locked.registry.startsWith('file:'))
    .map(({ locked }) => locked.version);
