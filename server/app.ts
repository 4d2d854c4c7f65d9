/** The registry as a Fastify application: on a port (main.ts), or in process through `inject` (the CLI's embedded one). */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import createFastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
  type RawServerDefault,
} from 'fastify';
import type { Role } from '../schemas/api/accounts.ts';
import { Problem } from '../schemas/problem.ts';
import type { Deps } from './deps.ts';
import type { Limits } from './limits.ts';
import { addAuth } from './plugins/auth.ts';
import { addJsonBodies } from './plugins/bodies.ts';
import { addProblems, problemAnswer, sendProblem } from './plugins/problems.ts';
import { schemaController } from './plugins/validation.ts';
import { scopesOfRole, type Viewer } from './registry/viewer.ts';
import { addRoutes } from './routes/index.ts';

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** What `addNetwork` gets to add before the routes: headers, rate limits, metrics, OpenAPI. */
export type NetworkPlugins = {
  add(app: App, limits: Limits): void;
  onLoginFailure(app: App, limits: Limits): (request: FastifyRequest) => Promise<void>;
};

export type AppOptions = {
  /** Embedded use: every request comes from this user, and no token is looked at. */
  readonly identity?: { readonly user: string; readonly role: Role };
  /** Given by main.ts; left out in process, where there is no network to guard against. */
  readonly network?: NetworkPlugins;
  /** Where a failure is written; nothing else is logged. */
  readonly logErrors?: boolean;
};

/** Builds the application on open `deps`; `deps` stays the caller's to close. */
export const buildApp = (deps: Deps, options: AppOptions = {}): App => {
  const app = createFastify(serverOptions(deps.limits, options)).withTypeProvider<TypeBoxTypeProvider>() as App;
  addProblems(app);
  addJsonBodies(app, deps.limits);
  options.network?.add(app, deps.limits);
  addAuth(app, deps, {
    identity: options.identity === undefined ? null : asViewer(options.identity),
    onFailure: options.network?.onLoginFailure(app, deps.limits) ?? null,
  });
  // In a context of its own, so that it comes after the plugins and sees their hooks.
  app.register(async (scope) => addRoutes(scope as unknown as App, deps));
  return app;
};

const asViewer = ({ user, role }: { user: string; role: Role }): Viewer => ({
  user,
  role,
  scopes: new Set(scopesOfRole(role)),
  tokenId: null,
  expires: null,
});

const serverOptions = (limits: Limits, options: AppOptions) => ({
  // stdout is the command's own: one JSON document with --json.
  logger: options.logErrors === true ? { level: 'error', base: null, stream: process.stderr } : false,
  logController: new LogController({ disableRequestLogging: true }),
  schemaController,
  bodyLimit: limits.jsonBytes,
  requestTimeout: limits.bodyTimeoutMs,
  connectionTimeout: limits.stalledTimeoutMs,
  keepAliveTimeout: limits.idleTimeoutMs,
  http: { headersTimeout: limits.headerTimeoutMs, connectionsCheckingInterval: 1000 },
  // A browser or a proxy keeps connections open: a stop must not wait for them.
  forceCloseConnections: 'idle' as const,
  routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 512 },
  // A URL that cannot be decoded.
  frameworkErrors: (_error: Error, _request: unknown, reply: Parameters<typeof sendProblem>[0]) => {
    sendProblem(reply, new Problem('invalid_request', 'The address cannot be decoded'));
  },
  clientErrorHandler: answerClientError,
});

const CLIENT_ERRORS: ReadonlyMap<string, readonly [string, Problem]> = new Map([
  ['ERR_HTTP_REQUEST_TIMEOUT', ['408 Request Timeout', new Problem('body_timeout', 'The request took too long')]],
  [
    'HPE_HEADER_OVERFLOW',
    ['431 Request Header Fields Too Large', new Problem('invalid_request', 'The headers are too large')],
  ],
]);
const BAD_REQUEST = ['400 Bad Request', new Problem('invalid_request', 'This is not HTTP/1.1')] as const;

/** What is no request at all: answered by hand, and the connection closed, so that nothing behind it is read as another. */
function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const [line, problem] = CLIENT_ERRORS.get(error.code ?? '') ?? BAD_REQUEST;
  const body = JSON.stringify(problemAnswer(problem));
  socket.end(
    `HTTP/1.1 ${line}\r\ncontent-type: application/problem+json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
