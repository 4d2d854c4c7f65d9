/**
 * Build step: the child process in one file, with the sandbox's own code inside. Loading 400 modules one by one costs
 * more than an examination does. Run after the compiler; without the file, or beside newer modules, the child is loaded
 * module by module (process-group.ts).
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { findModuleBundle, guestBundle } from '../inspect/host-bundles.ts';
import { BUNDLED_CHILD, BUNDLED_INPUTS } from './process-group.ts';

const PREBUILT_MODULES = ['typebox', 'typebox/value', 'typebox/compile', 'zod'];
/** Found beside us at run time: native, WebAssembly, or a big table that only a few examinations need. */
const EXTERNAL = ['esbuild', '@jitl/*', 'quickjs-emscripten-core', 'js-tiktoken'];
/** esbuild turns CommonJS packages into code that asks for Node's modules by `require`. */
const REQUIRE =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

const here = path.dirname(fileURLToPath(import.meta.url));

async function prebuiltCode(): Promise<Record<string, string>> {
  const bundles: Record<string, string> = { guest: await guestBundle() };
  for (const name of PREBUILT_MODULES) {
    const code = await findModuleBundle(name);
    if (code !== undefined) bundles[name] = code;
  }
  return bundles;
}

async function buildChild(): Promise<void> {
  const start = [
    "import { usePrebuilt } from '../inspect/host-bundles.js';",
    `usePrebuilt(${JSON.stringify(await prebuiltCode())});`,
    "await import('./child.js');",
  ];
  const result = await esbuild.build({
    stdin: { contents: start.join('\n'), resolveDir: here },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    tsconfigRaw: {},
    banner: { js: REQUIRE },
    external: EXTERNAL,
    outfile: BUNDLED_CHILD,
    metafile: true,
    logLevel: 'error',
  });
  const own = Object.keys(result.metafile.inputs)
    .map((input) => path.resolve(input))
    .filter((input) => input.startsWith(path.resolve(here, '..', '..')) && !input.includes('node_modules'))
    .map((input) => path.relative(path.dirname(BUNDLED_INPUTS), input));
  writeFileSync(BUNDLED_INPUTS, JSON.stringify(own.filter((input) => !input.endsWith('<stdin>'))));
}

await buildChild();
