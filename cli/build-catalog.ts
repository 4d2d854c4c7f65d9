/** Run by cli/prepare.js after the compiler: makes `dist/catalog` from `catalog/`. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildCatalog } from './catalog/build.ts';
import { catalogFolder } from './registry/catalog-folder.ts';
import { describeFailure } from './terminal/messages.ts';
import { styleFor } from './terminal/style.ts';

const dist = fileURLToPath(new URL('..', import.meta.url));

/** The code that packs and examines: when it changes, so may its outcome. */
const hashCode = async (folders: readonly string[]): Promise<string> => {
  const hash = createHash('sha256');
  for (const folder of folders) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.js'));
    for (const file of files.map((entry) => join(entry.parentPath, entry.name)).sort()) {
      hash.update(file.slice(folder.length)).update(await readFile(file));
    }
  }
  return hash.digest('hex');
};

try {
  const salt = await hashCode(['tool-package', 'schemas', 'cli/catalog'].map((name) => join(dist, name)));
  await buildCatalog({
    source: fileURLToPath(new URL('../../catalog', import.meta.url)),
    target: catalogFolder(),
    salt,
  });
} catch (error) {
  process.stderr.write(`${describeFailure(error, styleFor('off'), 'stack').text}\n`);
  process.exitCode = 1;
}
