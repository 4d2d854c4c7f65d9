/** What only matters with a port: headers, rate limits, load shedding, metrics, the description of the API. */
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import swagger from '@fastify/swagger';
import underPressure from '@fastify/under-pressure';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../schemas/problem.ts';
import type { App } from '../app.ts';
import type { Limits } from '../limits.ts';

const MINUTE_MS = 60_000;

/** Registers the plugins; the routes must be registered after them. */
export const addNetworkPlugins = (app: App, limits: Limits, publicUrl: string | null): void => {
  app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
    // Whether there is TLS is known to the proxy in front.
    strictTransportSecurity: false,
  });
  app.register(rateLimit, {
    global: false,
    max: limits.writesPerMinute,
    timeWindow: MINUTE_MS,
    keyGenerator: (request: FastifyRequest) => request.viewer?.tokenId ?? request.ip,
    errorResponseBuilder: (_request, context) => tooMany(context.ttl),
  });
  app.register(underPressure, {
    maxEventLoopDelay: 5000,
    maxEventLoopUtilization: 0,
    sampleInterval: 1000,
    retryAfter: 5,
    pressureHandler: () => {
      throw new Problem('busy', 'The registry is overloaded', { hint: 'Try again in a few seconds.' });
    },
  });
  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'pi-tools registry', version: '1' },
      // Never from request headers: what one client sends must not end up in what another is told.
      servers: [{ url: publicUrl ?? '/' }],
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    },
  });
};

/** Counts the refused tokens of an address, so that guessing is slow whatever the route. */
export const createFailureLimit = (app: App, limits: Limits) => {
  let check: ReturnType<App['createRateLimit']> | undefined;
  return async (request: FastifyRequest): Promise<void> => {
    check ??= app.createRateLimit({
      max: limits.failedLoginsPerMinute,
      timeWindow: MINUTE_MS,
      keyGenerator: (from: FastifyRequest) => `failed ${from.ip}`,
    });
    const result = await check(request);
    if (!result.isAllowed && result.isExceeded) throw tooMany(result.ttl);
  };
};

const tooMany = (waitMs: number): Problem => {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new Problem('rate_limited', 'Too many requests', {
    hint: `Try again in ${retryAfterSeconds} seconds.`,
    details: { retryAfterSeconds },
  });
};
