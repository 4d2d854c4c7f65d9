/** `import(path)` with a path that the code makes up: the archive's own scripts, and modules by name. */
import { requiredModule } from './hosts.ts';
import { inertLabel, settledInert } from './inert.ts';
import { findMark } from './marks.ts';
import { findImport } from './own-files.ts';
import { resolve } from './path.ts';
import { fileURLToPath, SandboxUrl } from './url.ts';

type Own = { url: string; dirname: string; filename: string };

/** What `import.meta` is in a file, and what its `import(…)` of a computed path calls. */
export const own = (place: Own): object => ({
  ...place,
  resolve: (name: unknown) => new SandboxUrl(`${name as string}`, place.url).href,
  load: (specifier: unknown) => importModule(specifier, place.dirname),
});

async function importModule(specifier: unknown, folder: string): Promise<unknown> {
  const label = inertLabel(specifier) ?? findMark(`${specifier as string}`);
  if (label !== undefined) return settledInert(label);
  const name = String(specifier);
  if (!/^(?:file:|\.{0,2}\/)/.test(name)) return requiredModule(name);
  const load = findImport(resolve(folder, name.startsWith('file:') ? fileURLToPath(name) : name));
  return load === undefined ? settledInert(`import ${name}`) : load();
}
