/** The client: paths, checks of every answer, the cache. One for both transports. */
import { Problem } from '../../schemas/problem.ts';
import { DEFAULT_LIMITS } from '../../tool-package/archive/limits.ts';
import { recordDigest } from '../../tool-package/canonical.ts';
import { integrityOf, sameIntegrity } from '../../tool-package/integrity.ts';
import { parseJson } from '../../tool-package/parse-json.ts';
import { type Answer, type AnswerKind, checkAnswer, invalidAnswer } from './answers.ts';
import type { Cache } from './cache.ts';
import type { JsonRequest, PublishResult, RegistryClient, SearchQuery } from './client.ts';
import { problemOf } from './problems.ts';
import type { Transport, WireAnswer, WireRequest } from './transport.ts';

export type ClientOptions = {
  transport: Transport;
  /** Null for the embedded registry: its data is on this disk already. */
  cache: Cache | null;
  /** `offline`: nothing is sent, answers and archives come from the cache. */
  mode: 'online' | 'offline';
};

const MAX_JSON_BYTES = 8 * 1024 * 1024;
const MAX_JSON_DEPTH = 64;
const MAX_PAGES = 100;

const packagePath = (name: string): string => `/v1/packages/${encodeURIComponent(name)}`;
const versionPath = (name: string, version: string): string =>
  `${packagePath(name)}/versions/${encodeURIComponent(version)}`;

const isAbsence = (error: unknown): boolean => error instanceof Problem && error.code === 'package_not_found';

/** A client over any transport. */
export const createRegistryClient = (options: ClientOptions): RegistryClient => {
  const { transport } = options;
  const get = <Kind extends AnswerKind>(kind: Kind, path: string, what: string) =>
    getChecked(options, kind, path, what);
  const { origin } = transport;
  return {
    origin: transport.origin,
    findPackage: async (name) => {
      try {
        const document = await get('package document', packagePath(name), `\`${name}\``);
        if (document.name === name) return document;
        throw invalidAnswer(transport.origin, `asked for \`${name}\`, it answered with \`${document.name}\``);
      } catch (error) {
        if (isAbsence(error)) return undefined;
        throw error;
      }
    },
    getManifest: async (name, version) => {
      const manifest = await get('manifest', versionPath(name, version), `the manifest of \`${name}@${version}\``);
      checkManifest(manifest, name, version, transport.origin);
      return manifest;
    },
    getArchive: (name, version, integrity) => getArchive(options, name, version, integrity),
    search: (query) => get('search answer', searchPath(query), 'a search'),
    publish: (archive, more) => publish(options, archive, more?.tag),
    getMe: () => get('user', '/v1/me', 'who you are'),
    listTokens: () => listPages(options, '/v1/tokens', 'tokens', (rows) => checkAnswer('tokens', rows, origin)),
    createToken: async (body) => {
      const answer = await sendJson(options, { method: 'POST', path: '/v1/tokens', body });
      return checkAnswer('new token', answer, transport.origin);
    },
    listUsers: () => listPages(options, '/v1/users', 'users', (rows) => checkAnswer('users', rows, origin)),
    listReviews: (filter = {}) =>
      listPages(
        options,
        reviewsPath(filter),
        'reviews',
        (value) => checkAnswer('reviews', { reviews: value, cursor: null }, transport.origin).reviews,
      ),
    request: (request) => sendJson(options, request),
    close: () => transport.close(),
  };
};

const searchPath = ({ text, agent, limit, cursor }: SearchQuery): string => {
  const query = new URLSearchParams({ q: text });
  if (agent !== undefined) query.set('agent', agent);
  if (limit !== undefined) query.set('limit', String(limit));
  if (cursor !== undefined) query.set('cursor', cursor);
  return `/v1/search?${query}`;
};

const reviewsPath = ({ state, open }: { state?: string; open?: true }): string => {
  const query = new URLSearchParams();
  if (state !== undefined) query.set('state', state);
  if (open !== undefined) query.set('open', 'true');
  return `/v1/reviews${query.size === 0 ? '' : `?${query}`}`;
};

/** The record must be the one that its digest names, and speak of the version that was asked for. */
const checkManifest = (manifest: Answer<'manifest'>, name: string, version: string, origin: string): void => {
  const { record } = manifest;
  if (record.name !== name || record.version !== version) {
    throw invalidAnswer(
      origin,
      `asked for \`${name}@${version}\`, it answered with \`${record.name}@${record.version}\``,
    );
  }
  const digest = recordDigest(record);
  if (digest === manifest.recordDigest) return;
  throw new Problem('record_mismatch', `the manifest of \`${name}@${version}\` is not the one that its digest names`, {
    hint: `the registry \`${origin}\` or something between changed it; nothing was installed`,
    details: { package: name, version, expected: manifest.recordDigest, actual: digest, registry: origin },
  });
};

const notCached = (origin: string, what: string): Problem =>
  new Problem('offline', `${what} is not in the cache, and --offline was given`, {
    hint: 'run the same command once without --offline',
    details: { registry: origin },
  });

