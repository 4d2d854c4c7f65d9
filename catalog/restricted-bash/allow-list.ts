/** Which commands are run. Each of them reads; none of them starts another program or writes a file. */

export const PROGRAMS = ['cat', 'date', 'echo', 'git', 'grep', 'head', 'ls', 'pwd', 'tail', 'wc'] as const;
const GIT_COMMANDS = ['blame', 'diff', 'log', 'ls-files', 'rev-parse', 'shortlog', 'show', 'status'] as const;

/** git options that write a file or start a program, in every spelling that git understands (it completes prefixes). */
const GIT_WRITES = /^(--o(u(t(p(u(t)?)?)?)?)?(=|$)|--ext|--textc|--show-s)/;
/** A bare number would set the clock, as would -s: only what prints is let through. */
const DATE_PRINTS = /^(\+|-u$|-R$|-I|--utc$|--iso-8601|--rfc-)/;
const TAIL_FOLLOWS = /^(-[^-]*[fF]|--f|--r)/;

/** Throws an Error that says what is allowed instead, when the command `words` is not. */
export function checkAllowed(words: readonly string[]): void {
  const [program, ...rest] = words;
  if (program === undefined) throw new Error('The command is empty.');
  if (!(PROGRAMS as readonly string[]).includes(program)) {
    throw new Error(`${program} is not allowed. Allowed commands: ${PROGRAMS.join(', ')}.`);
  }
  if (program === 'git') checkGit(rest);
  if (program === 'date' && !rest.every((word) => DATE_PRINTS.test(word))) {
    throw new Error('date may only print the time: date, date -u, date -I, date +FORMAT.');
  }
  if (program === 'tail' && rest.some((word) => TAIL_FOLLOWS.test(word))) {
    throw new Error('tail may not follow a file: the command would never end.');
  }
}

function checkGit(rest: readonly string[]): void {
  const [command, ...options] = rest;
  if (command === undefined || !(GIT_COMMANDS as readonly string[]).includes(command)) {
    throw new Error(`git ${command ?? ''} is not allowed. Allowed: git ${GIT_COMMANDS.join(', git ')}.`);
  }
  const writing = options.find((word) => GIT_WRITES.test(word));
  if (writing !== undefined) throw new Error(`The git option ${writing} is not allowed.`);
}

/** git runs programs that a repository's own configuration names (pager, external diff, file monitor, gpg): not here. */
const GIT_QUIET = ['core.fsmonitor=false', 'gpg.program=false', 'gpg.ssh.program=false', 'gpg.x509.program=false'];

/** `words` with what keeps git from starting other programs or taking its lock. */
export function withSafeOptions(words: readonly string[]): string[] {
  const [program = '', command = '', ...rest] = words;
  if (program !== 'git') return [...words];
  return [
    'git',
    '--no-pager',
    '--no-optional-locks',
    ...GIT_QUIET.flatMap((setting) => ['-c', setting]),
    command,
    ...(['diff', 'log', 'show'].includes(command) ? ['--no-ext-diff', '--no-textconv'] : []),
    ...(command === 'blame' ? ['--no-textconv'] : []),
    ...rest,
  ];
}
