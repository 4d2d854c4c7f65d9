/** Who asks. What they may is decided by each route: a check by URL prefix is passed by another spelling of the URL. */
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../schemas/problem.ts';
import type { App } from '../app.ts';
import type { Deps } from '../deps.ts';
import { authenticate } from '../registry/authenticate.ts';
import { unauthorized, type Viewer } from '../registry/viewer.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null for somebody without a token. */
    viewer: Viewer | null;
  }
  interface FastifyContextConfig {
    /** `required`: without a token 401, before the body or a parameter is looked at. */
    token?: 'required';
  }
}

export type AuthOptions = {
  /** Every request comes from this one: the embedded registry. */
  readonly identity: Viewer | null;
  /** Called for each token that is refused; throws when there were too many. */
  readonly onFailure: ((request: FastifyRequest) => Promise<void>) | null;
};

export const addAuth = (app: App, deps: Deps, options: AuthOptions): void => {
  app.decorateRequest('viewer', null);
  app.addHook('onRequest', (request, _reply, done) => {
    const { authorization } = request.headers;
    if (options.identity !== null) request.viewer = options.identity;
    if (options.identity !== null) return done();
    if (authorization !== undefined) identify(deps, request, authorization, options).then(() => done(), done);
    // A stranger learns nothing from what is wrong with the body.
    else if (request.routeOptions.config.token === 'required') done(unauthorized());
    else done();
  });
};

const identify = async (
  deps: Deps,
  request: FastifyRequest,
  authorization: string,
  options: AuthOptions,
): Promise<void> => {
  try {
    request.viewer = await authenticate(deps, bearerToken(authorization));
  } catch (error) {
    if (error instanceof Problem) await options.onFailure?.(request);
    throw error;
  }
};

const bearerToken = (authorization: string): string => {
  const token = /^bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (token !== undefined) return token;
  throw new Problem('invalid_token', 'The `Authorization` header is not `Bearer` and a token');
};
