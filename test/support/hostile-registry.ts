/** A registry that lies: every path answers what the test says, byte by byte where needed. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Received = { method: string; url: string; headers: IncomingMessage['headers'] };

export type HostileRegistry = {
  url: string;
  received: Received[];
  /** What answers from now on. */
  answer(handler: (request: IncomingMessage, response: ServerResponse, count: number) => void): void;
  close(): Promise<void>;
};

/** Answers 404 until told otherwise. */
export const startHostileRegistry = async (): Promise<HostileRegistry> => {
  let handler: Parameters<HostileRegistry['answer']>[0] = (_request, response) => response.writeHead(404).end();
  let count = 0;
  const received: Received[] = [];
  const server = createServer((request, response) => {
    received.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers });
    count += 1;
    request.resume();
    handler(request, response, count);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: (next) => {
      handler = next;
      count = 0;
      received.length = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};

/** Sends JSON as a good registry would. */
export const sendJson = (
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
    ...headers,
  });
  response.end(text);
};
