/** Reads the exports of a SlopCode or opencode tool file. */
import { inertLabel } from './inert.ts';
import { type Reading, readMember, readValue } from './read-value.ts';
import type { Registered } from './report.ts';
import { inHostForm, overrideNode } from './zod-form.ts';

type Schema = { _zod?: { def?: unknown; optin?: unknown; optout?: unknown; toJSONSchema?: () => unknown } };
type Zod = {
  toJSONSchema?: (schema: unknown, options: unknown) => Record<string, unknown>;
  object?: (shape: unknown) => unknown;
};

/** `input`: what the model may send, so a key with a default may be left out. */
const OPTIONS = { io: 'input', unrepresentable: 'any', override: overrideNode };

export type FileExports = { tools: Registered[]; others: string[] };

export function readExports(module: object, zod: Zod): FileExports {
  const found: FileExports = { tools: [], others: [] };
  for (const key of Object.keys(module)) {
    const definition = (module as Record<string, unknown>)[key];
    if (!isTool(definition)) found.others.push(key);
    else found.tools.push({ definition, stack: '', export: key, parameters: parametersOf(definition, zod) });
  }
  return found;
}

/** An inert export may be a tool: it is reported, unread. */
function isTool(value: unknown): value is object {
  if (inertLabel(value) !== undefined) return true;
  if (typeof value !== 'object' || value === null) return false;
  try {
    return typeof (value as { execute?: unknown }).execute === 'function';
  } catch {
    return true;
  }
}

function parametersOf(definition: object, zod: Zod): Reading {
  try {
    const label = inertLabel(definition);
    return label === undefined ? argumentsSchema((definition as { args?: unknown }).args, zod) : { unread: label };
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'an error';
    return { unread: `args: ${reason}`.slice(0, 200) };
  }
}

function argumentsSchema(args: unknown, zod: Zod): Reading {
  const label = inertLabel(args);
  if (label !== undefined) return { unread: label };
  if (args === undefined || args === null) return { json: joined([], []) };
  if ((args as Schema)._zod !== undefined) return wholeSchema(args, zod);
  const { type, properties } = args as { type?: unknown; properties?: unknown };
  if (type === 'object' && typeof properties === 'object') return readValue(args) ?? { unread: 'args' };
  return joinArguments(args as Record<string, unknown>, zod);
}

function joinArguments(args: Record<string, unknown>, zod: Zod): Reading {
  const properties: string[] = [];
  const required: string[] = [];
  for (const key of Object.keys(args)) {
    const reading = readMember(args, key);
    const schema = args[key];
    const isZod = (schema as Schema | undefined)?._zod !== undefined && inertLabel(schema) === undefined;
    const read = isZod ? zodReading(schema as Schema, zod) : reading;
    if (read === undefined) continue;
    if ('unread' in read) return { unread: `${key}: ${read.unread}` };
    // A reference is relative to the whole schema: joined, it would point elsewhere.
    if (isZod && read.json.includes('"$ref":"#') && zod.object) return wholeSchema(zod.object(args), zod);
    properties.push(`${JSON.stringify(key)}:${read.json}`);
    if (!isOptional(schema, zod)) required.push(key);
  }
  return { json: joined(properties, required) };
}

function joined(properties: string[], required: string[]): string {
  return `{"type":"object","properties":{${properties.join(',')}},"required":${JSON.stringify(required)},"additionalProperties":false}`;
}

/** Zod's own schemas through Zod; anything else with `_zod.toJSONSchema` speaks for itself. */
function zodReading(schema: Schema, zod: Zod): Reading {
  const own = schema._zod;
  if (own?.def === undefined && typeof own?.toJSONSchema === 'function')
    return readValue(own.toJSONSchema()) ?? { unread: 'args' };
  if (!zod.toJSONSchema) return { unread: 'a Zod that is not the host’s' };
  return converted(schema, zod.toJSONSchema) ?? { unread: 'args' };
}

/** The schema as the hosts' Zod writes it. */
function converted(schema: unknown, toJSONSchema: NonNullable<Zod['toJSONSchema']>): Reading | undefined {
  const { $schema: _, ...json } = toJSONSchema(schema, OPTIONS);
  const read = readValue(json);
  return read === undefined || 'unread' in read ? read : readValue(inHostForm(JSON.parse(read.json)));
}

function wholeSchema(schema: unknown, zod: Zod): Reading {
  if (!zod.toJSONSchema) return { unread: 'a Zod that is not the host’s' };
  const read = converted(schema, zod.toJSONSchema);
  if (read === undefined || 'unread' in read) return read ?? { unread: 'args' };
  return readValue({ required: [], ...JSON.parse(read.json), additionalProperties: false }) ?? { unread: 'args' };
}

function isOptional(schema: unknown, zod: Zod): boolean {
  const own = (schema as Schema)._zod;
  if (own === undefined) return Object.hasOwn(schema as object, 'default');
  // Zod itself knows best: `catch` and `preprocess` take nothing in place of a value, and yet the key is asked for.
  if (own.def !== undefined && zod.object && zod.toJSONSchema) {
    const { required } = zod.toJSONSchema(zod.object({ key: schema }), OPTIONS);
    return !Array.isArray(required) || required[0] !== 'key';
  }
  return own.optin !== undefined || own.optout === 'optional';
}
