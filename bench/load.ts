/** A bounded HTTP load over plain sockets: the client must cost less than the servers it compares. */
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';

type Load = { port: number; path: string; requests: number; connections: number };

/** The bytes of one whole answer, so that later answers are counted by length alone. */
function answerSize(port: number, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = Buffer.alloc(0);
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      text = Buffer.concat([text, chunk]);
      const end = text.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = text.subarray(0, end).toString('latin1');
      if (!head.startsWith('HTTP/1.1 200')) return void reject(new Error(head.split('\r\n')[0]));
      const size = end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN);
      if (text.length < size) return;
      socket.destroy();
      resolve(size);
    });
    socket.write(request(path));
  });
}

const request = (path: string) => `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: keep-alive\r\n\r\n`;

/** One connection that asks again as soon as an answer is whole, until `take` says that it is enough. */
function ask(port: number, path: string, size: number, take: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const text = request(path);
    let open = 0;
    const next = () => {
      if (!take()) {
        socket.destroy();
        return resolve();
      }
      open = size;
      socket.write(text);
    };
    socket.on('connect', next);
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      open -= chunk.length;
      if (open === 0) next();
      else if (open < 0) reject(new Error('an answer was longer than the first one'));
    });
  });
}

/** Requests per second. */
export async function load({ port, path, requests, connections }: Load): Promise<number> {
  const size = await answerSize(port, path);
  let left = requests;
  const take = () => left-- > 0;
  const start = performance.now();
  await Promise.all(Array.from({ length: connections }, () => ask(port, path, size, take)));
  return requests / ((performance.now() - start) / 1000);
}
