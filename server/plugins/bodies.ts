/** Which bodies are read, and how. */
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../schemas/problem.ts';
import { parseJson } from '../../tool-package/parse-json.ts';
import type { App } from '../app.ts';
import type { Limits } from '../limits.ts';

/** JSON only, strictly: Fastify's own parser takes any depth, and its text/plain parser is a way around CORS. */
export const addJsonBodies = (app: App, limits: Limits): void => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: limits.jsonBytes },
    async (request: FastifyRequest, body: Buffer) => {
      assertUtf8(request.headers['content-type'] ?? '');
      if (body.byteLength === 0) return undefined;
      return parseJson(body, { maxBytes: limits.jsonBytes, maxDepth: limits.jsonDepth, what: 'body' });
    },
  );
};

/** Archives only, handed on as the stream that they are. */
export const addArchiveBodies = (app: App): void => {
  app.removeAllContentTypeParsers();
  const types = ['application/gzip', 'application/x-gzip', 'application/octet-stream'];
  app.addContentTypeParser(types, (_request, payload, done) => done(null, payload));
};

const assertUtf8 = (contentType: string): void => {
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(contentType)?.[1];
  if (charset === undefined || /^utf-?8$/i.test(charset)) return;
  throw new Problem('unsupported_media_type', `The charset \`${charset.slice(0, 40)}\` is not accepted; JSON is UTF-8`);
};
