/** The runtime that generated entries share: validation, defaults, results, and code that does not load. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createEntry, type Definition } from '../../../cli/agents/entry-runtime.ts';

type Json = Readonly<Record<string, unknown>>;

const define = (parameters: Json, host: Definition['host'] = 'slopcode'): Definition => ({
  name: 't',
  description: 'Does',
  parameters,
  host,
});

/** Runs a tool that answers with its arguments. */
const echo = async (parameters: Json, args: unknown): Promise<unknown> => {
  const entry = await createEntry(
    define(parameters),
    async () => ({ default: { execute: (given: unknown) => given } }),
    'default',
  );
  return JSON.parse(String(await entry.execute(args, {})));
};
const answer = async (value: unknown, host: Definition['host'] = 'slopcode') => {
  const entry = await createEntry(
    define({ type: 'object' }, host),
    async () => ({ x: { execute: async () => value } }),
    'x',
  );
  return entry.execute({}, {});
};
const one = (schema: Json): Json => ({ type: 'object', properties: { v: schema }, required: ['v'] });

describe('validation', () => {
  const cases: [string, Json, unknown[], unknown[]][] = [
    ['integer', { type: 'integer', minimum: 0, exclusiveMaximum: 3 }, [0, 2], [-1, 3, 1.5, '1', null]],
    ['several types', { type: ['string', 'null'] }, ['x', null], [1, []]],
    [
      'string',
      { type: 'string', minLength: 2, maxLength: 3, pattern: '^[a-z天]+$' },
      ['ab', '天天'],
      ['a', 'abcd', 'A1'],
    ],
    ['multipleOf', { type: 'number', multipleOf: 0.1 }, [0.3, 1], [0.25]],
    ['enum and const', { enum: ['a', { b: [1] }] }, ['a', { b: [1] }], ['b', { b: [2] }]],
    [
      'array',
      { type: 'array', items: { type: 'number' }, minItems: 1, uniqueItems: true },
      [[1], [1, 2]],
      [[], ['x'], [1, 1]],
    ],
    ['tuple', { type: 'array', prefixItems: [{ type: 'string' }], items: false }, [['a']], [[1], ['a', 'b']]],
    ['old tuple', { type: 'array', items: [{ type: 'string' }], additionalItems: false }, [['a']], [['a', 1]]],
    ['record', { type: 'object', additionalProperties: { type: 'number' } }, [{ a: 1 }], [{ a: 'x' }]],
    [
      'patterns',
      { type: 'object', patternProperties: { '^x': { type: 'number' } }, additionalProperties: false },
      [{ x1: 1 }],
      [{ y: 1 }, { x: 'a' }],
    ],
    ['anyOf', { anyOf: [{ const: 'a' }, { const: 'b' }] }, ['a', 'b'], ['c']],
    ['oneOf', { oneOf: [{ type: 'number' }, { minimum: 5 }] }, [1], [6, 7]],
    ['allOf and not', { allOf: [{ type: 'number' }], not: { const: 3 } }, [1], [3, 'x']],
    [
      'names of every object',
      { type: 'object', properties: { constructor: { type: 'string' } }, additionalProperties: false },
      [{}, { constructor: 'x' }],
      [{ toString: 1 }],
    ],
  ];

  it.each(cases)('%s', async (_, schema, good, bad) => {
    for (const v of good) expect(await echo(one(schema), { v })).toEqual({ v });
    for (const v of bad)
      await expect(echo(one(schema), { v }), JSON.stringify(v)).rejects.toThrow(/Invalid arguments for t:\n {2}- v/);
  });

  it('follows references, also ones that lead in a circle', async () => {
    const tree = {
      type: 'object',
      properties: { root: { $ref: '#/$defs/node' } },
      required: ['root'],
      $defs: {
        node: {
          type: 'object',
          properties: { name: { type: 'string' }, next: { $ref: '#/$defs/node' } },
          required: ['name'],
        },
      },
    };
    const args = { root: { name: 'a', next: { name: 'b' } } };
    expect(await echo(tree, args)).toEqual(args);
    await expect(echo(tree, { root: { name: 'a', next: {} } })).rejects.toThrow('root.next.name: missing');
    const entry = await createEntry(define(tree), async () => ({}), 'default');
    const schema = z.toJSONSchema(z.object(entry.args as z.ZodRawShape)) as unknown as { properties: { root: object } };
    expect(schema.properties.root).toMatchObject({ type: 'object', properties: { name: { type: 'string' } } });
  });

  it('a schema that refers to itself and nothing else ends', async () => {
    expect(await echo({ type: 'object', properties: { v: { $ref: '#/properties/v' } } }, { v: 1 })).toEqual({ v: 1 });
  });

  it('fills in defaults on every level and does not touch what was given', async () => {
    const schema = {
      type: 'object',
      properties: {
        a: { default: 1 },
        list: { type: 'array', items: { type: 'object', properties: { b: { default: [2] } } } },
      },
      required: ['a'],
    };
    const given = { list: [{}] };
    expect(await echo(schema, given)).toEqual({ a: 1, list: [{ b: [2] }] });
    expect(given).toEqual({ list: [{}] });
    expect(await echo(schema, undefined)).toEqual({ a: 1 });
  });

  it('__proto__ as an argument is an argument', async () => {
    const args = JSON.parse('{"__proto__": {"x": 1}}');
    await expect(echo({ type: 'object', additionalProperties: false }, args)).rejects.toThrow(
      '__proto__: unknown field',
    );
    expect(({} as { x?: number }).x).toBeUndefined();
  });
});

describe('results', () => {
  const circle: { self?: unknown } = {};
  circle.self = circle;
  it.each([
    ['text', 'text'],
    [3, '3'],
    [true, 'true'],
    [10n, '10'],
    [undefined, ''],
    [null, ''],
    [{ output: 'x', title: 't' }, 'x'],
    [
      {
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      'a\nb',
    ],
    [{ a: 1 }, '{\n  "a": 1\n}'],
    [[1], '[\n  1\n]'],
    [circle, '[object Object]'],
  ])('number %#', async (value, wanted) => {
    expect(await answer(value)).toBe(wanted);
  });

  it('opencode gets title and metadata', async () => {
    const value = { output: 'x', title: 't', metadata: {} };
    expect(await answer(value, 'opencode')).toBe(value);
  });
});

describe('code that does not load', () => {
  const broken: [string, () => Promise<Record<string, unknown>>, string][] = [
    ['throws', async () => Promise.reject(new Error('boom')), 'boom'],
    ['throws no error', () => Promise.reject('just text'), 'just text'],
    ['has no such export', async () => ({}), 'no `execute` function'],
    ['exports no tool', async () => ({ default: () => {} }), 'no `execute` function'],
    [
      'throws at once',
      () => {
        throw new Error('sync');
      },
      'sync',
    ],
  ];

  it.each(broken)('%s: the tool says why', async (_, load, why) => {
    const entry = await createEntry(define(one({ type: 'string', description: 'D' })), load, 'default');
    expect(entry.description).toContain(why);
    expect(Object.keys(entry.args)).toEqual(['v']);
    await expect(entry.execute({}, {})).rejects.toThrow(new RegExp(`The tool t could not be loaded: .*${why}`));
  });

  it('gives the tool its own object and the context', async () => {
    const tool = {
      name: 'me',
      async execute(this: { name: string }, _: unknown, context: { agent: string }) {
        return `${this.name} ${context.agent}`;
      },
    };
    const entry = await createEntry(define({ type: 'object' }), async () => ({ default: tool }), 'default');
    expect(await entry.execute({}, { agent: 'build' })).toBe('me build');
  });
});
