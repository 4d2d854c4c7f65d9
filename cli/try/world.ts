/** The folder that an example runs in: fresh, with the files that the example names, so that nobody's own are touched. */
import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { Problem } from '../../schemas/problem.ts';

/** Its path, below `parent`. Throws `invalid_package_json` for a file that would lie elsewhere. */
export const makeWorld = async (parent: string, files: Readonly<Record<string, string>>): Promise<string> => {
  const folder = await realpath(await mkdtemp(join(parent, 'world-')));
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    if (isAbsolute(path) || !isInside(folder, file) || path.includes('\\') || path.includes('\0') || path.endsWith('/'))
      throw new Problem('invalid_package_json', `\`piTools.examples\`: \`${path}\` is no file inside a folder`, {
        hint: 'relative paths with `/`, without `..`',
      });
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return folder;
};

const isInside = (folder: string, file: string): boolean => {
  const rest = relative(folder, file);
  return rest !== '' && rest !== '..' && !rest.startsWith(`..${sep}`) && !isAbsolute(rest);
};
