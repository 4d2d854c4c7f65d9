/** Every command, by name, loaded only when it is called: a start must not pay for the other thirty. */
import type { CommandModule } from './command.ts';

export type CommandEntry = {
  name: string;
  aliases: readonly string[];
  summary: string;
  group: string;
  load(): Promise<CommandModule<unknown>>;
};

/** A command's file exports `command`. */
type CommandFile<Data> = { command: CommandModule<Data> };

const entry = <Data>(
  group: string,
  names: string,
  summary: string,
  load: () => Promise<CommandFile<Data>>,
): CommandEntry => {
  const [name = '', ...aliases] = names.split(' ');
  return { name, aliases, summary, group, load: async () => (await load()).command as CommandModule<unknown> };
};

const USE = 'Use tools';
const MAKE = 'Make tools';
const REGISTRY = 'Registry';
const HOST = 'Host a registry';

export const COMMANDS: readonly CommandEntry[] = [
  entry(USE, 'install i add', 'Install packages, or what pi-tools.json says', () => import('./commands/install.ts')),
  entry(USE, 'remove rm uninstall', 'Remove packages and take back every change', () => import('./commands/remove.ts')),
  entry(USE, 'update upgrade', 'Update packages within their ranges', () => import('./commands/update.ts')),
  entry(USE, 'rollback', 'Go back to the version before the last update', () => import('./commands/rollback.ts')),
  entry(USE, 'list ls', 'List what is installed', () => import('./commands/list.ts')),
  entry(USE, 'outdated', 'List packages with a newer version', () => import('./commands/outdated.ts')),
  entry(USE, 'search', 'Search the registry', () => import('./commands/search.ts')),
  entry(USE, 'info', 'Show what a package is, does and may do', () => import('./commands/info.ts')),
  entry(USE, 'diff', 'Show what changed between two versions', () => import('./commands/diff.ts')),
  entry(USE, 'verify', 'Check every installed byte', () => import('./commands/verify.ts')),
  entry(USE, 'doctor', 'Find what keeps installed tools from working', () => import('./commands/doctor.ts')),
  entry(USE, 'allow', 'Add names to allowedTools', () => import('./commands/allow.ts')),
  entry(USE, 'deny', 'Take names out of allowedTools', () => import('./commands/deny.ts')),
  entry(MAKE, 'init', 'Make a starter package', () => import('./commands/init.ts')),
  entry(MAKE, 'check', 'Check a package before others get it', () => import('./commands/check.ts')),
  entry(MAKE, 'try', 'Run a tool as the agent would, and check what it gives', () => import('./commands/try.ts')),
  entry(MAKE, 'pack', 'Make the archive of a package', () => import('./commands/pack.ts')),
  entry(MAKE, 'publish', 'Publish a package', () => import('./commands/publish.ts')),
  entry(REGISTRY, 'login', 'Store a token for a registry', () => import('./commands/login.ts')),
  entry(REGISTRY, 'logout', 'Forget the token of a registry', () => import('./commands/logout.ts')),
  entry(REGISTRY, 'whoami', 'Show who the registry takes you for', () => import('./commands/whoami.ts')),
  entry(REGISTRY, 'token', 'List, create and revoke tokens', () => import('./commands/token.ts')),
  entry(REGISTRY, 'tag', 'List, set and remove tags', () => import('./commands/tag.ts')),
  entry(REGISTRY, 'owner', 'List, add and remove owners', () => import('./commands/owner.ts')),
  entry(REGISTRY, 'yank', 'Keep a version from being chosen', () => import('./commands/yank.ts')),
  entry(REGISTRY, 'unyank', 'Take a yank back', () => import('./commands/unyank.ts')),
  entry(REGISTRY, 'deprecate', 'Warn those who install a version', () => import('./commands/deprecate.ts')),
  entry(REGISTRY, 'review', 'Decide on versions that wait', () => import('./commands/review.ts')),
  entry(HOST, 'serve', 'Run a registry', () => import('./commands/serve.ts')),
  entry(HOST, 'user', 'Add and list users', () => import('./commands/user.ts')),
  entry(
    HOST,
    'rescan',
    'Check everything that is published with the rules of today',
    () => import('./commands/rescan.ts'),
  ),
  entry(HOST, 'cache', 'Show or empty the download cache', () => import('./commands/cache.ts')),
  entry(HOST, 'completion', 'Print a completion script', () => import('./commands/completion.ts')),
];

/** The command of that name or alias. */
export const findCommand = (name: string): CommandEntry | undefined =>
  COMMANDS.find((command) => command.name === name || command.aliases.includes(name));
