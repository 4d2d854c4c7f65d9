/** Packages with one tool, and what `pi-tools try` says of them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CliHome } from './cli.ts';

/** Writes files below the project's folder `name`; gives the path for the command line. */
export const writePackage = (cli: CliHome, name: string, files: Readonly<Record<string, string>>): string => {
  for (const [path, content] of Object.entries(files)) {
    const file = join(cli.project, name, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return `./${name}`;
};

/** A pi package with one tool `t` whose `execute(id, args, signal, onUpdate, ctx)` has this body, from line 9 on. */
export const writePiPackage = (
  cli: CliHome,
  name: string,
  body: string,
  piTools: object = {},
  more: Record<string, string> = {},
): string =>
  writePackage(cli, name, {
    'package.json': JSON.stringify({
      name,
      version: '1.0.0',
      pi: { extensions: ['./index.ts'] },
      piTools,
      scripts: { preinstall: 'touch RAN', pretest: 'touch RAN' },
    }),
    'index.ts': `import { readFile, writeFile } from 'node:fs/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { execFileSync, spawn } from 'node:child_process';
import { Worker } from 'node:worker_threads';
import { Type } from 'typebox';
const text = (value: unknown) => ({ content: [{ type: 'text', text: String(value) }] });
void [readFile, writeFile, readdirSync, readFileSync, execFileSync, spawn, Worker];
export default (pi: any) => pi.registerTool({ name: 't', label: 'T', description: 'd',
  parameters: Type.Object({ x: Type.Optional(Type.String()) }),
  async execute(_id: string, args: any, signal: AbortSignal, onUpdate: any, ctx: any) { ${body} } });
`,
    ...more,
  });

// biome-ignore lint/suspicious/noExplicitAny: tests look into it
export type Tried = { code: number | null; call: any; ok: Record<string, boolean | null>; json: any; stderr: string };

/** Runs `try` with --json; `call` and `ok` are of the first call. */
export const tryIt = async (
  cli: CliHome,
  path: string,
  more: readonly string[] = ['--args', '{}'],
  env: Record<string, string> = {},
): Promise<Tried> => {
  const { code, json, stderr } = await cli.run(['try', path, ...more, '--json'], { env });
  const [call] = json.calls ?? [];
  const checks: { id: string; ok: boolean | null }[] = call?.checks ?? [];
  return { code, json, call, stderr, ok: Object.fromEntries(checks.map(({ id, ok }) => [id, ok])) };
};
