/** The declared permissions as flags of Node's permission model, and in words what they cannot limit. */
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { Permissions } from '../../schemas/package-json.ts';
import { textsIn } from './texts.ts';

export type Places = { cwd: string; home: string; temp: string; agentFolder: string };

export type Limits = {
  flags: string[];
  /** What Node itself enforces. */
  enforced: string[];
  /** What is not limited, or not by Node: one sentence each. */
  notLimited: string[];
};

type NodeVersion = { major: number; minor: number };

const parseNode = (version: string): NodeVersion => {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  return { major, minor };
};

/** The flag of that Node: stable since 22.13 and 23.5, experimental from 20 on. */
const permissionFlag = ({ major, minor }: NodeVersion): string | null => {
  if (major < 20) return null;
  const isStable = major > 23 || (major === 23 && minor >= 5) || (major === 22 && minor >= 13);
  return isStable ? '--permission' : '--experimental-permission';
};

/** `own`: folders that the run itself needs to read. `args`: their texts may be paths, for the declaration `<argument>`. */
export function limitsFor(
  nodeVersion: string,
  declared: Permissions,
  places: Places,
  own: readonly string[],
  args: unknown,
): Limits {
  const node = parseNode(nodeVersion);
  const flag = permissionFlag(node);
  const always = ['variables: only declared ones are in the environment (and PATH where programs are declared)'];
  if (flag === null) {
    return {
      flags: [],
      enforced: always,
      notLimited: [`files, programs: Node ${nodeVersion} has no permission model`],
    };
  }
  const runs = (declared.run ?? []).length > 0;
  const reads = [...own.flatMap(folderGrants), ...grantsOf(declared.read ?? [], places, args).map(withFolderItself)];
  const writes = grantsOf(declared.write ?? [], places, args);
  const hasNet = node.major >= 25;
  const flags = [
    flag,
    '--no-warnings',
    ...withoutCovered(reads).map((path) => `--allow-fs-read=${path}`),
    ...withoutCovered(writes).map((path) => `--allow-fs-write=${path}`),
    ...(runs ? ['--allow-child-process'] : []),
    ...(hasNet && (declared.network ?? []).length > 0 ? ['--allow-net'] : []),
  ];
  return {
    flags,
    enforced: [
      ...always,
      'files: reading and writing only what is declared (reading also the package and pi-tools itself)',
      'worker threads and native add-ons: none, since Node would not limit them',
      ...(runs ? [] : ['programs: none']),
      ...(hasNet && (declared.network ?? []).length === 0 ? ['network: none'] : []),
    ],
    notLimited: notLimited(nodeVersion, declared, runs, hasNet),
  };
}

const notLimited = (nodeVersion: string, declared: Permissions, runs: boolean, hasNet: boolean): string[] => {
  const netByNode = hasNet && (declared.network ?? []).length === 0;
  const partly = [...(declared.read ?? []), ...(declared.write ?? [])].filter((path) => /\*./.test(path));
  return [
    ...(netByNode
      ? []
      : [
          `network: Node ${nodeVersion} cannot limit hosts; connections are watched in the process, which hostile code can get around`,
        ]),
    ...(runs ? ['programs: their names are checked in the process; what a started program does is not limited'] : []),
    ...partly.map((path) => `files: of \`${path}\` only the part before the * is limited`),
  ];
};

const unique = (values: readonly string[]): string[] => [...new Set(values)];

const grantsOf = (patterns: readonly string[], places: Places, args: unknown): string[] =>
  patterns.flatMap((pattern) => grantOf(pattern.trim(), places, args));

/** A declaration as Node's flag wants it: a path, and `path/*` for what is below. */
function grantOf(pattern: string, places: Places, args: unknown): string[] {
  if (['*', '**', '/', '/*', '/**'].includes(pattern)) return ['*'];
  if (pattern === '<argument>') return textsIn(args).flatMap((text) => folderGrants(resolve(places.cwd, text)));
  if (/^(?:<temp>|\$TMPDIR|\/tmp)(?=\/|$)/.test(pattern)) {
    const below = pattern.replace(/^(?:<temp>|\$TMPDIR|\/tmp)/, '');
    return [...pathGrants(places.temp + below), ...(pattern.startsWith('/') ? pathGrants(pattern) : [])];
  }
  const expanded = pattern
    .replace(/^(?:<cwd>|<worktree>|<project>)(?=\/|$)/, '.')
    .replace(/^<agent>(?=\/|$)/, places.agentFolder)
    .replace(/^(?:~|\$HOME)(?=\/|$)/, places.home);
  return pathGrants(resolve(places.cwd, expanded));
}

/** Up to the first `*`: Node knows a star at the end only. */
const pathGrants = (path: string): string[] => {
  const star = path.indexOf('*');
  return star === -1 ? folderGrants(path) : [`${path.slice(0, star)}*`];
};

/**
 * Under its real name, too: Node compares what the file system says. A folder that is there stands for what is below it;
 * both forms of it together make Node 20 die of an assertion.
 */
const folderGrants = (path: string): string[] =>
  unique([path, realPath(path)]).flatMap((one) => (existsSync(one) ? [one] : [one, `${one}/*`]));

/**
 * Node (20 to 22 at least) forgets the folder itself, and keeps what is below it, as soon as it is given a second path: a
 * declared folder could not be listed. As the beginning of a name it works, where nothing else begins like that.
 */
const withFolderItself = (grant: string): string => {
  if (grant.endsWith('*') || !isFolder(grant)) return grant;
  const name = basename(grant);
  const hasNamesake = listNames(dirname(grant)).some((other) => other !== name && other.startsWith(name));
  return name === '' || hasNamesake ? grant : `${grant}*`;
};

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

const listNames = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

/** Without what another one covers: Node 20 dies of the same file given twice. */
const withoutCovered = (grants: readonly string[]): string[] => {
  const isBelow = (grant: string, other: string): boolean =>
    other !== grant &&
    grant !== `${other}/*` &&
    grant.startsWith(other.endsWith('*') ? other.slice(0, -1) : `${other}/`);
  return unique(grants).filter((grant) => !grants.some((other) => isBelow(grant, other)));
};

const realPath = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
};
