/** Requests against their TypeBox schemas. Compiles nothing: the shapes are small, and start-up counts in the CLI. */
import type { TSchema } from 'typebox';
import { Check } from 'typebox/schema';
import type { App } from '../app.ts';
import { RefusedValue } from './problems.ts';

export const addValidation = (app: App): void => {
  app.setValidatorCompiler<TSchema>(({ schema }) => (value: unknown) => {
    if (Check(schema, value)) return { value };
    return { error: new RefusedValue(schema, value) };
  });
  // Answers are typed by the same schemas at compile time; test/server checks them at run time.
  app.setSerializerCompiler(() => JSON.stringify);
};
