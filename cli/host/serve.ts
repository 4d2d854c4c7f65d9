/** Runs a registry on a port until it is asked to stop. */
import { Problem } from '../../schemas/problem.ts';
import type { Interrupts } from '../command.ts';

export type ServeOptions = {
  host: string;
  port: number;
  dataFolder: string;
  review: 'off' | 'auto' | 'required';
  /** A folder of prepared packages to offer; null for none. */
  catalog: string | null;
  publicUrl: string | null;
};

export type Serving = { url: string; adminToken: string | null };

/** Calls `ready` when requests are taken; resolves after a clean stop. Throws `data_folder_locked`, `data_folder_invalid`. */
export const serve = async (
  options: ServeOptions,
  interrupts: Interrupts,
  ready: (serving: Serving) => void,
): Promise<void> => {
  const { startServer } = await import('../../server/main.ts');
  interrupts.takeOver();
  const server = await listening(
    options,
    startServer({
      host: options.host,
      port: options.port,
      dataFolder: options.dataFolder,
      review: options.review,
      logErrors: true,
      ...(options.catalog === null ? {} : { catalog: options.catalog }),
      ...(options.publicUrl === null ? {} : { publicUrl: options.publicUrl }),
    }),
  );
  ready({ url: server.url, adminToken: server.adminToken });
  await untilAborted(interrupts.signal);
  await server.stop();
};

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there',
  EADDRNOTAVAIL: 'this machine has no such address',
  EACCES: 'permission denied (ports below 1024 need rights)',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name could not be looked up',
};

const listening = async <T>({ host, port }: ServeOptions, starting: Promise<T>): Promise<T> => {
  try {
    return await starting;
  } catch (error) {
    const { code, syscall } = error as { code?: unknown; syscall?: unknown };
    const reason = REASONS[String(code)];
    if (reason === undefined || (syscall !== 'listen' && syscall !== 'getaddrinfo')) throw error;
    throw new Problem('cannot_listen', `cannot listen on \`${host}:${port}\`: ${reason}`, {
      hint: 'choose another one with --port (0 takes a free one) or --host',
      cause: error,
    });
  }
};

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
