/** Which files of a folder are packed: npm's rules (`files`, `.npmignore`, `.gitignore`), minus secrets, links and clutter. */
import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import packlist from 'npm-packlist';
import { Problem } from '../../schemas/problem.ts';
import { showText } from '../show-text.ts';
import { clutterReason, secretReason } from './left-out.ts';
import { refuseSize } from './refusal.ts';

export type LeftOut = { readonly path: string; readonly reason: string };
/** `file` is where the bytes are; it differs from the path for a link to a file inside the folder. */
export type ChosenFile = { readonly path: string; readonly file: string };
export type Chosen = { readonly files: ChosenFile[]; readonly leftOut: LeftOut[] };

/** What npm's rules read of `package.json`. */
export type PackRules = { files?: string[]; main?: string; browser?: string; bin?: Record<string, string> };

/** A home directory packed by mistake: stop the walk early. */
const MAX_SEEN = 50_000;
/** An archive has 16; npm's walker takes minutes for some hundreds. */
const MAX_DEPTH = 64;
/** What npm's walker reads by itself on its way. */
const RULE_FILES = /(?:^|\/)(?:\.npmignore|\.gitignore|package\.json)$/;
const SHRINKWRAP = 'npm-shrinkwrap.json';

/**
 * Takes a folder, gives the files to pack and what was left out, each with its reason, both sorted. Throws Problem
 * `pack_link` for links that leave the folder and would be packed, `too_large` for a folder that is no tool's.
 */
export const chooseFiles = async (folder: string, rules: PackRules): Promise<Chosen> => {
  const root = await realpath(folder);
  const seen = await listAll(root);
  await checkRuleFiles(root, seen);
  const { files, links } = await applyNpmRules(root, rules);
  if (seen.some(({ path, kind }) => path === SHRINKWRAP && kind === 'file')) files.add(SHRINKWRAP);
  const chosen: ChosenFile[] = [];
  const leftOut: LeftOut[] = [];
  const leaving: string[] = [];
  for (const { path, kind } of seen) {
    const verdict = await judge({ root, path, kind, isIncluded: files.has(path) || links.has(path) });
    if ('file' in verdict) chosen.push({ path, file: verdict.file });
    else if (verdict.reason === LEAVES) leaving.push(path);
    else leftOut.push({ path: kind === 'folder' ? `${path}/` : path, reason: verdict.reason });
  }
  if (leaving.length > 0) throw linkProblem(leaving);
  return { files: chosen, leftOut };
};

const LEAVES = 'leaves';

type Seen = { readonly path: string; readonly kind: 'file' | 'link' | 'folder' | 'other' };

/** Every file and link below the root, and folders that nothing is taken from; sorted. */
const listAll = async (root: string): Promise<Seen[]> => {
  const seen: Seen[] = [];
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    if (folder.split('/').length > MAX_DEPTH)
      throw refuseSize('path-too-deep', 'its folders are nested too deeply', MAX_DEPTH, showText(folder));
    for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && clutterReason(path) === null) folders.push(path);
      else seen.push({ path, kind: kindOf(entry) });
    }
    if (seen.length > MAX_SEEN) {
      throw refuseSize('too-many-files', `\`${showText(root)}\` has too many files to be a tool’s folder`, MAX_SEEN);
    }
  }
  return seen.sort((left, right) => (left.path < right.path ? -1 : 1));
};

/** A pipe or a device of such a name would be read for ever. Throws Problem `pack_link`. */
const checkRuleFiles = async (root: string, seen: readonly Seen[]): Promise<void> => {
  for (const { path, kind } of seen) {
    if (kind === 'file' || kind === 'folder' || !RULE_FILES.test(path) || (await isReadable(join(root, path))))
      continue;
    throw new Problem('pack_link', `\`${showText(path)}\` is no regular file, and no link to one`, {
      hint: 'npm would read its rules from it: remove it',
      details: { paths: [path] },
    });
  }
};

const kindOf = (entry: Dirent): Seen['kind'] => {
  if (entry.isDirectory()) return 'folder';
  if (entry.isSymbolicLink()) return 'link';
  return entry.isFile() ? 'file' : 'other';
};

