import { resolve } from 'node:path';
import { Problem } from '../../schemas/problem.ts';
import type { CommandModule, Context, Flags } from '../command.ts';
import { type ServeOptions, type Serving, serve } from '../host/serve.ts';
import { defaultServerFolder } from '../host/server-folder.ts';
import { catalogFolder } from '../registry/catalog-folder.ts';
import { parseRegistryUrl } from '../registry/http.ts';

type ServeData = { ok: true };

const DEFAULT_PORT = 4774;
const REVIEWS = ['off', 'auto', 'required'] as const;

export const command: CommandModule<ServeData> = {
  define: {
    name: 'serve',
    summary: 'Run a registry',
    options: [
      { flags: '--host <host>', description: 'address to listen on (default 127.0.0.1)' },
      { flags: '--port <port>', description: `port to listen on, 0 takes a free one (default ${DEFAULT_PORT})` },
      { flags: '--data <dir>', description: 'where everything is kept' },
      { flags: '--review <mode>', description: 'what waits for a curator: off, auto (default) or required' },
      { flags: '--catalog', description: 'offer the packages that came with pi-tools' },
      { flags: '--public-url <url>', description: 'how clients reach it, where that is not the listening address' },
    ],
    examples: ['pi-tools serve', 'pi-tools serve --port 0 --data /srv/tools --review required --catalog'],
  },
  run: async (context, _args, flags) => {
    const options = readOptions(context, flags);
    if (context.options.dryRun) throw new Problem('usage', '`serve` has no --dry-run');
    await serve(options, context.interrupts, (serving) => announce(context, serving));
    return { data: { ok: true }, printed: true };
  },
  human: () => '',
};

const readOptions = (context: Context, flags: Flags): ServeOptions => {
  const text = (name: string): string | undefined => (typeof flags[name] === 'string' ? flags[name] : undefined);
  const data = text('data');
  const publicUrl = text('publicUrl');
  return {
    host: text('host') ?? '127.0.0.1',
    port: readPort(text('port')),
    dataFolder: data === undefined ? defaultServerFolder(context.environment) : resolve(context.environment.cwd, data),
    review: readReview(text('review')),
    catalog: flags.catalog === true ? catalogFolder() : null,
    publicUrl: publicUrl === undefined ? null : parseRegistryUrl(publicUrl).href,
  };
};

const readPort = (text: string | undefined): number => {
  if (text === undefined) return DEFAULT_PORT;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new Problem('usage', `--port \`${text}\` is not a port`, { hint: 'a whole number from 0 to 65535' });
};

const readReview = (text: string | undefined): ServeOptions['review'] => {
  const review = REVIEWS.find((one) => one === (text ?? 'auto'));
  if (review !== undefined) return review;
  throw new Problem('usage', `--review \`${text}\` is no mode`, { hint: `use one of: ${REVIEWS.join(', ')}` });
};

/** The ready line is for programs that wait for it; the token must not end up in their logs, so it goes to stderr (as a warning, which --quiet does not silence). */
const announce = ({ options, terminal }: Context, { url, adminToken }: Serving): void => {
  if (options.json) {
    terminal.print(JSON.stringify(adminToken === null ? { url } : { url, adminToken }));
    return;
  }
  terminal.print(`listening on ${url}`);
  if (adminToken === null) return;
  terminal.warn(`this is the administrator's token, shown this once: ${adminToken}`);
  terminal.say(`log in with: pi-tools login ${url}`);
};
