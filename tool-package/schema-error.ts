/** Turns what a schema refuses into a sentence: which field, what stands there, what was wanted. */
import type { Static, TSchema } from 'typebox';
import { Check, Errors } from 'typebox/value';
import { Problem, type ProblemCode } from '../schemas/problem.ts';
import { showText } from './show-text.ts';

export type SchemaError = {
  /** As one would write it in JavaScript: `piTools.overrides[0].tool`; empty for the whole value. */
  readonly field: string;
  /** The value that stands there, as short JSON. */
  readonly value: string;
  /** What was wanted: `a string`, `one of "a", "b"` … */
  readonly wanted: string;
};

type Expectation = { readonly code: ProblemCode; readonly what: string; readonly hint?: string };

/**
 * Gives the value back with its type when it fits the schema. Throws a Problem with `expected.code` else; its message is
 * the first error (`package.json: \`version\` is \`1\`, wanted a string`), `details.errors` holds up to ten.
 */
export const checkSchema = <T extends TSchema>(schema: T, value: unknown, expected: Expectation): Static<T> => {
  if (Check(schema, value)) return value;
  const errors = describeSchemaErrors(schema, value);
  const first = errors[0] ?? { field: '', value: shortJson(value), wanted: 'something else' };
  throw new Problem(expected.code, `${expected.what}: ${schemaErrorText(first)}`, {
    ...(expected.hint === undefined ? {} : { hint: expected.hint }),
    details: { errors },
  });
};

const NO_SUCH_KEY = 'no such key';

/** One error as text. */
export const schemaErrorText = (error: SchemaError): string => {
  const subject = error.field === '' ? 'the value' : `\`${showText(error.field, 200)}\``;
  if (error.wanted === NO_SUCH_KEY) return `${subject} is not a known key`;
  return error.value === 'missing'
    ? `${subject} is missing, wanted ${error.wanted}`
    : `${subject} is \`${error.value}\`, wanted ${error.wanted}`;
};

/** Up to ten errors of a value that does not fit, each field once. */
export const describeSchemaErrors = (schema: TSchema, value: unknown): SchemaError[] => {
  const byField = new Map<string, SchemaError>();
  for (const raw of listRawErrors(schema, value)) {
    const { pointer, wanted } = describe(raw);
    const known = byField.get(pointer);
    // A union reports each branch and then itself: the branches together say what was wanted.
    if (known === undefined) byField.set(pointer, { field: fieldOf(pointer), value: valueAt(value, pointer), wanted });
    else if (isBranch(raw)) byField.set(pointer, { ...known, wanted: merge(known.wanted, wanted) });
    if (byField.size >= 10) break;
  }
  return [...byField.values()];
};

type RawError = {
  readonly keyword: string;
  readonly schemaPath: string;
  readonly instancePath: string;
  readonly params: object;
};

/** `additionalProperties: false` is reported twice, by its parent with the names and by the false schema: one is enough. */
const listRawErrors = (schema: TSchema, value: unknown): RawError[] =>
  [...(Errors(schema, value) as Iterable<RawError>)].filter(
    (error) => error.keyword !== 'anyOf' && error.keyword !== 'boolean' && error.keyword !== 'if',
  );

const isBranch = (error: RawError): boolean => error.schemaPath.includes('/anyOf/');

const merge = (left: string, right: string): string =>
  left.split(' or ').includes(right) ? left : `${left} or ${right}`;

const describe = (error: RawError): { pointer: string; wanted: string } => {
  const params = new Map<string, unknown>(Object.entries(error.params));
  const first = (key: string): string => String((params.get(key) as unknown[] | undefined)?.[0] ?? '');
  const at = (name: string): string => `${error.instancePath}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  if (error.keyword === 'required') return { pointer: at(first('requiredProperties')), wanted: 'a value' };
  if (error.keyword === 'additionalProperties') {
    return { pointer: at(first('additionalProperties')), wanted: NO_SUCH_KEY };
  }
  return { pointer: error.instancePath, wanted: wantedOf(error.keyword, params) };
};

const TYPES = new Map([
  ['string', 'a string'],
  ['number', 'a number'],
  ['integer', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'an array'],
  ['object', 'an object'],
  ['null', 'null'],
]);

const wantedOf = (keyword: string, params: ReadonlyMap<string, unknown>): string => {
  const limit = String(params.get('limit') ?? '');
  switch (keyword) {
    case 'type':
      return [params.get('type')]
        .flat()
        .map((type) => TYPES.get(String(type)) ?? String(type))
        .join(' or ');
    case 'const':
      return shortJson(params.get('allowedValue'));
    case 'pattern':
      return `a text like /${String(params.get('pattern'))}/`;
    case 'minLength':
      return `at least ${limit} characters`;
    case 'maxLength':
      return `at most ${limit} characters`;
    case 'minItems':
      return `at least ${limit} elements`;
    case 'maxItems':
      return `at most ${limit} elements`;
    case 'minimum':
      return `at least ${limit}`;
    case 'maximum':
      return `at most ${limit}`;
    default:
      return `what the schema says (${keyword})`;
  }
};

const pathOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

const fieldOf = (pointer: string): string =>
  pathOf(pointer)
    .map((part, index) => {
      if (/^\d+$/.test(part)) return `[${part}]`;
      if (/^[A-Za-z_$][\w$]*$/.test(part)) return index === 0 ? part : `.${part}`;
      return `[${shortJson(part)}]`;
    })
    .join('');

const valueAt = (value: unknown, pointer: string): string => {
  let at: unknown = value;
  for (const part of pathOf(pointer)) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return 'missing';
    at = (at as Record<string, unknown>)[part];
  }
  return at === undefined ? 'missing' : shortJson(at);
};

const shortJson = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value);
  return showText(text, 80);
};
