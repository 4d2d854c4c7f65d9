/** The address of the git repository that a folder lies in, as an author would write it down. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The `origin` of the nearest `.git/config` above `folder`; undefined where there is none or it is no web address. */
export const findRepository = async (folder: string): Promise<string | undefined> => {
  for (let at = folder; ; at = dirname(at)) {
    const config = await readFile(join(at, '.git', 'config'), 'utf8').catch(() => undefined);
    if (config !== undefined) return readOrigin(config);
    if (dirname(at) === at) return undefined;
  }
};

/** From `[remote "origin"] url = …`: https as it is without user and password, ssh as https. */
export const readOrigin = (config: string): string | undefined => {
  const section = /^\[remote "origin"\]$([^[]*)/m.exec(config)?.[1] ?? '';
  const url = /^\s*url\s*=\s*(\S+)\s*$/m.exec(section)?.[1];
  if (url === undefined) return undefined;
  const ssh = /^(?:ssh:\/\/)?git@([a-z0-9.-]+)(?::\d+\/|[:/])([\w./~-]+)$/i.exec(url);
  const web = ssh === null ? url : `https://${ssh[1]}/${ssh[2]}`;
  const parsed = URL.canParse(web) ? new URL(web) : undefined;
  if (parsed?.protocol !== 'https:') return undefined;
  // A clone with a token in its address is common on build machines; the token must not be published.
  return `https://${parsed.host}${parsed.pathname.replace(/\.git$/, '')}`;
};
