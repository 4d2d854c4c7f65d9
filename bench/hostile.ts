/**
 * `npm run bench:hostile`: ten hostile packages are published at once to a real server, by five publishers, while its
 * health and a manifest are asked for and a good package is published. Exit 1 when the health's p99 is not below 200 ms.
 * `-- --kinds [WORD]` examines every kind of test/hostile alone instead, and prints what each takes.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { archiveOf, entry, packageJson } from '../test/hostile/hostile-package.ts';
import { HOSTILE_PACKAGES, type HostilePackage } from '../test/hostile/index.ts';
import { groupUse } from '../tool-package/examine/group-use.ts';
import { examineKinds } from './hostile-kinds.ts';
import { report } from './measure.ts';

/** The slowest, the largest, and those that the server itself has to read. */
const TEN = [
  'file: class bodies',
  'file: calls',
  'files: 1.5 MiB of dense sources',
  'imports: a ring of stars',
  'imports: stars that double',
  'entry: 3,000 tools of 4 KB',
  'entry: caught buffers',
  'files: 90 MiB of noise',
  'files: long paths',
  'entry: text of short sentences',
];
const HEALTH_P99_MS = 200;
const PUBLISHERS = 5;
const IDLE_MS = 4000;

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'pi-tools-hostile-'));
const env = { PATH: process.env.PATH ?? '', HOME: folder, LANG: 'C.UTF-8' };
const children: ChildProcess[] = [];
const print = (line: string): void => void process.stdout.write(`${line}\n`);

type Server = { url: string; adminToken: string; pid: number };
type Pings = { times: number[]; failures: number };
type Upload = { id: string; seconds: number; status: number; code: string };

async function startServer(): Promise<Server> {
  const args = [join(root, 'cli', 'bin.js'), 'serve', '--port', '0', '--data', join(folder, 'registry'), '--json'];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`serve ended with exit code ${code}`)));
  });
  return { ...(JSON.parse(line) as { url: string; adminToken: string }), pid: child.pid ?? 0 };
}

/** The answer ends it and gives what was measured. */
function startPings(server: Server, path: string, intervalMs: number): () => Promise<Pings> {
  const file = fileURLToPath(new URL('./ping.js', import.meta.url));
  const child = spawn(process.execPath, [file, new URL(server.url).port, path, String(intervalMs)], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  return () =>
    new Promise((resolve) => {
      child.stdout.once('end', () => resolve(JSON.parse(text) as Pings));
      child.stdin.end();
    });
}

async function post(server: Server, path: string, token: string, body: string | Uint8Array): Promise<Response> {
  const type = typeof body === 'string' ? 'application/json' : 'application/gzip';
  return fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    body: body as string,
  });
}

async function addPublisher(server: Server, user: string): Promise<string> {
  await post(server, '/v1/users', server.adminToken, JSON.stringify({ user, role: 'publisher' }));
  const scopes = ['read', 'publish'];
  const made = await post(server, '/v1/tokens', server.adminToken, JSON.stringify({ user, scopes }));
  return ((await made.json()) as { token: string }).token;
}

async function upload(server: Server, token: string, id: string, archive: Uint8Array): Promise<Upload> {
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  try {
    const response = await post(server, '/v1/publish', token, archive);
    const body = (await response.json()) as { code?: string; status?: string };
    const code = (response.ok ? body.status : body.code) ?? '';
    return { id, seconds: seconds(), status: response.status, code };
  } catch {
    return { id, seconds: seconds(), status: 0, code: 'no answer' };
  }
}

const good = (name: string): Uint8Array =>
  archiveOf({ 'index.ts': entry(), 'README.md': '# Good\n', 'package.json': packageJson(name) });

const percentile = (times: readonly number[], part: number): number =>
  [...times].sort((left, right) => left - right)[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;

function row(what: string, { times, failures }: Pings): string {
  const ms = (part: number) => `${percentile(times, part).toFixed(1)} ms`.padStart(10);
  return `${what.padEnd(34)} p50 ${ms(0.5)}  p99 ${ms(0.99)}  max ${ms(1)}  of ${times.length}, ${failures} failed`;
}

/** The most that the server, and what it started, held at one time. */
function watchMemory({ pid }: Server): () => { server: number; children: number } {
  const most = { server: 0, children: 0 };
  const timer = setInterval(() => {
    const { residentBytes, own } = groupUse(pid);
    most.server = Math.max(most.server, own);
    most.children = Math.max(most.children, residentBytes - own);
  }, 100);
  return () => {
    clearInterval(timer);
    return most;
  };
}

async function measureServer(kinds: readonly HostilePackage[]): Promise<boolean> {
  const archives = kinds.map((kind, index) => kind.make(`hostile-${'abcdefghijklmnopqrstuvwxyz'[index]}`));
  const server = await startServer();
  const tokens = await Promise.all(Array.from({ length: PUBLISHERS }, (_, i) => addPublisher(server, `mallory${i}`)));
  const alice = await addPublisher(server, 'alice');
  await upload(server, alice, 'warm up', good('good'));
  const alone = await upload(server, alice, 'a good package, alone', good('good-alone'));

  const idleHealth = startPings(server, '/healthz', 20);
  await wait(IDLE_MS);
  const idle = await idleHealth();

  const memory = watchMemory(server);
  const stopHealth = startPings(server, '/healthz', 20);
  const stopManifest = startPings(server, '/v1/packages/good/versions/1.0.0', 100);
  const uploads = archives.map((archive, index) =>
    upload(server, tokens[index % PUBLISHERS] ?? '', kinds[index]?.id ?? '', archive),
  );
  await wait(1000);
  const meanwhile = await upload(server, alice, 'a good package, meanwhile', good('good-meanwhile'));
  const answers = await Promise.all(uploads);
  const [health, manifest] = await Promise.all([stopHealth(), stopManifest()]);
  const most = memory();

  print(row('health, idle server', idle));
  print(row('health, hostile packages', health));
  print(row('a manifest, hostile packages', manifest));
  print('');
  for (const { id, seconds, status, code } of [alone, meanwhile, ...answers])
    print(`${seconds.toFixed(1).padStart(7)} s  ${status} ${code.padEnd(22)} ${id}`);
  const mib = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MiB`;
  print(`\nmost memory: server ${mib(most.server)}, its children together ${mib(most.children)}`);
  const p99 = percentile(health.times, 0.99);
  print(`health p99, hostile / idle: ${(p99 / percentile(idle.times, 0.99)).toFixed(1)}`);
  return report('health p99 in ms / 200 ms', p99 / HEALTH_P99_MS, { atMost: 1 }, `${health.failures} failed`);
}

async function main(): Promise<boolean> {
  const [option, word] = process.argv.slice(2);
  try {
    if (option === '--kinds') return await examineKinds(HOSTILE_PACKAGES, word ?? '', print);
    return await measureServer(HOSTILE_PACKAGES.filter(({ id }) => TEN.includes(id)));
  } finally {
    for (const child of children) child.kill('SIGTERM');
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

process.exitCode = (await main()) ? 0 : 1;
