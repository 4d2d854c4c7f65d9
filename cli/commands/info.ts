import type { PackageDocument } from '../../schemas/api/packages.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { Problem } from '../../schemas/problem.ts';
import type { CommandModule, Context } from '../command.ts';
import { budgetWith } from '../install/budget.ts';
import { type Installed, listInstalled, readLocks } from '../install/installed.ts';
import type { RegistryClient } from '../registry/client.ts';
import { getPackage } from '../registry/not-found.ts';
import { openRegistry } from '../registry/open.ts';
import { chooseVersion, explainNone, listCandidates, noteOn } from '../resolve/choose.ts';
import { type PackageRequest, parsePackageRequest } from '../resolve/request.ts';
import { listPlaces } from '../state/paths.ts';
import { escapeProse } from '../terminal/escape.ts';
import { joinNames, manifestText } from '../terminal/package-view.ts';
import { statusFindingsText } from '../terminal/status-view.ts';
import { viewOptions } from '../terminal/view-options.ts';
import { table } from '../terminal/width.ts';

type InfoData = {
  name: string;
  version: string;
  registry: string;
  manifest: Manifest;
  owners: string[];
  tags: Record<string, string>;
  versions: string[];
  /** Tokens in every request of an agent: of what is installed now, and with this version. */
  budget: ReturnType<typeof budgetWith>;
};

export const command: CommandModule<InfoData> = {
  define: {
    name: 'info',
    summary: 'Show what a package is, does and may do',
    arguments: '<name[@version]>',
    examples: ['pi-tools info weather', 'pi-tools info weather@1.0.0 --json'],
  },
  run: async (context, [spec = '']) => {
    const request = parsePackageRequest(spec);
    const client = await openRegistry(context, request.name);
    try {
      return { data: await readInfo(context, client, request) };
    } finally {
      await client.close();
    }
  },
  human: (data, context) => {
    const { style } = context.terminal;
    const more = [
      ['Versions', joinNames(data.versions.slice(-10).reverse())],
      [
        'Tags',
        Object.entries(data.tags)
          .map(([tag, version]) => `${escapeProse(tag)} ${version}`)
          .join(', ') || 'none',
      ],
      ['Owners', joinNames(data.owners) || 'none'],
      ['Registry', escapeProse(data.registry)],
      ...data.budget.map(budgetRow),
    ];
    const findings = statusFindingsText(data.manifest.status, viewOptions(context));
    return [
      manifestText(data.manifest, viewOptions(context)),
      table(more),
      ...(findings === '' ? [] : [`${style.bold('Findings')}\n${findings}`]),
      `Install with: ${style.cyan(`pi-tools install ${data.name}`)}`,
    ].join('\n\n');
  },
};

/** `pi budget   1200 tokens in every request now, 1330 with this version`. */
const budgetRow = ({ agent, tokens, after }: InfoData['budget'][number]): string[] => [
  `${agent} budget`,
  tokens === after
    ? `about ${tokens} tokens in every request now, the same with this version`
    : `about ${tokens} tokens in every request now, ${after} with this version`,
];

const readInfo = async (context: Context, client: RegistryClient, request: PackageRequest): Promise<InfoData> => {
  // An owner or curator may look at a version that is not listed, also where no other version is.
  const { name, wanted } = request;
  const document = wanted.kind === 'exact' ? await client.findPackage(name) : await getPackage(client, name);
  const version =
    pickVersion(context, document, request) ?? (await getPackage(client, name)).versions.at(-1)?.version ?? '';
  const manifest = await client.getManifest(name, version).catch((error: unknown) => {
    const isAbsent = error instanceof Problem && error.code === 'version_not_found';
    throw isAbsent && document !== undefined ? explainNone(document, wanted) : error;
  });
  return {
    name,
    version,
    registry: client.origin,
    manifest,
    owners: document?.owners ?? [],
    tags: document?.tags ?? {},
    versions: document?.versions.map((one) => one.version) ?? [version],
    budget: budgetWith(readInstalled(context), manifest.record),
  };
};

/** What a package is can be said without a readable lock file: `list` and `doctor` are there to complain about that. */
const readInstalled = ({ environment }: Context): Installed[] => {
  try {
    return listInstalled(readLocks(listPlaces(environment, environment.cwd)));
  } catch (error) {
    if (error instanceof Problem) return [];
    throw error;
  }
};

const pickVersion = (
  context: Context,
  document: PackageDocument | undefined,
  { wanted }: PackageRequest,
): string | undefined => {
  if (wanted.kind === 'exact') return wanted.version;
  if (document === undefined) return undefined;
  // All versions may be yanked or pre-releases: `info` still tells of the package.
  if (wanted.kind === 'default' && listCandidates(document, wanted).length === 0) return undefined;
  const chosen = chooseVersion(document, wanted);
  const note = noteOn(chosen, wanted);
  if (note !== null) context.terminal.warn(escapeProse(note));
  return chosen.version;
};
