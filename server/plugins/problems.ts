/** The one place that turns a failure into an answer: problem+json (RFC 9457). */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { ProblemAnswer } from '../../schemas/api/problem.ts';
import { PROBLEMS, Problem } from '../../schemas/problem.ts';
import type { App } from '../app.ts';
import { createMethodTable } from './known-methods.ts';

/** Sets the handlers for errors and for unknown routes. Call it before any route is added. */
export const addProblems = (app: App): void => {
  const methodsOf = createMethodTable(app);
  app.setErrorHandler(async (error, request, reply) =>
    sendProblem(reply, await toProblem(error as FastifyError, request)),
  );
  app.setNotFoundHandler((request, reply) => {
    const allowed = methodsOf(request.url);
    if (allowed.length === 0) return sendProblem(reply, new Problem('not_found', 'There is nothing at this address'));
    reply.header('allow', allowed.join(', '));
    return sendProblem(
      reply,
      new Problem('method_not_allowed', `\`${request.method}\` is not possible here`, {
        hint: `Possible: ${allowed.join(', ')}.`,
      }),
    );
  });
};

export const sendProblem = (reply: FastifyReply, problem: Problem): FastifyReply => {
  for (const [name, value] of headersOf(problem)) reply.header(name, value);
  // Sent as text: the route's own schemas are about its answers, not about this.
  return reply
    .code(problem.status)
    .type('application/problem+json')
    .send(JSON.stringify(problemAnswer(problem)));
};

export const problemAnswer = (problem: Problem): ProblemAnswer => ({
  type: `urn:pi-tools:problem:${problem.code}`,
  title: PROBLEMS[problem.code].title,
  status: problem.status,
  detail: problem.message,
  code: problem.code,
  hint: problem.hint,
  details: problem.details,
});

const headersOf = (problem: Problem): [string, string][] => {
  const headers: [string, string][] = [['cache-control', 'no-store']];
  if (problem.code === 'unauthorized') headers.push(['www-authenticate', 'Bearer realm="pi-tools"']);
  if (problem.code === 'invalid_token')
    headers.push(['www-authenticate', 'Bearer realm="pi-tools", error="invalid_token"']);
  const { retryAfterSeconds = problem.code === 'busy' ? 5 : undefined } = problem.details;
  if (typeof retryAfterSeconds === 'number') headers.push(['retry-after', String(retryAfterSeconds)]);
  return headers;
};

/** The schema and the value that a validator refused; see validation.ts. */
export class RefusedValue extends Error {
  readonly schema: TSchema;
  readonly value: unknown;
  /** Set by Fastify: body, params, querystring. */
  validationContext?: string;

  constructor(schema: TSchema, value: unknown) {
    super('the value does not fit its schema');
    this.schema = schema;
    this.value = value;
  }
}

const toProblem = async (error: FastifyError, request: FastifyRequest): Promise<Problem> => {
  if (error instanceof Problem) return error;
  if (error instanceof RefusedValue) return describeRefusal(error, error.validationContext);
  const known = fromCode(error);
  if (known !== null) return known;
  const status = error.statusCode ?? 500;
  if (status >= 400 && status < 500) return new Problem('invalid_request', error.message);
  request.log.error({ err: error, method: request.method, route: request.routeOptions.url }, 'request failed');
  return new Problem('internal', 'The registry failed to answer', { hint: 'Its log says more.' });
};

const fromCode = (error: FastifyError): Problem | null => {
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_EMPTY_TYPE':
      return new Problem('unsupported_media_type', 'The body is of a type that is not accepted here', {
        hint: 'JSON bodies are `application/json`, archives `application/gzip`.',
      });
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Problem('too_large', 'The body is too large');
    case 'ENOSPC':
    case 'EDQUOT':
    case 'SQLITE_FULL':
      return new Problem('disk_full', 'The disk of the registry is full', { cause: error });
    case 'SQLITE_BUSY':
      return new Problem('busy', 'The registry is busy', { hint: 'Try again.', cause: error });
    // The client is gone, or was cut off by the time limit: nobody reads this.
    case 'ECONNRESET':
    case 'ERR_STREAM_PREMATURE_CLOSE':
      return new Problem('body_timeout', 'The body did not arrive');
    default:
      return null;
  }
};

/** Loaded when it is needed: it costs more than a whole read of the embedded registry. */
const describeRefusal = async (error: RefusedValue, context: string | undefined): Promise<Problem> => {
  const { describeSchemaErrors, schemaErrorText } = await import('../../tool-package/schema-error.ts');
  const errors = describeSchemaErrors(error.schema, error.value);
  const first = errors[0];
  const text = first === undefined ? 'does not fit' : schemaErrorText(first);
  return new Problem('invalid_request', `${context ?? 'request'}: ${text}`, { details: { errors } });
};
