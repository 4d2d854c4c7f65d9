/** Build step: zod as one ESM file, to be laid beside SlopCode and opencode code that imports it. Run by prepare.js after the compiler. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const require = createRequire(import.meta.url);
const zod = dirname(require.resolve('zod/package.json'));
const target = fileURLToPath(new URL('../host/zod.js', import.meta.url));

const { outputFiles } = await build({
  entryPoints: [join(zod, 'index.js')],
  bundle: true,
  write: false,
  format: 'esm',
  target: 'es2022',
  minify: true,
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'error',
});
const license = readFileSync(join(zod, 'LICENSE'), 'utf8').trim().replace(/^/gm, ' * ');
mkdirSync(dirname(target), { recursive: true });
const draft = `${target}.tmp`;
writeFileSync(draft, `/*\n${license}\n */\n${outputFiles[0]?.text ?? ''}`);
renameSync(draft, target);
