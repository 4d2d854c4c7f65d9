/**
 * kill -9 at system calls: after the next command the world is the old one or the new one, and the same command then works.
 * strace sends the signal in place of the n-th call of a kind; where it is not installed (or may not trace) this is skipped.
 * PI_TOOLS_KILL_POINTS=all tries every call instead of a sample.
 */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collect } from '../../support/cli.ts';
import { createPiHome, type PiHome } from '../../support/home.ts';
import { type LiveRegistry, publishTo, sketchArchive, startRegistry } from '../../support/registry.ts';
import { snapshotWorld, type World } from '../../support/world.ts';

const bin = fileURLToPath(new URL('../../../cli/bin.js', import.meta.url));
/** Not a program that the project brings. */
const tracer = 'strace';
const canTrace = spawnSync(tracer, ['-f', '-qq', '-e', 'trace=none', 'true']).status === 0;
const all = process.env.PI_TOOLS_KILL_POINTS === 'all';

let registry: LiveRegistry;
const folders: string[] = [];

beforeAll(async () => {
  registry = await startRegistry({ review: 'off' });
  for (const version of ['1.0.0', '1.1.0']) {
    const files = { 'lib/a.ts': `export const v = '${version}';\n`, [`only-${version}.txt`]: version };
    await publishTo(registry.url, registry.adminToken, sketchArchive({ version, files }));
  }
}, 60_000);

afterAll(async () => {
  await registry.end();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const environment = (folder: string) => ({
  PATH: process.env.PATH ?? '',
  HOME: join(folder, 'home'),
  TMPDIR: tmpdir(),
  PI_TOOLS_REGISTRY: registry.url,
});

/** Not spawnSync: the registry lives in this process. */
const run = async (folder: string, args: readonly string[], before: readonly string[] = []) => {
  const [command = process.execPath, ...rest] = [...before, process.execPath, bin, ...args];
  return collect(spawn(command, rest, { cwd: join(folder, 'project'), env: environment(folder), stdio: 'pipe' }));
};

const copyOf = (template: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'pi-tools-crash-'));
  folders.push(folder);
  cpSync(template, folder, { recursive: true, verbatimSymlinks: true });
  return folder;
};

type Outcome = 'survived' | 'old' | 'new';

/** The start of a command line that is killed at a call. Not with --seccomp-bpf: strace 6.1 then does not send the signal. */
const killing = (call: string, nth: number): string[] => [
  ...[tracer, '-f', '-qq', '-o', '/dev/null', '-e', `trace=${call}`],
  ...['-e', `inject=${call}:signal=SIGKILL:when=${nth}`],
];

/** Kills the command at the n-th call of a kind, and looks at the world after `list`, and after the command again. */
async function killAt(
  template: string,
  args: readonly string[],
  call: string,
  nth: number,
  worlds: { old: World; new: World },
): Promise<Outcome> {
  const folder = copyOf(template);
  const killed = await run(folder, args, killing(call, nth));
  const point = `${call} ${nth}`;
  if (killed.code === 0) return 'survived';
  const listed = await run(folder, ['list', '--json']);
  expect(listed.code, `${point}: ${listed.stderr}`).toBe(0);
  const states = JSON.parse(listed.stdout).installed.map((row: { state: string }) => row.state);
  expect(
    states.every((state: string) => state === 'ok'),
    `${point}: ${listed.stdout}`,
  ).toBe(true);
  const now = snapshotWorld(folder);
  const isOld = JSON.stringify(now) === JSON.stringify(worlds.old);
  if (!isOld) expect(now, `${point} left a mixture`).toEqual(worlds.new);
  const again = await run(folder, isOld ? args : ['list']);
  expect(again.code, `${point}: ${again.stderr}`).toBe(0);
  expect(snapshotWorld(folder), `${point}, then again`).toEqual(worlds.new);
  rmSync(folder, { recursive: true, force: true });
  return isOld ? 'old' : 'new';
}

/** A sample of the calls: each kind, from its first to its last. */
const CALLS: readonly { call: string; step: number }[] = [
  { call: 'rename', step: all ? 1 : 2 },
  { call: 'link', step: all ? 1 : 2 },
  { call: 'unlink', step: all ? 1 : 3 },
  { call: 'rmdir', step: all ? 1 : 4 },
  { call: 'fsync', step: all ? 1 : 11 },
  { call: 'mkdir', step: all ? 1 : 17 },
];

async function prepare(steps: readonly (readonly string[])[]): Promise<PiHome> {
  const home = await createPiHome('{\n  "theme": "dark",\n  "allowedTools": ["read"]\n}\n');
  folders.push(home.folder);
  for (const args of steps) expect((await run(home.folder, args)).code).toBe(0);
  return home;
}

async function tryAll(template: string, args: readonly string[]): Promise<Record<Outcome, number>> {
  const reference = copyOf(template);
  const done = await run(reference, args);
  expect(done.code, done.stderr).toBe(0);
  const worlds = { old: snapshotWorld(template), new: snapshotWorld(reference) };
  expect(worlds.old).not.toEqual(worlds.new);
  const counts: Record<Outcome, number> = { survived: 0, old: 0, new: 0 };
  for (const { call, step } of CALLS) {
    for (let nth = 1; nth < 200; nth += step) {
      const outcome = await killAt(template, args, call, nth, worlds);
      counts[outcome] += 1;
      if (outcome === 'survived') break;
    }
  }
  return counts;
}

