import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Problem } from '../../schemas/problem.ts';
import { checkPackageName } from '../../tool-package/name.ts';
import type { CommandModule } from '../command.ts';
import { findRepository } from '../init/repository.ts';
import { type StarterFile, starterFiles } from '../init/starter.ts';
import { makeFolders, writeAtomic } from '../state/atomic-write.ts';

type InitData = { ok: true; folder: string; package: string; files: string[]; dryRun: boolean };

export const command: CommandModule<InitData> = {
  define: {
    name: 'init',
    summary: 'Make a starter package',
    arguments: '[dir]',
    options: [{ flags: '--name <name>', description: 'the package’s name (default: after the folder)' }],
    examples: ['pi-tools init my-tool', 'pi-tools init my-tool --agent slopcode'],
  },
  run: async ({ environment, options }, [dir = '.'], flags) => {
    const folder = resolve(environment.cwd, dir);
    const packageName = typeof flags.name === 'string' ? flags.name : deriveName(folder);
    checkPackageName(packageName);
    const agents = options.agents.length === 0 ? (['pi'] as const) : options.agents;
    const repository = await findRepository(folder);
    const files = starterFiles({ packageName, toolName: toolNameOf(packageName), agents, repository });
    refuseExisting(folder, files);
    if (!options.dryRun) writeFiles(folder, files);
    const paths = files.map((file) => file.path);
    return { data: { ok: true, folder, package: packageName, files: paths, dryRun: options.dryRun } };
  },
  human: (data, { terminal: { style }, environment }) => {
    const enter = data.folder === environment.cwd ? '' : `cd ${data.folder} && `;
    return [
      `${data.dryRun ? 'would make' : 'made'} ${style.bold(data.package)} in ${data.folder}`,
      data.files.map((file) => `  ${file}`).join('\n'),
      '',
      `Next: ${style.cyan(`${enter}pi-tools check`)}, then ${style.cyan('pi-tools install .')}`,
    ].join('\n');
  },
};

/** `My Tools` -> `my-tools`. Throws `invalid_name` where nothing is left. */
const deriveName = (folder: string): string => {
  const name = basename(folder)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64);
  if (name !== '') return name;
  throw new Problem('invalid_name', `\`${basename(folder)}\` gives no package name`, {
    hint: 'choose one with --name',
  });
};

/** Tool names begin with a letter; a scope is not part of them. */
const toolNameOf = (packageName: string): string => {
  const name = packageName.replace(/^.*\//, '');
  return /^[a-z]/.test(name) ? name : `tool-${name}`.slice(0, 64);
};

const refuseExisting = (folder: string, files: readonly StarterFile[]): void => {
  const there = files.map((file) => file.path).filter((path) => existsSync(join(folder, path)));
  // A README or .gitignore that a fresh repository brings is no reason to refuse: it stays.
  const inTheWay = there.filter((path) => path !== 'README.md' && path !== '.gitignore');
  if (inTheWay.length === 0) return;
  throw new Problem('path_conflict', `\`${join(folder, inTheWay[0] ?? '')}\` is there already`, {
    hint: 'name a new folder: `pi-tools init my-tool`',
    details: { files: inTheWay },
  });
};

const writeFiles = (folder: string, files: readonly StarterFile[]): void => {
  makeFolders(folder);
  for (const { path, text } of files) {
    const file = join(folder, path);
    if (existsSync(file)) continue;
    makeFolders(dirname(file));
    writeAtomic(file, text, { id: randomUUID() });
  }
};
