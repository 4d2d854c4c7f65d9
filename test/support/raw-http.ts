/** Bytes to a server and back, for what no HTTP client would send. */
import { connect, type Socket } from 'node:net';

export type RawAnswer = {
  readonly text: string;
  readonly statuses: number[];
  readonly closed: boolean;
  readonly ms: number;
};

/** Sends bytes and collects what comes until the server closes, or nothing came for `quietMs`. */
export const sendRaw = (url: string, bytes: string | Buffer, quietMs = 400): Promise<RawAnswer> =>
  converse(url, async (socket) => void socket.write(bytes), quietMs);

/** The same with a function that writes as it likes. */
export const converse = (url: string, write: (socket: Socket) => Promise<void>, quietMs = 400): Promise<RawAnswer> => {
  const { hostname, port } = new URL(url);
  const started = performance.now();
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    let timer: NodeJS.Timeout | undefined;
    const end = (closed: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      const text = Buffer.concat(chunks).toString('latin1');
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => Number(match[1]));
      resolve({ text, statuses, closed, ms: performance.now() - started });
    };
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(() => end(false), quietMs);
    };
    socket.on('connect', () => {
      wait();
      write(socket).catch(() => undefined);
    });
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      wait();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => end(true));
  });
};
