/** The root's lock among real processes: one at a time, taken from the dead only. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rootLockFile, takeRootLock } from '../../../cli/state/root-lock.ts';

const module = pathToFileURL(fileURLToPath(new URL('../../../dist/cli/state/root-lock.js', import.meta.url))).href;

let folder: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pi-tools-lock-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** A process that takes the lock, says so, and works under it as the code says. */
const start = (code: string): ChildProcess => {
  const source = `import { takeRootLock } from ${JSON.stringify(module)}; import fs from 'node:fs';
    const folder = ${JSON.stringify(folder)}; const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
    ${code}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return child;
};
const ended = (child: ChildProcess) => new Promise<void>((resolve) => child.once('exit', () => resolve()));
const said = (child: ChildProcess) =>
  new Promise<string>((resolve) => child.stdout?.once('data', (data) => resolve(String(data))));

const HOLD = "const lock = await takeRootLock(folder); process.stdout.write('held'); await sleep(60_000);";

describe('the lock of a root', () => {
  it('lets one work at a time', { timeout: 60_000 }, async () => {
    const counter = join(folder, 'counter');
    writeFileSync(counter, '0');
    const add = `for (let turn = 0; turn < 5; turn += 1) {
      const lock = await takeRootLock(folder);
      const now = Number(fs.readFileSync(folder + '/counter', 'utf8'));
      await sleep(3);
      fs.writeFileSync(folder + '/counter', String(now + 1));
      lock.release();
    }`;
    await Promise.all(Array.from({ length: 6 }, () => ended(start(add))));
    expect(readFileSync(counter, 'utf8')).toBe('30');
    expect(readdirSync(folder)).toEqual(['counter']);
  });

  it('is taken over after kill -9, by one of many', { timeout: 60_000 }, async () => {
    const holder = start(HOLD);
    await said(holder);
    holder.kill('SIGKILL');
    await ended(holder);
    expect(existsSync(rootLockFile(folder))).toBe(true);
    writeFileSync(join(folder, 'counter'), '0');
    const add = `const lock = await takeRootLock(folder);
      const now = Number(fs.readFileSync(folder + '/counter', 'utf8')); await sleep(20);
      fs.writeFileSync(folder + '/counter', String(now + 1)); lock.release();`;
    await Promise.all(Array.from({ length: 8 }, () => ended(start(add))));
    expect(readFileSync(join(folder, 'counter'), 'utf8')).toBe('8');
    expect(readdirSync(folder)).toEqual(['counter']);
  });

  it('stays with a process that is stopped', { timeout: 30_000 }, async () => {
    const holder = start(HOLD);
    await said(holder);
    holder.kill('SIGSTOP');
    const other = start(
      "let waits = 0; const t = setTimeout(() => { process.stdout.write('waits'); process.exit(0); }, 1500); await takeRootLock(folder); process.stdout.write('took');",
    );
    expect(await said(other)).toBe('waits');
    holder.kill('SIGCONT');
  });

  it('is not taken by the number of a process alone: another start is another process', async () => {
    const { hostname } = await import('node:os');
    const holder = { id: 'b'.repeat(24), pid: process.pid, start: 'another-boot/1', host: hostname() };
    writeFileSync(rootLockFile(folder), JSON.stringify(holder));
    const lock = await takeRootLock(folder);
    lock.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('of another machine is waited for', { timeout: 10_000 }, async () => {
    writeFileSync(rootLockFile(folder), JSON.stringify({ id: 'c'.repeat(24), pid: 1, start: '', host: 'elsewhere' }));
    const waited = await new Promise((resolve) => {
      void takeRootLock(folder, (pid) => resolve(pid)).then((lock) => lock.release());
    });
    expect(waited).toBe(1);
    rmSync(rootLockFile(folder));
  });
});
