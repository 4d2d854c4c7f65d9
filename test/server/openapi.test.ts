/** The description of the API and the API say the same. */
import fc from 'fast-check';
import { Check, Errors } from 'typebox/schema';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProblemAnswer } from '../../schemas/api/problem.ts';
import { type Answer, addUser, call, expectStatus, type LiveRegistry, startRegistry } from '../support/registry.ts';
import { seedPackages } from '../support/seeded.ts';

let registry: LiveRegistry;
// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document
let document: any;
let tokens: (string | undefined)[];

beforeAll(async () => {
  registry = await startRegistry({
    limits: { writesPerMinute: 1e6, searchesPerMinute: 1e6, failedLoginsPerMinute: 1e6 },
  });
  await seedPackages(registry.dataFolder, [
    { name: 'one', version: '1.0.0' },
    { name: 'one', version: '1.1.0-beta.1' },
    { name: '@team/two', version: '0.1.0' },
  ]);
  tokens = [undefined, await addUser(registry, 'alice'), registry.adminToken];
  document = (await expectStatus(call(registry.url, '/openapi.json'), 200)).body;
});
afterAll(() => registry.end());

type Operation = {
  path: string;
  method: string;
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
};
const operations = (): Operation[] =>
  Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
  );

/** Fails unless the answer is one that the description has for this operation. */
const expectDescribed = (operation: Operation, answer: Answer): void => {
  const where = `${operation.method} ${operation.path} ${answer.status}`;
  if (answer.status >= 400) {
    expect(answer.headers.get('content-type'), where).toMatch(/^application\/problem\+json/);
    expect(Check(ProblemAnswer, answer.body), where).toBe(true);
    expect(answer.body.status, where).toBe(answer.status);
    return;
  }
  const described = operation.responses[String(answer.status)];
  expect(described, `${where} is not described`).toBeDefined();
  const schema = described?.content?.['application/json']?.schema;
  if (schema === undefined || Buffer.isBuffer(answer.body)) return;
  expect(Errors(schema, answer.body), where).toEqual([true, []]);
};

/** Without halves of surrogate pairs, which no address can hold. */
const wellFormed = (text: string): string => Buffer.from(text).toString();

