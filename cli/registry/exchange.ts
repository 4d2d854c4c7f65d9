/** One request and one answer over the network, without any policy. Retries, redirects and tokens are http.ts. */
import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { Socket } from 'node:net';

type ExchangeRequest = {
  url: URL;
  method: string;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array | null;
  signal: AbortSignal;
};

export type ExchangeAnswer = {
  status: number;
  /** Lower-case names; of a repeated header the values joined by ", ". */
  headers: ReadonlyMap<string, string>;
  /** Raw bytes: nothing is unpacked. Fails when fewer come than Content-Length says. Must be read or destroyed. */
  body: AsyncIterable<Uint8Array> & { destroy(error?: Error): unknown };
};

export type Exchange = { send(request: ExchangeRequest): Promise<ExchangeAnswer>; close(): Promise<void> };

export type ExchangeTimes = { connectMs: number; stallMs: number };

/** A failure of the network itself, with the system's or our own code (`ETIMEDOUT`, `ECONNREFUSED` …). */
export class NetworkFault extends Error {
  readonly code: string;

  constructor(code: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** node:http and node:https as they are: undici costs 80 ms to load, more than a whole install from a warm cache. */
export const openDirectExchange = (times: ExchangeTimes): Exchange => {
  const agents = new Map<string, Agent>();
  return {
    send: async (request) => {
      const { Agent, request: start } =
        request.url.protocol === 'https:' ? await import('node:https') : await import('node:http');
      const agent = agents.get(request.url.protocol) ?? new Agent({ keepAlive: true, maxSockets: 8 });
      agents.set(request.url.protocol, agent);
      return sendDirect(start, agent, request, times);
    },
    close: async () => {
      for (const agent of agents.values()) agent.destroy();
    },
  };
};

type Start = (url: URL, options: RequestOptions) => ClientRequest;

const sendDirect = (
  start: Start,
  agent: Agent,
  asked: ExchangeRequest,
  times: ExchangeTimes,
): Promise<ExchangeAnswer> =>
  new Promise((resolve, reject) => {
    const headers =
      asked.body === null ? asked.headers : { ...asked.headers, 'content-length': String(asked.body.length) };
    const request = start(asked.url, { method: asked.method, headers, agent, signal: asked.signal });
    let answer: IncomingMessage | undefined;
    // An answer that has begun fails with its reason only when it is ended itself: through the request it is "aborted".
    const fault = (code: string, message: string) => (answer ?? request).destroy(new NetworkFault(code, message));
    request.setTimeout(times.stallMs, () => fault('ESTALLED', `nothing came for ${times.stallMs / 1000} s`));
    request.on('socket', (socket) => limitConnect(socket, times.connectMs, fault));
    request.on('error', reject);
    request.on('response', (response) => {
      answer = response;
      resolve(answerOf(response));
    });
    request.end(asked.body ?? undefined);
  });

const limitConnect = (socket: Socket, connectMs: number, fault: (code: string, message: string) => void): void => {
  if (!socket.connecting) return;
  const timer = setTimeout(() => fault('ETIMEDOUT', `no connection after ${connectMs / 1000} s`), connectMs);
  for (const event of ['connect', 'error', 'close']) socket.once(event, () => clearTimeout(timer));
};

const answerOf = (response: IncomingMessage): ExchangeAnswer => ({
  status: response.statusCode ?? 0,
  headers: new Map(Object.entries(response.headers).map(([name, value]) => [name, [value].flat().join(', ')])),
  body: response,
});

/** Through HTTPS_PROXY, HTTP_PROXY and NO_PROXY, by undici, which has the CONNECT tunnel and the matching rules. */
export const openProxyExchange = async (
  env: Readonly<Record<string, string | undefined>>,
  times: ExchangeTimes,
): Promise<Exchange> => {
  const { EnvHttpProxyAgent } = await import('undici');
  const proxies = readProxies(env);
  const agent = new EnvHttpProxyAgent({
    ...proxies,
    connect: { timeout: times.connectMs },
    // As curl does it: a tunnel for https only. Many proxies refuse CONNECT to port 80.
    proxyTunnel: false,
    headersTimeout: times.stallMs,
    bodyTimeout: times.stallMs,
  });
  return {
    send: async ({ url, method, headers, body, signal }) => {
      const path = url.pathname + url.search;
      const asked = agent.request({ origin: url.origin, path, method, headers, body, signal });
      const answer = await endBy(asked, signal, times.connectMs + times.stallMs);
      const flat = Object.entries(answer.headers).map(
        ([name, value]) => [name, [value ?? ''].flat().join(', ')] as const,
      );
      return { status: answer.statusCode, headers: new Map(flat), body: answer.body };
    },
    close: () => agent.destroy(),
  };
};

/** undici 7 waits for ever, deaf to its signal, for a proxy that closes the connection instead of answering CONNECT. */
const endBy = async <T>(work: Promise<T>, signal: AbortSignal, limitMs: number): Promise<T> => {
  let stop: () => void = () => {};
  const ended = new Promise<never>((_resolve, reject) => {
    const timer = setTimeout(() => reject(new NetworkFault('ESTALLED', 'the proxy does not answer')), limitMs);
    const onAbort = () => reject(new NetworkFault('ABORT_ERR', 'the request was ended'));
    signal.addEventListener('abort', onAbort, { once: true });
    stop = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
  });
  work.catch(() => {});
  return Promise.race([work, ended]).finally(stop);
};

const readProxies = (env: Readonly<Record<string, string | undefined>>) => {
  const of = (name: string): string | undefined => env[name.toLowerCase()] || env[name] || undefined;
  const http = of('HTTP_PROXY');
  const https = of('HTTPS_PROXY');
  const none = of('NO_PROXY');
  return {
    ...(http === undefined ? {} : { httpProxy: http }),
    ...(https === undefined ? {} : { httpsProxy: https }),
    ...(none === undefined ? {} : { noProxy: none }),
  };
};

/** Whether any proxy is configured for that kind of URL. */
export const hasProxy = (env: Readonly<Record<string, string | undefined>>, protocol: string): boolean => {
  const { httpProxy, httpsProxy } = readProxies(env);
  return (protocol === 'https:' ? httpsProxy : httpProxy) !== undefined;
};
