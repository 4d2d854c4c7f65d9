/** The registry on a port. */
import type { AddressInfo } from 'node:net';
import { keepExaminerWarm } from '../tool-package/examine/index.ts';
import { type App, buildApp } from './app.ts';
import { createDataFolder } from './data-folder.ts';
import { closeDeps, type Deps, type DepsOptions, openDeps } from './deps.ts';
import { startJobs } from './jobs/runner.ts';
import type { Limits } from './limits.ts';
import { limitConnections } from './plugins/connections.ts';
import { addMetrics } from './plugins/metrics.ts';
import { addNetworkPlugins, createFailureLimit } from './plugins/network.ts';
import { addRepeatedReads } from './plugins/repeated-reads.ts';
import { createFirstAdministrator } from './registry/first-start.ts';
import { seedCatalog } from './registry/seed-catalog.ts';
import { takeExclusiveLock } from './store/sqlite/exclusive-lock.ts';

export type ServerOptions = DepsOptions & {
  /** 127.0.0.1 when not given. */
  readonly host?: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** A folder of prepared packages to offer: `dist/catalog`. */
  readonly catalog?: string;
  /** Where clients reach it, when a proxy stands in front: what its answers name. */
  readonly publicUrl?: string;
  /** Writes failures to stderr, as JSON lines. */
  readonly logErrors?: boolean;
};

export type RunningServer = {
  readonly url: string;
  /** At the first start of an empty data folder, and never again. */
  readonly adminToken: string | null;
  /** Takes no new connections, lets the requests that run finish, closes the data folder. */
  stop(): Promise<void>;
};

/** Starts a registry. Throws `data_folder_locked` when another one serves the folder, `data_folder_invalid`. */
export const startServer = async (options: ServerOptions): Promise<RunningServer> => {
  const folder = await createDataFolder(options.dataFolder);
  const unlock = takeExclusiveLock(folder.lock);
  try {
    const deps = await openDeps(options);
    try {
      deps.store.assertSound();
      const adminToken = await createFirstAdministrator(deps);
      if (options.catalog !== undefined) await seedCatalog(deps, options.catalog);
      return { adminToken, ...(await listen(deps, options, unlock)) };
    } catch (error) {
      await closeDeps(deps);
      throw error;
    }
  } catch (error) {
    unlock();
    throw error;
  }
};

const listen = async (deps: Deps, options: ServerOptions, unlock: () => void) => {
  const app = buildApp(deps, {
    network: network(deps, options.publicUrl ?? null),
    logErrors: options.logErrors ?? false,
  });
  limitConnections(app.server, deps.limits);
  const host = options.host ?? '127.0.0.1';
  await app.listen({ host, port: options.port });
  const jobs = await startJobs(deps);
  const coolDown = keepExaminerWarm();
  return {
    url: urlOf(host, (app.server.address() as AddressInfo).port),
    stop: once(() => stop(app, deps, jobs, unlock).finally(coolDown)),
  };
};

const network = (deps: Deps, publicUrl: string | null) => ({
  add: (app: App, limits: Limits): void => {
    addNetworkPlugins(app, limits, publicUrl);
    addRepeatedReads(app, deps, addMetrics(app));
  },
  onLoginFailure: createFailureLimit,
});

const stop = async (app: App, deps: Deps, jobs: { stop(): Promise<void> }, unlock: () => void): Promise<void> => {
  await closeApp(app);
  await jobs.stop();
  await closeDeps(deps);
  unlock();
};

const DRAIN_MS = 30_000;
const LOOK_MS = 25;

/** A connection whose last request is answered is kept open for the next one, which must not come any more. */
const closeApp = async (app: App): Promise<void> => {
  const idle = setInterval(() => app.server.closeIdleConnections(), LOOK_MS);
  const late = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS);
  try {
    await app.close();
  } finally {
    clearInterval(idle);
    clearTimeout(late);
  }
};

/** A second signal while it stops waits for the same stop. */
const once = (work: () => Promise<void>): (() => Promise<void>) => {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work();
    return running;
  };
};

const urlOf = (host: string, port: number): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
