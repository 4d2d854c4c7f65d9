import type { CommandModule } from '../command.ts';
import { type CacheUse, cleanCache, measureCache } from '../registry/cache.ts';
import { cacheFolder } from '../state/paths.ts';
import { formatBytes, plural } from '../terminal/units.ts';

type CacheData = CacheUse & { ok: true; folder: string; cleaned: boolean };

export const command: CommandModule<CacheData> = {
  define: {
    name: 'cache',
    summary: 'Show or empty the download cache',
    subcommands: [
      { name: 'ls', summary: 'Show what the cache holds' },
      { name: 'clean', summary: 'Remove all that was downloaded; it is downloaded again when it is needed' },
    ],
  },
  run: async ({ environment, options }, [action]) => {
    const folder = cacheFolder(environment);
    const use = await measureCache(folder);
    const cleaned = action === 'clean' && !options.dryRun;
    if (cleaned) await cleanCache(folder);
    return { data: { ok: true, folder, ...use, cleaned } };
  },
  human: ({ folder, archives, answers, bytes, cleaned }) => {
    const held = `${plural(archives, 'archive')}, ${plural(answers, 'answer')}, ${formatBytes(bytes)}`;
    return cleaned ? `removed ${held} from ${folder}` : `${folder}\n${held}`;
  },
};
