/** Opens the registry that a name belongs to. */
import { join } from 'node:path';
import type { Context } from '../command.ts';
import { variable } from '../environment.ts';
import { cacheFolder, dataFolder } from '../state/paths.ts';
import { openCache } from './cache.ts';
import { chooseRegistry, type RegistryChoice } from './choice.ts';
import type { RegistryClient } from './client.ts';
import { checkToken, findStoredToken } from './credentials.ts';
import { openHttpTransport, originOf } from './http.ts';
import { createRegistryClient } from './registry-client.ts';
import type { Transport } from './transport.ts';

/**
 * The registry for `packageName` (its scope may have one of its own), or the default one. Close it when done.
 * Throws `usage` for a URL that is none, `state_invalid` for a file that does not parse, `invalid_token`.
 */
export const openRegistry = async (context: Context, packageName?: string): Promise<RegistryClient> =>
  openChosen(context, await chooseRegistry(context, packageName));

/** The client for a choice that was made already. */
const openChosen = async (context: Context, choice: RegistryChoice): Promise<RegistryClient> => {
  const { url } = choice;
  if (url === null)
    return createRegistryClient({ transport: await openEmbedded(context), cache: null, mode: 'online' });
  const transport = openHttpTransport({
    base: url,
    token: await findToken(context, originOf(url), choice),
    environment: context.environment,
    signal: context.interrupts.signal,
    ...(context.options.verbose ? { log: context.terminal.say } : {}),
  });
  return createRegistryClient({
    transport,
    cache: openCache(cacheFolder(context.environment), context.options.dryRun ? 'read' : 'write'),
    mode: context.options.offline ? 'offline' : 'online',
  });
};

/** A client for that URL with exactly that token, without the cache (`login`). */
export const openWithToken = (context: Context, url: URL, token: string): RegistryClient => {
  const { environment, interrupts } = context;
  const transport = openHttpTransport({ base: url, token, environment, signal: interrupts.signal });
  return createRegistryClient({ transport, cache: null, mode: 'online' });
};

/** A client for a registry's data folder on this host, as its administrator. */
export const openDataFolder = async (folder: string): Promise<RegistryClient> => {
  const { openHostTransport } = await import('./embedded.ts');
  return createRegistryClient({ transport: await openHostTransport(folder), cache: null, mode: 'online' });
};

const openEmbedded = async (context: Context): Promise<Transport> => {
  const { openEmbeddedTransport, openEmbeddedCopy } = await import('./embedded.ts');
  const folder = join(dataFolder(context.environment), 'registry');
  return context.options.dryRun ? openEmbeddedCopy(folder, context.interrupts) : openEmbeddedTransport(folder);
};

/** PI_TOOLS_TOKEN where it is meant for this registry, else the token that `login` stored for exactly this origin. */
const findToken = async (context: Context, origin: string, choice: RegistryChoice): Promise<string | null> => {
  const given = variable(context.environment, 'PI_TOOLS_TOKEN');
  if (given !== undefined && choice.environmentToken === 'allowed') {
    checkToken(given, 'in PI_TOOLS_TOKEN');
    return given;
  }
  const stored = await findStoredToken(context.environment, origin);
  if (stored === undefined && given !== undefined) {
    // Else a build machine would only see "not logged in", with the token set.
    context.terminal.say(`PI_TOOLS_TOKEN is not sent to ${origin}, which only a file names; name it with --registry`);
  }
  return stored?.token ?? null;
};

export type RegistryPool = {
  /** The registry for a name; each is opened once. */
  for(packageName?: string): Promise<RegistryClient>;
  close(): Promise<void>;
};

/** For commands that handle several names: each registry is opened once, whatever the number of names. */
export const openRegistries = (context: Context): RegistryPool => {
  const opened = new Map<string, Promise<RegistryClient>>();
  return {
    for: async (packageName) => {
      const choice = await chooseRegistry(context, packageName);
      const key = `${choice.environmentToken} ${choice.url === null ? 'embedded' : originOf(choice.url)}`;
      const client = opened.get(key) ?? openChosen(context, choice);
      opened.set(key, client);
      return client;
    },
    close: async () => {
      for (const client of opened.values()) await (await client.catch(() => undefined))?.close();
    },
  };
};
