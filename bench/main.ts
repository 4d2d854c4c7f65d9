/** `npm run bench`: ratios of this machine, in one run. Never a test: a busy machine must not fail a build. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { load } from './load.ts';
import { compare, median, report, runProgram } from './measure.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const bin = join(root, 'cli', 'bin.js');
const folder = mkdtempSync(join(tmpdir(), 'pi-tools-bench-'));
const home = join(folder, 'home');
const env = { PATH: process.env.PATH ?? '', HOME: home, LANG: 'C.UTF-8' };
const children: ChildProcess[] = [];

async function start(args: string[]): Promise<string> {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with exit code ${code}`)));
  });
}

const piTools = (...args: string[]) => runProgram(process.execPath, [bin, ...args], { env, cwd: home });
const emptyFolders = (...paths: string[]) => {
  for (const path of paths) {
    rmSync(path, { recursive: true, force: true });
    mkdirSync(path, { recursive: true });
  }
};
const details = (times: Map<string, number>) =>
  [...times].map(([name, ms]) => `${name} ${ms.toFixed(0)} ms`).join(', ');
const ratio = (times: Map<string, number>, over: string, under: string) =>
  (times.get(over) ?? Number.NaN) / (times.get(under) ?? Number.NaN);

function benchStart(): void {
  piTools('install', 'weather');
  const times = compare(
    [
      { name: 'node -e 0', run: () => runProgram(process.execPath, ['-e', '0'], { env }) },
      { name: '--version', run: () => piTools('--version') },
      { name: 'list', run: () => piTools('list') },
    ],
    15,
  );
  report('pi-tools --version / node -e 0', ratio(times, '--version', 'node -e 0'), { atMost: 2.5 }, details(times));
  report('pi-tools list / node -e 0', ratio(times, 'list', 'node -e 0'), { atMost: 4 }, details(times));
}

function benchInstall(url: string): void {
  const npmFolder = join(folder, 'npm');
  const npmCache = join(folder, 'npm-cache');
  const agent = join(home, '.pi');
  const cache = join(home, '.cache');
  const archive = `${url}/v1/packages/weather/versions/1.0.0/archive`;
  const npm = () =>
    runProgram('npm', ['install', archive, '--no-audit', '--no-fund', '--cache', npmCache], { env, cwd: npmFolder });
  const install = () => piTools('install', 'weather', '--registry', url);
  const cold = compare(
    [
      { name: 'npm', run: npm, before: () => emptyFolders(npmFolder, npmCache) },
      { name: 'pi-tools', run: install, before: () => emptyFolders(agent, cache) },
    ],
    7,
  );
  const warm = compare(
    [
      { name: 'npm', run: npm, before: () => emptyFolders(npmFolder) },
      { name: 'pi-tools', run: install, before: () => emptyFolders(agent) },
    ],
    7,
  );
  report('npm install / pi-tools install, empty cache', ratio(cold, 'npm', 'pi-tools'), { atLeast: 2 }, details(cold));
  report('npm install / pi-tools install, warm cache', ratio(warm, 'npm', 'pi-tools'), { atLeast: 2 }, details(warm));
}

async function benchDownload(url: string, path: string, type: string): Promise<void> {
  const body = join(folder, 'body');
  writeFileSync(body, new Uint8Array(await (await fetch(`${url}${path}`)).arrayBuffer()));
  const bare = Number(await start([fileURLToPath(new URL('./bare-server.js', import.meta.url)), body, type]));
  const registry = Number(new URL(url).port);
  const speeds: { registry: number[]; bare: number[] } = { registry: [], bare: [] };
  for (let round = 0; round <= 5; round += 1) {
    const ours = await load({ port: registry, path, requests: 6000, connections: 16 });
    const theirs = await load({ port: bare, path: '/', requests: 6000, connections: 16 });
    if (round === 0) continue;
    speeds.registry.push(ours);
    speeds.bare.push(theirs);
  }
  const [ours, theirs] = [median(speeds.registry), median(speeds.bare)];
  report(
    `requests per second, registry / bare server: ${path}`,
    ours / theirs,
    { atLeast: 1 / 3 },
    `${ours.toFixed(0)}/s, ${theirs.toFixed(0)}/s`,
  );
}

async function main(): Promise<void> {
  emptyFolders(home);
  try {
    benchStart();
    const ready = JSON.parse(
      await start([bin, 'serve', '--port', '0', '--data', join(folder, 'registry'), '--json']),
    ) as { url: string; adminToken: string };
    const published = spawnSync(
      process.execPath,
      [bin, 'publish', join(root, 'catalog', 'weather'), '--registry', ready.url],
      {
        env: { ...env, PI_TOOLS_TOKEN: ready.adminToken },
        encoding: 'utf8',
      },
    );
    if (published.status !== 0) throw new Error(published.stderr);
    benchInstall(ready.url);
    await benchDownload(ready.url, '/v1/packages/weather', 'application/json');
    await benchDownload(ready.url, '/v1/packages/weather/versions/1.0.0/archive', 'application/gzip');
  } finally {
    for (const child of children) child.kill('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
