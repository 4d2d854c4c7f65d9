/** The real command line: `node cli/bin.js` in a child process, with a throw-away home and a clean environment. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../../cli/bin.js', import.meta.url));

export type CliResult = {
  code: number | null;
  stdout: string;
  stderr: string;
  /** stdout as JSON; throws where it is not exactly one document. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it
  json: any;
};

export type CliOptions = { cwd?: string; env?: Record<string, string>; input?: string; signal?: AbortSignal };

export type CliHome = {
  /** HOME of every run. */
  home: string;
  /** A project folder beside it, with `.git`. */
  project: string;
  /** Runs to the end, with `project` as the working folder. */
  run(args: readonly string[], options?: CliOptions): Promise<CliResult>;
  /** Starts and leaves it running. */
  start(args: readonly string[], options?: CliOptions): ChildProcess;
  remove(): void;
};

/** A new home. Nothing of the machine's own configuration is seen: no XDG folders, no proxies, no tokens. */
export const createCliHome = async (): Promise<CliHome> => {
  const folder = mkdtempSync(join(tmpdir(), 'pi-tools-cli-'));
  const home = join(folder, 'home');
  const project = join(folder, 'project');
  await mkdir(home);
  await mkdir(join(project, '.git'), { recursive: true });
  const start = (args: readonly string[], options: CliOptions = {}): ChildProcess =>
    spawn(process.execPath, [bin, ...args], {
      cwd: options.cwd ?? project,
      env: { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', HOME: home, TMPDIR: tmpdir(), ...options.env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  return {
    home,
    project,
    start,
    run: (args, options = {}) => collect(start(args, options), options.input),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};

/** Waits for the end of a child that `start` made. */
export const collect = (child: ChildProcess, input = ''): Promise<CliResult> =>
  new Promise((resolve, reject) => {
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', reject);
    // A child that ends without reading its input is no failure.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
    child.on('close', (code) => {
      const stdout = Buffer.concat(out).toString('utf8');
      const stderr = Buffer.concat(err).toString('utf8');
      resolve({
        code,
        stdout,
        stderr,
        get json() {
          return JSON.parse(stdout);
        },
      });
    });
  });

export type ServedRegistry = { url: string; token: string; stop(): Promise<number | null> };

/** `pi-tools serve` on a free port with a data folder in the home; the administrator's token of its first start. */
export const serveRegistry = async (cli: CliHome, more: readonly string[] = []): Promise<ServedRegistry> => {
  const child = cli.start(['serve', '--port', '0', '--data', join(cli.home, 'registry'), '--json', ...more]);
  const complaints: string[] = [];
  child.stderr?.on('data', (chunk: Buffer) => complaints.push(chunk.toString()));
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`serve ended with ${code}: ${complaints.join('')}`)));
  });
  const ready = JSON.parse(line) as { url: string; adminToken: string };
  return {
    url: ready.url,
    token: ready.adminToken,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', (code) => resolve(code));
        child.kill('SIGTERM');
      }),
  };
};
