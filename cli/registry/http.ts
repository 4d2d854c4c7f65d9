/** A registry over HTTP: redirects, retries, limits, and where a token may go. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../../schemas/problem.ts';
import type { Environment } from '../environment.ts';
import { escapeText } from '../terminal/escape.ts';
import { invalidAnswer } from './answers.ts';
import {
  type Exchange,
  type ExchangeAnswer,
  hasProxy,
  NetworkFault,
  openDirectExchange,
  openProxyExchange,
} from './exchange.ts';
import type { Transport, WireAnswer, WireRequest } from './transport.ts';

export type HttpTimes = {
  connectMs: number;
  /** Nothing sent or received for so long. */
  stallMs: number;
  /** One request with all its retries and redirects. */
  totalMs: number;
  /** Waits before the retries; each is used between half and whole. */
  retryMs: readonly number[];
  /** A `Retry-After` beyond this is told to the user and not waited for. */
  longestWaitMs: number;
};

export const DEFAULT_TIMES: HttpTimes = {
  connectMs: 10_000,
  stallMs: 30_000,
  totalMs: 300_000,
  retryMs: [300, 1000, 3000],
  longestWaitMs: 60_000,
};

export type HttpOptions = {
  /** From `parseRegistryUrl`. */
  base: URL;
  /** Sent as `Authorization: Bearer` to the base's own origin and nowhere else. */
  token: string | null;
  environment: Environment;
  signal: AbortSignal;
  times?: HttpTimes;
  /** Told of every exchange (`--verbose`); never of a token. */
  log?: (line: string) => void;
};

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const RETRY_STATUS = new Set([408, 429, 500, 502, 503, 504]);
/** The connection broke or never came to be for a reason that passes. A refused connection or an unknown host does not. */
const RETRY_CODES = new Set([
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ESTALLED',
  'EAI_AGAIN',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
]);
/** Each costs the whole stall time. */
const STALL_CODES = new Set(['ESTALLED', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);
const MAX_STALLS = 2;

/** A registry's URL as the user or a file wrote it. Throws `usage`; a password in it is not repeated. */
export const parseRegistryUrl = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new Problem('usage', `\`${text.includes('@') ? '…' : text}\` is not the URL of a registry`, {
      hint: 'a registry is written as https://tools.example.org, or http://127.0.0.1:4774',
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new Problem('usage', `the URL of the registry \`${url.host}\` holds a user or password`, {
      hint: 'leave it out and run `pi-tools login`: a token is kept apart and sent to this registry only',
    });
  }
  url.search = '';
  url.hash = '';
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
};

/** What names a registry in lock files and credentials: origin and base path, no final slash. */
export const originOf = (base: URL): string => (base.origin + base.pathname).replace(/\/+$/, '');

export const openHttpTransport = (options: HttpOptions): Transport => {
  const times = options.times ?? DEFAULT_TIMES;
  const { env } = options.environment;
  const origin = originOf(options.base);
  let opened: Promise<Exchange> | undefined;
  const exchange = (): Promise<Exchange> => {
    const direct = !hasProxy(env, options.base.protocol);
    opened ??= direct ? Promise.resolve(openDirectExchange(times)) : openProxyExchange(env, times);
    return opened;
  };
  return {
    origin,
    send: async (request) => sendWithRetries({ ...options, times, origin, exchange: await exchange() }, request),
    close: async () => (await opened)?.close(),
  };
};

type Link = HttpOptions & { times: HttpTimes } & { origin: string; exchange: Exchange };

/** A wish to try again, with the time that the registry asked for. */
class Passing extends Error {
  readonly problem: Problem;
  readonly waitMs: number | null;

  constructor(problem: Problem, waitMs: number | null) {
    super(problem.message);
    this.problem = problem;
    this.waitMs = waitMs;
  }
}

const stallCount = ({ problem }: Passing): 0 | 1 => (STALL_CODES.has(codeOf(problem.cause)) ? 1 : 0);

const codeOf = (error: unknown): string => String((error as { code?: unknown } | undefined)?.code);

const sendWithRetries = async (link: Link, request: WireRequest): Promise<WireAnswer> => {
  const limit = AbortSignal.timeout(link.times.totalMs);
  const signal = AbortSignal.any([link.signal, limit]);
  // A publish is not repeated blindly: the first one may have arrived.
  const waits = request.method === 'POST' ? [] : link.times.retryMs;
  let stalls = 0;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await sendOnce(link, request, signal, attempt < waits.length ? 'retry' : 'last');
    } catch (error) {
      const passing = asPassing(link, error, limit);
      link.log?.(`attempt ${attempt + 1} failed: ${escapeText(passing.problem.message)}`);
      stalls += stallCount(passing);
      const waitMs = passing.waitMs ?? (waits[attempt] ?? 0) * (0.5 + Math.random() / 2);
      const isLast = attempt >= waits.length || stalls === MAX_STALLS;
      if (isLast || waitMs > link.times.longestWaitMs) throw passing.problem;
      await sleep(waitMs, undefined, { signal }).catch(() => {
        throw passing.problem;
      });
    }
  }
};

/** What may be tried again; anything else is thrown as the Problem it is. */
const asPassing = (link: Link, error: unknown, limit: AbortSignal): Passing => {
  if (error instanceof Passing) return error;
  if (error instanceof Problem) throw error;
  if (limit.aborted) throw unreachable(link.origin, `no complete answer within ${link.times.totalMs / 1000} s`, error);
  const problem = unreachable(link.origin, reasonOf(error), error);
  if (!RETRY_CODES.has(codeOf(error))) throw problem;
  return new Passing(problem, null);
};

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name could not be looked up',
  ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
};

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const code = (error as { code?: unknown }).code;
  // Node tries each address of a host and reports all failures together, without a message.
  const inner = error instanceof AggregateError ? (error.errors[0] as Error | undefined) : undefined;
  return REASONS[String(code)] ?? (error.message || inner?.message || String(code));
};

