/** `POST /v1/publish`: the archive itself is the body, nothing else. */
import type { IncomingMessage } from 'node:http';
import { Type } from 'typebox';
import { PublishAnswer } from '../../schemas/api/packages.ts';
import { openFindings } from '../../tool-package/open-findings.ts';
import type { App } from '../app.ts';
import type { Deps } from '../deps.ts';
import { addArchiveBodies } from '../plugins/bodies.ts';
import type { PublishResult } from '../registry/publish.ts';
import { requireScope } from '../registry/viewer.ts';
import { answers, WRITE } from './shared.ts';

const STATUS = { listed: 201, pending: 202, identical: 200 } as const;

export const addPublishRoute = (app: App, deps: Deps): void => {
  // Its own context: archives are read here only, and JSON is not.
  app.register(async (plain) => {
    const scope = plain as unknown as App;
    addArchiveBodies(scope);
    scope.post(
      '/v1/publish',
      {
        config: WRITE,
        schema: {
          querystring: Type.Object({ tag: Type.Optional(Type.String({ maxLength: 64 })) }),
          consumes: ['application/gzip'],
          body: Type.Any({ description: 'the archive, an npm tarball' }),
          response: answers({ 200: PublishAnswer, 201: PublishAnswer, 202: PublishAnswer }),
        },
      },
      async (request, reply) => {
        // Null without a body.
        const body = request.body as IncomingMessage | null;
        try {
          // Loaded when it is needed: reading and checking archives costs more than a whole embedded read.
          const { publishUpload } = await import('../registry/publish-upload.ts');
          const length = request.headers['content-length'];
          const result = await publishUpload(deps, {
            viewer: requireScope(request.viewer, 'publish'),
            body: chunksOf(body),
            announcedBytes: length === undefined ? null : Number(length),
            tag: request.query.tag ?? null,
          });
          reply.code(STATUS[result.status]).header('cache-control', 'no-store');
          return publishAnswer(result);
        } catch (error) {
          drain(body, deps.limits.archiveBytes);
          throw error;
        }
      },
    );
  });
};

const publishAnswer = (result: PublishResult) => {
  const { record, status } = result.manifest;
  if (result.status !== 'pending') return result;
  const rules = [...new Set(openFindings(status.findings, status.waivers).map((finding) => finding.rule))];
  const why = rules.length > 0 ? `Findings to look at: ${rules.map((rule) => `\`${rule}\``).join(', ')}. ` : '';
  return {
    ...result,
    hint: `${why}A curator lists it with \`pi-tools review approve ${record.name}@${record.version}\`.`,
  };
};

/** Leaving the loop early must not destroy the socket: the answer that says why has to go through it. */
const chunksOf = (body: IncomingMessage | null): AsyncIterable<Uint8Array> =>
  body?.iterator({ destroyOnReturn: false }) ?? noChunks();

async function* noChunks(): AsyncGenerator<Uint8Array> {}

/** Reads on, so that a client that is still sending gets to read the answer instead of a reset; not for ever. */
const drain = (body: IncomingMessage | null, maxBytes: number): void => {
  if (!body || body.readableEnded || body.destroyed) return;
  let left = maxBytes;
  body.on('data', (chunk: Buffer) => {
    left -= chunk.byteLength;
    if (left < 0) body.destroy();
  });
  body.on('error', () => undefined);
  body.resume();
};
