#!/usr/bin/env node
// Makes a checkout ready: installs what is missing, then builds what is stale. Plain JavaScript, since it runs before
// there is a compiler. `--build-only` never installs: npm itself runs it so (script `prepare`) at the end of `npm ci`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const inRoot = (...parts) => join(root, ...parts);
const say = (text) => process.stderr.write(`pi-tools: ${text}\n`);

/** Runs a program with its output on stderr (`npm pack --json` must keep stdout for itself); ends the process when it fails. */
function run(command, args, what) {
  const done = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    env: { ...process.env, ...localHeaders(), PI_TOOLS_PREPARING: '1' },
    shell: process.platform === 'win32',
  });
  if (done.status === 0) return;
  say(`${what} failed (${command} ${args.join(' ')}: ${done.error?.message ?? `exit ${done.status ?? done.signal}`})`);
  unlock();
  process.exit(1);
}

/**
 * Where no prebuilt better-sqlite3 can be had it is compiled against Node's headers, which node-gyp downloads; most
 * installations have them already, and then compiling needs no network.
 */
function localHeaders() {
  const prefix = join(dirname(realpathSync(process.execPath)), '..');
  const header = join(prefix, 'include', 'node', 'node_version.h');
  if (!existsSync(header)) return {};
  const text = readFileSync(header, 'utf8');
  const part = (name) => new RegExp(`#define NODE_${name}_VERSION (\\d+)`).exec(text)?.[1];
  const version = `v${part('MAJOR')}.${part('MINOR')}.${part('PATCH')}`;
  return version === process.version ? { npm_package_config_node_gyp_nodedir: prefix } : {};
}

const modifiedAt = (file) => (existsSync(file) ? statSync(file).mtimeMs : 0);

function needsInstall() {
  const installed = inRoot('node_modules', '.package-lock.json');
  if (!existsSync(installed)) return 'node_modules is missing';
  if (modifiedAt(inRoot('package-lock.json')) > modifiedAt(installed) && !sameLock(installed))
    return 'package-lock.json changed';
  if (!existsSync(inRoot('node_modules', 'better-sqlite3', 'build', 'Release', 'better_sqlite3.node')))
    return 'better-sqlite3 is not compiled';
  return undefined;
}

/** A fresh clone's lock file is always the newer one; only its content says whether an install is due. */
function sameLock(installed) {
  const versions = (file) =>
    Object.entries(JSON.parse(readFileSync(file, 'utf8')).packages)
      .filter(([path, entry]) => path !== '' && !entry.optional && !entry.extraneous)
      .map(([path, entry]) => `${path}@${entry.version}`)
      .sort()
      .join('\n');
  return versions(installed) === versions(inRoot('package-lock.json'));
}

const lockFolder = inRoot('dist', '.build-lock');

/** Two builds at once would read each other's half-written files: the second one waits. */
async function lock() {
  mkdirSync(inRoot('dist'), { recursive: true });
  for (let tries = 0; ; tries += 1) {
    try {
      mkdirSync(lockFolder);
      writeFileSync(join(lockFolder, 'pid'), String(process.pid));
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (ownerIsDead() || tries > 600) unlock();
    else await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

function ownerIsDead() {
  try {
    const pid = Number(readFileSync(join(lockFolder, 'pid'), 'utf8'));
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // No pid yet: the owner is between its two steps, unless the folder is old.
    return error.code === 'ESRCH' || Date.now() - modifiedAt(lockFolder) > 10_000;
  }
}

function unlock() {
  rmSync(lockFolder, { recursive: true, force: true });
}

async function build() {
  const compiler = inRoot('node_modules', 'typescript', 'bin', 'tsc');
  if (!existsSync(compiler)) {
    if (existsSync(inRoot('dist', 'cli', 'main.js'))) return;
    say('the compiler is not installed, so nothing was built; run `npm ci` (with development dependencies) first');
    process.exit(1);
  }
  await lock();
  run(process.execPath, [compiler, '-b', 'tsconfig.json'], 'the build');
  run(
    process.execPath,
    [inRoot('dist', 'tool-package', 'examine', 'build-child.js')],
    'the build of the examining child',
  );
  run(process.execPath, [inRoot('dist', 'cli', 'build-host-packages.js')], 'the build of the host packages');
  run(process.execPath, [inRoot('dist', 'cli', 'build-catalog.js')], 'the build of the catalog');
  unlock();
}

async function main() {
  const buildOnly = process.argv.includes('--build-only');
  // `npm ci` below runs this file again as its own `prepare`: one build is enough.
  if (buildOnly && process.env.PI_TOOLS_PREPARING === '1') return;
  const reason = buildOnly ? undefined : needsInstall();
  if (reason !== undefined) {
    say(
      `${reason}: running npm ci (compiling better-sqlite3 takes up to two minutes where no prebuilt file can be had) …`,
    );
    run('npm', ['ci', '--no-audit', '--no-fund'], 'npm ci');
  }
  await build();
}

await main();
