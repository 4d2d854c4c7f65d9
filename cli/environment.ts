/** What the process was started with. The only file on this side that reads process.env, the home folder, the working folder or the clock. */
import { homedir, userInfo } from 'node:os';
import { resolve } from 'node:path';

export type Environment = {
  /** Variables as given; an empty value counts as unset in `variable()`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
  now(): Date;
};

/** The environment of this process. `cwd` is what `--cwd` asks for, relative to the folder we were started in. */
export const readEnvironment = (cwd?: string): Environment => ({
  env: process.env,
  home: findHome(),
  cwd: resolve(cwd ?? '.'),
  platform: process.platform,
  now: () => new Date(),
});

/** The value of a variable; undefined when it is unset or empty (XDG: "if unset or empty"). */
export const variable = (environment: Environment, name: string): string | undefined =>
  environment.env[name] || undefined;

/** `homedir()` gives back an empty or relative `$HOME` as it is; then the account's own folder is safer than the root or the cwd. */
const findHome = (): string => {
  const home = homedir();
  return home.startsWith('/') || /^[A-Za-z]:|^\\\\/.test(home) ? home : userInfo().homedir;
};
