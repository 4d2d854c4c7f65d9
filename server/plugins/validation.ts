/** Requests against their TypeBox schemas. Compiles nothing: the shapes are small, and start-up counts in the CLI. */
import type { FastifyServerOptions } from 'fastify';
import type { TSchema } from 'typebox';
import { Check } from 'typebox/schema';
import { RefusedValue } from './problems.ts';

/**
 * Fastify's `schemaController`; given at creation, so that it does not load its own compilers. Answers are typed by
 * their schemas at compile time, and test/server/openapi.test.ts checks them at run time.
 */
export const schemaController = {
  compilersFactory: { buildValidator: () => compileValidator, buildSerializer: () => () => JSON.stringify },
  // Fastify types its factories as Ajv's own; it only calls what they give.
} as unknown as NonNullable<FastifyServerOptions['schemaController']>;

const compileValidator =
  ({ schema }: { schema: TSchema }) =>
  (value: unknown) =>
    Check(schema, value) ? { value } : { error: new RefusedValue(schema, value) };
