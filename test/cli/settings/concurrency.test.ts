/** Twenty installs at once beside a program that writes settings.json as pi does: under proper-lockfile with ten tries of 20 ms, in place. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createPiHome, type PiHome } from '../../support/home.ts';
import { type LiveRegistry, publishTo, sketchArchive, startRegistry } from '../../support/registry.ts';

const lockfile = createRequire(import.meta.url).resolve('proper-lockfile');

let registry: LiveRegistry;
let home: PiHome;
const count = 20;

beforeAll(async () => {
  registry = await startRegistry({ review: 'off' });
  for (let at = 0; at < count; at += 1)
    await publishTo(registry.url, registry.adminToken, sketchArchive({ name: `tool-${at}` }));
}, 120_000);

afterAll(() => registry.end());
afterEach(() => home.remove());

const run = (args: string[]) => home.run(args, { env: { PI_TOOLS_REGISTRY: registry.url } });

/** Counts up a key of its own; reports what it could not do in the time that pi waits. */
const PI_LIKE = (settings: string): string => `
const lockfile = require(${JSON.stringify(lockfile)});
const fs = require('node:fs');
const file = ${JSON.stringify(settings)};
const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
let done = 0, missed = 0, stop = false;
process.on('message', () => { stop = true; });
const lock = () => {
  for (let tries = 0; tries < 10; tries += 1) {
    try { return lockfile.lockSync(file, { realpath: false }); } catch (error) { if (error.code !== 'ELOCKED') throw error; sleep(20); }
  }
};
const turn = () => {
  if (stop) { process.send({ done, missed }); process.disconnect(); return; }
  const release = lock();
  if (!release) missed += 1;
  else {
    const value = JSON.parse(fs.readFileSync(file, 'utf8'));
    value.counter = (value.counter ?? 0) + 1;
    fs.writeFileSync(file, JSON.stringify(value, null, 2));
    done += 1;
    release();
  }
  setTimeout(turn, 5 + Math.random() * 20);
};
turn();
`;

const startWriter = (): ChildProcess =>
  spawn(process.execPath, ['-e', PI_LIKE(home.settings)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });

describe('many at once', () => {
  it('all names arrive, nobody loses a write, and nothing is left', { timeout: 240_000 }, async () => {
    home = await createPiHome('{\n  "foreign": {"keep": [1, 2]},\n  "allowedTools": []\n}');
    const writer = startWriter();
    const report = new Promise<{ done: number; missed: number }>((resolve) =>
      writer.once('message', (value) => resolve(value as never)),
    );
    const results = await Promise.all(Array.from({ length: count }, (_, at) => run(['install', `tool-${at}`])));
    writer.send('stop');
    const { done, missed } = await report;
    expect(results.map(({ code }) => code)).toEqual(Array(count).fill(0));
    const settings = JSON.parse(home.read('home/.pi/agent/settings.json'));
    const names = Array.from({ length: count }, (_, at) => `tool_${at}`).sort();
    expect(settings.allowedTools.sort()).toEqual(names);
    expect(settings.foreign).toEqual({ keep: [1, 2] });
    expect(settings.counter).toBe(done);
    expect(missed).toBe(0);
    expect(Object.keys(JSON.parse(home.read('home/.pi/agent/pi-tools.lock.json')).packages)).toHaveLength(count);
    expect(readdirSync(home.agent).sort()).toEqual(['.pi-tools', 'extensions', 'pi-tools.lock.json', 'settings.json']);
    expect(readdirSync(join(home.agent, '.pi-tools')).sort()).toEqual(['.gitignore', 'state.json']);
  });

  it('waits for a lock that is held, and takes over one that nobody touched for ten seconds', {
    timeout: 60_000,
  }, async () => {
    home = await createPiHome('{"allowedTools": []}');
    const lock = `${home.settings}.lock`;
    mkdirSync(lock);
    utimesSync(lock, new Date(Date.now() - 11_000), new Date(Date.now() - 11_000));
    const { code } = await run(['install', 'tool-1']);
    expect(code).toBe(0);
    expect(existsSync(lock)).toBe(false);
  });

  it('gives up after fifteen seconds and takes everything back', { timeout: 60_000 }, async () => {
    home = await createPiHome('{"allowedTools": []}');
    const lock = `${home.settings}.lock`;
    mkdirSync(lock);
    const before = home.snapshot();
    const touch = setInterval(() => utimesSync(lock, new Date(), new Date()), 1000);
    const result = await home.run(['install', 'tool-1', '--json'], { env: { PI_TOOLS_REGISTRY: registry.url } });
    clearInterval(touch);
    expect(result.code).toBe(1);
    expect(result.json.error.code).toBe('settings_locked');
    expect(home.snapshot()).toEqual(before);
  });

  it('waits for another pi-tools, and takes the lock of a dead one', { timeout: 60_000 }, async () => {
    home = await createPiHome('{"allowedTools": []}');
    const dead = spawn(process.execPath, ['-e', '']);
    await new Promise((resolve) => dead.once('exit', resolve));
    const { hostname } = await import('node:os');
    mkdirSync(join(home.agent, '.pi-tools'));
    const holder = { id: 'a'.repeat(24), pid: dead.pid, start: '', host: hostname() };
    writeFileSync(join(home.agent, '.pi-tools', 'lock'), JSON.stringify(holder));
    expect((await run(['install', 'tool-2'])).code).toBe(0);
  });
});
