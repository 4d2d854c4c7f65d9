/** Runs a registry on a port until it is asked to stop. */
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
  const server = await startServer({
    host: options.host,
    port: options.port,
    dataFolder: options.dataFolder,
    review: options.review,
    logErrors: true,
    ...(options.catalog === null ? {} : { catalog: options.catalog }),
    ...(options.publicUrl === null ? {} : { publicUrl: options.publicUrl }),
  });
  ready({ url: server.url, adminToken: server.adminToken });
  await untilAborted(interrupts.signal);
  await server.stop();
};

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
