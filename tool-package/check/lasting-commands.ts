/** Commands that change what the user's shell, git, scheduler or agent does from then on: data and one function. */
import { programName } from '../source/shell-command.ts';
import { isHostFile } from './sensitive.ts';

/** Why a command, as its words, leaves a lasting change; null where it does not. `\ue000` stands for what is not known. */
export function lastingReason(words: readonly string[]): string | null {
  const at = words.findIndex((word, index) => !PREFIXES.test(word) && !(index > 0 && word.startsWith('-')));
  const program = programName(words[at] ?? '');
  const rest = words.slice(at + 1);
  return COMMANDS.get(program)?.(rest) ?? fileReason(program, rest);
}

const PREFIXES = /^(?:sudo|doas|env|nohup|command|exec)$|^[A-Za-z_]\w*=/;
type Reading = (rest: readonly string[]) => string | null;

const has = (rest: readonly string[], pattern: RegExp): boolean => rest.some((word) => pattern.test(word));
/** The words that are neither flags nor the values of `flags`. */
function plainWords(rest: readonly string[], flags: RegExp): string[] {
  return rest.filter((word, index) => !word.startsWith('-') && !flags.test(rest[index - 1] ?? ''));
}

/** Settings of git that name a program or a place that git obeys. */
const GIT_KEYS =
  /^(?:core\.(?:hookspath|sshcommand|fsmonitor|editor|pager|askpass|gitproxy|attributesfile)|credential\.|alias\.|diff\.(?:external|\S+\.(?:command|textconv))|filter\.\S+\.(?:clean|smudge|process)|merge\.\S+\.driver|include(?:if)?\.|init\.templatedir|url\.|gpg\.|http\.(?:\S+\.)?(?:proxy|sslverify|extraheader)|sendemail\.|remote\.\S+\.(?:pushurl|proxy|vcs)|uploadpack\.|pager\.|sequence\.editor)/i;

function gitReason(rest: readonly string[]): string | null {
  const words = plainWords(rest, /^(?:-C|-c|--git-dir|--work-tree|--file|-f|--type|--default)$/);
  if (words[0] !== 'config') return null;
  const action = words[1];
  const reads =
    has(rest, /^(?:--get|--get-all|--get-regexp|--get-urlmatch|--list|-l|--name-only|--show-origin|--show-scope)$/) ||
    action === 'get' ||
    action === 'list';
  const changes = has(rest, /^--(?:unset|unset-all|replace-all|add|edit|remove-section|rename-section)$/);
  const set = action === 'set' || action === 'unset' ? words.slice(2) : words.slice(1);
  if (reads || !(changes || set.length > 1 || action === 'set' || action === 'unset')) return null;
  if (has(rest, /^--(?:global|system)$/)) return 'changes the settings of git for the user';
  return set.some((word) => GIT_KEYS.test(word)) ? 'changes a setting of git that names a program or a place' : null;
}

function crontabReason(rest: readonly string[]): string | null {
  if (has(rest, /^-\w*l$/)) return null;
  return rest.length > 0 ? 'changes the crontab' : null;
}

const firstOf =
  (pattern: RegExp, message: string): Reading =>
  (rest) =>
    pattern.test(
      plainWords(rest, /^(?:-H|--host|-M|--root|--prefix|--profile)$/)
        .slice(0, 3)
        .join(' '),
    )
      ? message
      : null;

const STARTS = 'has something started from now on';
const AGENT = 'changes an agent’s settings or adds to it';

const COMMANDS = new Map<string, Reading>([
  ['git', gitReason],
  ['crontab', crontabReason],
  ['systemctl', firstOf(/^(?:enable|link|edit|preset|reenable|set-environment)\b/, STARTS)],
  ['launchctl', firstOf(/^(?:load|bootstrap|submit|enable|setenv)\b/, STARTS)],
  ['schtasks', (rest) => (has(rest, /^\/(?:create|change)$/i) ? STARTS : null)],
  ['at', (rest) => (rest.length > 0 && !has(rest, /^-[lcV]$/) ? STARTS : null)],
  ['reg', firstOf(/^(?:add|import|restore)\b/i, 'changes the registry')],
  ['setx', () => 'changes the variables of all later programs'],
  ['chsh', () => 'changes the user’s shell'],
  ['visudo', () => 'changes who may do what'],
  ['npm', firstOf(/^(?:config|c) (?:set|edit|delete)\b|^set\b|^login\b|^adduser\b/, 'changes npm’s settings')],
  ['pnpm', firstOf(/^config (?:set|delete)\b/, 'changes pnpm’s settings')],
  ['yarn', firstOf(/^config (?:set|delete)\b/, 'changes yarn’s settings')],
  ['pip', firstOf(/^config (?:set|edit)\b/, 'changes pip’s settings')],
  ['pip3', firstOf(/^config (?:set|edit)\b/, 'changes pip’s settings')],
  ['pi', firstOf(/^(?:install|remove|uninstall|update|config)\b/, AGENT)],
  ['pi-tools', firstOf(/^(?:install|remove|update|allow|deny)\b/, AGENT)],
  ['claude', firstOf(/^(?:mcp (?:add|remove)|plugin (?:install|enable)|config set)/, AGENT)],
  ['codex', firstOf(/^mcp (?:add|remove)\b/, AGENT)],
  ['gemini', firstOf(/^(?:mcp (?:add|remove)|extensions install)\b/, AGENT)],
  ['gh', firstOf(/^(?:alias set|extension install|config set|auth setup-git)\b/, 'changes the settings of gh')],
  ['code', (rest) => (has(rest, /^--install-extension/) ? 'installs an extension of the editor' : null)],
  ['ssh-copy-id', () => 'lets a key in on another machine'],
  ['defaults', firstOf(/^(?:write|import)\b/, 'changes the settings of the system')],
  ['gsettings', firstOf(/^set\b/, 'changes the settings of the system')],
]);

const COPIES = /^(?:cp|mv|ln|install|rsync|link|scp)$/;
const CHANGES = /^(?:tee|touch|truncate|dd|ed|ex|patch|rm|shred|unlink|chmod|chown)$/;

/** A program that writes where it is told, told to write to a file that decides something. */
function fileReason(program: string, rest: readonly string[]): string | null {
  const paths = rest.filter((word) => !word.startsWith('-')).map((word) => word.replace(/^of=/, ''));
  const inPlace = (program === 'sed' || program === 'perl') && has(rest, /^-\w*i|^--in-place/);
  const written = COPIES.test(program) ? paths.slice(-1) : CHANGES.test(program) || inPlace ? paths : [];
  const path = written.map((one) => one.replace(/^\$HOME(?=\/)/, '~')).find(isHostFile);
  return path === undefined ? null : `writes \`${path}\` by a command`;
}
