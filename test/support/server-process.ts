/** A registry in a process of its own, to be killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import type { ServerOptions } from '../../server/main.ts';

export type ServerProcess = {
  readonly url: string;
  readonly adminToken: string | null;
  readonly child: ChildProcess;
  /** Ends it at once, wherever it is, and waits until it is gone. */
  kill(): Promise<void>;
  /** SIGTERM; gives the exit code. */
  terminate(): Promise<number | null>;
};

const MAIN = pathToFileURL(new URL('../../dist/server/main.js', import.meta.url).pathname).href;

const SCRIPT = `
import { startServer } from ${JSON.stringify(MAIN)};
const server = await startServer(JSON.parse(process.env.SERVER_OPTIONS));
process.on('SIGTERM', () => server.stop().then(() => process.exit(0), () => process.exit(1)));
console.log(JSON.stringify({ url: server.url, adminToken: server.adminToken }));
`;

/** Starts the built server on a data folder; rejects with its error when it does not start. */
export const spawnServer = async (options: ServerOptions): Promise<ServerProcess> => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT], {
    env: { ...process.env, SERVER_OPTIONS: JSON.stringify(options) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const line = once(createInterface({ input: child.stdout }), 'line');
  const first = await Promise.race([line, exited.then(() => null)]);
  if (first === null) throw new Error(`the server did not start: ${errors}`);
  const { url, adminToken } = JSON.parse(String(first[0]));
  return {
    url,
    adminToken,
    child,
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
    terminate: async () => {
      child.kill('SIGTERM');
      const [code] = await exited;
      return code as number | null;
    },
  };
};
