/** A throw-away home for the real command line, with a pi agent folder, and packages that live in folders. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type CliHome, createCliHome } from './cli.ts';
import { snapshotWorld, type World } from './world.ts';

export type PiHome = CliHome & {
  /** `~/.pi/agent`. */
  readonly agent: string;
  readonly settings: string;
  /** The folder that holds home and project. */
  readonly folder: string;
  write(path: string, content: string | Uint8Array): string;
  read(path: string): string;
  has(path: string): boolean;
  snapshot(): World;
};

/** A home with an agent folder; `settings` null: no settings file, undefined: no agent folder either. */
export async function createPiHome(settings?: string | Uint8Array | null): Promise<PiHome> {
  const cli = await createCliHome();
  const folder = dirname(cli.home);
  const agent = join(cli.home, '.pi', 'agent');
  if (settings !== undefined) mkdirSync(agent, { recursive: true });
  const file = join(agent, 'settings.json');
  if (settings !== undefined && settings !== null) writeFileSync(file, settings);
  const at = (path: string): string => join(folder, path);
  return {
    ...cli,
    agent,
    settings: file,
    folder,
    write: (path, content) => {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), content);
      return at(path);
    },
    read: (path) => readFileSync(at(path), 'utf8'),
    has: (path) => existsSync(at(path)),
    snapshot: () => snapshotWorld(folder),
  };
}

export type ToolFolder = {
  readonly path: string;
  remove(): void;
};

export type ToolSketch = {
  readonly name?: string;
  readonly version?: string;
  /** Names of pi tools. */
  readonly tools?: readonly string[];
  readonly packageJson?: Readonly<Record<string, unknown>>;
  readonly files?: Readonly<Record<string, string>>;
};

/** Source of a pi extension with small working tools. */
export const extensionSource = (tools: readonly string[]): string => {
  const registrations = tools.map(
    (name) => `  pi.registerTool({
    name: ${JSON.stringify(name)},
    label: ${JSON.stringify(name)},
    description: 'What ${name} does',
    parameters: Type.Object({ what: Type.String({ description: 'what to look at' }) }),
    async execute() { return { content: [{ type: 'text', text: 'done' }], details: {} }; },
  });`,
  );
  return `import { Type } from 'typebox';\nexport default function (pi) {\n${registrations.join('\n')}\n}\n`;
};

/** Source of a SlopCode tool file: one plain tool as the default export. */
export const toolSource = (text: string): string => `export default {
  description: 'Says ${text}',
  args: {},
  async execute() { return ${JSON.stringify(text)}; },
};
`;

/** The files of a small package. */
export function sketchFiles(sketch: ToolSketch = {}): Record<string, string> {
  const { name = 'weather', version = '1.0.0', tools = [name.replace(/^@.*\//, '').replaceAll('-', '_')] } = sketch;
  const packageJson = {
    name,
    version,
    description: `The ${name} package`,
    license: 'MIT',
    pi: { extensions: ['./index.ts'] },
    ...sketch.packageJson,
  };
  return {
    'package.json': `${JSON.stringify(packageJson, null, 2)}\n`,
    'index.ts': extensionSource(tools),
    'README.md': `# ${name}\n`,
    ...sketch.files,
  };
}

/** A package in a folder of its own. */
export function createToolFolder(sketch: ToolSketch = {}): ToolFolder {
  const path = mkdtempSync(join(tmpdir(), 'pi-tools-package-'));
  for (const [file, text] of Object.entries(sketchFiles(sketch))) {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), text);
  }
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
