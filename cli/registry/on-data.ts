/** Host commands: on a data folder with `--data`, else over the registry that is configured. */
import { resolve } from 'node:path';
import type { Context, Flags, OptionDefinition } from '../command.ts';
import type { RegistryClient } from './client.ts';
import { openDataFolder, openRegistry } from './open.ts';

export const DATA_OPTION: OptionDefinition = {
  flags: '--data <dir>',
  description: 'work on a registry’s data folder on this host, without a token',
};

/** Gives what `work` gives. Throws `data_folder_invalid` where `--data` is no data folder. */
export const onDataOrRegistry = async <T>(
  context: Context,
  flags: Flags,
  work: (client: RegistryClient) => Promise<T>,
): Promise<T> => {
  const { data } = flags;
  const client =
    typeof data === 'string'
      ? await openDataFolder(resolve(context.environment.cwd, data))
      : await openRegistry(context);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
};
