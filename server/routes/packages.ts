/** Reads of packages: the paths that everybody takes. Answers to anybody are prepared bytes. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { PackageDocument } from '../../schemas/api/packages.ts';
import { Manifest } from '../../schemas/manifest.ts';
import { Problem } from '../../schemas/problem.ts';
import type { App } from '../app.ts';
import type { Deps } from '../deps.ts';
import { manifestOf } from '../registry/manifest.ts';
import { getDocument, getVersion, packageNotFound, seesMore } from '../registry/package-document.ts';
import { createPreparedAnswers, type PreparedArchive, prepare } from '../registry/prepared-answers.ts';
import {
  answers,
  checkName,
  checkNameAndVersion,
  isKnown,
  NameParams,
  PRIVATE,
  PUBLIC,
  sendPrepared,
  VersionParams,
} from './shared.ts';

const IMMUTABLE = 'public, max-age=31536000, immutable';

export const addPackageRoutes = (app: App, deps: Deps): void => {
  const prepared = createPreparedAnswers(deps);

  app.get(
    '/v1/packages/:name',
    { schema: { params: NameParams, response: answers({ 200: PackageDocument }) } },
    async (request, reply) => {
      const name = checkName(request.params);
      if (await seesMore(deps, name, request.viewer)) {
        return sendPrepared(request, reply, prepare(await getDocument(deps, name, request.viewer)), PRIVATE);
      }
      const answer = await prepared.findDocument(name);
      if (answer === undefined) throw packageNotFound(name);
      return sendPrepared(request, reply, answer, request.viewer === null ? PUBLIC : PRIVATE);
    },
  );

  app.get(
    '/v1/packages/:name/versions/:version',
    { schema: { params: VersionParams, response: answers({ 200: Manifest }) } },
    async (request, reply) => {
      const { name, version } = checkNameAndVersion(request.params);
      const answer = await prepared.findManifest(name, version).catch(ifUnlisted);
      if (answer !== undefined) return sendPrepared(request, reply, answer, PUBLIC);
      const found = await getVersion(deps, name, version, request.viewer);
      const cacheControl = found.version.state === 'quarantined' ? PUBLIC : PRIVATE;
      return sendPrepared(request, reply, prepare(manifestOf(found.version)), cacheControl);
    },
  );

  // Both by hand: Fastify's own HEAD route would read the whole file to find out how long it is.
  app.route({
    method: ['GET', 'HEAD'],
    url: '/v1/packages/:name/versions/:version/archive',
    schema: {
      params: VersionParams,
      produces: ['application/gzip'],
      response: answers({ 200: Type.Unknown({ description: 'the archive' }) }),
    },
    handler: async (request, reply) => {
      const { name, version } = checkNameAndVersion(request.params);
      const listed = await prepared.findArchive(name, version).catch(ifUnlisted);
      const archive = listed ?? (await findUnlisted(deps, request));
      reply.header('cache-control', listed === undefined ? PRIVATE : IMMUTABLE);
      reply.header('content-disposition', `attachment; filename="${name.replace(/^.*\//, '')}-${version}.tgz"`);
      return sendArchive(deps, request, reply, archive);
    },
  });
};

/** Whether the viewer may know of it is decided by the slower path, with the viewer. */
const ifUnlisted = (error: unknown): undefined => {
  if (error instanceof Problem && error.status === 404) return undefined;
  throw error;
};

const findUnlisted = async (deps: Deps, request: FastifyRequest): Promise<PreparedArchive> => {
  const { name, version } = request.params as { name: string; version: string };
  const { state, state_reason: reason, ...row } = (await getVersion(deps, name, version, request.viewer)).version;
  // Curators fetch it through another door, if at all: what is quarantined must not be installed by anybody.
  if (state === 'quarantined') {
    throw new Problem('version_quarantined', `\`${name}@${version}\` is quarantined: ${reason ?? 'no reason given'}`, {
      hint: 'Do not use it; remove it where it is installed.',
      details: { name, version, reason },
    });
  }
  return { etag: `"${row.integrity}"`, size: row.archive_size, sha512: row.sha512, body: null };
};

const sendArchive = async (
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  archive: PreparedArchive,
): Promise<FastifyReply> => {
  reply.header('etag', archive.etag).header('vary', 'authorization');
  if (isKnown(request, archive.etag)) return reply.code(304).send();
  reply.header('content-type', 'application/gzip').header('content-length', archive.size);
  if (archive.body !== null) return reply.send(archive.body);
  return reply.send(request.method === 'HEAD' ? undefined : await deps.blobs.stream(archive.sha512));
};
