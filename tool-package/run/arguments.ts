/** Coercion and check of a call's arguments, with pi's messages. */
import { coerce } from './coerce.ts';
import { isSchemaNode, schemaErrors } from './schema-errors.ts';

/** The arguments as `execute` gets them. Throws an Error with the text that the model would read. */
export function checkArguments(toolName: string, schema: unknown, args: unknown): unknown {
  const value = coerce(schema, structuredClone(args));
  const errors = schemaErrors(schema, value);
  if (errors.length === 0) return value;
  const lines = errors.map(
    (error) => `  - ${error.path.length === 0 ? 'root' : error.path.join('.')}: ${error.message}`,
  );
  throw new Error(
    `Validation failed for tool "${toolName}":\n${lines.join('\n')}\n\nReceived arguments:\n${JSON.stringify(args, null, 2)}`,
  );
}

/** pi parses the model's text itself; anything but an object is refused before the tool sees it. */
export function parseArguments(toolName: string, args: unknown): unknown {
  if (typeof args !== 'string') return args;
  let parsed: unknown;
  try {
    parsed = JSON.parse(args);
  } catch (error) {
    throw new Error(`Invalid arguments for tool "${toolName}": ${(error as Error).message}`);
  }
  if (!isSchemaNode(parsed)) {
    throw new Error(`Invalid arguments for tool "${toolName}": Tool arguments must be a JSON object`);
  }
  return parsed;
}
