import { Problem } from '../../schemas/problem.ts';
import type { CommandModule, Context } from '../command.ts';
import { variable } from '../environment.ts';
import { chooseRegistry } from '../registry/choice.ts';
import { checkToken, storeToken } from '../registry/credentials.ts';
import { originOf, parseRegistryUrl } from '../registry/http.ts';
import { openWithToken } from '../registry/open.ts';
import { escapeProse } from '../terminal/escape.ts';

type LoginData = { ok: true; user: string; role: string; registry: string };

export const command: CommandModule<LoginData> = {
  define: {
    name: 'login',
    summary: 'Store a token for a registry',
    arguments: '[url]',
    options: [{ flags: '--token-stdin', description: 'read the token from standard input' }],
    examples: [
      'pi-tools login https://tools.example.org',
      'pi-tools login http://127.0.0.1:4774 --token-stdin < token.txt',
    ],
  },
  run: async (context, [given], flags) => {
    const url = await pickRegistry(context, given);
    const origin = originOf(url);
    const token = await readToken(context, origin, flags.tokenStdin === true ? 'stdin' : 'prompt');
    checkToken(token, 'that was given');
    const client = openWithToken(context, url, token);
    try {
      const { user, role } = await client.getMe();
      if (!context.options.dryRun) await storeToken(context.environment, origin, { token, user });
      return { data: { ok: true, user, role, registry: origin } };
    } finally {
      await client.close();
    }
  },
  human: ({ user, role, registry }, { options }) =>
    options.dryRun
      ? `the token is ${escapeProse(user)}'s; it was not stored (--dry-run)`
      : `logged in to ${registry} as ${escapeProse(user)} (${role})`,
};

/** The URL that was given, else the configured registry; a project file alone does not decide where a token is typed into. */
const pickRegistry = async (context: Context, given: string | undefined): Promise<URL> => {
  if (given !== undefined) return parseRegistryUrl(given);
  const { url, source } = await chooseRegistry(context);
  if (url === null) {
    throw new Problem('usage', 'the embedded registry needs no login', {
      hint: 'name the registry: `pi-tools login https://tools.example.org`',
    });
  }
  if (source !== 'project') return url;
  throw new Problem('usage', `the registry \`${originOf(url)}\` is named by this project only`, {
    hint: `if you trust it with a token, name it yourself: \`pi-tools login ${originOf(url)}\``,
  });
};

const readToken = async (context: Context, origin: string, source: 'stdin' | 'prompt'): Promise<string> => {
  if (source === 'stdin') return (await context.terminal.readInput()).trim();
  const set = variable(context.environment, 'PI_TOOLS_TOKEN');
  if (context.terminal.interactive) return (await context.terminal.secret(`Token for ${origin}`)).trim();
  if (set !== undefined) return set;
  throw new Problem('usage', 'no terminal to ask for the token', {
    hint: 'pass it with --token-stdin',
  });
};