/** A GET that is remembered: revalidated by its ETag, or answered from the cache when offline. */
const getChecked = async <Kind extends AnswerKind>(
  options: ClientOptions,
  kind: Kind,
  path: string,
  what: string,
): Promise<Answer<Kind>> => {
  const { transport, cache, mode } = options;
  const { origin } = transport;
  const known = await cache?.findAnswer(origin, path);
  if (mode === 'offline') {
    if (known === undefined) throw notCached(origin, what);
    return checkAnswer(kind, readJson(known.body, origin), origin);
  }
  const headers = known?.etag ? { 'if-none-match': known.etag } : {};
  const answer = await transport.send({ method: 'GET', path, headers, maxBytes: MAX_JSON_BYTES });
  const body = answer.status === 304 && known?.etag ? known.body : bodyOf(answer, origin);
  const checked = checkAnswer(kind, readJson(body, origin), origin);
  const etag = answer.headers.get('etag');
  // Only what can be revalidated, and only after it was checked.
  if (answer.status === 200 && etag !== undefined && /^[\x20-\x7e]{1,256}$/.test(etag)) {
    await cache?.keepAnswer(origin, path, { etag, body });
  }
  return checked;
};

const bodyOf = (answer: WireAnswer, origin: string): Buffer => {
  if (answer.status >= 200 && answer.status < 300) return answer.body;
  throw problemOf(answer, origin);
};

const readJson = (body: Buffer, origin: string): unknown =>
  parseJson(body, {
    maxBytes: MAX_JSON_BYTES,
    maxDepth: MAX_JSON_DEPTH,
    code: 'invalid_answer',
    what: `the answer of the registry \`${origin}\``,
  });

const sendJson = async (options: ClientOptions, request: JsonRequest): Promise<Record<string, unknown>> => {
  const { transport, mode } = options;
  if (mode === 'offline') throw notCached(transport.origin, `the answer to \`${request.method} ${request.path}\``);
  const wire: WireRequest = {
    method: request.method,
    path: request.path,
    maxBytes: MAX_JSON_BYTES,
    ...(request.body === undefined
      ? {}
      : { body: Buffer.from(JSON.stringify(request.body)), headers: { 'content-type': 'application/json' } }),
  };
  const body = bodyOf(await transport.send(wire), transport.origin);
  const value = body.length === 0 ? {} : readJson(body, transport.origin);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw invalidAnswer(transport.origin, 'its answer is no JSON object');
};

/** All pages of a list; a registry that never ends the list is stopped. */
const listPages = async <Row>(
  options: ClientOptions,
  path: string,
  key: string,
  check: (value: unknown) => Row[],
): Promise<Row[]> => {
  const found: Row[] = [];
  let cursor: unknown = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const more = cursor === null ? '' : `${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(String(cursor))}`;
    const answer: Record<string, unknown> = await sendJson(options, { method: 'GET', path: path + more });
    found.push(...check(answer[key]));
    cursor = answer.cursor ?? null;
    if (cursor === null) return found;
  }
  throw invalidAnswer(options.transport.origin, `its list of ${key} does not end`);
};

const getArchive = async (
  options: ClientOptions,
  name: string,
  version: string,
  integrity: string,
): Promise<Buffer> => {
  const { transport, cache, mode } = options;
  const kept = await cache?.findArchive(integrity);
  if (kept !== undefined) return kept;
  if (mode === 'offline') throw notCached(transport.origin, `the archive of \`${name}@${version}\``);
  const path = `${versionPath(name, version)}/archive`;
  const answer = await transport.send({ method: 'GET', path, maxBytes: DEFAULT_LIMITS.archiveBytes });
  const bytes = bodyOf(answer, transport.origin);
  const actual = integrityOf(bytes);
  if (!sameIntegrity(actual, integrity)) {
    throw new Problem('integrity_mismatch', `the archive of \`${name}@${version}\` is not the one that was published`, {
      hint: `expected \`${integrity}\`, got \`${actual}\` from \`${transport.origin}\`; nothing was installed`,
      details: { package: name, version, expected: integrity, actual, registry: transport.origin },
    });
  }
  await cache?.keepArchive(bytes);
  return bytes;
};

const publish = async (
  options: ClientOptions,
  archive: Uint8Array,
  tag: string | undefined,
): Promise<PublishResult> => {
  const { transport, mode } = options;
  if (mode === 'offline') {
    throw new Problem('offline', 'publishing needs the registry, and --offline was given', {
      hint: 'leave --offline out',
    });
  }
  const query = tag === undefined ? '' : `?tag=${encodeURIComponent(tag)}`;
  const headers = { 'content-type': 'application/gzip' };
  const wire: WireRequest = {
    method: 'POST',
    path: `/v1/publish${query}`,
    headers,
    body: archive,
    maxBytes: MAX_JSON_BYTES,
  };
  const answer = readJson(bodyOf(await transport.send(wire), transport.origin), transport.origin) as Record<
    string,
    unknown
  >;
  const manifest = checkAnswer('manifest', answer?.manifest, transport.origin);
  const { status } = answer;
  if (status !== 'listed' && status !== 'pending' && status !== 'identical') {
    throw invalidAnswer(transport.origin, 'its answer to the publish has no known status');
  }
  const hint = typeof answer.hint === 'string' ? answer.hint : null;
  return { status, manifest, findings: manifest.status.findings, hint };
};
