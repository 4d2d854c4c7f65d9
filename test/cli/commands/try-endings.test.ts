/** `pi-tools try`: tools that end badly, not at all, too late, or leave something running. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type CliHome, createCliHome } from '../../support/cli.ts';
import { type Tried, tryIt, writePiPackage } from '../../support/tried.ts';

vi.setConfig({ testTimeout: 120_000 });

const bin = fileURLToPath(new URL('../../../cli/bin.js', import.meta.url));
let cli: CliHome;
beforeAll(async () => {
  cli = await createCliHome();
});
afterAll(() => cli.remove());

let count = 0;
const attempt = (body: string, piTools: object = {}, more: Record<string, string> = {}): Promise<Tried> => {
  count += 1;
  return tryIt(cli, writePiPackage(cli, `case-${count}`, body, piTools, more));
};
const messageOf = ({ call }: Tried, id: string): string | undefined =>
  call.checks.find((check: { id: string }) => check.id === id)?.message;

describe('a call that does not end as it should', () => {
  test('a promise that nothing can settle is told of at once, not at the time limit', async () => {
    const hangs = await attempt('await new Promise(() => {});');
    expect(messageOf(hangs, 'settles')).toContain('never ends');
    expect(hangs).toMatchObject({ code: 6, call: { tool: 't', received: null } });
    const loads = await attempt(
      'return text(1);',
      {},
      { 'index.ts': 'await new Promise(() => {}); export default () => {};' },
    );
    expect(messageOf(loads, 'loads')).toContain('never ends');
    const exits = await attempt('return text(1);', {}, { 'index.ts': 'process.exit(4); export default () => {};' });
    expect(messageOf(exits, 'loads')).toContain('exit code 4');
  });

  test.each([
    [
      'during the call',
      'setTimeout(() => { throw new Error("late"); }, 5); await new Promise((done) => setTimeout(done, 300)); return text(1);',
    ],
    ['after it', 'setTimeout(() => Promise.reject(new Error("late")), 20); return text(1);'],
  ])('an error outside of the call, %s, is named with its place', async (_, body) => {
    const result = await attempt(body);
    expect(messageOf(result, 'settles')).toMatch(/as it would end the agent: late \(case-\d+\/index\.ts:10\)/);
    expect(result.code).toBe(6);
  });

  test('what was reached for is named, though the process is gone', async () => {
    const result = await attempt('try { readFileSync("/etc/passwd"); } catch {} process.exit(0);');
    expect(result.call.undeclared).toEqual([{ kind: 'read', value: '/etc/passwd' }]);
    expect(result.call.declare).toEqual({ read: ['/etc/passwd'] });
  });

  test.each([
    ['undefined', 'return undefined;'],
    ['null', 'return null;'],
    ['content as text', 'return { content: "x" };'],
    ['an image without a type', 'return { content: [{ type: "image", data: "aGk=" }] };'],
    ['a buffer as text', 'return { content: [{ type: "text", text: Buffer.from("x") }] };'],
  ])('%s is a wrong result, not an error that the tool threw', async (_, body) => {
    const result = await attempt(body);
    expect(result.ok).toMatchObject({ 'result-shape': false, 'errors-are-thrown': null });
    expect(result).toMatchObject({ code: 6, call: { threw: null } });
  });

  test('what is thrown and is no Error', async () => {
    const result = await attempt('throw { status: 404 };');
    expect(messageOf(result, 'errors-are-thrown')).toContain('[object Object]');
    expect(result.code).toBe(6);
    expect((await attempt('throw "no such city";')).code).toBe(1);
    expect((await attempt('throw null;')).code).toBe(6);
  });

  test('an error names the line of the author', async () => {
    const result = await attempt('\n\n  throw new Error("there");');
    expect(result.call).toMatchObject({ threw: 'there', threw_at: expect.stringMatching(/^case-\d+\/index\.ts:12$/) });
  });
});

describe('the second call', () => {
  test('is not made of a short tool: it may have written something', async () => {
    const result = await attempt(
      'const { appendFileSync } = await import("node:fs"); appendFileSync("log.txt", "once;"); return text(1);',
      { permissions: { write: ['.'] } },
    );
    expect(result.code).toBe(0);
    expect(readFileSync(join(cli.project, 'log.txt'), 'utf8')).toBe('once;');
  });

  test('that ends when it would have ended anyway proves nothing', async () => {
    const result = await attempt('await new Promise((done) => setTimeout(done, 400)); return text(1);');
    expect(result.ok.cancellation).toBe(null);
  });
});

describe('what the tool could do to the run', () => {
  test('there is no channel to forge answers on, or to close', async () => {
    const result = await attempt('return text([typeof (process as any).send, typeof (process as any).disconnect]);');
    expect(result.call.received.text).toBe('undefined,undefined');
  });

  const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`);
  test.runIf(process.platform === 'linux').each([
    ['of its group', 'spawn("sleep", ["60"])'],
    ['detached', 'spawn("sleep", ["60"], { detached: true, stdio: "ignore" })'],
    ['with an environment of its own', 'spawn("sleep", ["60"], { detached: true, stdio: "ignore", env: {} })'],
  ])('a process %s does not outlive it', async (_, start) => {
    const result = await attempt(`return text(${start}.pid);`, { permissions: { run: ['sleep'] } });
    const pid = Number(result.call.received.text);
    expect(pid).toBeGreaterThan(0);
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 5000 });
  });

  test.runIf(process.platform === 'linux')('nor does a grandchild that went its own way', async () => {
    const shell = 'setsid sleep 61 >/dev/null 2>&1 & echo $!';
    const result = await attempt(`return text(execFileSync("sh", ["-c", ${JSON.stringify(shell)}]));`, {
      permissions: { run: ['sh'] },
    });
    const pid = Number(result.call.received.text);
    expect(pid).toBeGreaterThan(0);
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 5000 });
  });

  test('a line without end does not flood the terminal', async () => {
    const path = writePiPackage(cli, 'long', 'console.log("y".repeat(9000)); return text("x".repeat(200_000));');
    const { stdout } = await cli.run(['try', path, '--args', '{}']);
    expect(stdout.length).toBeLessThan(15_000);
    expect(stdout).toContain('200000 characters in all: see --json');
  });
});

describe.runIf(process.platform !== 'win32')('interrupted', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s: exit %i, and nothing is left', async (signal, expected) => {
    const temp = mkdtempSync(join(tmpdir(), 'try-interrupted-'));
    const path = writePiPackage(
      cli,
      'waits',
      'const { pid } = spawn("sleep", ["62"], { detached: true, stdio: "ignore" }); await writeFile("pid.txt", String(pid)); await new Promise((done) => setTimeout(done, 60_000)); return text(1);',
      { permissions: { run: ['sleep'], write: ['.'] } },
    );
    const file = join(cli.project, 'pid.txt');
    rmSync(file, { force: true });
    const child = spawn(process.execPath, [bin, 'try', path, '--args', '{}', '--json'], {
      cwd: cli.project,
      env: { PATH: process.env.PATH ?? '', HOME: cli.home, TMPDIR: temp },
    });
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
    await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toMatch(/^\d+$/), { timeout: 30_000 });
    child.kill(signal);
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(expected);
    expect(JSON.parse(printed).error.code).toBe('interrupted');
    expect(readdirSync(temp).filter((name) => name.startsWith('pi-tools'))).toEqual([]);
    rmSync(temp, { recursive: true });
    await vi.waitFor(() => expect(existsSync(`/proc/${readFileSync(file, 'utf8')}`)).toBe(false), { timeout: 5000 });
  });
});

describe('progress', () => {
  test('is taken, counted, and has the form of a result', async () => {
    const good = await attempt('onUpdate(text("half")); onUpdate(text("more")); return text(1);');
    expect(good).toMatchObject({ code: 0, call: { updates: 2 } });
    const bad = await attempt('onUpdate("half"); return text(1);');
    expect(messageOf(bad, 'result-shape')).toContain('a progress update is');
    expect(bad.code).toBe(6);
  });
});
