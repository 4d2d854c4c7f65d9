import { Problem } from '../../schemas/problem.ts';
import type { CommandModule } from '../command.ts';
import { chooseRegistry } from '../registry/choice.ts';
import { forgetToken, listStoredOrigins } from '../registry/credentials.ts';
import { originOf, parseRegistryUrl } from '../registry/http.ts';

type LogoutData = { ok: true; registry: string; removed: boolean };

export const command: CommandModule<LogoutData> = {
  define: { name: 'logout', summary: 'Forget the token of a registry', arguments: '[url]' },
  run: async (context, [given]) => {
    const url = given === undefined ? (await chooseRegistry(context)).url : parseRegistryUrl(given);
    if (url === null) {
      const stored = await listStoredOrigins(context.environment);
      throw new Problem('usage', 'the embedded registry has no login', {
        hint:
          stored.length === 0
            ? 'no token is stored at all'
            : `name the registry; tokens are stored for ${stored.join(', ')}`,
      });
    }
    const registry = originOf(url);
    const removed = context.options.dryRun
      ? (await listStoredOrigins(context.environment)).includes(registry)
      : await forgetToken(context.environment, registry);
    return { data: { ok: true, registry, removed } };
  },
  human: ({ registry, removed }, { options }) => {
    if (!removed) return `no token is stored for ${registry}`;
    return `${options.dryRun ? 'would forget' : 'forgot'} the token for ${registry}; to make it useless, run \`pi-tools token revoke\``;
  },
};