const unreachable = (origin: string, reason: string, cause: unknown): Problem =>
  new Problem('registry_unreachable', `the registry \`${origin}\` cannot be reached: ${reason}`, {
    hint: 'check the URL and the network; --offline uses what was downloaded before',
    details: { registry: origin },
    cause,
  });

const sendOnce = async (
  link: Link,
  request: WireRequest,
  signal: AbortSignal,
  chance: 'retry' | 'last',
): Promise<WireAnswer> => {
  const answer = await follow(link, request, signal);
  if (chance === 'retry' && RETRY_STATUS.has(answer.status)) {
    answer.body.destroy();
    const problem = unreachable(link.origin, `it answered ${answer.status}`, undefined);
    const waitMs = readRetryAfter(answer.headers.get('retry-after'), link.environment.now());
    // Too long to wait: let the caller see what the registry says.
    if (waitMs === null || waitMs <= link.times.longestWaitMs) throw new Passing(problem, waitMs);
    return { status: answer.status, headers: answer.headers, body: Buffer.alloc(0) };
  }
  return { status: answer.status, headers: answer.headers, body: await readBody(link, answer, request.maxBytes) };
};

/** `Retry-After` in milliseconds: seconds or a date; null where it is neither. */
export const readRetryAfter = (value: string | undefined, now: Date): number | null => {
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const time = Date.parse(value);
  return Number.isNaN(time) ? null : Math.max(0, time - now.getTime());
};

/** Follows redirects of a GET by hand: a token never goes to another origin, and never from https to http. */
const follow = async (link: Link, request: WireRequest, signal: AbortSignal): Promise<ExchangeAnswer> => {
  let url = new URL(link.base.origin + link.base.pathname.replace(/\/$/, '') + request.path);
  for (let hops = 0; ; hops += 1) {
    const headers = headersFor(link, request, url);
    const started = performance.now();
    const answer = await link.exchange.send({
      url,
      method: request.method,
      headers,
      body: request.body ?? null,
      signal,
    });
    link.log?.(
      `${request.method} ${escapeText(url.href)} ${answer.status} (${Math.round(performance.now() - started)} ms)`,
    );
    if (!REDIRECTS.has(answer.status)) return answer;
    answer.body.destroy();
    if (request.method !== 'GET')
      throw invalidAnswer(link.origin, `it redirects a ${request.method} (${answer.status})`);
    if (hops === MAX_REDIRECTS) throw invalidAnswer(link.origin, `more than ${MAX_REDIRECTS} redirects`);
    url = redirectTarget(link, url, answer.headers.get('location'));
  }
};

const redirectTarget = (link: Link, from: URL, location: string | undefined): URL => {
  const to = location !== undefined && URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (to === undefined || (to.protocol !== 'http:' && to.protocol !== 'https:')) {
    throw invalidAnswer(link.origin, 'it redirects to something that is no web address');
  }
  if (from.protocol === 'https:' && to.protocol === 'http:') {
    throw invalidAnswer(link.origin, 'it redirects from https to http');
  }
  return to;
};

const headersFor = (link: Link, request: WireRequest, url: URL): Record<string, string> => {
  const headers: Record<string, string> = {
    'user-agent': 'pi-tools',
    // An archive is verified by its raw bytes; a packed answer would only hide what came.
    'accept-encoding': 'identity',
    ...request.headers,
  };
  if (link.token !== null && url.origin === link.base.origin) headers.authorization = `Bearer ${link.token}`;
  return headers;
};

const readBody = async (link: Link, answer: ExchangeAnswer, maxBytes: number): Promise<Buffer> => {
  const encoding = answer.headers.get('content-encoding') ?? 'identity';
  const declared = Number(answer.headers.get('content-length') ?? 0);
  if (encoding.toLowerCase() !== 'identity' || declared > maxBytes) {
    answer.body.destroy();
    throw invalidAnswer(
      link.origin,
      declared > maxBytes
        ? `its answer is larger than ${maxBytes} bytes`
        : `its answer is packed (\`${encoding.slice(0, 40)}\`)`,
    );
  }
  const body = await collectBody(link, answer, maxBytes, declared);
  if (answer.status !== 304 && declared > body.length)
    throw new NetworkFault('ECONNRESET', 'the answer is shorter than it says');
  return body;
};

const collectBody = async (link: Link, answer: ExchangeAnswer, maxBytes: number, declared: number): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const { stallMs } = link.times;
  const stall = (): unknown => answer.body.destroy(new NetworkFault('ESTALLED', 'stalled'));
  // undici's own limit looks about once a second, and not at all while nothing was read.
  let timer = setTimeout(stall, stallMs);
  try {
    for await (const chunk of answer.body) {
      clearTimeout(timer);
      timer = setTimeout(stall, stallMs);
      size += chunk.length;
      if (size > maxBytes) {
        answer.body.destroy();
        throw invalidAnswer(link.origin, `its answer is larger than ${maxBytes} bytes`);
      }
      chunks.push(chunk);
    }
  } catch (error) {
    throw STALL_CODES.has(codeOf(error)) ? stalledBody(link, error, size, declared) : error;
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks);
};

const stalledBody = (link: Link, cause: unknown, size: number, declared: number): NetworkFault => {
  const whole = declared === 0 ? '' : ` of ${declared}`;
  const seconds = link.times.stallMs / 1000;
  return new NetworkFault('ESTALLED', `its answer stopped after ${size}${whole} bytes, for ${seconds} s`, cause);
};
