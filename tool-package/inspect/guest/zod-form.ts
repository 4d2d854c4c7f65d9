/**
 * The hosts bring Zod 4.1; ours is newer and writes some schemas in a shorter form. What the model is sent is the hosts'
 * form, which more providers take: `anyOf` for every union, no list of types, no `items: false`.
 */

type Json = Record<string, unknown>;
type Node = {
  zodSchema: { _zod?: { def?: { type?: unknown; discriminator?: unknown } }; description?: unknown };
  jsonSchema: Json;
};

const SCHEMAS = ['items', 'additionalProperties', 'propertyNames', 'not', 'contains', 'if', 'then', 'else'];
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const MAPS = ['properties', 'patternProperties', '$defs', 'definitions'];

/** Zod's `override`: called for each schema while the JSON is made. */
export function overrideNode({ zodSchema, jsonSchema }: Node): void {
  const def = zodSchema._zod?.def;
  // Another copy of Zod keeps its descriptions where ours does not look.
  if (jsonSchema.description === undefined && typeof zodSchema.description === 'string')
    jsonSchema.description = zodSchema.description;
  if (def?.type === 'tuple' && jsonSchema.items === false) delete jsonSchema.items;
  if (def?.type !== 'union' || def.discriminator === undefined || jsonSchema.oneOf === undefined) return;
  jsonSchema.anyOf = jsonSchema.oneOf;
  delete jsonSchema.oneOf;
}

/** Puts lists of types back into `anyOf`; takes and changes plain JSON, and looks only where schemas are. */
export function inHostForm(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  const json = schema as Json;
  for (const key of SCHEMAS) inHostForm(json[key]);
  for (const key of LISTS) eachOf(json[key]);
  for (const key of MAPS) eachOf(json[key]);
  if (Array.isArray(json.type) && json.anyOf === undefined) {
    json.anyOf = json.type.map((type) => ({ type }));
    delete json.type;
  }
  return json;
}

function eachOf(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) inHostForm((value as Json)[key]);
}
