/** Which files may be read: what package.json declares under `piTools.permissions.read` is checked here. */
import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';

/** Where programs keep their logs, besides the working folder. */
const LOG_FOLDERS = ['/var/log', '/tmp'];

/** The file meant by `path`, with links followed. Throws when it is not there or lies elsewhere. */
export async function locate(cwd: string, path: string): Promise<string> {
  const file = resolve(cwd, path.replace(/^@/, ''));
  const real = await realpath(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new Error(`There is no file ${file}.`);
    throw new Error(`${file} could not be opened: ${error.message}`);
  });
  const folders = await Promise.all([cwd, ...LOG_FOLDERS].map((folder) => realpath(folder).catch(() => folder)));
  if (folders.some((folder) => isInside(folder, real))) return real;
  throw new Error(`${path} is not a log: only files in the working folder, ${LOG_FOLDERS.join(' and ')} are read.`);
}

function isInside(folder: string, file: string): boolean {
  const inside = relative(folder, file);
  return inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}