describe('the description of the API', () => {
  it('has every route of INTERFACE.md', () => {
    const routes = operations().map((operation) => `${operation.method} ${operation.path}`);
    const version = '/v1/packages/{name}/versions/{version}';
    expect(routes).toEqual(
      expect.arrayContaining([
        'GET /v1/packages/{name}',
        `GET ${version}`,
        `GET ${version}/archive`,
        ...['yank', 'unyank', 'deprecate', 'approve', 'reject', 'quarantine'].map(
          (action) => `POST ${version}/${action}`,
        ),
        'PUT /v1/packages/{name}/tags/{tag}',
        'DELETE /v1/packages/{name}/tags/{tag}',
        'GET /v1/search',
        'POST /v1/publish',
        'GET /v1/tokens',
        'POST /v1/tokens',
        'DELETE /v1/tokens/{id}',
        'GET /v1/users',
        'POST /v1/users',
        'DELETE /v1/users/{user}',
        'GET /v1/packages/{name}/owners',
        'POST /v1/packages/{name}/owners',
        'DELETE /v1/packages/{name}/owners/{user}',
        'GET /v1/me',
        'GET /v1/reviews',
        'GET /v1/events',
        'GET /healthz',
        'GET /readyz',
      ]),
    );
  });

  it('is true of plain reads', async () => {
    const fill = { name: 'one', version: '1.0.0' };
    for (const operation of operations().filter((candidate) => candidate.method === 'GET')) {
      const path = operation.path.replace('{name}', fill.name).replace('{version}', fill.version);
      for (const token of tokens)
        expectDescribed(operation, await call(registry.url, path, token === undefined ? {} : { token }));
    }
  });

  it('asks for a token before it looks at anything else of a write', async () => {
    const writes = operations().filter(({ method }) => !['GET', 'HEAD', 'OPTIONS'].includes(method));
    expect(writes.length).toBeGreaterThan(12);
    const bodies: { json?: unknown; body?: string; headers?: Record<string, string> }[] = [
      {},
      { json: {} },
      { json: { version: 7, user: [], message: null, reason: 1 } },
      { body: '{"version":', headers: { 'content-type': 'application/json' } },
      { body: 'x', headers: { 'content-type': 'text/plain' } },
      { body: 'x'.repeat(3_000_000), headers: { 'content-type': 'application/gzip' } },
    ];
    for (const { method, path } of writes) {
      for (const filled of ['one', 'Not A Name!', '%2e%2e']) {
        const target = path.replace(/\{\w+\}/g, encodeURIComponent(filled));
        for (const body of bodies) {
          const answer = await call(registry.url, `${target}?tag=${'x'.repeat(100)}`, { method, ...body });
          expect([answer.status, answer.body.code], `${method} ${target}`).toEqual([401, 'unauthorized']);
        }
      }
    }
  });

  it('is true of whatever is sent: a described answer or a problem, never an error of ours', {
    timeout: 120_000,
  }, async () => {
    const segment = fc.oneof(
      fc.constantFrom(
        'one',
        '@team/two',
        '1.0.0',
        '1.1.0-beta.1',
        'beta',
        'latest',
        'alice',
        'admin',
        'pi-tools',
        '..',
        '',
        ' ',
        '%',
        '\u0000',
        '__proto__',
      ),
      fc.string({ unit: 'binary', maxLength: 20 }),
    );
    const text = fc.oneof(segment, fc.string({ maxLength: 300 }));
    const body = fc.oneof(
      fc.record(
        {
          reason: text,
          message: text,
          version: text,
          user: text,
          role: fc.constantFrom('publisher', 'curator', 'king'),
          scopes: fc.array(fc.constantFrom('read', 'publish', 'review', 'x'), { maxLength: 5 }),
          expires: fc.oneof(text, fc.constant(null)),
          note: fc.oneof(text, fc.constant(null)),
        },
        { requiredKeys: [] },
      ),
      fc.jsonValue({ maxDepth: 3 }),
    );
    const query = fc.record(
      {
        q: text,
        limit: text,
        cursor: text,
        agent: fc.constantFrom('pi', 'emacs'),
        state: text,
        package: text,
        tag: text,
      },
      { requiredKeys: [] },
    );
    const all = operations().filter((operation) => operation.method !== 'HEAD');
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...all.keys()),
        fc.array(segment, { minLength: 3, maxLength: 3 }),
        query,
        body,
        fc.constantFrom(...tokens),
        async (index, segments, parameters, json, token) => {
          const operation = all[index] as Operation;
          let next = 0;
          const path = operation.path.replace(
            /\{\w+\}/g,
            () => encodeURIComponent(wellFormed(segments[next++] ?? '')) || '%20',
          );
          const search = new URLSearchParams(
            Object.entries(parameters).map(([name, value]): [string, string] => [name, wellFormed(value)]),
          );
          const sendsBody = operation.method !== 'GET' && !operation.path.endsWith('/publish');
          // Dots alone are eaten by the client.
          const target = `${path.replaceAll(/\/(\.\.?)(?=\/|$)/g, '/%2e')}?${search}`;
          const answer = await call(registry.url, target, {
            method: operation.method,
            ...(token === undefined ? {} : { token }),
            ...(sendsBody ? { json } : {}),
          });
          expect(answer.status, target).toBeLessThan(500);
          // A segment of dots or nothing leads to another route, or none.
          if (answer.status < 400 && segments.some((value) => /^[. /]*$/.test(value))) return;
          expectDescribed(operation, answer);
        },
      ),
      { numRuns: 400 },
    );
    await expectStatus(call(registry.url, '/readyz'), 200);
  });
});