/** The n-th call of a kind fails: a clean message, and the world is the old one; or it did not matter. */
async function failAt(
  template: string,
  args: readonly string[],
  fault: { call: string; error: string; nth: number },
  worlds: { old: World; new: World },
): Promise<'unnoticed' | 'refused' | 'done'> {
  const folder = copyOf(template);
  const { call, error, nth } = fault;
  const inject = `inject=${call}:error=${error}:when=${nth}`;
  const failed = await run(
    folder,
    [...args, '--json'],
    [...[tracer, '--seccomp-bpf', '-f', '-qq', '-o', join(folder, 'trace'), '-e', `trace=${call}`, '-e', inject]],
  );
  const hit = readFileSync(join(folder, 'trace'), 'utf8').includes('INJECTED');
  rmSync(join(folder, 'trace'));
  const point = `${call} ${nth} ${error}: ${failed.stdout}${failed.stderr}`;
  if (failed.code === 0) {
    // A fault after the commit is no failure; the next command clears up, at worst without the copy for a rollback.
    expect((await run(folder, ['list'])).code, point).toBe(0);
    const essential = (world: World) => Object.entries(world).filter(([path]) => !path.includes('.pi-tools/'));
    expect(essential(snapshotWorld(folder)), point).toEqual(essential(worlds.new));
    rmSync(folder, { recursive: true, force: true });
    return hit ? 'done' : 'unnoticed';
  }
  const now = snapshotWorld(folder);
  rmSync(folder, { recursive: true, force: true });
  expect(failed.json.error.code, point).not.toBe('internal');
  expect(now, point).toEqual(worlds.old);
  return 'refused';
}

const FAULTS = [
  { call: 'rename', error: 'EIO' },
  { call: 'rename', error: 'ENOSPC' },
  { call: 'fsync', error: 'EIO' },
  { call: 'link', error: 'EPERM' },
  { call: 'mkdir', error: 'ENOSPC' },
];

async function failAll(template: string, args: readonly string[]): Promise<number> {
  const reference = copyOf(template);
  expect((await run(reference, args)).code).toBe(0);
  const worlds = { old: snapshotWorld(template), new: snapshotWorld(reference) };
  let refused = 0;
  for (const fault of FAULTS) {
    for (let nth = 1; nth < 100; nth += all ? 1 : fault.call === 'fsync' ? 9 : 2) {
      const outcome = await failAt(template, args, { ...fault, nth }, worlds);
      if (outcome === 'refused') refused += 1;
      if (outcome === 'unnoticed') break;
    }
  }
  return refused;
}

describe.skipIf(!canTrace)('a disk that fails', () => {
  it('install', { timeout: 900_000 }, async () => {
    const home = await prepare([['list']]);
    expect(await failAll(home.folder, ['install', 'weather@1.0.0'])).toBeGreaterThan(4);
  });

  it('update', { timeout: 900_000 }, async () => {
    const home = await prepare([['install', 'weather@1.0.0']]);
    expect(await failAll(home.folder, ['install', 'weather@1.1.0'])).toBeGreaterThan(4);
  });
});

describe.skipIf(!canTrace)('killed at any instant', () => {
  it('install', { timeout: 900_000 }, async () => {
    const home = await prepare([['list']]);
    const counts = await tryAll(home.folder, ['install', 'weather@1.0.0']);
    expect(counts.old).toBeGreaterThan(3);
    // The sample may miss the few calls behind the commit.
    if (all) expect(counts.new).toBeGreaterThan(0);
  });

  it('update', { timeout: 900_000 }, async () => {
    const home = await prepare([['install', 'weather@1.0.0']]);
    const counts = await tryAll(home.folder, ['install', 'weather@1.1.0']);
    expect(counts.old).toBeGreaterThan(3);
    expect(counts.new).toBeGreaterThan(0);
  });

  it('remove', { timeout: 900_000 }, async () => {
    const home = await prepare([['install', 'weather@1.0.0']]);
    const counts = await tryAll(home.folder, ['remove', 'weather']);
    expect(counts.old).toBeGreaterThan(1);
    expect(counts.new).toBeGreaterThan(0);
  });

  it('and again while the next command takes it back', { timeout: 900_000 }, async () => {
    const home = await prepare([['list']]);
    const old = snapshotWorld(home.folder);
    let again = 0;
    for (const call of ['rename', 'unlink', 'fsync']) {
      for (let nth = 1; nth < 40; nth += all ? 1 : 2) {
        const folder = copyOf(home.folder);
        // The main thread's seventh rename puts the lock file into place: everything before it has to be taken back.
        expect((await run(folder, ['install', 'weather@1.0.0'], killing('rename', 7))).code).not.toBe(0);
        expect(existsSync(join(folder, 'home/.pi/agent/.pi-tools/journal.json'))).toBe(true);
        const survived = (await run(folder, ['list'], killing(call, nth))).code === 0;
        expect((await run(folder, ['list'])).code, `${call} ${nth}`).toBe(0);
        expect(snapshotWorld(folder), `${call} ${nth}`).toEqual(old);
        rmSync(folder, { recursive: true, force: true });
        if (survived) break;
        again += 1;
      }
    }
    expect(again).toBeGreaterThan(3);
  });
});
