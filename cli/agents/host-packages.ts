/**
 * Host packages for SlopCode and opencode code: `zod` 4, and the plugin packages as a few lines of ours (`tool = x => x`, `tool.schema = z`).
 * Neither agent can be relied on to provide them, so they lie beside the code, and only if it imports them.
 */
import { readFileSync } from 'node:fs';
import type { PackageArchive } from '../../tool-package/archive/read.ts';
import { findHostPackage } from '../../tool-package/run/host-packages.ts';

export type ExtraFile = { readonly path: string; readonly bytes: Buffer; readonly format: number };

const FORMAT = 1;
const PLUGINS = ['@slopcode-ai/plugin', '@opencode-ai/plugin'] as const;

const PLUGIN_CODE = `import { z } from 'zod';

export const tool = Object.assign((definition) => definition, { schema: z });
export default tool;
`;

const text = (path: string, content: string): ExtraFile => ({ path, bytes: Buffer.from(content), format: FORMAT });

const packageJson = (fields: Readonly<Record<string, unknown>>): string => `${JSON.stringify(fields, null, 2)}\n`;

const pluginFiles = (name: string): ExtraFile[] => [
  text(
    `node_modules/${name}/package.json`,
    packageJson({ name, version: '0.0.0', type: 'module', exports: { '.': './index.js', './tool': './index.js' } }),
  ),
  text(`node_modules/${name}/index.js`, PLUGIN_CODE),
];

/** One ESM file, made by the build (cli/build-host-packages.ts). */
const zodBundle = (): Buffer =>
  readFileSync(
    import.meta.url.endsWith('.ts')
      ? new URL('../../dist/host/zod.js', import.meta.url)
      : new URL('../../host/zod.js', import.meta.url),
  );

const zodFiles = (): ExtraFile[] => [
  text(
    'node_modules/zod/package.json',
    packageJson({
      name: 'zod',
      version: '4.0.0',
      license: 'MIT',
      type: 'module',
      exports: { '.': './index.js', './v4': './index.js' },
    }),
  ),
  { path: 'node_modules/zod/index.js', bytes: zodBundle(), format: FORMAT },
];

const CODE = /\.[cm]?[jt]sx?$/;
const QUOTED = /(["'`])((?:@(?:slopcode-ai|opencode-ai)\/plugin|zod)(?:\/[\w./-]+)?)\1/g;

/** Host packages that the archive's code names; a name in a comment or text is one too many, which does no harm. */
function importedHosts(archive: PackageArchive): Set<string> {
  const found = new Set<string>();
  for (const { path, bytes } of archive.files) {
    if (bytes === null || !CODE.test(path)) continue;
    for (const [, , specifier = ''] of bytes.toString('utf8').matchAll(QUOTED)) {
      const host = findHostPackage(specifier);
      if (host?.kind === 'zod') found.add('zod');
      const plugin = PLUGINS.find((name) => specifier === name || specifier.startsWith(`${name}/`));
      if (plugin !== undefined) found.add(plugin);
    }
  }
  return found;
}

/** The files to lay beside the code, with paths relative to the package's versioned folder. */
export function hostPackagesFor(archive: PackageArchive): ExtraFile[] {
  const hosts = importedHosts(archive);
  const plugins = PLUGINS.filter((name) => hosts.has(name));
  const needsZod = hosts.has('zod') || plugins.length > 0;
  return [...plugins.flatMap(pluginFiles), ...(needsZod ? zodFiles() : [])];
}