type Question = {
  readonly root: string;
  readonly path: string;
  readonly kind: Seen['kind'];
  readonly isIncluded: boolean;
};

const judge = async (question: Question): Promise<{ file: string } | { reason: string }> => {
  const { root, path, kind, isIncluded } = question;
  const never = clutterReason(path) ?? secretReason(path);
  if (never !== null) return { reason: never };
  if (kind === 'other') return { reason: 'is no regular file' };
  if (!isIncluded) return { reason: 'not in `files`, or ignored by npm’s rules' };
  return kind === 'link' ? judgeLink(root, path) : { file: join(root, path) };
};

/** A link to a file of the folder is packed as that file; to a folder of it, not at all; out of it, an error. */
const judgeLink = async (root: string, path: string): Promise<{ file: string } | { reason: string }> => {
  const target = await realpath(join(root, path)).catch(() => null);
  if (target === null) return { reason: 'a link to nothing' };
  const inside = relative(root, target);
  if (inside === '..' || inside.startsWith(`..${sep}`) || inside.startsWith(sep) || /^[A-Za-z]:/.test(inside))
    return { reason: LEAVES };
  const targetPath = inside.split(sep).join('/');
  const never = clutterReason(targetPath) ?? secretReason(targetPath);
  if (never !== null) return { reason: `a link to \`${showText(targetPath)}\`: ${never}` };
  return (await stat(target)).isFile() ? { file: target } : { reason: 'a link to a folder' };
};

const linkProblem = (paths: readonly string[]): Problem => {
  const shown = paths.slice(0, 10).map((path) => `\`${showText(path)}\``);
  const more = paths.length > shown.length ? ` and ${paths.length - shown.length} more` : '';
  return new Problem('pack_link', `links that lead out of the package: ${shown.join(', ')}${more}`, {
    hint: 'copy what they lead to into the package, or leave the links out with `files` or `.npmignore`',
    details: { paths: [...paths] },
  });
};

type Tree = { path: string; package: PackRules; isProjectRoot: true; edgesOut: Map<string, never> };
type Stat = { entry: string; file: boolean; dir: boolean; st: { isSymbolicLink(): boolean } };
/** npm-packlist's walker, as far as we extend it; its type package knows only the function. */
type Walker = {
  readonly tree: Tree & { links: Set<string> };
  readonly path: string;
  readonly root: string;
  walkerOpt(entry: string, options: object): object;
  onstat(found: Stat, done: () => void): void;
  on(event: 'done', done: (files: string[]) => void): Walker;
  on(event: 'error', failed: (error: Error) => void): Walker;
  start(): void;
};
const BaseWalker = (packlist as unknown as { Walker: new (tree: object, options: object) => Walker }).Walker;

/** npm drops links without a word; this one also says which of them its rules would have taken. */
class LinkNotingWalker extends BaseWalker {
  override onstat(found: Stat, done: () => void): void {
    if (found.st.isSymbolicLink() && (found.file || found.dir)) {
      this.tree.links.add(`${this.path}/${found.entry}`.slice(this.root.length + 1));
    }
    super.onstat(found, done);
  }

  walker(entry: string, options: object, done: () => void): void {
    new LinkNotingWalker(this.tree, this.walkerOpt(entry, options)).on('done', done).start();
  }
}

const applyNpmRules = async (root: string, rules: PackRules): Promise<{ files: Set<string>; links: Set<string> }> => {
  // Without `bundleDependencies`: what npm would bundle is refused by the archive reader.
  const tree = { path: root, package: rules, isProjectRoot: true, edgesOut: new Map(), links: new Set<string>() };
  const files = await new Promise<string[]>((done, failed) => {
    new LinkNotingWalker(tree, { isPackage: true }).on('done', done).on('error', failed).start();
  });
  // npm writes `./@x` for names that begin with an at sign.
  return { files: new Set(files.map((path) => path.replace(/^\.\//, ''))), links: tree.links };
};

/** False for what is there and is no regular file, links followed: reading a pipe or a device may never end. */
export const isReadable = async (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile() || found.isDirectory(),
    () => true,
  );

/** Whether a path is an existing folder, links followed. */
export const isFolder = async (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
