import type { UserRow } from '../../schemas/api/accounts.ts';
import { Problem } from '../../schemas/problem.ts';
import type { CommandModule, OptionDefinition } from '../command.ts';
import { DATA_OPTION, onDataOrRegistry } from '../registry/on-data.ts';
import { escapeProse } from '../terminal/escape.ts';
import { formatAge } from '../terminal/units.ts';
import { table } from '../terminal/width.ts';

type UserData = { ok: true; user?: string; role?: string; users?: UserRow[]; dryRun: boolean };

const ROLES = ['publisher', 'curator', 'administrator'];
const ROLE_OPTION: OptionDefinition = {
  flags: '--role <role>',
  description: `${ROLES.join(', ')} (default publisher)`,
};

export const command: CommandModule<UserData> = {
  define: {
    name: 'user',
    summary: 'Add and list users',
    subcommands: [
      { name: 'ls', summary: 'List the users', options: [DATA_OPTION] },
      { name: 'add', summary: 'Add a user', arguments: '<user>', options: [ROLE_OPTION, DATA_OPTION] },
      { name: 'rm', summary: 'Remove a user and revoke all its tokens', arguments: '<user>', options: [DATA_OPTION] },
    ],
    examples: ['pi-tools user add alice --role publisher', 'pi-tools token create --user alice --scopes read,publish'],
  },
  run: async (context, [action, user = ''], flags) => {
    const { dryRun } = context.options;
    if (action === 'ls') {
      const users = await onDataOrRegistry(context, flags, (client) => client.listUsers());
      return { data: { ok: true, users, dryRun } };
    }
    const role = readRole(flags.role);
    await onDataOrRegistry(context, flags, async (client) => {
      if (dryRun) return;
      if (action === 'add') await client.request({ method: 'POST', path: '/v1/users', body: { user, role } });
      else await client.request({ method: 'DELETE', path: `/v1/users/${encodeURIComponent(user)}` });
    });
    return { data: { ok: true, user, ...(action === 'add' ? { role } : {}), dryRun } };
  },
  human: ({ user = '', role, users, dryRun }, { environment }) => {
    if (users !== undefined) {
      const now = environment.now();
      return table(users.map((one) => [escapeProse(one.user), one.role, `since ${formatAge(one.createdAt, now)}`]));
    }
    if (role === undefined) return `${dryRun ? 'would remove' : 'removed'} ${user}`;
    return `${dryRun ? 'would add' : 'added'} ${user} as ${role}${dryRun ? '' : `\nnext: pi-tools token create --user ${user} --scopes read,publish`}`;
  },
};

const readRole = (value: unknown): string => {
  const role = value ?? 'publisher';
  if (typeof role === 'string' && ROLES.includes(role)) return role;
  throw new Problem('usage', `--role \`${String(value)}\` is no role`, { hint: `use one of: ${ROLES.join(', ')}` });
};
