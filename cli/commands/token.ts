import type { NewToken, TokenRow } from '../../schemas/api/accounts.ts';
import { Problem } from '../../schemas/problem.ts';
import type { CommandModule, Context, Flags } from '../command.ts';
import { DATA_OPTION, onDataOrRegistry } from '../registry/on-data.ts';
import { escapeProse } from '../terminal/escape.ts';
import { table } from '../terminal/width.ts';

type TokenData =
  | (NewToken & { kind?: never })
  | { ok: true; tokens: TokenRow[] }
  | { ok: true; revoked: string; dryRun: boolean }
  | { ok: true; scopes: string[]; dryRun: true };

const SCOPES = ['read', 'publish', 'review', 'admin'];
const DAY_MS = 86_400_000;

export const command: CommandModule<TokenData> = {
  define: {
    name: 'token',
    summary: 'List, create and revoke tokens',
    subcommands: [
      { name: 'ls', summary: 'List your tokens', options: [DATA_OPTION] },
      {
        name: 'create',
        summary: 'Create a token; it is shown once',
        options: [
          {
            flags: '--scopes <list>',
            description: `what it may do: ${SCOPES.join(', ')}, separated by commas (default read)`,
          },
          { flags: '--note <text>', description: 'what it is for' },
          { flags: '--expires <when>', description: 'days, as 30d, or a date (default and at most 90 days)' },
          { flags: '--user <user>', description: 'for another user (administrators)' },
          DATA_OPTION,
        ],
      },
      { name: 'revoke', summary: 'Make a token useless at once', arguments: '<id>', options: [DATA_OPTION] },
    ],
    examples: ['pi-tools token create --scopes read,publish --note "CI" --expires 30d'],
  },
  run: async (context, [action, id = ''], flags) => {
    if (action === 'create') return { data: await createToken(context, flags) };
    if (action === 'ls') {
      const tokens = await onDataOrRegistry(context, flags, (client) => client.listTokens());
      return { data: { ok: true, tokens } };
    }
    const { dryRun } = context.options;
    await onDataOrRegistry(context, flags, async (client) => {
      if (!dryRun) await client.request({ method: 'DELETE', path: `/v1/tokens/${encodeURIComponent(id)}` });
    });
    return { data: { ok: true, revoked: id, dryRun } };
  },
  human: (data) => {
    if ('token' in data) return `${data.token}\n${describe(data)}; it is shown this once`;
    if ('tokens' in data) return data.tokens.length === 0 ? 'no tokens' : table(data.tokens.map(tokenRow));
    return 'revoked' in data ? `${data.dryRun ? 'would revoke' : 'revoked'} ${data.revoked}` : 'would create a token';
  },
};

const describe = ({ id, scopes, expires }: NewToken): string =>
  `${escapeProse(id)}: may ${scopes.join(', ')}, ${expires === null ? 'does not expire' : `until ${escapeProse(expires.slice(0, 10))}`}`;

const tokenRow = (row: TokenRow): string[] => [
  escapeProse(row.id),
  escapeProse(row.user),
  row.scopes.join(','),
  row.expires === null ? 'no end' : `until ${escapeProse(row.expires.slice(0, 10))}`,
  escapeProse(row.note ?? ''),
];

const createToken = async (context: Context, flags: Flags): Promise<TokenData> => {
  const scopes = readScopes(flags.scopes);
  const body = {
    scopes,
    ...(typeof flags.note === 'string' ? { note: flags.note } : {}),
    ...(typeof flags.user === 'string' ? { user: flags.user } : {}),
    ...(flags.expires === undefined ? {} : { expires: readExpiry(String(flags.expires), context.environment.now()) }),
  };
  if (context.options.dryRun) return { ok: true, scopes, dryRun: true };
  return onDataOrRegistry(context, flags, (client) => client.createToken(body));
};

const readScopes = (value: unknown): string[] => {
  const scopes = String(value ?? 'read')
    .split(',')
    .map((scope) => scope.trim());
  const unknown = scopes.find((scope) => !SCOPES.includes(scope));
  if (unknown === undefined) return [...new Set(scopes)];
  throw new Problem('usage', `--scopes: \`${unknown}\` is no scope of a token`, {
    hint: `use ${SCOPES.join(', ')}, separated by commas`,
  });
};

/** `30d`, `2027-01-31` or a whole time -> RFC 3339. */
const readExpiry = (text: string, now: Date): string => {
  const days = /^(\d{1,4})d$/.exec(text)?.[1];
  const time = days === undefined ? Date.parse(text) : now.getTime() + Number(days) * DAY_MS;
  if (!Number.isNaN(time) && time > now.getTime()) return new Date(time).toISOString();
  throw new Problem('usage', `--expires \`${text}\` is no time to come`, { hint: 'write it as 30d or 2027-01-31' });
};
