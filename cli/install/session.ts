/** What a run of install, remove or update works with. Only commands know the terminal; here it is a few functions. */
import type { PackageDocument, PackageVersion } from '../../schemas/api/packages.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { Problem } from '../../schemas/problem.ts';
import type { Context, GlobalOptions } from '../command.ts';
import type { Environment } from '../environment.ts';
import type { RegistryClient } from '../registry/client.ts';
import { packageNotFound } from '../registry/not-found.ts';
import { openRegistries } from '../registry/open.ts';
import type { Wanted } from '../resolve/request.ts';
import type { Terminal } from '../terminal/terminal.ts';

export type Session = {
  readonly environment: Environment;
  readonly options: GlobalOptions;
  /** A person is there to answer. */
  readonly interactive: boolean;
  say(text: string): void;
  warn(text: string): void;
  confirm(question: string): Promise<boolean>;
  /** A line that is seen only where the work takes longer than a blink. */
  progress: Terminal['progress'];
  /** Ctrl-C waits for the work (some milliseconds: it ends as a whole or is taken back), then ends the process. */
  finishFirst<Result>(work: Promise<Result>): Promise<Result>;
  /** The registry of a name. */
  registry(name: string): Promise<RegistryClient>;
  /** The document of a package, asked for once; with an exact wish also where that version is not listed. Throws `package_not_found`. */
  document(name: string, wanted: Wanted): Promise<PackageDocument>;
  close(): Promise<void>;
};

const asVersion = ({ record, recordDigest, status }: Manifest): PackageVersion => {
  const agents = (['pi', 'slopcode', 'opencode'] as const).filter((agent) => record.agents[agent] !== undefined);
  const tools = agents.flatMap((agent) => record.agents[agent]?.tools.map(({ name }) => name) ?? []);
  return {
    version: record.version,
    integrity: record.integrity,
    recordDigest,
    archiveSize: record.archiveSize,
    agents,
    tools: [...new Set(tools)].sort(),
    dependencies: record.dependencies.tools,
    npmDependencies: Object.keys(record.dependencies.npm).length > 0,
    engines: record.engines,
    state: status.state,
    yanked: status.yanked,
    deprecated: status.deprecated,
    publishedAt: record.publishedAt,
  };
};

const emptyDocument = (name: string): PackageDocument => ({
  name,
  description: '',
  owners: [],
  tags: {},
  versions: [],
});

/** A version that is not listed is in no document, but its owner may name it exactly. */
async function withExact(client: RegistryClient, document: PackageDocument | undefined, name: string, version: string) {
  if (document?.versions.some((one) => one.version === version)) return document;
  try {
    const manifest = await client.getManifest(name, version);
    const base = document ?? emptyDocument(name);
    return { ...base, versions: [...base.versions, asVersion(manifest)] };
  } catch (error) {
    const absent =
      error instanceof Problem && ['version_not_found', 'package_not_found', 'not_found'].includes(error.code);
    if (absent) return document;
    throw error;
  }
}

async function fetchDocument(client: RegistryClient, name: string, wanted: Wanted): Promise<PackageDocument> {
  const listed = await client.findPackage(name);
  const document = wanted.kind === 'exact' ? await withExact(client, listed, name, wanted.version) : listed;
  if (document !== undefined) return document;
  throw await packageNotFound(client, name);
}

/** A session over the command's context. Close it when done. */
export function openSession(context: Context): Session {
  const { environment, options, terminal, interrupts } = context;
  const pool = openRegistries(context);
  const documents = new Map<string, Promise<PackageDocument>>();
  return {
    environment,
    options,
    interactive: terminal.interactive && !options.yes,
    say: terminal.say,
    warn: terminal.warn,
    confirm: terminal.confirm,
    progress: terminal.progress,
    finishFirst: async (work) => {
      const settled = work.then(
        () => {},
        () => {},
      );
      const release = interrupts.onInterrupt(() => settled);
      try {
        return await work;
      } finally {
        release();
      }
    },
    registry: (name) => pool.for(name),
    document: (name, wanted) => {
      const key = `${name} ${wanted.kind === 'exact' ? wanted.version : ''}`;
      const known = documents.get(key) ?? pool.for(name).then((client) => fetchDocument(client, name, wanted));
      documents.set(key, known);
      return known;
    },
    close: () => pool.close(),
  };
}
