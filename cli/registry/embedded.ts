/** The registry in process: the server's own code on a data folder, without a port. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Problem } from '../../schemas/problem.ts';
import type { App } from '../../server/app.ts';
import type { Deps } from '../../server/deps.ts';
import type { PreparedAnswers } from '../../server/registry/prepared-answers.ts';
import type { Interrupts } from '../command.ts';
import { catalogFolder, catalogStampFile } from './catalog-folder.ts';
import { copyRegistry } from './copy-registry.ts';
import type { Transport, WireAnswer, WireRequest } from './transport.ts';

/** Who the embedded registry takes its user for. Not the account's name: a publisher's name is part of the record, and so of lock files. */
const LOCAL_USER = { user: 'local', role: 'administrator' } as const;
/** Who a host command acts as: whoever can write the data folder has all rights anyhow. */
const HOST_USER = { user: 'host', role: 'administrator' } as const;

type Identity = typeof LOCAL_USER | typeof HOST_USER;

/** The user's own registry; made and filled with the catalog where that was not done by this pi-tools yet. */
export const openEmbeddedTransport = async (dataFolder: string): Promise<Transport> => {
  const { deps, close } = await openFolder(dataFolder);
  try {
    await seedOnce(dataFolder, async (catalog) => {
      const { seedCatalog } = await import('../../server/registry/seed-catalog.ts');
      await seedCatalog(deps, catalog);
    });
    return await inProcess('embedded', deps, LOCAL_USER, close);
  } catch (error) {
    await close();
    throw error;
  }
};

/**
 * The same for a command that writes nothing (`--dry-run`): what there is of it, copied to a temporary folder that goes
 * when the registry is closed. SQLite writes beside a database even to read it, and a first use fills it.
 */
export const openEmbeddedCopy = async (dataFolder: string, interrupts: Interrupts): Promise<Transport> => {
  const temporary = await mkdtemp(join(tmpdir(), 'pi-tools-registry-'));
  const remove = () => rm(temporary, { recursive: true, force: true, maxRetries: 3 });
  const release = interrupts.onInterrupt(remove);
  const end = async (): Promise<void> => {
    await remove();
    release();
  };
  try {
    await copyRegistry(dataFolder, temporary);
    const { close, ...transport } = await openEmbeddedTransport(temporary);
    return { ...transport, close: () => close().finally(end) };
  } catch (error) {
    await end();
    throw error;
  }
};

/** The data folder of a registry that this host serves, also while it is served. Throws `data_folder_invalid` where there is none. */
export const openHostTransport = async (dataFolder: string): Promise<Transport> => {
  const found = await stat(join(dataFolder, 'registry.db')).catch(() => undefined);
  if (found === undefined) {
    throw new Problem('data_folder_invalid', `\`${dataFolder}\` is no data folder of a registry`, {
      hint: '`pi-tools serve --data DIR` makes one',
    });
  }
  const { deps, close } = await openFolder(dataFolder);
  return inProcess(dataFolder, deps, HOST_USER, close);
};

const openFolder = async (dataFolder: string): Promise<{ deps: Deps; close: () => Promise<void> }> => {
  const { openDeps, closeDeps } = await loadServer(() => import('../../server/deps.ts'));
  const deps = await openDeps({ dataFolder, review: 'off' });
  return { deps, close: () => closeDeps(deps) };
};

/** A CLI that talks to a registry works without the native module; this one cannot. */
const loadServer = async <T>(load: () => Promise<T>): Promise<T> => {
  try {
    return await load();
  } catch (error) {
    throw new Problem(
      'internal',
      `the embedded registry cannot be loaded: ${error instanceof Error ? error.message : String(error)}`,
      {
        hint: 'run `npm rebuild better-sqlite3` where pi-tools is installed, or use a registry on the network with --registry',
        cause: error,
      },
    );
  }
};

/** The whole application costs 350 ms to load; what an install reads is answered without it. */
const inProcess = async (
  origin: string,
  deps: Deps,
  identity: Identity,
  close: () => Promise<void>,
): Promise<Transport> => {
  const { createPreparedAnswers } = await import('../../server/registry/prepared-answers.ts');
  const prepared = createPreparedAnswers(deps);
  let loading: Promise<App> | undefined;
  const load = async (): Promise<App> => (await import('../../server/app.ts')).buildApp(deps, { identity });
  return {
    origin,
    send: async (request) => {
      const known = await readPrepared(prepared, request);
      if (known !== undefined) return { status: 200, headers: new Map(), body: known };
      loading ??= load();
      const answer = await (await loading).inject(injection(request));
      const headers = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as const);
      return { status: answer.statusCode, headers: new Map(headers), body: answer.rawPayload } satisfies WireAnswer;
    },
    close: async () => {
      await (await loading)?.close();
      await close();
    },
  };
};

const READ = /^\/v1\/packages\/([^/?]+)(?:\/versions\/([^/?]+)(\/archive)?)?$/;

/** The bytes that the routes would send for a listed version; undefined for all else, refusals among it. */
const readPrepared = async (prepared: PreparedAnswers, request: WireRequest): Promise<Buffer | undefined> => {
  const [, name, version, archive] = (request.method === 'GET' && READ.exec(request.path)) || [];
  if (name === undefined) return undefined;
  try {
    const known = decodeURIComponent(name);
    if (version === undefined) return (await prepared.findDocument(known))?.body;
    const exact = decodeURIComponent(version);
    const found = archive ? await prepared.findArchive(known, exact) : await prepared.findManifest(known, exact);
    return found?.body ?? undefined;
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
};

const injection = (request: WireRequest) => ({
  method: request.method,
  url: request.path,
  headers: { ...request.headers },
  ...(request.body === undefined ? {} : { payload: Buffer.from(request.body) }),
});

/** Runs `seed` unless the catalog of this very build was put in before. Seeding is idempotent: two at once are no harm. */
const seedOnce = async (dataFolder: string, seed: (catalog: string) => Promise<void>): Promise<void> => {
  const stamp = await readFile(catalogStampFile(), 'utf8').catch(() => undefined);
  if (stamp === undefined) return;
  const done = join(dataFolder, 'catalog-stamp');
  if ((await readFile(done, 'utf8').catch(() => undefined)) === stamp) return;
  await seed(catalogFolder());
  const temporary = `${done}.${randomUUID()}.tmp`;
  try {
    await writeFile(temporary, stamp, { mode: 0o600 });
    await rename(temporary, done);
  } finally {
    await rm(temporary, { force: true });
  }
};
