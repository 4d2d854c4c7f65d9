#!/usr/bin/env node
// The entry of `pi-tools`. Plain JavaScript, old syntax on purpose: it has to say something useful where Node is too
// old for the rest, or where nothing was built yet.
import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const MINIMUM = [20, 19];
const here = (path) => new URL(path, import.meta.url);
const version = () => JSON.parse(readFileSync(here('../package.json'), 'utf8')).version;

const [major, minor] = process.versions.node.split('.').map(Number);
const argv = process.argv.slice(2);

/** `--json` promises one document on stdout, here too. */
function refuse(code, message, hint) {
  if (argv.includes('--json')) {
    process.stdout.write(`${JSON.stringify({ error: { code, message, hint, details: {} } })}\n`);
  }
  process.stderr.write(`error: ${message}\nhint: ${hint}\n`);
  process.exitCode = 1;
}

if (major < MINIMUM[0] || (major === MINIMUM[0] && minor < MINIMUM[1])) {
  const wanted = MINIMUM.join('.');
  refuse(
    'needs_node',
    `pi-tools needs Node.js ${wanted} or newer, this is ${process.versions.node}`,
    `install Node.js ${wanted} or newer`,
  );
} else if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  process.stdout.write(`${version()}\n`);
} else if (!existsSync(here('../dist/cli/main.js'))) {
  refuse('internal', 'pi-tools is not built yet', `run \`npm run build\` in ${fileURLToPath(here('..'))}`);
} else {
  // Keeps compiled code between runs, where Node can (22.8 and newer).
  if (typeof module.enableCompileCache === 'function') module.enableCompileCache();
  const { main } = await import('../dist/cli/main.js');
  await main(argv);
}
