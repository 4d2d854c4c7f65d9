/** What routes share: parameters, answers, conditional reads, cursors. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { ProblemAnswer } from '../../schemas/api/problem.ts';
import { Problem } from '../../schemas/problem.ts';
import { checkPackageName } from '../../tool-package/name.ts';
import { checkVersion } from '../../tool-package/version.ts';
import type { PreparedAnswer } from '../registry/prepared-answers.ts';

/** Names and versions are checked after decoding, by the one rule of tool-package: `checkName`, `checkNameAndVersion`. */
export const NameParams = Type.Object({ name: Type.String() });
export const VersionParams = Type.Object({ name: Type.String(), version: Type.String() });
export const PageQuery = Type.Object({
  limit: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,2}$' })),
  cursor: Type.Optional(Type.String({ maxLength: 256 })),
});

/** The answers of a route, with the problem that every route may answer. */
export const answers = <T extends Record<number, TSchema>>(schemas: T): T & { default: typeof ProblemAnswer } => ({
  ...schemas,
  default: ProblemAnswer,
});

export const checkName = ({ name }: { name: string }): string => {
  checkPackageName(name);
  return name;
};

export const checkNameAndVersion = (params: { name: string; version: string }): { name: string; version: string } => {
  checkPackageName(params.name);
  checkVersion(params.version);
  return params;
};

/** Anybody's answer may be kept if it is asked about each time; one made for a viewer is nobody else's. */
export const PUBLIC = 'public, max-age=0, must-revalidate';
export const PRIVATE = 'private, no-store';

/** Sends prepared bytes, or 304 to who has them. */
export const sendPrepared = (
  request: FastifyRequest,
  reply: FastifyReply,
  answer: PreparedAnswer,
  cacheControl: string,
): FastifyReply => {
  reply.header('etag', answer.etag).header('cache-control', cacheControl).header('vary', 'authorization');
  if (isKnown(request, answer.etag)) return reply.code(304).send();
  return reply.header('content-type', 'application/json; charset=utf-8').send(answer.body);
};

/** `If-None-Match` by weak comparison (RFC 9110, 13.1.2). */
export const isKnown = (request: FastifyRequest, etag: string): boolean => {
  const header = request.headers['if-none-match'];
  if (header === undefined) return false;
  return (
    header === etag || header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
  );
};

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

export const readLimit = (limit: string | undefined, standard = DEFAULT_LIMIT): number =>
  Math.min(Number(limit ?? standard), MAX_LIMIT);

/** A cursor is opaque to clients: where the next page begins. */
export const writeCursor = (position: string | number): string => Buffer.from(`1:${position}`).toString('base64url');

/** Throws `invalid_request` for a cursor that this server did not write. */
export const readCursor = (cursor: string | undefined): string | null => {
  if (cursor === undefined) return null;
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  if (text.startsWith('1:') && writeCursor(text.slice(2)) === cursor) return text.slice(2);
  throw new Problem('invalid_request', 'query: `cursor` is not one of ours', { hint: 'Begin without a cursor.' });
};

/** For lists that are paged by a number. */
export const readNumberCursor = (cursor: string | undefined): number => {
  const text = readCursor(cursor) ?? '0';
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new Problem('invalid_request', 'query: `cursor` is not one of ours', { hint: 'Begin without a cursor.' });
};

/** The rows of a page and where the next begins; ask the store for one more than `limit`. */
export const pageOf = <T>(
  rows: readonly T[],
  limit: number,
  positionOf: (row: T) => string | number,
): { rows: T[]; cursor: string | null } => {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, cursor: rows.length > limit && last !== undefined ? writeCursor(positionOf(last)) : null };
};

/** Only with a token, and counted by the rate limit. */
export const WRITE = { rateLimit: {}, token: 'required' as const };
