/**
 * Whole answers, kept for the next request of the same address. Routing, hooks and twelve headers cost three times what
 * Node's own server needs to answer with the same bytes (bench/main.ts); a public read that was answered before needs
 * none of them again, as long as the package's revision is what it was.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../app.ts';
import type { Deps } from '../deps.ts';
import { findPreparedFor, type PreparedFor } from '../registry/prepared-answers.ts';

type Kept = PreparedFor & {
  /** Names and values in turns, as `writeHead` takes them: the very headers of the first answer. */
  readonly headers: string[];
  readonly body: Buffer;
  /** Counts an answer like the first one. */
  readonly count: () => void;
};

declare module 'fastify' {
  interface FastifyRequest {
    prepared: { readonly of: PreparedFor; readonly body: Buffer } | null;
  }
}

const MAX_BYTES = 32 * 1024 * 1024;
/** An archive's address with the longest names, all of it encoded, is shorter. */
const MAX_ADDRESS = 1024;
/** Beside the body: headers and the address. */
const ENTRY_BYTES = 4096;
/** Node adds these itself, each time anew. */
const CHANGING: ReadonlySet<string> = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

/** Must be registered after the plugins whose headers are kept, and before the routes. `counterOf` gives what counts an answer of a route. */
export const addRepeatedReads = (app: App, deps: Deps, counterOf: (route: string) => () => void): void => {
  const answers = keptAnswers();
  const revisions = revisionsOfThisTurn(deps);
  let open = true;
  app.decorateRequest('prepared', null);
  app.addHook('onSend', (request, reply, payload, done) => {
    const of = Buffer.isBuffer(payload) && isPublicRead(request, reply) ? findPreparedFor(payload) : undefined;
    if (of !== undefined) request.prepared = { of, body: payload as Buffer };
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { prepared } = request;
    if (prepared !== null) {
      const count = counterOf(request.routeOptions.url ?? 'none');
      answers.keep(request.raw.url ?? '', { ...prepared.of, body: prepared.body, headers: headersOf(reply), count });
    }
    done();
  });
  // A client that asks without a pause would hold up the stop.
  app.addHook('preClose', (done) => {
    open = false;
    done();
  });
  app.addHook('onReady', (done) => {
    for (const listener of app.server.listeners('request') as ((...given: unknown[]) => void)[]) {
      app.server.off('request', listener);
      app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
        const kept = open && isPlain(request) ? answers.find(request.url ?? '') : undefined;
        if (kept === undefined || revisions.find(kept.name) !== kept.revision) listener(request, response);
        else send(response, kept);
      });
    }
    done();
  });
};

const isPublicRead = (request: FastifyRequest, reply: FastifyReply): boolean =>
  request.method === 'GET' && request.viewer === null && reply.statusCode === 200;

const headersOf = (reply: FastifyReply): string[] =>
  Object.entries(reply.raw.getHeaders())
    .filter(([name]) => !CHANGING.has(name))
    .flatMap(([name, value]) => [name, String(value)]);

/** A read by nobody in particular of the whole answer, without a body. */
const isPlain = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  headers.authorization === undefined &&
  headers['if-none-match'] === undefined &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined;

const send = (response: ServerResponse, { headers, body, count }: Kept): void => {
  response.writeHead(200, headers);
  response.end(body);
  count();
};

/** By address; the oldest go when memory runs out. */
const keptAnswers = () => {
  const entries = new Map<string, Kept>();
  let total = 0;
  const sizeOf = (kept: Kept | undefined) => (kept === undefined ? 0 : kept.body.byteLength + ENTRY_BYTES);
  const drop = (address: string): void => {
    total -= sizeOf(entries.get(address));
    entries.delete(address);
  };
  return {
    find: (address: string): Kept | undefined => entries.get(address),
    keep: (address: string, kept: Kept): void => {
      // Spellings without end (`?1`, `?2`, …) of one answer would push out what is asked for.
      if (address.includes('?') || address.length > MAX_ADDRESS) return;
      drop(address);
      entries.set(address, kept);
      total += sizeOf(kept);
      for (const oldest of entries.keys()) {
        if (total <= MAX_BYTES) return;
        drop(oldest);
      }
    },
  };
};

/**
 * Revisions that were read since the event loop last waited. Requests handled in one turn were sent before any of them
 * was answered, so they may share one look at the database; a write that was acknowledged before is always seen.
 */
const revisionsOfThisTurn = (deps: Deps) => {
  const known = new Map<string, number | undefined>();
  const read = (name: string): number | undefined => {
    try {
      return deps.store.findRevision(name);
    } catch {
      // A busy database: the ordinary way says so properly.
      return undefined;
    }
  };
  return {
    find: (name: string): number | undefined => {
      if (known.has(name)) return known.get(name);
      if (known.size === 0) setImmediate(() => known.clear());
      const revision = read(name);
      known.set(name, revision);
      return revision;
    },
  };
};
