/** The files that SlopCode and opencode load: one generated entry per tool, the runtime they share, and host packages for the code behind them. */
import { readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Tool } from '../../schemas/manifest.ts';
import type { PackageSource } from '../install/source.ts';
import type { Place } from '../state/paths.ts';
import { hostPackagesFor } from './host-packages.ts';
import {
  type GeneratedFile,
  type Layout,
  packageFolder,
  packagesFolder,
  toolsFolder,
  versionFolder,
} from './layout.ts';

/** Raise it when the entries or the runtime change in what they do: old entries keep the runtime that they were made for. */
const ENTRY_FORMAT = 1;

/** The agents write a .gitignore whose `package.json` and `node_modules` match at any depth; ours are part of what was installed. */
const GITIGNORE = '!.gitignore\n!package.json\n!node_modules/\n';

/** Text from a manifest goes into source code as JSON only, and so that no reader takes a part of it for markup or a line end. */
const literal = (value: unknown, space?: number): string =>
  JSON.stringify(value, null, space).replace(
    /[<>\u007f-\u009f\u2028\u2029\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g,
    (character) => {
      return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
    },
  );

const slashed = (path: string): string => path.split(sep).join('/');

function entryText(place: Place, source: PackageSource, tool: Tool, code: string): string {
  const { agent } = place;
  const { name, description, parameters } = tool;
  return `// The tool ${name} of the package ${source.name} ${source.version}, installed by pi-tools for ${agent}.
// Generated from the registry's manifest: a change here is lost with the next update, and "pi-tools verify" names it.
const tool = ${literal({ name, description, parameters, host: agent }, 2)};

let entry;
try {
  const { createEntry } = await import("../pi-tools/_runtime/${ENTRY_FORMAT}.js");
  entry = await createEntry(tool, () => import(${literal(code)}), ${literal(tool.export ?? 'default')});
} catch (error) {
  // One file that throws would end the whole session.
  const why = \`The tool \${tool.name} could not be loaded: \${error instanceof Error ? error.message : String(error)}\`;
  entry = { description: \`\${tool.description}\\n\\n(\${why})\`, args: {}, execute: async () => { throw new Error(why); } };
}

export default entry;
`;
}

/** The compiled runtime; from sources (tests) the build's copy is used. */
const runtimeFile = (): URL =>
  import.meta.url.endsWith('.ts')
    ? new URL('../../dist/cli/agents/entry-runtime.js', import.meta.url)
    : new URL('./entry-runtime.js', import.meta.url);

function sharedFiles(place: Place): GeneratedFile[] {
  const folder = packagesFolder(place);
  return [
    { file: join(folder, '.gitignore'), bytes: Buffer.from(GITIGNORE), format: 1 },
    { file: join(folder, '_runtime', `${ENTRY_FORMAT}.js`), bytes: readFileSync(runtimeFile()), format: ENTRY_FORMAT },
  ];
}

/** How a package is installed for SlopCode or opencode. */
export function entryLayout(place: Place, source: PackageSource): Layout {
  const folder = versionFolder(place, source.name, source.version, source.integrity);
  const tools = source.record.agents[place.agent]?.tools ?? [];
  const code = (tool: Tool): string => slashed(relative(toolsFolder(place), join(folder, ...tool.entry.split('/'))));
  return {
    location: packageFolder(place, source.name),
    folder,
    switches: tools.map((tool) => ({
      file: join(toolsFolder(place), `${tool.name}.ts`),
      bytes: Buffer.from(entryText(place, source, tool, code(tool))),
      format: ENTRY_FORMAT,
    })),
    shared: sharedFiles(place),
    extra: hostPackagesFor(source.archive),
  };
}
