/**
 * The real agents, from npm, in a folder of their own that outlives the checkout: they are 500 MB and never change.
 * `PI_TOOLS_TEST_AGENTS` names another folder.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

const PI_VERSION = '1.6.0';
const PI_NODE_VERSION = '22.23.3';
const OPENCODE_VERSION = '1.18.33';
const INSTALL_TIMEOUT_MS = 300_000;

export type Pi = { node: string; entry: string; modules: string };
export type Opencode = { binary: string };

function agentsFolder(): string {
  const { PI_TOOLS_TEST_AGENTS, XDG_CACHE_HOME } = process.env;
  return PI_TOOLS_TEST_AGENTS || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'pi-tools-test-agents');
}

/** npm's `node` package fetches one of these in an install script; asking for it directly needs no script. */
function nodePackage(): string {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  return `node-${platform}-${process.arch}`;
}

const piFolder = () => join(agentsFolder(), `pi-${PI_VERSION}-${nodePackage()}-${PI_NODE_VERSION}`);
const opencodeFolder = () => join(agentsFolder(), `opencode-${OPENCODE_VERSION}`);

/** pi, when it is in the cache. */
export function findPi(): Pi | undefined {
  const modules = join(piFolder(), 'node_modules');
  const entry = join(modules, '@earendil-works', 'pi-coding-agent', 'dist', 'bundle', 'cli.js');
  const node = join(modules, nodePackage(), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  return existsSync(entry) && existsSync(node) ? { node, entry, modules } : undefined;
}

/** opencode, when it is in the cache. */
export function findOpencode(): Opencode | undefined {
  const binary = join(opencodeFolder(), 'node_modules', 'opencode-linux-x64', 'bin', 'opencode');
  return existsSync(binary) ? { binary } : undefined;
}

/** Why pi cannot be had, or undefined when it is there now. */
export async function installPi(): Promise<string | undefined> {
  if (findPi()) return undefined;
  const packages = [`@earendil-works/pi-coding-agent@${PI_VERSION}`, `${nodePackage()}@${PI_NODE_VERSION}`];
  return npmInstall(piFolder(), packages);
}

/** Why opencode cannot be had, or undefined when it is there now. */
export async function installOpencode(): Promise<string | undefined> {
  if (findOpencode()) return undefined;
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'only its build for Linux on x64 is tried here';
  return npmInstall(opencodeFolder(), [`opencode-linux-x64@${OPENCODE_VERSION}`]);
}

/** Installs into a folder beside `folder` and renames it: an install that was broken off must not count as one. */
async function npmInstall(folder: string, packages: string[]): Promise<string | undefined> {
  mkdirSync(dirname(folder), { recursive: true });
  const staging = mkdtempSync(`${folder}.new-`);
  try {
    writeFileSync(join(staging, 'package.json'), '{ "name": "pi-tools-test-agents", "private": true }\n');
    const failure = await npm(['install', ...packages], staging);
    if (failure !== undefined) return failure;
    rmSync(folder, { recursive: true, force: true });
    renameSync(staging, folder);
    return undefined;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

function npm(words: string[], cwd: string): Promise<string | undefined> {
  // engine-strict: pi wants a newer Node than the one that runs these tests, and gets it.
  const options = [
    '--ignore-scripts',
    '--no-engine-strict',
    '--no-audit',
    '--no-fund',
    '--no-package-lock',
    '--fetch-retries=1',
    '--fetch-retry-mintimeout=1000',
  ];
  const child = spawn('npm', [...words, ...options], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: INSTALL_TIMEOUT_MS,
    shell: process.platform === 'win32',
  });
  let errors = '';
  child.stderr.on('data', (data) => {
    errors += String(data);
  });
  return new Promise((done) => {
    child.on('error', (error) => done(error.message));
    child.on('close', (code) => done(code === 0 ? undefined : npmReason(errors)));
  });
}

/** A code such as ENOTFOUND says enough; the rest of npm's text is its paths and hints. */
function npmReason(errors: string): string {
  const code = /^npm error code (\S+)/m.exec(errors)?.[1];
  return code === undefined ? 'npm could not install it' : `npm could not install it (${code})`;
}
