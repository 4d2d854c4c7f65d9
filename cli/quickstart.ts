/**
 * `npm run quickstart`: the main job, for real, in a throw-away home: a registry on a free loopback port, publish, install, and a call of the installed
 * tool through pi's pipeline. Only the weather service's two answers come from a local stand-in, since a first look must not need the internet.
 * `--keep` leaves the registry running and the home in place.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { readEnvironment } from './environment.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const bin = join(root, 'cli', 'bin.js');
const SETTINGS = '{\n  "theme": "dark",\n  "allowedTools": ["read", "bash", "edit", "write"]\n}\n';

const print = (text: string) => process.stdout.write(`${text}\n`);
const step = (title: string) => print(`\n── ${title}`);
const indent = (text: string) => text.trimEnd().replace(/^/gm, '   ');

/** Nothing of the user's own configuration may reach the demonstration, nor the other way round. */
function throwAwayEnvironment(home: string): Record<string, string> {
  const { PATH = '', TMPDIR, LANG = 'C.UTF-8', SystemRoot } = readEnvironment().env;
  return {
    PATH,
    LANG,
    HOME: home,
    USERPROFILE: home,
    ...(TMPDIR ? { TMPDIR } : {}),
    ...(SystemRoot ? { SystemRoot } : {}),
  };
}

async function startRegistry(
  data: string,
  env: Record<string, string>,
): Promise<{ child: ChildProcess; url: string; adminToken: string }> {
  const child = spawn(process.execPath, [bin, 'serve', '--port', '0', '--data', data, '--json'], {
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const ended = new Promise<never>((_, reject) =>
    child.once('exit', (code) => reject(new Error(`serve ended with exit code ${code}`))),
  );
  ended.catch(() => {});
  const line = await Promise.race([new Promise<string>((resolve) => lines.once('line', resolve)), ended]);
  if (!line.includes('"url"')) throw new Error(`serve did not start: ${line}`);
  return { child, ...(JSON.parse(line) as { url: string; adminToken: string }) };
}

function piTools(args: string[], env: Record<string, string>, cwd: string): void {
  print(`   $ pi-tools ${args.join(' ')}`);
  const done = spawnSync(process.execPath, [bin, ...args], { env, cwd, encoding: 'utf8' });
  print(indent(done.stderr + done.stdout));
  if (done.status !== 0) throw new Error(`pi-tools ${args[0]} ended with exit code ${done.status}`);
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Answers the two requests that the weather tool makes, as Open-Meteo does. */
async function startWeatherStandIn(): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    const place = {
      results: [{ name: 'Tokyo', country: 'Japan', latitude: 35.69, longitude: 139.69, timezone: 'Asia/Tokyo' }],
    };
    const forecast = {
      timezone: 'Asia/Tokyo',
      current: {
        time: '2026-11-30T09:15',
        temperature_2m: 21.4,
        apparent_temperature: 21,
        relative_humidity_2m: 63,
        wind_speed_10m: 11.5,
        weather_code: 2,
      },
      daily: { temperature_2m_min: [14], temperature_2m_max: [23], precipitation_probability_max: [20] },
    };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(request.url?.includes('/search') ? place : forecast));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/** Runs in a child process, so that the stand-in's address is in the environment that the tool reads. */
async function callTool(entry: string): Promise<void> {
  const { callTool, loadPiExtension } = await import('../tool-package/run/index.ts');
  const extension = await loadPiExtension(entry);
  const answer = await callTool(extension, 'weather', { city: 'Tokyo' });
  const text = answer.content.map((part) => ('text' in part ? part.text : `[${part.type}]`)).join('\n');
  print(text);
  if (answer.isError) throw new Error('the tool answered with an error');
}

async function callInstalledTool(agentFolder: string, env: Record<string, string>): Promise<void> {
  const installed = join(agentFolder, 'extensions', 'weather');
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    pi: { extensions: string[] };
  };
  const entry = join(installed, manifest.pi.extensions[0] ?? '');
  const standIn = await startWeatherStandIn();
  print('   the model calls  weather {"city":"Tokyo"}');
  print(`   (the two web requests are answered by a local stand-in at ${standIn.url}, not by Open-Meteo)`);
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), '--call', entry], {
    env: { ...env, OPEN_METEO_URL: standIn.url, OPEN_METEO_GEOCODING_URL: standIn.url },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  standIn.close();
  print(indent(output));
  if (code !== 0) throw new Error('the installed tool could not be called');
}

function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

async function demonstrate(folder: string): Promise<{ child: ChildProcess; url: string; home: string }> {
  const home = join(folder, 'home');
  const agentFolder = join(home, '.pi', 'agent');
  mkdirSync(agentFolder, { recursive: true });
  const settings = join(agentFolder, 'settings.json');
  writeFileSync(settings, SETTINGS);
  const env = throwAwayEnvironment(home);

  step('A registry, on a free port, with an empty data folder');
  const registry = await startRegistry(join(folder, 'registry'), env);
  print(`   listening on ${registry.url}; the administrator's token was shown once`);
  const asAdmin = { ...env, PI_TOOLS_REGISTRY: registry.url, PI_TOOLS_TOKEN: registry.adminToken };
  const asUser = { ...env, PI_TOOLS_REGISTRY: registry.url };

  try {
    step('An author publishes a tool');
    piTools(['publish', join('catalog', 'weather')], asAdmin, root);
    step('A user installs it into pi');
    print(`   ~/.pi/agent/settings.json before:\n${indent(SETTINGS)}`);
    piTools(['install', 'weather'], asUser, home);
    print(`   ~/.pi/agent/settings.json after:\n${indent(readFileSync(settings, 'utf8'))}`);
    print('   files:');
    for (const file of listFiles(join(agentFolder, 'extensions'))) print(`     ~/${relative(home, file)}`);
    step("The agent calls it, through pi's own steps: prepare, validate, execute");
    await callInstalledTool(agentFolder, asUser);
  } catch (error) {
    await stop(registry.child);
    throw error;
  }
  return { child: registry.child, url: registry.url, home };
}

async function main(): Promise<void> {
  const [first, entry] = process.argv.slice(2);
  if (first === '--call' && entry !== undefined) return callTool(entry);
  const folder = mkdtempSync(join(tmpdir(), 'pi-tools-quickstart-'));
  const keep = process.argv.includes('--keep');
  try {
    const { child, url, home } = await demonstrate(folder);
    if (keep) {
      child.unref();
      (child.stdout as unknown as { unref(): void }).unref();
      step('Kept');
      print(`   registry  ${url}  (process ${child.pid})\n   home      ${home}`);
      return;
    }
    await stop(child);
    step('Done: published, installed and called. Everything above was in a throw-away folder, which is gone.');
  } finally {
    if (!keep) rmSync(folder, { recursive: true, force: true });
  }
}

try {
  await main();
} catch (error) {
  process.stderr.write(`quickstart: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
